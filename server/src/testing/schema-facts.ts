import pg from 'pg'
import { type Connection, clientOptions } from '../database/index.ts'

/** Everything that the catalogue says of the schema, one fact a line: two databases with the same schema have the same facts. */
export async function schemaFacts(connection: Connection): Promise<string[]> {
  const client = new pg.Client(clientOptions(connection, 'owner'))
  await client.connect()
  try {
    // Names of other schemas are written out, and those of this one are not, wherever the catalogue writes an expression.
    await client.query(`set search_path to public`)
    const { rows } = await client.query<{ fact: string }>(`
      select format('relation %s %s %s rls %s/%s %s', relkind, relname, relpersistence, relrowsecurity, relforcerowsecurity,
                    (select string_agg(option, ',' order by option) from unnest(reloptions) option)) as fact
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
      union all
      select format('column %s.%s %s %s not null %s collation %s default %s generated %s identity %s', c.relname, a.attname,
                    a.attnum - (select count(*) from pg_attribute d
                                 where d.attrelid = a.attrelid and d.attnum between 1 and a.attnum and d.attisdropped),
                    format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attcollation::regcollation,
                    pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attidentity)
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
      union all
      select format('constraint %s %s %s valid %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
        from pg_constraint where connamespace = 'public'::regnamespace
      union all
      select format('index %s valid %s', pg_get_indexdef(i.indexrelid), i.indisvalid)
        from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace
      union all
      select format('function %s %s', oid::regprocedure, pg_get_functiondef(oid))
        from pg_proc where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
      union all
      select format('view %s %s', oid::regclass, pg_get_viewdef(oid))
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
      union all
      select format('trigger %s %s', pg_get_triggerdef(t.oid), t.tgenabled)
        from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
      union all
      select format('policy %s %s %s %s %s using %s check %s', tablename, policyname, permissive, roles, cmd, qual, with_check)
        from pg_policies where schemaname = 'public'
      union all
      select format('right %s on %s %s', privilege_type, c.oid::regclass, coalesce(a.grantable_text, ''))
        from pg_class c, lateral (
               select privilege_type, case when is_grantable then 'grantable' end as grantable_text
                 from aclexplode(c.relacl) where grantee = 'matricula_service'::regrole) a
       where c.relnamespace = 'public'::regnamespace
      union all
      select format('right %s on function %s', privilege_type, p.oid::regprocedure)
        from pg_proc p, lateral aclexplode(p.proacl) where p.pronamespace = 'public'::regnamespace
         and grantee in (0, 'matricula_service'::regrole)
      union all
      select format('collation %s %s %s %s', collname, collprovider, collisdeterministic, to_jsonb(l) - 'oid' - 'collowner' - 'collversion' - 'collnamespace')
        from pg_collation l where collnamespace = 'public'::regnamespace
      union all
      select format('type %s %s', typname, typtype) from pg_type
       where typnamespace = 'public'::regnamespace and typtype in ('d', 'e', 'r') 
      union all
      select format('extension %s', extname) from pg_extension
      order by 1`)
    return rows.map(({ fact }) => fact)
  } finally {
    await client.end()
  }
}
