import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { reportHeading } from './columns.ts'
import { csvLine } from './files/csv-text.ts'
import type { ObjectRow, OpenedFile, TableRow } from './files/table-file.ts'
import { sourceCells } from './read-rows.ts'
import type { ImportError } from './row-errors.ts'

/** Writes the rows that an import refuses to a file of the same form, which can be corrected and imported again. */
export class RefusedRows {
  readonly #path: string
  readonly #file: OpenedFile
  #stream: WriteStream | null = null
  #workbook: Promise<WorkbookTarget> | null = null

  /** @param path Where the report goes; it stands there only once it is complete. */
  constructor(path: string, file: OpenedFile) {
    this.#path = path
    this.#file = file
  }

  async add(source: TableRow | ObjectRow, errors: readonly ImportError[]): Promise<void> {
    const text = errors.map(({ heading, code, detail }) => `${heading ?? ''} ${code}: ${detail}`.trim()).join('; ')
    const file = this.#file
    if (file.format === 'ndjson') {
      const { object } = source as ObjectRow
      await this.#write(`${JSON.stringify({ ...object, [reportHeading]: text })}\n`)
      return
    }
    const place = file.headings.indexOf(reportHeading)
    const cells = sourceCells(source as TableRow)
    const withFaults = (all: readonly string[], last: string) =>
      place < 0 ? [...pad(all, file.headings.length), last] : all.map((cell, index) => (index === place ? last : cell))
    if (file.format === 'xlsx') {
      this.#workbook ??= this.#openWorkbook(withFaults(file.headings, reportHeading))
      await (await this.#workbook).add(withFaults(cells, text))
      return
    }
    if (this.#stream === null) await this.#write(csvLine(withFaults(file.headings, reportHeading), file.delimiter))
    await this.#write(csvLine(withFaults(cells, text), file.delimiter))
  }

  async #openWorkbook(headings: readonly string[]): Promise<WorkbookTarget> {
    const { openWorkbook } = await import('./files/xlsx-writer.ts')
    const stream = createWriteStream(`${this.#path}.part`, { mode: 0o600 })
    const workbook = openWorkbook(stream)
    await workbook.add(headings)
    return workbook
  }

  async #write(text: string): Promise<void> {
    this.#stream ??= createWriteStream(`${this.#path}.part`, { mode: 0o600 })
    if (!this.#stream.write(text)) await once(this.#stream, 'drain')
  }

  /** Puts the report in its place; false where no row was refused. */
  async end(): Promise<boolean> {
    if (this.#stream === null && this.#workbook === null) return false
    if (this.#workbook !== null) await (await this.#workbook).end()
    if (this.#stream !== null) {
      this.#stream.end()
      await once(this.#stream, 'close')
    }
    await rename(`${this.#path}.part`, this.#path)
    return true
  }

  async discard(): Promise<void> {
    if (this.#stream === null && this.#workbook === null) return
    this.#stream?.destroy()
    await rm(`${this.#path}.part`, { force: true })
  }
}

interface WorkbookTarget {
  add(cells: readonly string[]): Promise<void>
  end(): Promise<void>
}

function pad(cells: readonly string[], width: number): string[] {
  return Array.from({ length: Math.max(width, cells.length) }, (_, index) => cells[index] ?? '')
}
