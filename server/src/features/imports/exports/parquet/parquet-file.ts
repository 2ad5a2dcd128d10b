import { type FileHandle, open } from 'node:fs/promises'
import type { ColumnPage } from './column-values.ts'
import type { ParquetTable, ParquetType } from './parquet-tables.ts'

/** What of the library writes the Thrift of pages and of the footer, and compresses; loaded only where files are written. */
async function loadWriter() {
  const [{ ByteWriter }, { writePageHeader }, { writeMetadata }, { snappyCompress }] = await Promise.all([
    import('hyparquet-writer/src/bytewriter.js'),
    import('hyparquet-writer/src/datapage.js'),
    import('hyparquet-writer/src/metadata.js'),
    import('hyparquet-writer/src/snappy.js'),
  ])
  return { ByteWriter, writePageHeader, writeMetadata, snappyCompress }
}

type Writer = Awaited<ReturnType<typeof loadWriter>>
type FileMetadata = Parameters<Writer['writeMetadata']>[1]
type SchemaElement = FileMetadata['schema'][number]
type RowGroup = FileMetadata['row_groups'][number]
type ColumnChunk = RowGroup['columns'][number]

const magic = Buffer.from('PAR1')

/** A Parquet file that is written row group by row group, one page a column. */
export class ParquetFile {
  readonly #writer: Writer
  readonly #file: FileHandle
  readonly #columns: readonly Column[]
  readonly #groups: RowGroup[] = []
  #offset = magic.length
  #rows = 0

  private constructor(writer: Writer, file: FileHandle, columns: ParquetTable['columns']) {
    this.#writer = writer
    this.#file = file
    this.#columns = columns.map(({ name, type }) => ({ name, element: schemaElement(name, type) }))
  }

  /** Opens a file, which is emptied where it is there. */
  static async open(path: string, columns: ParquetTable['columns']): Promise<ParquetFile> {
    const writer = await loadWriter()
    const file = await open(path, 'w', 0o600)
    await file.writeFile(magic)
    return new ParquetFile(writer, file, columns)
  }

  /** Writes a row group, the pages in the order of the columns. */
  async writeGroup(pages: readonly ColumnPage[]): Promise<void> {
    const pieces: Uint8Array[] = []
    const chunks: ColumnChunk[] = []
    const start = this.#offset
    for (const [index, page] of pages.entries())
      chunks.push(this.#addChunk(pieces, this.#columns[index] as Column, page))
    // Writes all, or throws: a disk may be full in the middle.
    await this.#file.writeFile(Buffer.concat(pieces))
    const rows = pages[0]?.count ?? 0
    this.#rows += rows
    this.#groups.push({
      columns: chunks,
      total_byte_size: chunks.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n),
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(this.#offset - start),
    })
  }

  /** Writes the footer. */
  async finish(): Promise<void> {
    const footer = new this.#writer.ByteWriter()
    const root: SchemaElement = { name: 'root', num_children: this.#columns.length }
    const metadata = {
      version: 2,
      created_by: 'matricula',
      schema: [root, ...this.#columns.map(({ element }) => element)],
      num_rows: BigInt(this.#rows),
      row_groups: this.#groups,
    }
    this.#writer.writeMetadata(footer, metadata as never)
    await this.#file.writeFile(Buffer.concat([footer.getBytes(), magic]))
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  #addChunk(pieces: Uint8Array[], { name, element }: Column, page: ColumnPage): ColumnChunk {
    const { count, nulls, levels, values, encoding, dictionary, min, max } = page
    const start = this.#offset
    const { ByteWriter, writePageHeader } = this.#writer
    let uncompressed = 0
    const add = (header: Parameters<typeof writePageHeader>[1], parts: readonly Uint8Array[]) => {
      const head = new ByteWriter()
      writePageHeader(head, header)
      const bytes = head.getBytes()
      pieces.push(bytes, ...parts.filter(({ length }) => length > 0))
      this.#offset += bytes.length + header.compressed_page_size
      uncompressed += bytes.length + header.uncompressed_page_size
    }
    const packed = this.#compress(dictionary?.values ?? values)
    const isCompressed = packed !== null
    if (dictionary !== null) {
      const bytes = packed ?? dictionary.values
      add(
        {
          type: 'DICTIONARY_PAGE',
          uncompressed_page_size: dictionary.values.length,
          compressed_page_size: bytes.length,
          dictionary_page_header: { num_values: dictionary.count, encoding: 'PLAIN' },
        },
        [bytes],
      )
    }
    const dataOffset = this.#offset
    const isDataCompressed = isCompressed && dictionary === null
    const bytes = isDataCompressed ? packed : values
    add(
      {
        type: 'DATA_PAGE_V2',
        uncompressed_page_size: levels.length + values.length,
        compressed_page_size: levels.length + bytes.length,
        data_page_header_v2: {
          num_values: count,
          num_nulls: nulls,
          num_rows: count,
          encoding,
          definition_levels_byte_length: levels.length,
          repetition_levels_byte_length: 0,
          is_compressed: isDataCompressed,
        },
      },
      [levels, bytes],
    )
    return {
      file_offset: BigInt(start),
      meta_data: {
        type: element.type as never,
        encodings: dictionary === null ? [encoding] : ['PLAIN', encoding],
        path_in_schema: [name],
        codec: isCompressed ? 'SNAPPY' : 'UNCOMPRESSED',
        num_values: BigInt(count),
        total_uncompressed_size: BigInt(uncompressed),
        total_compressed_size: BigInt(this.#offset - start),
        data_page_offset: BigInt(dataOffset),
        ...(dictionary !== null && { dictionary_page_offset: BigInt(start) }),
        statistics: {
          null_count: BigInt(nulls),
          ...(min !== undefined && { min_value: min, max_value: max as never }),
        },
      },
    }
  }

  /** Compressed bytes; null where that saves less than a tenth, which a sample tells. */
  #compress(bytes: Buffer): Uint8Array | null {
    if (bytes.length < minCompressed) return null
    const { snappyCompress } = this.#writer
    const sample = bytes.subarray(0, sampleBytes)
    if (snappyCompress(sample).length > sample.length * 0.9) return null
    return snappyCompress(bytes)
  }
}

interface Column {
  readonly name: string
  readonly element: SchemaElement
}

const sampleBytes = 16 * 1024
const minCompressed = 128

function schemaElement(name: string, type: ParquetType): SchemaElement {
  const optional = { name, repetition_type: 'OPTIONAL' } as const
  switch (type) {
    case 'STRING':
      return { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
    case 'JSON':
      return { ...optional, type: 'BYTE_ARRAY', converted_type: 'JSON' }
    case 'TIMESTAMP':
      return { ...optional, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }
    case 'DATE':
      return { ...optional, type: 'INT32', converted_type: 'DATE' }
    default:
      return { ...optional, type }
  }
}
