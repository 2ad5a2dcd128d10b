import { UnreadableFile } from '../row-errors.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** The characters of Windows-1252 (WHATWG Encoding §9) from 0x80 to 0x9F; five bytes stand for none. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** How much of a file tells UTF-16 without a mark from other encodings, in bytes. */
const probeBytes = 4096

/** Finds the encoding of a file while its bytes pass, once. */
export class EncodingProbe {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true })
  #isFirst = true
  #marked: Encoding | null = null
  #isUtf8 = true
  #hasZeros = false
  #hasUndefined = false

  /** Looks at the next bytes of the file; the first ones are at least four where the file has as many. */
  add(bytes: Buffer): void {
    if (this.#isFirst) {
      this.#isFirst = false
      this.#marked = findMark(bytes) ?? findUtf16(bytes.subarray(0, probeBytes))
    }
    if (this.#marked !== null && this.#marked !== 'utf-8') return
    this.#hasZeros ||= bytes.includes(0)
    if (!this.#isUtf8) this.#look(bytes)
    else {
      try {
        this.#utf8.decode(bytes, { stream: true })
      } catch {
        this.#isUtf8 = false
      }
      this.#look(bytes)
    }
  }

  #look(bytes: Buffer): void {
    if (this.#hasUndefined) return
    this.#hasUndefined = [0x81, 0x8d, 0x8f, 0x90, 0x9d].some((byte) => bytes.includes(byte))
  }

  /** The encoding, once all bytes have passed. Throws `unknown_encoding`. */
  end(): Encoding {
    if (this.#marked !== null && this.#marked !== 'utf-8') return this.#marked
    try {
      this.#utf8.decode()
    } catch {
      this.#isUtf8 = false
    }
    if (this.#hasZeros) throw new UnreadableFile('unknown_encoding', 'has zero bytes, so it is no text file')
    if (this.#isUtf8) return 'utf-8'
    if (this.#marked === 'utf-8') {
      throw new UnreadableFile('unknown_encoding', 'begins with the mark of UTF-8 and has bytes that are not UTF-8')
    }
    if (this.#hasUndefined) {
      throw new UnreadableFile('unknown_encoding', 'is neither UTF-8, UTF-16 nor Windows-1252')
    }
    return 'windows-1252'
  }
}

function findMark(bytes: Buffer): Encoding | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  const [first, second, third, fourth] = bytes
  const isUtf32 = first === 0xff && second === 0xfe && third === 0 && fourth === 0
  if (isUtf32) throw new UnreadableFile('unknown_encoding', 'is UTF-32')
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

/** UTF-16 without a mark: of a text in Latin letters every other byte is zero, at least in the headings. */
function findUtf16(bytes: Buffer): Encoding | null {
  const zeros = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] as number) + 1
  const [even = 0, odd = 0] = zeros
  const enough = bytes.length / 4
  if (odd > enough && even === 0) return 'utf-16le'
  return even > enough && odd === 0 ? 'utf-16be' : null
}

/** Decodes a file piece by piece, without its mark. */
export async function* decoded(bytes: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  if (encoding === 'windows-1252') {
    for await (const piece of bytes) yield fromWindows1252(piece)
    return
  }
  const decoder = new TextDecoder(encoding)
  for await (const piece of bytes) yield decoder.decode(piece, { stream: true })
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

function fromWindows1252(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  return text.replace(/[\x80-\x9f]/g, (control) => windows1252[control.charCodeAt(0) - 0x80] as string)
}

const bytesOf = new Map([...windows1252].map((character, index) => [character, 0x80 + index]))

/** What a character of two bytes or more in UTF-8 begins with when it was read as Windows-1252. */
const suspicious = /[\u00c2-\u00f4][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/

/**
 * The text that was meant where UTF-8 was read as Windows-1252 and stored so, such as José for JosÃ©; null for a text that is
 * none of that.
 */
export function findMojibake(text: string): string | null {
  if (!suspicious.test(text)) return null
  const bytes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0) as number
    const byte = bytesOf.get(character) ?? code
    if (byte > 0xff) return null
    bytes.push(byte)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return null
  }
}
