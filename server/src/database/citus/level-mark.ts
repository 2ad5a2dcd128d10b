import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { serviceRole } from '../pool/connection.ts'
import { makeAtNodes } from './distribute.ts'

/** What is at every node of a cluster, and so carries its mark: see `levelNodes`. */
const carrier = 'sequence public.stamp_floor'

/**
 * Whether every node that answers has the mark of what this version would make of it now: then nothing is to be distributed or
 * levelled. A node that was added has none, and one that was restored from an older copy has an older one. A node that does not answer is
 * passed over, so that services start without it; it has its mark, or not, when it is there again.
 */
export async function isLevelled(client: pg.ClientBase): Promise<boolean> {
  const { rows: carriers } = await client.query(
    `select to_regclass('public.stamp_floor') is not null and
            exists (select from pg_roles where rolname = '${serviceRole}') as "isThere"`,
  )
  if (!carriers[0].isThere) return false
  const { rows: member } = await client.query(
    `select pg_has_role(current_user, '${serviceRole}', 'member') as "isMember"`,
  )
  if (!member[0].isMember) return false
  const mark = await loadMark(client)
  const { rows } = await client.query<{ isHere: boolean; success: boolean; result: string }>(
    `select n.groupid = 0 as "isHere", a.success, a.result
       from run_command_on_all_nodes($1, give_warning_for_connection_errors => true) a
       join pg_dist_node n on n.nodeid = a.nodeid`,
    [`select coalesce(obj_description(to_regclass('public.stamp_floor'), 'pg_class'), '')`],
  )
  return rows.some(({ isHere }) => isHere) && rows.every(({ success, result }) => !success || result === mark)
}

/** Notes at every node that it is as this version makes it. Throws `Error` with what a node says. */
export async function markLevelled(client: pg.ClientBase): Promise<void> {
  await makeAtNodes(client, `comment on ${carrier} is ${pg.escapeLiteral(await loadMark(client))}`)
}

/** Takes the mark of the coordinator away, so that whatever ends what follows, the next `migrate` does it again. */
export async function unmarkLevelled(client: pg.ClientBase): Promise<void> {
  await client.query('begin')
  await client.query('set local citus.enable_ddl_propagation = off')
  await client.query(`comment on ${carrier} is null`)
  await client.query('commit')
}

/**
 * The migrations, the nodes, and the tables, views, functions, policies, rights and triggers of the coordinator, with the program that makes
 * them, as one word. Partitions are left out: the service makes and drops them, and Citus hands them on. A row of a catalogue is known by its number and by the transaction that wrote it.
 */
async function loadMark(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ facts: string }>(`
    select jsonb_build_array(
      (select jsonb_agg(array[name, checksum] order by name) from schema_migrations),
      (select jsonb_agg(array[nodeid::text, groupid::text, nodename, nodeport::text, noderole::text] order by nodeid) from pg_dist_node),
      (select jsonb_agg(array[oid::text, relname, relrowsecurity::text, relacl::text] order by oid)
         from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S') and not relispartition),
      (select jsonb_agg(array[logicalrelid::oid::text, partmethod::text, colocationid::text] order by logicalrelid)
         from pg_dist_partition join pg_class on oid = logicalrelid where not relispartition),
      (select jsonb_agg(array[oid::text, xmin::text] order by oid) from pg_proc where pronamespace = 'public'::regnamespace),
      (select jsonb_agg(array[p.oid::text, p.xmin::text] order by p.oid) from pg_policy p join pg_class c on c.oid = p.polrelid
        where c.relnamespace = 'public'::regnamespace and not c.relispartition),
      (select jsonb_agg(t.oid::text order by t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and not c.relispartition))::text as facts`)
  const hash = createHash('sha256').update(await program())
  return `levelled ${hash.update(rows[0]?.facts ?? '').digest('hex')}`
}

/** The text of the program that migrates and levels, by which another version of it is known. */
async function program(): Promise<string> {
  const folder = new URL('./', import.meta.url)
  const isProgram = (name: string) => /\.[jt]s$/.test(name) && !/\.(test|d)\.[jt]s$/.test(name)
  const files = (await readdir(folder)).filter(isProgram).sort()
  const texts = [new URL('../migrations/migrate.js', folder), ...files.map((name) => new URL(name, folder))]
  return (await Promise.all(texts.map((file) => readFile(file, 'utf8')))).join('\n')
}
