import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes created and renamed directory entries durable (fsync of the folder). */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a folder, with those above it, that only the service's own user can enter (mode 0700), durably. */
export async function makePrivateFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (topmost === undefined) return
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) await syncFolder(dirname(made))
}
