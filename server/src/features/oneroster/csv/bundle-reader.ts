import { parse } from 'csv-parse'
import yauzl from 'yauzl'
import { CommandError } from '../../../errors/index.ts'
import { bundleFiles } from './csv-files.ts'

/** What is wrong with a bundle, and where. */
export interface BundleFault {
  readonly file: string
  /** The line where the record starts, from 1; null: the file itself. */
  readonly line: number | null
  /** The column, from 1; null: the record as a whole. */
  readonly column: number | null
  readonly heading: string | null
  readonly code: string
  readonly detail: string
}

/** A row of a file: its values by the headings in small letters. */
export interface BundleRow {
  readonly file: string
  readonly line: number
  readonly values: ReadonlyMap<string, string>
  /** The headings as the file has them, by themselves in small letters. */
  readonly headings: ReadonlyMap<string, string>
}

/** A bundle that is being read. */
export interface Bundle {
  /** Whether a file has all there is; a file that changes only something is a delta. */
  isBulk(name: string): boolean
  /** The rows of a file; none where the bundle has none. */
  rows(name: string): AsyncGenerator<BundleRow, void, void>
  close(): void
}

const maxBytes = 1024 ** 3
const maxRecordBytes = 1024 ** 2

/** A bundle that cannot be read, with the code of what is wrong. */
export class RejectedBundle extends CommandError {
  readonly fault: BundleFault

  constructor(code: string, detail: string, place: { readonly file: string; readonly line: number } | null = null) {
    super('invalid_file', detail)
    const { file, line } = place ?? { file: '', line: null }
    this.fault = { file, line, column: null, heading: null, code, detail }
  }
}

/**
 * Opens a bundle of OneRoster CSV 1.0, 1.1 or 1.2: a zip file, perhaps with one enclosing folder. Throws `CommandError`
 * `invalid_file` for what is none, lacks a manifest that its version needs, or is over 1 GB unpacked.
 */
export async function openBundle(path: string): Promise<Bundle> {
  const zip = await openZip(path)
  const entries = await readEntries(zip)
  const manifest = entries.get('manifest.csv')
  if (
    manifest === undefined &&
    ['roles.csv', 'lineitems.csv', 'results.csv', 'categories.csv'].some((name) => entries.has(name))
  ) {
    throw new RejectedBundle('no_manifest', 'The bundle has no manifest.csv. Only bundles of version 1.0 may lack it.')
  }
  const known = bundleFiles.some((name) => entries.has(`${name.toLowerCase()}.csv`))
  if (!known) throw new RejectedBundle('missing_file', 'The zip file has no file of OneRoster, such as users.csv.')
  async function* rows(name: string): AsyncGenerator<BundleRow, void, void> {
    const entry = entries.get(`${name.toLowerCase()}.csv`)
    if (entry !== undefined) yield* readRows(zip, entry, name)
  }
  const modes = new Map<string, string>()
  if (manifest !== undefined) {
    for await (const { values } of readRows(zip, manifest, 'manifest')) {
      modes.set((values.get('propertyname') ?? '').toLowerCase(), (values.get('value') ?? '').toLowerCase())
    }
  }
  return {
    isBulk: (name) => entries.has(`${name.toLowerCase()}.csv`) && modes.get(`file.${name.toLowerCase()}`) !== 'delta',
    rows,
    close: () => zip.close(),
  }
}

function openZip(path: string): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error === null) resolve(zip)
      else if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        reject(new RejectedBundle('missing_file', `${path} cannot be opened (ENOENT).`))
      } else reject(new RejectedBundle('broken_workbook', `${path} is no zip file that can be read: ${error.message}.`))
    })
  })
}

/** The entries by their names in small letters, without what systems add and the folder around them. */
function readEntries(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, yauzl.Entry>()
    let bytes = 0
    zip.on('error', (error: Error) =>
      reject(new RejectedBundle('broken_workbook', `The zip file is damaged: ${error.message}.`)),
    )
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry: yauzl.Entry) => {
      bytes += entry.uncompressedSize
      if (bytes > maxBytes) return reject(new RejectedBundle('too_large', 'The files have over 1 GB unpacked.'))
      if (entry.isEncrypted())
        return reject(new RejectedBundle('encrypted', 'The zip file has a password. Send it without one.'))
      const parts = entry.fileName.split('/')
      const name = parts.at(-1) ?? ''
      const isOurs = name !== '' && !name.startsWith('.') && parts.length <= 2 && parts[0] !== '__MACOSX'
      if (isOurs) entries.set(name.toLowerCase(), entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}

async function* readRows(zip: yauzl.ZipFile, entry: yauzl.Entry, file: string): AsyncGenerator<BundleRow, void, void> {
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (error === null ? resolve(opened) : reject(error)))
  })
  // Where the record behind the last complete one begins: its own errors name the last line of an open quotation mark.
  let parsed = 1
  const parser = parse({
    on_record: (record, { lines }) => {
      parsed = lines + 1
      return record
    },
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
    max_record_size: maxRecordBytes,
  })
  stream.on('error', (error) => parser.destroy(error as Error))
  stream.pipe(parser)
  let headings: string[] | null = null
  let written: ReadonlyMap<string, string> = new Map()
  let line = 1
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const at = line
      line = info.lines + 1
      if (headings === null) {
        headings = record.map((heading) => heading.trim().toLowerCase())
        written = new Map(record.map((heading) => [heading.trim().toLowerCase(), heading.trim()]))
        continue
      }
      const values = new Map<string, string>()
      for (const [index, heading] of headings.entries()) {
        const value = (record[index] ?? '').trim()
        if (value !== '' && !values.has(heading)) values.set(heading, value)
      }
      if (values.size > 0) yield { file: `${file}.csv`, line: at, values, headings: written }
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined || !code.startsWith('CSV_')) {
      throw new RejectedBundle('too_large', `${file}.csv cannot be read: ${message}.`, {
        file: `${file}.csv`,
        line: parsed,
      })
    }
    const isOpen = code === 'CSV_QUOTE_NOT_CLOSED'
    const detail = `${file}.csv, from line ${parsed}: it cannot be read as CSV (${message}).`
    throw new RejectedBundle(isOpen ? 'open_quote' : 'broken_quote', detail, { file: `${file}.csv`, line: parsed })
  }
}
