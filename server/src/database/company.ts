/** How long a tenant is in company after another one was there, in milliseconds. */
const companyMilliseconds = 1_000

/** Whether several tenants have work for the process just now. A tenant that is alone need not share it. */
export class Company {
  #latest: string | null = null
  #until = Number.NEGATIVE_INFINITY

  /** Notes that a tenant has work, and answers whether others have too. */
  meets(tenantId: string): boolean {
    if (tenantId !== this.#latest) {
      if (this.#latest !== null) this.#until = performance.now() + companyMilliseconds
      this.#latest = tenantId
    }
    return performance.now() < this.#until
  }
}
