/** The RLE and bit-packing hybrid of Parquet (Encodings.md): runs of one value, or groups of eight packed ones. */

/** Whole numbers below 2^width packed, the lowest bits first. */
export function packedRun(values: Int32Array, count: number, width: number): Buffer {
  const groups = Math.ceil(count / 8)
  const head = varint((groups << 1) | 1)
  const run = Buffer.alloc(head.length + groups * width)
  head.copy(run)
  let [at, pending, bits] = [head.length, 0, 0]
  for (let index = 0; index < count; index += 1) {
    pending |= (values[index] as number) << bits
    bits += width
    for (; bits >= 8; bits -= 8) {
      run[at++] = pending & 0xff
      pending >>>= 8
    }
  }
  if (bits > 0) run[at] = pending & 0xff
  return run
}

/** One value below 256, so many times. */
export function repeatedRun(value: number, count: number): Buffer {
  return Buffer.concat([varint(count << 1), Buffer.of(value)])
}

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

/** Bits packed eight to a byte. */
function bitRun(bits: Buffer, count: number): Buffer {
  const groups = Math.ceil(count / 8)
  return Buffer.concat([varint((groups << 1) | 1), bits.subarray(0, groups)])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}
