import { parse } from 'csv-parse/sync'
import yauzl from 'yauzl'

/** The files of a bundle as texts, by their names. */
export function unzipBundle(bytes: Buffer): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error !== null) return reject(error)
      const files = new Map<string, string>()
      zip.on('entry', (entry) => {
        zip.openReadStream(entry, async (failure, stream) => {
          if (failure !== null) return reject(failure)
          const chunks: Buffer[] = []
          for await (const chunk of stream) chunks.push(chunk as Buffer)
          files.set(entry.fileName, Buffer.concat(chunks).toString('utf8'))
          zip.readEntry()
        })
      })
      zip.on('end', () => resolve(files))
      zip.readEntry()
    })
  })
}

/** The rows of a CSV text by their headings. */
export function readCsv(text: string): Record<string, string>[] {
  return parse(text, { columns: true }) as Record<string, string>[]
}
