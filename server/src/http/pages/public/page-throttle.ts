import { type CountBook, MinuteCounts } from '../../../concurrency/index.ts'
import { getNetwork } from '../../../values/index.ts'

/** How many requests a minute public pages take. */
export interface PageLimits {
  readonly perAddress: number
  readonly perLink: number
  /** Links that do not exist, asked for from one address. */
  readonly unknownPerAddress: number
}

export const pageLimits: PageLimits = { perAddress: 600, perLink: 240, unknownPerAddress: 30 }

const maxFound = 20_000

/**
 * Holds back whoever asks public pages too often, over all processes: by link, by address, and by address for links that do not
 * exist. Links that were found lately still open from an address that guessed too much, since offices and schools share one.
 */
export class PageThrottle {
  readonly #addresses: MinuteCounts
  readonly #links: MinuteCounts
  readonly #unknown: MinuteCounts
  readonly #found = new Map<string, true>()

  constructor(book: CountBook | null, limits: PageLimits = pageLimits) {
    this.#addresses = new MinuteCounts('page address', limits.perAddress, book)
    this.#links = new MinuteCounts('page link', limits.perLink, book)
    this.#unknown = new MinuteCounts('page unknown', limits.unknownPerAddress, book)
  }

  /** Counts a request. Gives the whole seconds to wait, or 0 when it may pass. */
  take(address: string, link: string | null): number {
    const from = getNetwork(address)
    const waits = [this.#addresses.take(from)]
    if (link !== null) {
      waits.push(this.#links.take(link))
      if (!this.#found.has(link)) waits.push(this.#unknown.wait(from))
    }
    return Math.max(...waits)
  }

  /** Notes that the link does not exist. */
  recordUnknown(address: string, link: string): void {
    this.#found.delete(link)
    this.#unknown.take(getNetwork(address))
  }

  /** Notes that the link exists. */
  recordFound(link: string): void {
    if (this.#found.size >= maxFound) this.#found.delete(this.#found.keys().next().value as string)
    this.#found.set(link, true)
  }
}
