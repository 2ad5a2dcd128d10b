import { type CountBook, MinuteCounts } from '../../../concurrency/index.ts'
import { getNetwork } from '../../../values/index.ts'

/** Rate limits of public pages, in requests per minute. */
export interface PageLimits {
  readonly perAddress: number
  readonly perLink: number
  /** Requests for links that do not exist, from one address. */
  readonly unknownPerAddress: number
}

export const pageLimits: PageLimits = { perAddress: 600, perLink: 240, unknownPerAddress: 30 }

const maxKnownLinks = 20_000

/**
 * Rate limits of public pages over all processes: by link, by address, and by address for links that do not exist.
 * Recently used links still open from an address that guessed too often, because offices and schools share one.
 */
export class PageThrottle {
  readonly #addresses: MinuteCounts
  readonly #links: MinuteCounts
  readonly #unknown: MinuteCounts
  readonly #knownLinks = new Map<string, true>()

  constructor(book: CountBook | null, limits: PageLimits = pageLimits) {
    this.#addresses = new MinuteCounts('page address', limits.perAddress, book)
    this.#links = new MinuteCounts('page link', limits.perLink, book)
    this.#unknown = new MinuteCounts('page unknown', limits.unknownPerAddress, book)
  }

  /** Counts a request. Returns the seconds to wait (a whole number), or 0 when it may pass. */
  take(address: string, link: string | null): number {
    const from = getNetwork(address)
    const waits = [this.#addresses.take(from)]
    if (link !== null) {
      waits.push(this.#links.take(link))
      if (!this.#knownLinks.has(link)) waits.push(this.#unknown.wait(from))
    }
    return Math.max(...waits)
  }

  /** Counts a request for a link that does not exist. */
  recordUnknown(address: string, link: string): void {
    this.#knownLinks.delete(link)
    this.#unknown.take(getNetwork(address))
  }

  /** Remembers that the link exists. */
  recordFound(link: string): void {
    if (this.#knownLinks.size >= maxKnownLinks) this.#knownLinks.delete(this.#knownLinks.keys().next().value as string)
    this.#knownLinks.set(link, true)
  }
}
