import { execFile } from 'node:child_process'
import { statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A disk of its own over a folder, which can be filled and made read-only. */
export interface SmallDisk {
  /** Takes all the room that is left. */
  fill(): Promise<void>
  /** Gives it back. */
  empty(): Promise<void>
  setReadOnly(isReadOnly: boolean): Promise<void>
  /** Takes it away. */
  unmount(): Promise<void>
}

/** Puts a small disk over a folder, or says why that is not allowed here. */
export async function mountSmallDisk(folder: string, mebibytes: number): Promise<SmallDisk | string> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'tmpfs', folder])
  } catch (error) {
    return `a disk cannot be mounted here, which takes root on Linux: ${(error as Error).message.trim()}`
  }
  const ballast = join(folder, 'ballast')
  return {
    fill: async () => {
      const { bavail, bsize } = await statfs(folder)
      // Whoever writes beside it may take some of the room meanwhile; then it is full all the same.
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error
      })
    },
    empty: () => run('rm', ['-f', ballast]).then(() => {}),
    setReadOnly: async (isReadOnly) => {
      await run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder])
    },
    unmount: async () => {
      await run('umount', ['--lazy', folder])
    },
  }
}
