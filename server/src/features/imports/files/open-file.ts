import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { UnreadableFile } from '../row-errors.ts'
import { openCsv } from './csv-rows.ts'
import { decoded, type Encoding, EncodingProbe } from './encoding.ts'
import { openNdjson } from './ndjson-rows.ts'
import type { OpenedFile } from './table-file.ts'

/** What a file is, known from one look at all of it. */
export interface FileFacts {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
  readonly format: 'csv' | 'xlsx' | 'ndjson'
  /** Null for a workbook. */
  readonly encoding: Encoding | null
}

const zipSignature = Buffer.from('PK\u0003\u0004', 'latin1')
const oleSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/**
 * Reads all of a file once, for its digest and its encoding. Throws `UnreadableFile`: `missing_file`, `encrypted`,
 * `unknown_encoding`.
 *
 * @param name The name that the file was given, where it stands under another one; its extension tells NDJSON from CSV.
 */
export async function inspectFile(path: string, name = path): Promise<FileFacts> {
  const start = await readStart(path)
  if (start.subarray(0, oleSignature.length).equals(oleSignature)) {
    throw new UnreadableFile('encrypted', 'is a workbook with a password, or of a form older than .xlsx')
  }
  const isZip = start.subarray(0, zipSignature.length).equals(zipSignature)
  const extension = extname(name).toLowerCase()
  if (!isZip && extension === '.xlsx') throw new UnreadableFile('broken_workbook', 'is no .xlsx workbook')
  const hash = createHash('sha256')
  const probe = new EncodingProbe()
  let bytes = 0
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece)
    bytes += piece.length
    if (!isZip) probe.add(piece)
  }
  const isObjects = ['.ndjson', '.jsonl'].includes(extension)
  return {
    path,
    sha256: hash.digest('hex'),
    bytes,
    format: isZip ? 'xlsx' : isObjects ? 'ndjson' : 'csv',
    encoding: isZip ? null : probe.end(),
  }
}

/** Opens a file that was inspected, for reading its rows once. Throws `UnreadableFile`. */
export async function openFile({ path, format, encoding }: FileFacts): Promise<OpenedFile> {
  if (format === 'xlsx') return (await import('./xlsx-rows.ts')).openXlsx(path)
  const text = decoded(createReadStream(path) as AsyncIterable<Buffer>, encoding ?? 'utf-8')
  return format === 'ndjson' ? openNdjson(text) : openCsv(text)
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableFile(
      'missing_file',
      error.code === 'ENOENT' ? 'does not exist' : `cannot be opened (${error.code})`,
    )
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0).catch(() => {
      throw new UnreadableFile('missing_file', 'is no file')
    })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
