import type { Statement } from './statement.ts'

/** What takes longer than a few milliseconds to bring over a connection, in bytes. */
const heavyBytes = 512 * 1024

const rememberedMilliseconds = 60_000
const mostRemembered = 1000

/**
 * Which statements lately answered a tenant a lot, whatever their parameters: for a minute they are no company for others on a
 * shared connection.
 */
export class HeavyStatements {
  readonly #until = new Map<string, number>()

  note(tenantId: string, statement: Statement, bytes: number): void {
    if (bytes < heavyBytes) return
    if (this.#until.size >= mostRemembered) this.#until.clear()
    this.#until.set(keyOf(tenantId, statement), performance.now() + rememberedMilliseconds)
  }

  has(tenantId: string, statement: Statement): boolean {
    if (this.#until.size === 0) return false
    const key = keyOf(tenantId, statement)
    const until = this.#until.get(key)
    if (until === undefined) return false
    if (performance.now() < until) return true
    this.#until.delete(key)
    return false
  }
}

function keyOf(tenantId: string, statement: Statement): string {
  return `${tenantId} ${statement.text}`
}
