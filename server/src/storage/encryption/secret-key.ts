import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../backends/durable-folder.ts'

const minCharacters = 32

/**
 * The secret key that is kept under the data folder as `secret-key` (mode 0600): 32 random bytes in base64, made when
 * it is first asked for. Processes that start at once get the same one, and a crash leaves a whole one or none.
 * @throws Error when the file is there but does not hold a key; it is never replaced, since addresses and public
 * links that were given out depend on it.
 */
export async function readOrMakeSecretKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret-key')
  const stored = await readStored(file)
  if (stored !== null) return stored
  return loadSecretKey(dataDir, randomBytes(32).toString('base64'))
}

/** Keeps a key under the data folder, unless one is there. Returns the one that is there then. */
export async function loadSecretKey(dataDir: string, key: string): Promise<string> {
  const file = join(dataDir, 'secret-key')
  await mkdir(dataDir, { recursive: true })
  const made = join(dataDir, `.secret-key.${randomUUID()}`)
  const handle = await open(made, 'wx', 0o600)
  try {
    await handle.writeFile(`${key}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    // A link, unlike a rename, never replaces the key that another process was quicker to make.
    await link(made, file).catch(ignoreCode('EEXIST'))
  } finally {
    await rm(made, { force: true })
  }
  await syncFolder(dataDir)
  return (await readStored(file)) as string
}

/** The secret key that is kept under the data folder, or null where none was made yet. Makes nothing. */
export function readSecretKey(dataDir: string): Promise<string | null> {
  return readStored(join(dataDir, 'secret-key'))
}

async function readStored(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(ignoreCode('ENOENT'))
  if (text === undefined) return null
  const key = text.trim()
  if (key.length < minCharacters) {
    throw new Error(`${file} holds no key of at least ${minCharacters} characters. Restore it, or set SECRET_KEY.`)
  }
  if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600)
  return key
}

function ignoreCode(code: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
}
