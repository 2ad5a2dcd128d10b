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

/** Bits that were packed before, eight a byte. */
export function bitRun(bits: Buffer, count: number): Buffer {
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
