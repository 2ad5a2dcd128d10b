import { createHash } from 'node:crypto'

/**
 * The lines in which keys stand, found again by 64 bits of a digest: 24 bytes a key at most, where a map of texts takes
 * several times as much.
 */
export class SeenKeys {
  #high = new Uint32Array(1024)
  #low = new Uint32Array(1024)
  /** Zero where a slot is free. */
  #lines = new Uint32Array(1024)
  #count = 0

  /** Remembers the line of a key, and gives the line that it stood in before; null the first time. */
  add(key: string, line: number): number | null {
    if (this.#count * 2 >= this.#lines.length) this.#grow()
    const digest = createHash('sha1').update(key).digest()
    const [high, low] = [digest.readUInt32LE(0), digest.readUInt32LE(4)]
    const slot = this.#find(high, low)
    const before = this.#lines[slot] as number
    if (before !== 0) return before
    this.#set(slot, high, low, line)
    this.#count += 1
    return null
  }

  #find(high: number, low: number): number {
    const mask = this.#lines.length - 1
    let slot = low & mask
    while (this.#lines[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low)) slot = (slot + 1) & mask
    return slot
  }

  #set(slot: number, high: number, low: number, line: number): void {
    this.#high[slot] = high
    this.#low[slot] = low
    this.#lines[slot] = line
  }

  #grow(): void {
    const [highs, lows, lines] = [this.#high, this.#low, this.#lines]
    this.#high = new Uint32Array(lines.length * 2)
    this.#low = new Uint32Array(lines.length * 2)
    this.#lines = new Uint32Array(lines.length * 2)
    for (const [index, line] of lines.entries()) {
      if (line === 0) continue
      const [high, low] = [highs[index] as number, lows[index] as number]
      this.#set(this.#find(high, low), high, low, line)
    }
  }
}
