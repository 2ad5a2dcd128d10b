import { appendText, ByteList } from './byte-list.ts'

/** More different values than these are no dictionary. */
const maxEntries = 4096
/** From how many values on it is asked whether there are too many different ones. */
const trial = 256
const maxBytes = 1024

/** The different values of a column of texts, each found by its bytes; every one stands in `entries` behind its length, as Parquet wants it. */
export class TextDictionary {
  readonly entries = new ByteList()
  // Made with the first value: most tables of an institution have no rows.
  #starts = new Int32Array(0)
  #slots = new Int32Array(0)
  #indexes = new Int32Array(0)
  size = 0
  count = 0

  /** Adds a value. False where it is of no use any more: the value is not added then. */
  add(input: Buffer, start: number, length: number): boolean {
    if (length > maxBytes) return false
    if (this.count >= trial && this.size * 2 > this.count) return false
    if (this.#slots.length === 0) this.#allocate()
    let hash = 0x811c9dc5
    for (let at = start; at < start + length; at += 1) hash = Math.imul(hash ^ (input[at] as number), 0x01000193)
    const mask = this.#slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & mask
    while (true) {
      const entry = this.#slots[slot] as number
      if (entry === 0) break
      if (this.#isEntry(entry - 1, input, start, length)) {
        this.#addIndex(entry - 1)
        return true
      }
      slot = (slot + 1) & mask
    }
    if (this.size === maxEntries) return false
    this.#starts[this.size] = this.entries.length
    appendText(this.entries, input, start, length)
    this.size += 1
    this.#slots[slot] = this.size
    this.#addIndex(this.size - 1)
    return true
  }

  /** The position of each value among the entries. */
  indexes(): Int32Array {
    return this.#indexes.subarray(0, this.count)
  }

  /** Writes the values one by one, each behind its length. */
  writeValues(target: ByteList): void {
    const { bytes } = this.entries
    for (const index of this.indexes()) {
      const start = this.#starts[index] as number
      appendText(target, bytes, start + 4, bytes.readInt32LE(start))
    }
  }

  clear(): void {
    this.#slots.fill(0)
    this.entries.length = 0
    this.size = 0
    this.count = 0
  }

  #allocate(): void {
    this.#starts = new Int32Array(maxEntries)
    this.#slots = new Int32Array(maxEntries * 4)
    this.#indexes = new Int32Array(1024)
  }

  #addIndex(index: number): void {
    if (this.count === this.#indexes.length) {
      const larger = new Int32Array(this.count * 2)
      larger.set(this.#indexes)
      this.#indexes = larger
    }
    this.#indexes[this.count++] = index
  }

  #isEntry(entry: number, input: Buffer, start: number, length: number): boolean {
    const { bytes } = this.entries
    const at = this.#starts[entry] as number
    if (bytes.readInt32LE(at) !== length) return false
    for (let index = 0; index < length; index += 1) {
      if (bytes[at + 4 + index] !== input[start + index]) return false
    }
    return true
  }
}
