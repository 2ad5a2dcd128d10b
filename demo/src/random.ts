import { createHash } from 'node:crypto'

/**
 * Random numbers that are the same for the same start: the generator sfc32 of Chris Doty-Humphrey (PractRand), whose
 * 128 bits of state never meet for different starts. Not for secrets.
 */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter: number

  constructor(a: number, b: number, c: number, counter: number) {
    this.#a = a | 0
    this.#b = b | 0
    this.#c = c | 0
    this.#counter = counter | 0
    for (let round = 0; round < 12; round += 1) this.bits()
  }

  /** 32 random bits, as a whole number that is not negative. */
  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return sum >>> 0
  }

  /** At least 0, less than 1. */
  fraction(): number {
    return this.bits() / 2 ** 32
  }

  /** A whole number of at least 0 that is less than `bound`. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound)
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  /** True with a probability of 0 to 1. */
  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  /** One of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  /** One of a list that is not empty, each as likely as its weight says. */
  weighted<Item>(items: readonly Item[], weightOf: (item: Item) => number): Item {
    let left = this.fraction() * items.reduce((total, item) => total + weightOf(item), 0)
    for (const item of items) {
      left -= weightOf(item)
      if (left < 0) return item
    }
    return items.at(-1) as Item
  }

  /** The same items in another order. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const order = [...items]
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1)
      const moved = order[last] as Item
      order[last] = order[other] as Item
      order[other] = moved
    }
    return order
  }

  /** A pattern with each `#` made a digit, each `*` a digit from 1 to 9, and each `@` a capital letter. */
  filled(pattern: string): string {
    return pattern.replace(/[#*@]/g, (mark) => {
      if (mark === '@') return String.fromCharCode(65 + this.below(26))
      return String(mark === '*' ? this.between(1, 9) : this.below(10))
    })
  }
}

/**
 * Random numbers for each record on its own, so that any record can be made at any time without the ones before it.
 * The same seed gives the same numbers.
 */
export class RandomSource {
  readonly #seed: string
  readonly #starts = new Map<string, readonly [number, number, number]>()

  constructor(seed: string) {
    this.#seed = seed
  }

  /** The numbers of the record with an index (less than 2³²) for one subject. */
  of(subject: string, index: number): Random {
    const [a, b, c] = this.#start(subject)
    return new Random(a, b, c, index)
  }

  #start(subject: string): readonly [number, number, number] {
    const known = this.#starts.get(subject)
    if (known !== undefined) return known
    const digest = createHash('sha256').update(`${this.#seed}\n${subject}`).digest()
    const start = [digest.readInt32BE(0), digest.readInt32BE(4), digest.readInt32BE(8)] as const
    this.#starts.set(subject, start)
    return start
  }
}
