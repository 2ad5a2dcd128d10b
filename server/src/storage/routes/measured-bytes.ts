import { createHash } from 'node:crypto'
import { Problem } from '../../errors/index.ts'
import type { ExpectedBytes, StoredBytes } from '../file-store.ts'

/**
 * Passes bytes on unchanged, counts them and makes their SHA-256 on the way. Throws at the first byte too many
 * (`content_too_large`), and at the end when size or checksum are not as expected (`file_rejected`), so that whatever
 * stores them fails before it is done.
 */
export class MeasuredBytes implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterable<Uint8Array>
  readonly #expected: ExpectedBytes
  #stored: StoredBytes | null = null

  constructor(source: AsyncIterable<Uint8Array>, expected: ExpectedBytes) {
    this.#source = source
    this.#expected = expected
  }

  /** What passed. Throws before all of it has. */
  get stored(): StoredBytes {
    if (this.#stored === null) throw new Error('the bytes have not all been read')
    return this.#stored
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const { maxBytes } = this.#expected
    const hash = createHash('sha256')
    let sizeBytes = 0
    for await (const chunk of this.#source) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) {
        throw new Problem('content_too_large', `The file may have at most ${maxBytes} bytes.`, { maxBytes })
      }
      hash.update(chunk)
      yield chunk
    }
    const stored = { sizeBytes, checksumSha256: hash.digest('hex') }
    requireExpected(this.#expected, stored)
    this.#stored = stored
  }
}

function requireExpected(expected: ExpectedBytes, { sizeBytes, checksumSha256 }: StoredBytes): void {
  if (expected.sizeBytes !== undefined && expected.sizeBytes !== sizeBytes) {
    throw new Problem('file_rejected', 'The file has another size than was announced.', {
      expected: { sizeBytes: expected.sizeBytes },
      found: { sizeBytes },
    })
  }
  if (typeof expected.checksumSha256 === 'string' && expected.checksumSha256 !== checksumSha256) {
    throw new Problem('file_rejected', 'The file has another SHA-256 than was announced.', {
      expected: { checksumSha256: expected.checksumSha256 },
      found: { checksumSha256 },
    })
  }
}

/** The problem of an upload to a key whose file is frozen. */
export function alreadyFrozenProblem(): Problem {
  const detail = 'This upload was completed. Its file cannot be replaced; start a new version.'
  return new Problem('state_conflict', detail, { currentState: 'completed' })
}
