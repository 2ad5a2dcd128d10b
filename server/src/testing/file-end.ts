import { after } from 'node:test'
import { register } from 'prom-client'

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
 * Ends what a test file started, the last first, and counts anew for the next. Throws the first fault, after all were ended.
 *
 * @public by its address, see `shared-processes.ts`
 */
export async function endFile(): Promise<void> {
  const faults: unknown[] = []
  for (const ending of endings.splice(0).reverse()) {
    try {
      await ending()
    } catch (error) {
      faults.push(error)
    }
  }
  register.resetMetrics()
  if (faults.length > 0) throw faults[0]
}
