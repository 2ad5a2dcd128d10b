import { hash } from 'node:crypto'

const lineEnd = 0x0a
const lanes = 4

/**
 * What many rows are together, whatever their order: the sum of the SHA-256 of each, in four parts of 32 bits. Rows
 * come as the text form of COPY writes them, a line each, in pieces that may end anywhere.
 */
export class RowDigest {
  #rows = 0
  #begun: Buffer[] = []
  readonly #sum = new Uint32Array(lanes)

  add(piece: Buffer): void {
    let from = 0
    for (let end = piece.indexOf(lineEnd); end !== -1; end = piece.indexOf(lineEnd, from)) {
      this.#addRow(piece.subarray(from, end))
      from = end + 1
    }
    if (from < piece.length) this.#begun.push(piece.subarray(from))
  }

  get rows(): number {
    return this.#rows
  }

  /** 32 hexadecimal digits. */
  get digest(): string {
    return [...this.#sum].map((lane) => lane.toString(16).padStart(8, '0')).join('')
  }

  #addRow(end: Buffer): void {
    let row = end
    if (this.#begun.length > 0) {
      row = Buffer.concat([...this.#begun, end])
      this.#begun = []
    }
    // As a text of bytes, because each buffer is memory of its own that waits for the collector.
    const hashed = hash('sha256', row, 'binary')
    for (let lane = 0; lane < lanes; lane += 1) {
      const at = 4 * lane
      const number =
        hashed.charCodeAt(at) |
        (hashed.charCodeAt(at + 1) << 8) |
        (hashed.charCodeAt(at + 2) << 16) |
        (hashed.charCodeAt(at + 3) << 24)
      this.#sum[lane] = (this.#sum[lane] as number) + number
    }
    this.#rows += 1
  }
}
