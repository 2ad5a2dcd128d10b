import { sql, type Transaction } from '../../database/index.ts'

/** A foreign key between two tenant tables, by its column beside `tenant_id`. */
export interface Reference {
  readonly table: string
  readonly column: string
  readonly target: string
  readonly targetColumn: string
}

/** A column, as far as it may contain personal data. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** Whether a key or a constraint needs its value. */
  readonly isBound: boolean
  /** Whether it is generated, or part of a primary, unique or foreign key, or of a referenced one. */
  readonly isKey: boolean
  /** Its position in the primary key, from 1; null when it is not part of it. */
  readonly keyPosition: number | null
}

/** The tenant tables of the database catalogue. */
export interface Catalogue {
  readonly columns: ReadonlyMap<string, readonly Column[]>
  /** The references to a table. */
  listReferences(table: string): readonly Reference[]
}

/** Reads the tenant tables and their foreign keys. */
export async function readCatalogue(tx: Transaction): Promise<Catalogue> {
  const rows = await tx.query<Column & { table: string }>(sql`
    with keys as materialized (
      select conrelid as relid, unnest(conkey) as attnum from pg_constraint where contype in ('p', 'u', 'f')
      union
      select confrelid, unnest(confkey) from pg_constraint where contype = 'f'
      union
      select indrelid, unnest(indkey::int2[]) from pg_index where indisunique
    ), bounds as materialized (
      select conrelid as relid, unnest(conkey) as attnum from pg_constraint where contype <> 'n'
      union
      select indrelid, unnest(indkey::int2[]) from pg_index where indisunique
    )
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as "isNullable",
           a.attgenerated <> '' or (c.oid, a.attnum) in (select relid, attnum from bounds) as "isBound",
           a.attgenerated <> '' or (c.oid, a.attnum) in (select relid, attnum from keys) as "isKey",
           (select array_position(k.conkey, a.attnum) from pg_constraint k where k.contype = 'p' and k.conrelid = c.oid) as "keyPosition"
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped)
     order by c.relname, a.attnum`)
  const columns = new Map<string, Column[]>()
  for (const { table, ...column } of rows) columns.set(table, [...(columns.get(table) ?? []), column])
  const references = await tx.query<Reference>(sql`
    select linked.relname as table, a.attname as column, target.relname as target, f.attname as "targetColumn"
      from pg_constraint k
      join pg_class linked on linked.oid = k.conrelid
      join pg_class target on target.oid = k.confrelid
      cross join lateral unnest(k.conkey, k.confkey) as pair (own, foreign_one)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.own
      join pg_attribute f on f.attrelid = k.confrelid and f.attnum = pair.foreign_one
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and cardinality(k.conkey) = 2
       and a.attname <> 'tenant_id'
     order by 1, 2, 3`)
  const known = references.filter(({ table, target }) => columns.has(table) && columns.has(target))
  return { columns, listReferences: (table) => known.filter(({ target }) => target === table) }
}
