import type { Statement } from '../sql/statement.ts'
import { RecentStatements } from './recent-statements.ts'

/** How long statements may take that share a connection, in milliseconds. */
export interface Brevity {
  /** What took no longer by itself, its way there and back among it, is tried in company. */
  readonly byItself: number
  /** What takes longer there keeps the others waiting: it is ended, and done on a connection of its own. */
  readonly whileContended: number
}

export const usualBrevity: Brevity = { byItself: 3, whileContended: 20 }

/**
 * Which statements lately took a tenant little time, whatever their parameters. One that was tried in company and took longer is not tried
 * again for a minute.
 */
export class BriefStatements {
  readonly #byItself: number
  readonly #brief = new RecentStatements()
  readonly #long = new RecentStatements()

  constructor({ byItself }: Brevity) {
    this.#byItself = byItself
  }

  has(tenantId: string, statement: Statement): boolean {
    return this.#brief.has(tenantId, statement)
  }

  /** It took so long by itself. */
  note(tenantId: string, statement: Statement, milliseconds: number): void {
    if (milliseconds <= this.#byItself && !this.#long.has(tenantId, statement)) this.#brief.add(tenantId, statement)
  }

  /** It took too long in company. */
  recordLong(tenantId: string, statement: Statement): void {
    this.#brief.delete(tenantId, statement)
    this.#long.add(tenantId, statement)
  }
}
