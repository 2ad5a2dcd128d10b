import { once } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { xlsxOfRows } from '../../../resource-api/index.ts'

/** Writes the rows of one sheet as a workbook, one after the other; the first has the headings. */
export interface WorkbookWriter {
  add(cells: readonly (string | number | boolean | null)[]): Promise<void>
  end(): Promise<void>
}

/** Begins a workbook that goes to a stream. */
export function openWorkbook(target: Writable): WorkbookWriter {
  const rows = new PassThrough({ objectMode: true, highWaterMark: 500 })
  let written: Promise<void> | null = null
  return {
    add: async (cells) => {
      if (written === null) {
        const columns = cells.map((heading) => ({ heading: String(heading), type: null }))
        written = pipeline(xlsxOfRows(columns, batched(rows), { isNumbered: false }), target)
        return
      }
      if (!rows.write(cells)) await Promise.race([once(rows, 'drain'), written])
    },
    end: async () => {
      rows.end()
      await written
    },
  }
}

async function* batched(rows: Readable): AsyncGenerator<unknown[]> {
  let batch: unknown[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < 200) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
