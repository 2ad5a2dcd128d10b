import { after } from 'node:test'
import { register } from 'prom-client'
import { putDown } from '../../app/shutdown.ts'

const endings: (() => unknown)[] = []
let isShared = false

/**
 * Does something when the tests of the file that asks have run, the last that was asked for first. Unlike `after` it may be called from
 * anywhere and at any time, and keeps to the file where one process runs several.
 */
export function afterFile(ending: () => unknown): void {
  if (endings.length === 0 && !isShared) after(endFile)
  endings.push(ending)
}

/**
 * Says that this process runs several test files, and ends each by `endFile`.
 *
 * @public by its address, see `shared-processes.ts`
 */
export function shareProcess(): void {
  isShared = true
}

/**
 * Ends what a test file started, and counts anew for the next. Throws the first failure, after everything was ended.
 *
 * @public by its address, see `shared-processes.ts`
 */
export async function endFile(): Promise<void> {
  register.resetMetrics()
  await putDown(endings)
}

/** How long what is open after the last test may stay so, in milliseconds. */
const timeout = 30_000

/**
 * Says that this process has run its last file. Where something keeps it alive for much longer, like a service that a failed test has
 * left, it says what that is and ends as one that failed.
 *
 * @public by its address, see `shared-processes.ts`
 */
export function endProcess(): void {
  setTimeout(() => {
    const kinds = [...new Set(process.getActiveResourcesInfo())].join(', ')
    process.stderr.write(`still open ${timeout / 1000} s after the last test: ${kinds}\n`)
    process.exit(1)
  }, timeout).unref()
}
