import { Company } from '../database/index.ts'

/** How many requests of a tenant are worked on at once while others have some too. */
const atOnce = 4

/** What takes longer waits for something, and keeps the process from nothing: it makes way for the next one. */
const shareMilliseconds = 250

/** As many of a tenant wait here at most; what follows behind, such as the rooms of the database, refuses the rest. */
const longestLine = 500

/** What one tenant has under way while it is in company. */
interface Share {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Shares the one thread of a process between tenants: while requests of several come in, only a few of each are worked on at
 * once, so that a request of one of them never stands behind dozens of another's. A tenant that is alone has it all.
 */
export class TenantShares {
  readonly #shares = new Map<string, Share>()
  readonly #company = new Company()

  /** Runs `work`, in company when the tenant has a share free. */
  run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#company.meets(tenantId) ? this.#inTurn(tenantId, work) : work()
  }

  async #inTurn<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    const share = this.#shares.get(tenantId) ?? { running: 0, waiting: [] }
    this.#shares.set(tenantId, share)
    if (share.running < atOnce) share.running += 1
    else if (share.waiting.length < longestLine) await new Promise<void>((resolve) => share.waiting.push(resolve))
    else return work()
    let isOver = false
    const makeWay = () => {
      if (isOver) return
      isOver = true
      const next = share.waiting.shift()
      if (next !== undefined) return next()
      share.running -= 1
      if (share.running === 0) this.#shares.delete(tenantId)
    }
    const timer = setTimeout(makeWay, shareMilliseconds)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      makeWay()
    }
  }
}
