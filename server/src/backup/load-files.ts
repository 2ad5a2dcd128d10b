import { createHash } from 'node:crypto'
import { CommandError } from '../errors/index.ts'
import type { FileState, FileStore } from '../storage/index.ts'
import { readBackup } from './read-backup.ts'

/**
 * Stores the files of a backup and reads each one back, to see that it is the same. Those that are there already, as
 * when it was interrupted before, stay. As long as no row names them nothing shows them.
 * @throws Refusal where another file has the place of one, or where the storage gives back something else
 */
export async function loadFiles(
  bytes: AsyncIterable<Uint8Array>,
  store: FileStore,
  onFile: (files: number) => void,
): Promise<void> {
  let files = 0
  for await (const part of readBackup(bytes)) {
    if (part.kind !== 'section' || part.head.kind !== 'file') continue
    const { state, key } = part.head
    if (state === 'frozen' && (await store.stat('frozen', key)) !== null) {
      for await (const _ of part.content); // its sum is known then
      if ((await findSum(store, 'frozen', key)) !== part.end().sha256) {
        throw new CommandError(
          'already_exists',
          `Another file has the place of ${key}. Restore where no files are yet.`,
        )
      }
    } else {
      await store.write(key, part.content, { maxBytes: Number.MAX_SAFE_INTEGER })
      if (state === 'frozen') await store.freeze(key)
      if ((await findSum(store, state, key)) !== part.end().sha256) {
        throw new CommandError(
          'state_conflict',
          `The storage does not give back what it was given as ${key}. Look after it.`,
        )
      }
    }
    files += 1
    onFile(files)
  }
}

async function findSum(store: FileStore, state: FileState, key: string): Promise<string | null> {
  const bytes = await store.open(state, key)
  if (bytes === null) return null
  const sum = createHash('sha256')
  for await (const piece of bytes) sum.update(piece)
  return sum.digest('hex')
}
