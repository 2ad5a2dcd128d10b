import type { Json } from '@matricula/contract'
import { jsonExcess } from '../../../values/index.ts'
import { UnreadableFile } from '../row-errors.ts'
import { inBatches, maxRecordBytes, type ObjectRow, type OpenedFile } from './table-file.ts'

/** Reads a file with one JSON object on each line. Throws `UnreadableFile` for a line that is too long. */
export function openNdjson(text: AsyncIterable<string>): OpenedFile {
  return { format: 'ndjson', sheet: null, rows: inBatches(readObjects(text)) }
}

async function* readObjects(text: AsyncIterable<string>): AsyncGenerator<ObjectRow> {
  let line = 0
  for await (const content of readLines(text)) {
    line += 1
    if (content.trim() !== '') yield { line, object: parseObject(content), text: content }
  }
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let line = 1
  for await (const piece of text) {
    const lines = (rest + piece).split(/\r\n|\n/)
    rest = lines.pop() ?? ''
    line += lines.length
    if (rest.length > maxRecordBytes) {
      throw new UnreadableFile('too_large', `a line is longer than ${maxRecordBytes} bytes`, { line })
    }
    yield* lines
  }
  if (rest !== '') yield rest
}

function parseObject(text: string): Record<string, Json> | null {
  if (jsonExcess(text) !== null) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, Json>) : null
  } catch {
    return null
  }
}
