import { networkOf } from '../../platform/network-address.ts'

/** How many requests a minute public pages take. */
export interface PageLimits {
  readonly perAddress: number
  readonly perLink: number
  /** Links that do not exist, asked for from one address. */
  readonly unknownPerAddress: number
}

export const pageLimits: PageLimits = { perAddress: 600, perLink: 240, unknownPerAddress: 30 }

const windowMilliseconds = 60_000
const mostKeys = 20_000

/**
 * Holds back whoever asks public pages too often: by link, by address, and by address for links that do not exist. Links
 * that were found lately still open from an address that guessed too much, since offices and schools share one. Counted in
 * each process by itself: with several, the limits are multiplied.
 */
export class PageThrottle {
  readonly #limits: PageLimits
  readonly #addresses = new Counter()
  readonly #links = new Counter()
  readonly #unknown = new Counter()
  readonly #found = new Map<string, true>()

  constructor(limits: PageLimits = pageLimits) {
    this.#limits = limits
  }

  /** Counts a request. Gives the whole seconds to wait, or 0 when it may pass. */
  take(address: string, link: string | null): number {
    const from = networkOf(address)
    const waits = [this.#addresses.take(from, this.#limits.perAddress)]
    if (link !== null) {
      waits.push(this.#links.take(link, this.#limits.perLink))
      if (!this.#found.has(link)) waits.push(this.#unknown.wait(from, this.#limits.unknownPerAddress))
    }
    return Math.max(...waits)
  }

  /** Notes that the link does not exist. */
  noteUnknown(address: string, link: string): void {
    this.#found.delete(link)
    this.#unknown.take(networkOf(address), this.#limits.unknownPerAddress)
  }

  /** Notes that the link exists. */
  noteFound(link: string): void {
    if (this.#found.size >= mostKeys) this.#found.delete(this.#found.keys().next().value as string)
    this.#found.set(link, true)
  }
}

/** Counts by key within a minute that begins with the key's first request. */
class Counter {
  readonly #windows = new Map<string, { count: number; until: number }>()

  take(key: string, limit: number): number {
    const now = performance.now()
    const window = this.#windows.get(key)
    if (window !== undefined && window.until > now) {
      window.count += 1
      return window.count > limit ? secondsUntil(window.until, now) : 0
    }
    this.#windows.delete(key)
    if (this.#windows.size >= mostKeys) this.#windows.delete(this.#windows.keys().next().value as string)
    this.#windows.set(key, { count: 1, until: now + windowMilliseconds })
    return 0
  }

  /** The seconds to wait as things are, without counting. */
  wait(key: string, limit: number): number {
    const now = performance.now()
    const window = this.#windows.get(key)
    return window !== undefined && window.until > now && window.count >= limit ? secondsUntil(window.until, now) : 0
  }
}

function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1000))
}
