import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { makeAtNodes } from '../citus/distribute.ts'
import { serviceRole } from '../pool/connection.ts'

/** What is in every database, and at every node of a cluster, and so carries the mark. */
const carrier = 'sequence public.stamp_floor'

/**
 * Whether the database has the mark of what this version would make of it now: then nothing is to be made sure of, distributed or
 * levelled. On a cluster every node that answers must have it. A node that was added has none, and one that was restored from an
 * older copy has an older one. A node that does not answer is passed over, so that services start without it; it has its mark, or
 * not, when it is there again.
 */
export async function isLevelled(client: pg.ClientBase, isCluster: boolean): Promise<boolean> {
  const { rows: carriers } = await client.query(
    `select to_regclass('public.stamp_floor') is not null and
            exists (select from pg_roles where rolname = '${serviceRole}') as "isThere"`,
  )
  if (!carriers[0].isThere) return false
  const { rows: member } = await client.query(
    `select pg_has_role(current_user, '${serviceRole}', 'member') as "isMember",
            coalesce(obj_description(to_regclass('public.stamp_floor'), 'pg_class'), '') as mark`,
  )
  if (!member[0].isMember || member[0].mark === '') return false
  const mark = await loadMark(client, isCluster)
  if (!isCluster) return member[0].mark === mark
  const { rows } = await client.query<{ isHere: boolean; success: boolean; result: string }>(
    `select n.groupid = 0 as "isHere", a.success, a.result
       from run_command_on_all_nodes($1, give_warning_for_connection_errors => true) a
       join pg_dist_node n on n.nodeid = a.nodeid`,
    [`select coalesce(obj_description(to_regclass('public.stamp_floor'), 'pg_class'), '')`],
  )
  return rows.some(({ isHere }) => isHere) && rows.every(({ success, result }) => !success || result === mark)
}

/** Notes, at every node, that it is as this version makes it. Throws `Error` with what a node says. */
export async function markLevelled(client: pg.ClientBase, isCluster: boolean): Promise<void> {
  const statement = `comment on ${carrier} is ${pg.escapeLiteral(await loadMark(client, isCluster))}`
  await (isCluster ? makeAtNodes(client, statement) : client.query(statement))
}

/** Takes the mark away, on a cluster that of the coordinator, so that whatever ends what follows, the next `migrate` does it again. */
export async function unmarkLevelled(client: pg.ClientBase, isCluster: boolean): Promise<void> {
  await client.query('begin')
  if (isCluster) await client.query('set local citus.enable_ddl_propagation = off')
  await client.query(`comment on ${carrier} is null`)
  await client.query('commit')
}

/**
 * The migrations, the nodes, and the tables, views, functions, policies, rights and triggers of the database, or of the coordinator, with
 * the program that makes them, as one word. Partitions are left out: the service makes and drops them, and Citus hands them on. A row
 * of a catalogue is known by its number and by the transaction that wrote it.
 */
async function loadMark(client: pg.ClientBase, isCluster: boolean): Promise<string> {
  const { rows } = await client.query<{ facts: string }>(`
    select jsonb_build_array(
      (select jsonb_agg(array[name, checksum] order by name) from schema_migrations),
      (select jsonb_agg(array[oid::text, relname, relrowsecurity::text, relacl::text, reloptions::text] order by oid)
         from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S') and not relispartition),
      (select nspacl::text from pg_namespace where nspname = 'public'),
      (select jsonb_agg(array[oid::text, xmin::text] order by oid) from pg_proc where pronamespace = 'public'::regnamespace),
      (select jsonb_agg(array[p.oid::text, p.xmin::text] order by p.oid) from pg_policy p join pg_class c on c.oid = p.polrelid
        where c.relnamespace = 'public'::regnamespace and not c.relispartition),
      (select jsonb_agg(t.oid::text order by t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and not c.relispartition))::text as facts`)
  const hash = createHash('sha256').update(await program())
  if (isCluster) hash.update(await nodesAndShards(client))
  return `levelled ${hash.update(rows[0]?.facts ?? '').digest('hex')}`
}

async function nodesAndShards(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ facts: string }>(`
    select jsonb_build_array(
      (select jsonb_agg(array[nodeid::text, groupid::text, nodename, nodeport::text, noderole::text] order by nodeid) from pg_dist_node),
      (select jsonb_agg(array[logicalrelid::oid::text, partmethod::text, colocationid::text] order by logicalrelid)
         from pg_dist_partition join pg_class on oid = logicalrelid where not relispartition))::text as facts`)
  return rows[0]?.facts ?? ''
}

/** The text of the program that migrates and levels, by which another version of it is known. */
async function program(): Promise<string> {
  const here = new URL('./', import.meta.url)
  const citus = new URL('../citus/', import.meta.url)
  const isProgram = (name: string) => /\.[jt]s$/.test(name) && !/\.(test|d)\.[jt]s$/.test(name)
  const files = (await readdir(citus)).filter(isProgram).sort()
  const texts = [
    new URL('migrate.js', here),
    new URL('level-mark.js', here),
    ...files.map((name) => new URL(name, citus)),
  ]
  return (await Promise.all(texts.map((file) => readFile(file, 'utf8')))).join('\n')
}
