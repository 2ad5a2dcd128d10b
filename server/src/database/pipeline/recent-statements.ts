import type { Statement } from '../sql/statement.ts'

const rememberedMilliseconds = 60_000
const mostRemembered = 1000

/** Statements of tenants of which something was found lately, whatever their parameters were: it is remembered for a minute. */
export class StatementsOfLate {
  readonly #until = new Map<string, number>()

  add(tenantId: string, statement: Statement): void {
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

  delete(tenantId: string, statement: Statement): void {
    this.#until.delete(keyOf(tenantId, statement))
  }
}

function keyOf(tenantId: string, { name, text }: Statement): string {
  return `${tenantId} ${name ?? text}`
}
