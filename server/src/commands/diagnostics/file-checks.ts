import { existsSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../app/config.ts'
import { readInstallation } from '../../app/installation.ts'
import type { Connection } from '../../database/index.ts'
import type { EncryptedFileStore } from '../../storage/index.ts'
import {
  countOthers,
  countStoredUnder,
  describeOwnership,
  findOwnership,
  hasNoFiles,
  openFileStore,
  parseFilesKeys,
  readSecretKey,
} from '../../storage/index.ts'
import type { Check } from './check.ts'

/** What `doctor` reports of a folder that the first start creates. */
export function notMade(folder: string): string {
  return `${folder} is not there yet. The first start makes it: npm start`
}

const minFreeBytes = 1024 ** 3

/** Whether the data directory can be written, and has room. */
export async function checkDataDir(dataDir: string): Promise<Check> {
  const name = 'storage'
  try {
    await access(dataDir, constants.R_OK | constants.W_OK)
  } catch {
    return { name, status: 'failure', detail: `${dataDir} cannot be written. Set DATA_DIR to a folder that can.` }
  }
  const { bavail, bsize } = await statfs(dataDir)
  const gibibytes = ((bavail * bsize) / 1024 ** 3).toFixed(1)
  if (bavail * bsize < minFreeBytes) {
    return { name, status: 'warning', detail: `${dataDir} has only ${gibibytes} GiB free. Make room.` }
  }
  return { name, status: 'ok', detail: `${dataDir}, ${gibibytes} GiB free` }
}

/** Whether documents can be stored, on disk or in S3. */
export async function checkFiles(config: Config): Promise<Check[]> {
  const name = 'files'
  try {
    const secretKey = config.secretKey ?? (await readSecretKey(config.dataDir))
    const isMade = config.storageUrl !== null || existsSync(join(config.dataDir, 'files'))
    if (secretKey === null || !isMade)
      return [{ name, status: 'warning', detail: notMade(join(config.dataDir, 'files')) }]
    const store = await openFileStore({ ...config, secretKey }, null)
    try {
      await store.check()
      const detail = config.storageUrl ?? `under ${config.dataDir}`
      return [{ name, status: 'ok', detail }, await checkEncryption(store, config)]
    } finally {
      await store.close()
    }
  } catch (error) {
    return [{ name, status: 'failure', detail: `${(error as Error).message} Check STORAGE_URL and its credentials.` }]
  }
}

/** For how long stored files are looked at, in milliseconds. */
const filesTimeoutMs = 20_000

/** Whether every stored file is under the newest key. */
async function checkEncryption(store: EncryptedFileStore, { filesKey }: Config): Promise<Check> {
  const name = 'encryption'
  const keys = parseFilesKeys(filesKey).map(({ id }) => id)
  const deadline = performance.now() + filesTimeoutMs
  const { counts, damaged, isWhole } = await countStoredUnder(store, 'frozen', () => performance.now() > deadline)
  const files = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const some = isWhole ? `of ${files} files` : `of the first ${files} files, which is as many as were looked at,`
  const newest = keys[0] ?? null
  const strange = [...counts.keys()].filter((id) => id !== null && !keys.includes(id))
  if (strange.length > 0) {
    const detail = `${some} some are under keys that FILES_KEY does not have: ${strange.join(', ')}. Add them to it.`
    return { name, status: 'failure', detail }
  }
  if (damaged > 0) {
    const detail = `${some} ${damaged} more are cut off. Run: matricula encrypt-files, which tells which, and put them back from a backup.`
    return { name, status: 'failure', detail }
  }
  const plain = counts.get(null) ?? 0
  const older = countOthers(counts, newest) - (newest === null ? 0 : plain)
  if (newest === null && older === 0)
    return { name, status: 'ok', detail: `files are stored plain (${files}); FILES_KEY is not set` }
  if (plain + older === 0) return { name, status: 'ok', detail: `${some} all are under the key ${newest}` }
  const detail = `${some} ${plain} are plain and ${older} under an older key. Run: matricula encrypt-files`
  return { name, status: 'warning', detail }
}

/** Whether the stored files are this installation's, which alone removes them. */
export async function checkOwnership(connection: Connection, config: Config, secretKey: string | null): Promise<Check> {
  const name = 'files owner'
  if (secretKey === null) return { name, status: 'ok', detail: 'no files were stored yet' }
  const store = await openFileStore({ ...config, secretKey }, null)
  try {
    const installation = await readInstallation(connection)
    const ownership = installation === null ? null : await findOwnership(store, installation)
    const isClaimable = ownership?.is === 'unclaimed' && (installation?.mayClaim || (await hasNoFiles(store)))
    if (ownership === null || isClaimable) {
      return { name, status: 'ok', detail: 'the next start makes them this installation’s own' }
    }
    const obstacle = describeOwnership(ownership)
    if (obstacle !== null) return { name, status: 'failure', detail: obstacle }
    return { name, status: 'ok', detail: `this installation (${ownership.owner})` }
  } catch (error) {
    return { name, status: 'failure', detail: (error as Error).message }
  } finally {
    await store.close()
  }
}
