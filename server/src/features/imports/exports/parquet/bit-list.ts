import { bitRun, repeatedRun } from './hybrid-runs.ts'

/** Bits that grow, packed as Parquet packs them: the first one is the lowest of its byte. */
export class BitList {
  #bits: Buffer = Buffer.alloc(128)
  count = 0
  set = 0

  add(bit: boolean): void {
    const byte = this.count >> 3
    if (byte === this.#bits.length) this.#bits = Buffer.concat([this.#bits, Buffer.alloc(byte)])
    if (bit) {
      this.#bits[byte] = (this.#bits[byte] as number) | (1 << (this.count & 7))
      this.set += 1
    }
    this.count += 1
  }

  /** The bits as one run of levels, or of booleans. */
  toRun(): Buffer {
    if (this.set === this.count) return repeatedRun(1, this.count)
    return this.set === 0 ? repeatedRun(0, this.count) : bitRun(this.#bits, this.count)
  }

  clear(): void {
    this.#bits.fill(0)
    this.count = 0
    this.set = 0
  }
}
