import { createHash } from 'node:crypto'
import { ContentSample } from './content-sample.ts'
import { mediaTypeOfContent } from './content-type.ts'

/** What a stored file is, whatever was said of it. */
export interface FileFacts {
  readonly sizeBytes: number
  /** 64 lower-case hexadecimal digits. */
  readonly checksumSha256: string
  /** The media type by content; null when it is none that is known, or the file is empty. */
  readonly mimeType: string | null
}

/**
 * Reads a file once, to its end: its size, its SHA-256, and its media type by content. At most about a megabyte of it
 * is held at a time.
 */
export async function inspectFile(bytes: AsyncIterable<Uint8Array>): Promise<FileFacts> {
  const hash = createHash('sha256')
  const sample = new ContentSample()
  for await (const chunk of bytes) {
    hash.update(chunk)
    sample.add(chunk)
  }
  const mimeType = await mediaTypeOfContent(sample)
  return { sizeBytes: sample.sizeBytes, checksumSha256: hash.digest('hex'), mimeType }
}
