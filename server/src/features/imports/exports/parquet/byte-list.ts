/** Bytes that grow while they are written. */
export class ByteList {
  bytes: Buffer = Buffer.allocUnsafe(1024)
  length = 0

  /** Makes room for so many bytes behind those that are there. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + count))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }

  /** Hands on what was written, and begins anew with as much room. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.length)
    this.bytes = Buffer.allocUnsafe(this.bytes.length)
    this.length = 0
    return taken
  }
}

/** A text behind its length, in four bytes, the lowest first. */
export function appendText(target: ByteList, input: Buffer, start: number, length: number): void {
  target.reserve(length + 4)
  const { bytes } = target
  let at = bytes.writeInt32LE(length, target.length)
  // Short ones are copied here sooner than by a call.
  if (length < 64) for (let index = start; index < start + length; index += 1) bytes[at++] = input[index] as number
  else at += input.copy(bytes, at, start, start + length)
  target.length = at
}
