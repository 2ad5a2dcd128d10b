import { type Random, RandomSource } from './random.ts'

/** Makes the ids of a tenant's demo records. */
export class DemoIds {
  readonly #random: RandomSource

  /** Tenants with another slug get other ids for the same seed, because no two tenants of a service share an id. */
  constructor(seed: number, slug: string) {
    this.#random = new RandomSource(`id ${seed} ${slug}`)
  }

  /** The id of a record of a kind that came into being at a moment, always the same. */
  of(kind: string, index: number, moment: number): string {
    return versionSeven(moment, this.#random.of(kind, index))
  }
}

/** UUID version 7 (RFC 9562 §5.7) of a moment in milliseconds since 1970; its other 74 bits are random. */
export function versionSeven(moment: number, random: Random): string {
  const time = moment.toString(16).padStart(12, '0')
  const first = random.bits()
  const versioned = 0x7000 | (first & 0xfff)
  const variant = 0x8000 | ((first >>> 12) & 0x3fff)
  const rest = (random.bits() & 0xffff).toString(16).padStart(4, '0') + random.bits().toString(16).padStart(8, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-${versioned.toString(16)}-${variant.toString(16)}-${rest}`
}
