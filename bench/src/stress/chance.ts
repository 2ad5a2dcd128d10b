/** Random choices that a seed repeats, by the generator mulberry32. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to below a bound. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const left = [...items]
    return items.map(() => left.splice(this.below(left.length), 1)[0] as Item)
  }

  word(): string {
    return `word ${this.below(1000)}`
  }

  phone(): string {
    return `+1555${1_000_000 + this.below(9)}`
  }

  /** A day of September or October 2026. */
  day(): string {
    return `2026-${this.of(['09', '10'])}-${String(1 + this.below(30)).padStart(2, '0')}`
  }
}
