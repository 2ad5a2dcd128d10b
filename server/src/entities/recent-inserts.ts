/** Number of new records in a row after which the next one is expected to be new. */
const enoughInARow = 32

const maxTenants = 1000

/**
 * Remembers tenants whose upserts only create records, as in a first synchronization: the look-up before the insert
 * is skipped for them.
 */
export class RecentInserts {
  readonly #inARow = new Map<string, number>()

  expects(tenantId: string): boolean {
    return (this.#inARow.get(tenantId) ?? 0) >= enoughInARow
  }

  note(tenantId: string, isNew: boolean): void {
    if (!isNew) {
      this.#inARow.delete(tenantId)
      return
    }
    const before = this.#inARow.get(tenantId)
    if (before === undefined && this.#inARow.size >= maxTenants) this.#inARow.clear()
    this.#inARow.set(tenantId, (before ?? 0) + 1)
  }
}
