import { asOwner, type Connection, noTenant, sql, type Transaction } from '../../database/index.ts'
import { parseFilesKeys } from '../../storage/index.ts'
import { type Config, ConfigError } from '../config.ts'

/**
 * Records the current key of files, and checks that all keys of stored files are configured.
 *
 * @throws ConfigError where FILES_KEY lacks one of them
 */
export async function recordFilesKeys(connection: Connection, { filesKey }: Pick<Config, 'filesKey'>): Promise<void> {
  const keys = parseFilesKeys(filesKey)
  await asOwner(connection, noTenant, async (tx) => {
    const recorded = await readRecorded(tx)
    const missing = recorded.filter((id) => !keys.some((key) => key.id === id))
    if (missing.length > 0) throw new ConfigError(missingKeys(missing))
    const [newest] = keys
    if (newest === undefined || recorded.includes(newest.id)) return
    await tx.query(sql`insert into files_keys (key_id) values (${newest.id}) on conflict do nothing`)
  })
}

function missingKeys(ids: readonly string[]): string {
  const which = ids.length === 1 ? `the key ${ids[0]}` : `the keys ${ids.join(', ')}`
  return `FILES_KEY lacks ${which}, under which files are stored: give it too, behind the newest, separated by a comma`
}

/** The ids of the keys under which files may be stored, the oldest first. */
export function recordedFilesKeys(connection: Connection): Promise<string[]> {
  return asOwner(connection, noTenant, readRecorded)
}

async function readRecorded(tx: Transaction): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`select key_id as id from files_keys order by noted_at, key_id`)
  return rows.map(({ id }) => id)
}

/** Deletes keys that no file uses any more. */
export async function forgetFilesKeys(connection: Connection, ids: readonly string[]): Promise<void> {
  await asOwner(connection, noTenant, (tx) =>
    tx.query(sql`delete from files_keys where key_id = any (${[...ids]}::text[])`),
  )
}
