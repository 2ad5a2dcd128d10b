import type { FileState } from '../file-store.ts'
import { FileDamaged } from './encrypted-file.ts'
import type { EncryptedFileStore, StoredUnder } from './encrypted-file-store.ts'

const atOnce = 8

/**
 * How many files are stored under each key; null stands for none. Those of which nothing can tell are counted apart.
 * Of all of them, or of as many as are looked at until `isEnough`.
 */
export async function countStoredUnder(
  store: EncryptedFileStore,
  state: FileState,
  isEnough: () => boolean = () => false,
): Promise<{
  readonly counts: ReadonlyMap<string | null, number>
  readonly damaged: number
  readonly isWhole: boolean
}> {
  const counts = new Map<string | null, number>()
  let isWhole = true
  let damaged = 0
  const find = async (key: string): Promise<StoredUnder | null> => {
    try {
      return await store.storedUnder(state, key)
    } catch (error) {
      if (!(error instanceof FileDamaged)) throw error
      damaged += 1
      return null
    }
  }
  const look = async (keys: readonly string[]) => {
    for (const under of await Promise.all(keys.map(find))) {
      if (under !== null) counts.set(under.keyId, (counts.get(under.keyId) ?? 0) + 1)
    }
  }
  const keys: string[] = []
  for await (const key of store.list(state)) {
    if (isEnough()) {
      isWhole = false
      break
    }
    keys.push(key)
    if (keys.length === atOnce) await look(keys.splice(0))
  }
  await look(keys.splice(0))
  return { counts, damaged, isWhole }
}

/** How many of these are not under a key. */
export function countOthers(counts: ReadonlyMap<string | null, number>, keyId: string | null): number {
  return [...counts].reduce((sum, [id, count]) => (id === keyId ? sum : sum + count), 0)
}
