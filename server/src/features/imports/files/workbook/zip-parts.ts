import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { UnreadableFile } from '../../row-errors.ts'

/** The most that a workbook may hold, unpacked, in bytes, and the most parts. */
const workbookBounds = { bytes: 1024 ** 3, parts: 5000 } as const

/** The parts of a workbook, which is a zip archive. They are unpacked as they are read, within bounds. */
export class ZipParts {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  #unpacked = 0

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** Throws `UnreadableFile`: `broken_workbook`, `encrypted`, and `too_large` for what says that it is more than a gigabyte. */
  static async open(path: string): Promise<ZipParts> {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: false } as const
    const zip = await new Promise<ZipFile>((resolve, reject) => {
      yauzl.open(path, options, (error, opened) => (error === null ? resolve(opened) : reject(toUnreadable(error))))
    })
    try {
      return new ZipParts(zip, await readEntries(zip))
    } catch (error) {
      zip.close()
      throw error
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** The bytes of a part, as they are unpacked. Throws `UnreadableFile`, `too_large` where it is more than it says. */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new UnreadableFile('broken_workbook', `has no part ${name}`)
    const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
      this.#zip.openReadStream(entry, (error, opened) =>
        error === null ? resolve(opened) : reject(toUnreadable(error)),
      )
    })
    try {
      for await (const bytes of stream as AsyncIterable<Buffer>) {
        this.#unpacked += bytes.length
        if (this.#unpacked > workbookBounds.bytes) throw tooLarge()
        yield bytes
      }
    } catch (error) {
      throw error instanceof UnreadableFile ? error : toUnreadable(error as Error)
    }
  }

  close(): void {
    this.#zip.close()
  }
}

function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>()
    let declared = 0
    zip.on('entry', (entry: Entry) => {
      declared += entry.uncompressedSize
      if (declared > workbookBounds.bytes) return reject(tooLarge())
      if (entries.size >= workbookBounds.parts) {
        return reject(new UnreadableFile('too_large', `has more than ${workbookBounds.parts} parts`))
      }
      if ((entry.generalPurposeBitFlag & 1) === 1) {
        return reject(new UnreadableFile('encrypted', 'is encrypted'))
      }
      entries.set(entry.fileName.replaceAll('\\', '/').replace(/^\/+/, ''), entry)
      zip.readEntry()
    })
    zip.once('end', () => resolve(entries))
    zip.once('error', (error: Error) => reject(toUnreadable(error)))
    zip.readEntry()
  })
}

function tooLarge(): UnreadableFile {
  return new UnreadableFile('too_large', 'is more than a gigabyte when it is unpacked')
}

function toUnreadable({ message }: Error): UnreadableFile {
  // What yauzl says of an entry whose size is not the one that it declares.
  if (/bytes in the stream/.test(message)) {
    return new UnreadableFile('too_large', 'has a part that is not as large as it says')
  }
  return new UnreadableFile('broken_workbook', 'is no zip archive that can be read')
}
