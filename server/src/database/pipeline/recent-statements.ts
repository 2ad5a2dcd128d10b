import type { Statement } from '../sql/statement.ts'

const rememberedMilliseconds = 60_000
const maxRemembered = 1000

/** Statements of tenants of which something was found lately, whatever their parameters were: it is remembered for a minute. */
export class RecentStatements {
  readonly #until = new Map<string, number>()

  add(tenantId: string, statement: Statement): void {
    if (this.#until.size >= maxRemembered) this.#until.clear()
    this.#until.set(getKey(tenantId, statement), performance.now() + rememberedMilliseconds)
  }

  has(tenantId: string, statement: Statement): boolean {
    if (this.#until.size === 0) return false
    const key = getKey(tenantId, statement)
    const until = this.#until.get(key)
    if (until === undefined) return false
    if (performance.now() < until) return true
    this.#until.delete(key)
    return false
  }

  delete(tenantId: string, statement: Statement): void {
    this.#until.delete(getKey(tenantId, statement))
  }
}

function getKey(tenantId: string, { name, text }: Statement): string {
  return `${tenantId} ${name ?? text}`
}
