/** Where processes put together what they counted. */
export interface CountBook {
  /** Adds to what all have counted of something, and tells how much that is, and until when, in a moment; never where it cannot. */
  add(key: string, amount: number, reported: (count: BookedCount) => void, failed: () => void): void
}

/** What all processes have counted, and the milliseconds until it starts anew. */
export interface BookedCount {
  readonly count: number
  readonly milliseconds: number
}

interface Window {
  /** What all processes had counted when they were last asked, and what this one has counted since. */
  count: number
  /** What the others do not know yet. */
  unbooked: number
  isBooking: boolean
  until: number
}

const windowMilliseconds = 60_000
const maxKeys = 20_000
/** A process tells the others once it has counted this part of the limit by itself. */
const bookedPart = 1 / 20

/**
 * Counts by key within a minute that begins with the key's first request, over all processes of a deployment. A process counts by itself
 * and tells the others when it has a twentieth of the limit, without anybody waiting for it. So whoever asks as people do
 * costs no statement; whoever asks too often is let through as often as the limit says, a twentieth more for each further process,
 * and what comes in the moment until they have told each other. Without a book each process counts by itself, and so it does while
 * the database takes nothing.
 */
export class MinuteCounts {
  readonly #name: string
  readonly #limit: number
  readonly #book: CountBook | null
  readonly #windows = new Map<string, Window>()

  /** `name` tells its keys from those of other counts in the book. */
  constructor(name: string, limit: number, book: CountBook | null) {
    this.#name = name
    this.#limit = limit
    this.#book = book
  }

  /** Counts one. Gives the whole seconds to wait, or 0 when it is within the limit. */
  take(key: string): number {
    const now = performance.now()
    let window = this.#windows.get(key)
    if (window === undefined || window.until <= now) {
      this.#windows.delete(key)
      if (this.#windows.size >= maxKeys) this.#windows.delete(this.#windows.keys().next().value as string)
      window = { count: 0, unbooked: 0, isBooking: false, until: now + windowMilliseconds }
      this.#windows.set(key, window)
    }
    window.count += 1
    // What is refused counts no more, so that whoever goes on asking costs the database nothing.
    if (window.count > this.#limit + 1) return secondsUntil(window.until, now)
    window.unbooked += 1
    if (window.unbooked >= this.#limit * bookedPart && !window.isBooking) this.#tellOthers(key, window)
    return window.count > this.#limit ? secondsUntil(window.until, now) : 0
  }

  /** The seconds to wait as things are, without counting; 0 when one more is within the limit. */
  wait(key: string): number {
    const now = performance.now()
    const window = this.#windows.get(key)
    return window !== undefined && window.until > now && window.count >= this.#limit
      ? secondsUntil(window.until, now)
      : 0
  }

  #tellOthers(key: string, window: Window): void {
    if (this.#book === null) return
    const amount = window.unbooked
    window.unbooked = 0
    window.isBooking = true
    const told = ({ count, milliseconds }: BookedCount) => {
      window.isBooking = false
      window.count = count + window.unbooked
      window.until = performance.now() + milliseconds
    }
    const failed = () => {
      window.isBooking = false
      window.unbooked += amount
    }
    this.#book.add(`${this.#name} ${key}`, amount, told, failed)
  }
}

function secondsUntil(moment: number, now: number): number {
  return Math.max(1, Math.ceil((moment - now) / 1000))
}
