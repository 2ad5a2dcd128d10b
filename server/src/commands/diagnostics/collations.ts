import type { Command } from 'commander'
import pg from 'pg'
import { readConfig } from '../../app/config.ts'
import { clientOptions } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { warnOnly, withOpened } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'

/** A way of sorting texts by which indexes were built and that the system has in another version now. */
interface ChangedCollation {
  /** Null: that of the database. */
  readonly schema: string | null
  readonly name: string
  readonly had: string
  readonly has: string | null
}

async function changedCollations(client: pg.ClientBase): Promise<ChangedCollation[]> {
  const { rows } = await client.query<ChangedCollation>(`
    select null as schema, datname as name, datcollversion as had, pg_database_collation_actual_version(oid) as has
      from pg_database
     where datname = current_database() and datcollversion <> pg_database_collation_actual_version(oid)
    union all
    select collnamespace::regnamespace::text, collname, collversion, pg_collation_actual_version(oid)
      from pg_collation
     where collversion <> pg_collation_actual_version(oid)
       and oid in (select unnest(i.indcollation) from pg_index i join pg_class c on c.oid = i.indrelid
                    where c.relnamespace = 'public'::regnamespace)
     order by 2`)
  return rows
}

/** What `doctor` says of the order of texts in indexes. */
export async function checkCollations(
  client: pg.ClientBase,
): Promise<{ name: string; status: 'ok' | 'failure'; detail: string }> {
  const name = 'collations'
  const changed = await changedCollations(client)
  if (changed.length === 0) return { name, status: 'ok', detail: 'texts are sorted as when the indexes were built' }
  const reported = changed.map(({ name: which, had, has }) => `${which} (${had}, now ${has})`)
  const detail = `changed: ${reported.join(', ')}; indexes may miss rows. Run: matricula refresh-collations`
  return { name, status: 'failure', detail }
}

/** `matricula refresh-collations`: builds indexes anew whose order the system has changed. */
export function addRefreshCollationsCommand(command: Command): void {
  command.option('--json', 'print one JSON object').action(async ({ json }: { json?: boolean }) => {
    const config = readConfig(process.env)
    const report = await withOpened(config, warnOnly, async ({ connection }) => {
      const client = new pg.Client(clientOptions(connection, 'owner', 'matricula collations'))
      client.on('error', () => {}) // the statement that is under way fails with it
      await client.connect()
      try {
        return await refresh(client, json === true)
      } finally {
        await client.end()
      }
    })
    const done = `${report.indexes} indexes were rebuilt for ${report.collations.map(({ name }) => name).join(', ')}.`
    print(json, report, report.collations.length === 0 ? 'Nothing to do: no sort order has changed.' : done)
  })
}

async function refresh(client: pg.Client, isQuiet: boolean) {
  const collations = await changedCollations(client)
  if (collations.length === 0) return { collations, indexes: 0 }
  const { rows: indexes } = await client.query<{ name: string }>(`
    select i.indexrelid::regclass::text as name
      from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and exists (select from unnest(i.indcollation) each where each <> 0)
     order by 1`)
  const progress = new ProgressLine('Indexes', isQuiet)
  try {
    for (const [at, { name }] of indexes.entries()) {
      progress.tell(`${at} of ${indexes.length}, ${name}`)
      await client.query(`reindex index concurrently ${name}`).catch((error: pg.DatabaseError) => {
        throw explained(error, name)
      })
    }
  } finally {
    progress.end()
  }
  // Noted only now: where it was interrupted, doctor goes on telling.
  for (const { schema, name } of collations) {
    const which = pg.escapeIdentifier(name)
    await client.query(
      schema === null
        ? `alter database ${which} refresh collation version`
        : `alter collation ${schema}.${which} refresh version`,
    )
  }
  return { collations, indexes: indexes.length }
}

function explained(error: pg.DatabaseError, index: string): Error {
  if (error.code !== '23505') return error
  return new CommandError(
    'state_conflict',
    `The index ${index} cannot be built: two rows are the same that must not be, because it did not find one of them. ` +
      `${error.detail ?? ''} Correct one of them, and run this again.`,
  )
}
