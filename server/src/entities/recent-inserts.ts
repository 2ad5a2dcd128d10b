/** So many records in a row that were not there yet, and the next one is taken for a new one too. */
const enoughInARow = 32

const maxTenants = 1000

/**
 * Of which tenants the records that are upserted are all new of late, as in a first sync: who expects another new one need not look
 * whether it is there before he makes it.
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
