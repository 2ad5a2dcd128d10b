import { appendText, ByteList } from './byte-list.ts'
import { BitList, packedRun, repeatedRun } from './hybrid-runs.ts'
import type { ParquetType } from './parquet-tables.ts'
import { TextDictionary } from './text-dictionary.ts'

/** The values of a column for one row group, as Parquet writes them. */
export interface ColumnPage {
  readonly count: number
  readonly nulls: number
  /** Which of the rows have a value. */
  readonly levels: Buffer
  readonly values: Buffer
  readonly encoding: 'PLAIN' | 'RLE' | 'RLE_DICTIONARY'
  readonly dictionary: { readonly values: Buffer; readonly count: number } | null
  readonly min?: number | bigint | boolean
  readonly max?: number | bigint | boolean
}

/** Takes the values of a column as PostgreSQL sends them in binary. */
export interface ColumnValues {
  add(input: Buffer, start: number, length: number): void
  addNull(): void
  /** How many bytes it holds, nearly. */
  readonly size: number
  /** Hands on the values and begins anew. */
  take(): ColumnPage
}

/** Makes what takes the values of a column. Texts are UTF-8; `numeric` comes as `float8`. */
export function columnValues(type: ParquetType): ColumnValues {
  switch (type) {
    case 'BOOLEAN':
      return new BooleanValues()
    case 'STRING':
    case 'JSON':
      return new TextValues()
    default:
      return new FixedValues(fixedForms[type])
  }
}

/** How a value of fixed length is read and written; null for one that Parquet does not have. */
interface FixedForm {
  readonly bytes: 4 | 8
  readonly read: (input: Buffer, start: number) => number | bigint | null
  readonly write: (output: Buffer, at: number, value: never) => void
  readonly toBound?: (value: never) => number | bigint
}

/** Days and milliseconds from 1970, where Parquet begins, to 2000, where PostgreSQL does. */
const daysTo2000 = 10_957
const millisecondsTo2000 = daysTo2000 * 86_400_000

const fixedForms: Readonly<Record<Exclude<ParquetType, 'STRING' | 'JSON' | 'BOOLEAN'>, FixedForm>> = {
  INT32: {
    bytes: 4,
    read: (input, start) => input.readInt32BE(start),
    write: (output, at, value) => output.writeInt32LE(value, at),
  },
  INT64: {
    bytes: 8,
    read: (input, start) => input.readBigInt64BE(start),
    write: (output, at, value) => output.writeBigInt64LE(value, at),
  },
  DOUBLE: {
    bytes: 8,
    read: (input, start) => input.readDoubleBE(start),
    write: (output, at, value) => output.writeDoubleLE(value, at),
  },
  DATE: {
    bytes: 4,
    read: (input, start) => {
      const days = input.readInt32BE(start)
      // The ends are `infinity` and `-infinity`.
      return days === 0x7fffffff || days === -0x80000000 ? null : days + daysTo2000
    },
    write: (output, at, value) => output.writeInt32LE(value, at),
  },
  TIMESTAMP: {
    bytes: 8,
    read: (input, start) => {
      const high = input.readInt32BE(start)
      if (high === 0x7fffffff || high === -0x80000000) return null
      // Microseconds are exact in a number for 285 years around 2000.
      return Math.floor((high * 0x1_0000_0000 + input.readUInt32BE(start + 4)) / 1000) + millisecondsTo2000
    },
    write: (output, at, value: number) => {
      output.writeUInt32LE(
        value % 0x1_0000_0000 < 0 ? (value % 0x1_0000_0000) + 0x1_0000_0000 : value % 0x1_0000_0000,
        at,
      )
      output.writeInt32LE(Math.floor(value / 0x1_0000_0000), at + 4)
    },
    toBound: (value: number) => BigInt(value),
  },
}

/** Numbers, dates and times. */
class FixedValues implements ColumnValues {
  readonly #form: FixedForm
  readonly #levels = new BitList()
  readonly #values = new ByteList()
  #min: number | bigint | null = null
  #max: number | bigint | null = null

  constructor(form: FixedForm) {
    this.#form = form
  }

  get size(): number {
    return this.#values.length
  }

  add(input: Buffer, start: number): void {
    const { bytes, read, write } = this.#form
    const value = read(input, start)
    if (value === null) {
      this.addNull()
      return
    }
    this.#levels.add(true)
    this.#values.reserve(bytes)
    write(this.#values.bytes, this.#values.length, value as never)
    this.#values.length += bytes
    // NaN is no bound (parquet.thrift, ColumnOrder).
    if (Number.isNaN(value)) return
    if (this.#min === null || value < this.#min) this.#min = value
    if (this.#max === null || value > this.#max) this.#max = value
  }

  addNull(): void {
    this.#levels.add(false)
  }

  take(): ColumnPage {
    const { count, set } = this.#levels
    const toBound = this.#form.toBound as undefined | ((value: number | bigint) => number | bigint)
    const bounds =
      this.#min === null || this.#max === null
        ? {}
        : { min: toBound?.(this.#min) ?? this.#min, max: toBound?.(this.#max) ?? this.#max }
    const levels = this.#levels.toRun()
    this.#levels.clear()
    this.#min = null
    this.#max = null
    return {
      count,
      nulls: count - set,
      levels,
      values: this.#values.take(),
      encoding: 'PLAIN',
      dictionary: null,
      ...bounds,
    }
  }
}

class BooleanValues implements ColumnValues {
  readonly #levels = new BitList()
  readonly #values = new BitList()

  get size(): number {
    return this.#values.count / 8
  }

  add(input: Buffer, start: number): void {
    this.#levels.add(true)
    this.#values.add(input[start] === 1)
  }

  addNull(): void {
    this.#levels.add(false)
  }

  take(): ColumnPage {
    const { count, set } = this.#levels
    const run = this.#values.count === 0 ? Buffer.alloc(0) : this.#values.toRun()
    // Booleans by runs have the length of these before them.
    const length = Buffer.alloc(4)
    length.writeUInt32LE(run.length)
    const bounds =
      this.#values.count === 0 ? {} : { min: this.#values.set === this.#values.count, max: this.#values.set > 0 }
    const levels = this.#levels.toRun()
    this.#levels.clear()
    this.#values.clear()
    const values = Buffer.concat([length, run])
    return { count, nulls: count - set, levels, values, encoding: 'RLE', dictionary: null, ...bounds }
  }
}

/** Texts and JSON: by a dictionary where values repeat. */
class TextValues implements ColumnValues {
  readonly #levels = new BitList()
  readonly #values = new ByteList()
  readonly #dictionary = new TextDictionary()
  /** Whether the values of this row group are in the dictionary. */
  #isDictionary = true
  /** Whether a row group before had too many different values. */
  #isPlain = false

  get size(): number {
    return this.#isDictionary ? this.#dictionary.entries.length + this.#dictionary.count * 4 : this.#values.length
  }

  add(input: Buffer, start: number, length: number): void {
    this.#levels.add(true)
    if (this.#isDictionary) {
      if (this.#dictionary.add(input, start, length)) return
      this.#isDictionary = false
      this.#isPlain = true
      this.#dictionary.writeValues(this.#values)
    }
    appendText(this.#values, input, start, length)
  }

  addNull(): void {
    this.#levels.add(false)
  }

  take(): ColumnPage {
    const { count, set } = this.#levels
    const shared = { count, nulls: count - set, levels: this.#levels.toRun() }
    const page: ColumnPage =
      this.#isDictionary && this.#dictionary.size > 0
        ? { ...shared, ...this.#takeDictionary() }
        : { ...shared, values: this.#values.take(), encoding: 'PLAIN', dictionary: null }
    this.#levels.clear()
    this.#dictionary.clear()
    this.#isDictionary = !this.#isPlain
    return page
  }

  #takeDictionary(): Pick<ColumnPage, 'values' | 'encoding' | 'dictionary'> {
    const { size, count } = this.#dictionary
    const width = Math.max(1, Math.ceil(Math.log2(size)))
    const run = size === 1 ? repeatedRun(0, count) : packedRun(this.#dictionary.indexes(), count, width)
    return {
      values: Buffer.concat([Buffer.of(width), run]),
      encoding: 'RLE_DICTIONARY',
      dictionary: { values: this.#dictionary.entries.take(), count: size },
    }
  }
}
