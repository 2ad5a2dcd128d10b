import { Company } from '../database/index.ts'

/** How many requests of a tenant are worked on at once while others have some too. */
const inCompany = 3

/** And while none has: more would only stand in the process and in the lines of the database, and keep both from looking up between them. */
const alone = 24

/** What takes longer waits for something, and keeps the process from nothing: it makes way for the next one. */
const shareMilliseconds = 250

/** As many of a tenant wait here at most; what follows behind, such as the rooms of the database, refuses the rest. */
const longestLine = 500

/** What one tenant has under way. */
interface Share {
  running: number
  /** How many it may have. */
  most: number
  readonly waiting: (() => void)[]
}

/**
 * Shares the one thread of a process between tenants: while requests of several come in, only a few of each are worked on at
 * once, so that a request of one of them never stands behind dozens of another's. A tenant that is alone has more, as many as keep the
 * database busy: what is begun all at once is answered all at once, and nothing else is done meanwhile.
 */
export class TenantShares {
  readonly #shares = new Map<string, Share>()
  readonly #company = new Company()

  /** Runs `work` when the tenant has a share free. */
  async run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    const most = this.#company.meets(tenantId) ? inCompany : alone
    const share = this.#shares.get(tenantId) ?? { running: 0, most, waiting: [] }
    this.#shares.set(tenantId, share)
    share.most = most
    if (share.running < most) share.running += 1
    else if (share.waiting.length < longestLine) await new Promise<void>((resolve) => share.waiting.push(resolve))
    else return work()
    let isOver = false
    const makeWay = () => {
      if (isOver) return
      isOver = true
      share.running -= 1
      for (; share.running < share.most && share.waiting.length > 0; share.running += 1) share.waiting.shift()?.()
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
