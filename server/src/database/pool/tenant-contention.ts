import { setTimeout as pause } from 'node:timers/promises'

/** How long a tenant is in company after another one was there, in milliseconds. */
const companyMilliseconds = 1_000

/** Whether several tenants have work for the process just now. A tenant that is alone need not share it. */
export class TenantContention {
  #latest: string | null = null
  #until = Number.NEGATIVE_INFINITY

  /** Notes that a tenant has work, and returns whether others have too. */
  meets(tenantId: string): boolean {
    if (tenantId !== this.#latest) {
      if (this.#latest !== null) this.#until = performance.now() + companyMilliseconds
      this.#latest = tenantId
    }
    return performance.now() < this.#until
  }
}

/** The longest rest, in milliseconds. */
const longestRest = 50

/** What takes less is followed by no rest: a timer would make it longer than it was. */
const shortestWork = 1

/** How long to rest after so many milliseconds of work that can wait, so that others come to theirs; 0 for a tenant that is alone. */
export function restAfter(contention: TenantContention, tenantId: string, worked: number): number {
  return worked >= shortestWork && contention.meets(tenantId) ? Math.min(longestRest, worked) : 0
}

/** The rests of long work that goes on in several places at once: all of them rest together. */
export class Rests {
  readonly #contention: TenantContention
  readonly #tenantId: string
  #begun = performance.now()
  #resting: Promise<void> | undefined

  constructor(contention: TenantContention, tenantId: string) {
    this.#contention = contention
    this.#tenantId = tenantId
  }

  /** The rest that is due, or undefined. */
  take(): Promise<void> | undefined {
    if (this.#resting !== undefined) return this.#resting
    const rest = restAfter(this.#contention, this.#tenantId, performance.now() - this.#begun)
    if (rest === 0) return undefined
    this.#resting = pause(rest).then(() => {
      this.#resting = undefined
      this.#begun = performance.now()
    })
    return this.#resting
  }
}
