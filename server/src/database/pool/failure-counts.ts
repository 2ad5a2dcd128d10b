import { Cancelled, DatabaseUnavailable } from '../database-errors.ts'

/** Counts what a process's database did not do because of the state that it was in, and what nobody wanted any more. */
export class FailureCounts {
  /** By SQLSTATE, or the system's word where the connection failed. */
  readonly bySqlstate = new Map<string, number>()
  unwanted = 0

  /** Counts an error, and gives it back. */
  count(error: unknown): unknown {
    if (error instanceof Cancelled) this.unwanted += 1
    if (error instanceof DatabaseUnavailable && error.code !== null) {
      this.bySqlstate.set(error.code, (this.bySqlstate.get(error.code) ?? 0) + 1)
    }
    return error
  }
}
