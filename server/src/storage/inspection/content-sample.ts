const headBytes = 64 * 1024
/** The list of a ZIP file’s entries stands at its end; this is enough for some ten thousand. */
const tailBytes = 1024 * 1024
const zipSignature = Buffer.from('PK\x03\x04')
const compoundSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** A sample of a streamed file for detecting its type: the whole of a small file, the ends of a large one. */
export class ContentSample {
  sizeBytes = 0
  #head = new Window(0, headBytes)
  #tail: Buffer[] = []
  #tailLength = 0
  #directory: Window | null = null
  #isPrintable = true

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    const position = this.sizeBytes
    this.sizeBytes += bytes.length
    this.#head.take(position, bytes)
    this.#isPrintable &&= isPrintable(bytes)
    if (startsWith(this.head, zipSignature) || this.head.length < zipSignature.length) this.#keepTail(bytes)
    this.#keepDirectory(position, bytes)
  }

  /** The first 64 KiB. */
  get head(): Buffer {
    return this.#head.bytes
  }

  /** Of a ZIP file the last megabyte, or all of a smaller one; empty for others. */
  get tail(): Buffer {
    return startsWith(this.head, zipSignature) ? Buffer.concat(this.#tail) : Buffer.alloc(0)
  }

  /** Of a compound file (the container of old Office formats) the first 4 KiB of its directory; empty for others. */
  get directory(): Buffer {
    return this.#directory?.bytes ?? Buffer.alloc(0)
  }

  /** Whether every byte is one of a text: no control characters but tabs and line ends. */
  get isPrintable(): boolean {
    return this.#isPrintable && this.sizeBytes > 0
  }

  #keepTail(bytes: Buffer): void {
    this.#tail.push(Buffer.from(bytes))
    this.#tailLength += bytes.length
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      if (this.#tailLength - first.length < tailBytes) return
      this.#tailLength -= first.length
      this.#tail.shift()
    }
  }

  #keepDirectory(position: number, bytes: Buffer): void {
    const { head } = this
    if (this.#directory === null && head.length >= 512 && startsWith(head, compoundSignature)) {
      // [MS-CFB] 2.2: the size of a sector is a power of two; the header takes the place of the first one.
      const shift = head.readUInt16LE(30) === 12 ? 12 : 9
      this.#directory = new Window((head.readUInt32LE(48) + 1) * 2 ** shift, 4096)
      this.#directory.take(0, head)
    }
    this.#directory?.take(position, bytes)
  }
}

/** A part of a file that comes in chunks from its beginning on. */
class Window {
  readonly #start: number
  readonly #bytes: Buffer
  #length = 0

  constructor(start: number, length: number) {
    this.#start = start
    this.#bytes = Buffer.alloc(length)
  }

  /** Takes its part of bytes that stand at a place of the file. */
  take(position: number, bytes: Buffer): void {
    const wanted = this.#start + this.#length
    if (position > wanted || position + bytes.length <= wanted) return
    this.#length += bytes.copy(this.#bytes, this.#length, wanted - position)
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}

function startsWith(bytes: Buffer, signature: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature)
}

/** For each byte, whether it is one of a text. */
const textBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number((byte >= 0x20 && byte !== 0x7f) || isBlank(byte)),
)

function isBlank(byte: number): boolean {
  return byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d
}

function isPrintable(bytes: Buffer): boolean {
  for (let position = 0; position < bytes.length; position += 1) {
    if (textBytes[bytes[position] as number] === 0) return false
  }
  return true
}
