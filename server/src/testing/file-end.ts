import { after } from 'node:test'
import { register } from 'prom-client'
import { putDown } from '../stopping.ts'

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
