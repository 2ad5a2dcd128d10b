import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { CommandError } from '../errors/index.ts'
import { BackupFileError, type BackupHeader, type SectionHead } from './backup-format.ts'
import { type CopiedTable, copyIn, copyOut, getNames, readCopiedTables, textForm } from './copied-tables.ts'
import { readBackup } from './read-backup.ts'
import { RowDigest } from './row-digest.ts'
import { inFewPieces } from './write-frames.ts'

export interface LoadOptions {
  readonly header: BackupHeader
  /**
   * Whether nobody else uses the database, which holds no institution: then checks and indexes are made after the
   * rows.
   */
  readonly isAlone: boolean
  /** What the institution of the backup is called here; null: as it was. */
  readonly slug: string | null
  readonly onRows: (rows: number) => void
}

/** Where the row of an institution waits that gets another name. */
const arriving: CopiedTable = { name: 'arriving_tenants', columns: [] }

/**
 * Loads the rows of a backup in one transaction and reads each table back, to see that its rows are the same: all of
 * it is there afterwards, or nothing. The database has the schema of the backup.
 * @throws Refusal where rows cannot be loaded or are not the same afterwards
 */
export async function loadRows(
  client: pg.Client,
  bytes: AsyncIterable<Uint8Array>,
  { header, isAlone, slug, onRows }: LoadOptions,
): Promise<void> {
  const tenantId = header.tenant?.id ?? null
  await client.query('begin')
  await client.query(`${textForm}; set local row_security = off; set local maintenance_work_mem = '128MB'`)
  const expected = new Map((await readCopiedTables(client, tenantId !== null)).map((table) => [table.name, table]))
  const putBack = isAlone ? await setAside(client) : await trustRows(client)
  // A service that was there before the restore has left notes of its own, such as when jobs ran.
  if (isAlone) await client.query(`truncate ${getNames([...expected.keys()])}`)
  if (slug !== null)
    await client.query(`create temporary table ${arriving.name} (like tenants including defaults) on commit drop`)
  let loaded = 0
  for await (const part of readBackup(bytes)) {
    if (part.kind !== 'section' || part.head.kind !== 'table') continue
    const table = requireTable(expected, part.head)
    const isArriving = slug !== null && table.name === 'tenants'
    const into = client.query(copyFrom(copyIn(table, isArriving ? arriving.name : table.name)))
    await pipeline(inFewPieces(part.content), into).catch((error: unknown) => {
      throw explained(error, table.name)
    })
    const stored = isArriving ? { ...table, name: arriving.name } : table
    await requireSame(client, copyOut(stored, isArriving ? null : tenantId), table, part.end())
    if (isArriving) await nameAnew(client, table, slug)
    expected.delete(table.name)
    loaded += part.end().rows ?? 0
    onRows(loaded)
  }
  const [missing] = expected.keys()
  if (missing !== undefined) throw new BackupFileError(`It has no rows of the table ${missing}: it is not whole.`)
  await continueSequences(client, header)
  await putBack()
  await client.query('commit')
}

/** What the database says of rows that it does not take. Other errors are as they were. */
function explained(error: unknown, table: string): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  return new CommandError(
    'state_conflict',
    `The database does not take the rows of ${table}: ${error.message} (${error.code}). Nothing was restored.`,
  )
}

function requireTable(expected: ReadonlyMap<string, CopiedTable>, head: SectionHead & { kind: 'table' }): CopiedTable {
  const table = expected.get(head.name)
  const isSame = table !== undefined && [...table.columns].sort().join() === [...head.columns].sort().join()
  if (isSame) return { name: head.name, columns: head.columns }
  throw new BackupFileError(`Its table ${head.name} is not as this version of Matricula has it.`)
}

async function requireSame(
  client: pg.Client,
  statement: string,
  { name }: CopiedTable,
  { rows, digest }: { readonly rows?: number; readonly digest?: string },
): Promise<void> {
  const found = new RowDigest()
  for await (const piece of client.query(copyTo(statement))) found.add(piece as Buffer)
  if (found.rows === rows && found.digest === digest) return
  throw new CommandError(
    'state_conflict',
    `The rows of ${name} are not the same after they were loaded (${found.rows} of ${rows}). Nothing was kept. Please report this.`,
  )
}

/** Gives an institution another name, and no host name, which the other one may have. */
async function nameAnew(client: pg.Client, table: CopiedTable, slug: string): Promise<void> {
  await client.query(`update ${arriving.name} set slug = $1, host = null`, [slug])
  const columns = getNames(table.columns)
  await client.query(`insert into tenants (${columns}) select ${columns} from ${arriving.name}`)
}

/**
 * Takes away what is faster made once all rows are there, and returns what puts it back. Triggers have done their
 * work before.
 */
async function setAside(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ away: string; back: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as away,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as back
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
    union all
    select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
      from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition and not i.indisunique
    union all
    select distinct format('alter table %s disable trigger user', tgrelid::regclass),
           format('alter table %s enable trigger user', tgrelid::regclass)
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'public'::regnamespace and not tgisinternal`)
  for (const { away } of rows) await client.query(away)
  return async () => {
    // Indexes first: foreign keys are checked over them.
    for (const { back } of rows.filter(({ back }) => !back.startsWith('alter'))) await client.query(back)
    for (const { back } of rows.filter(({ back }) => back.startsWith('alter'))) await client.query(back)
  }
}

/**
 * Loads rows as they are beside others that are in use: what triggers and foreign keys see to was so where they come
 * from.
 */
async function trustRows(client: pg.Client): Promise<() => Promise<void>> {
  try {
    await client.query('set local session_replication_role = replica')
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '42501') throw error
    const { rows } = await client
      .query<{ user: string }>('rollback')
      .then(() => client.query('select current_user as user'))
    throw new CommandError(
      'state_conflict',
      'The user of the database may not load rows beside those of others. Run as its administrator: ' +
        `grant set on parameter session_replication_role to ${pg.escapeIdentifier(rows[0]?.user ?? '')}`,
    )
  }
  return async () => {}
}

/** Lets each sequence go on behind what it had given out, where it has not come so far. */
async function continueSequences(client: pg.Client, { sequences }: BackupHeader): Promise<void> {
  for (const [name, last] of Object.entries(sequences)) {
    if (last === null) continue
    await client.query(
      `select setval(format('%I.%I', schemaname, sequencename)::regclass, $2::bigint) from pg_sequences
        where schemaname = 'public' and sequencename = $1 and coalesce(last_value, min_value - 1) < $2::bigint`,
      [name, last],
    )
  }
}
