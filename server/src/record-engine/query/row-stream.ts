import type { RowBatches } from '../../database/index.ts'

/** A stream of rows that are read while they are sent. The consumer reads it to the end, or closes it. */
export class RowStream<Row = unknown> implements AsyncIterable<Row[]> {
  readonly #begun: readonly object[][]
  readonly #reading: RowBatches<object>
  readonly #show: (rows: readonly object[]) => Row[]
  /** Builds the result of a call around a placeholder for the array of rows. */
  readonly resultOf: (rows: unknown) => unknown

  /** `begun` are the batches that were read already. */
  constructor(
    begun: readonly object[][],
    reading: RowBatches<object>,
    show: (rows: readonly object[]) => Row[],
    resultOf: RowStream['resultOf'] = (rows) => rows,
  ) {
    this.#begun = begun
    this.#reading = reading
    this.#show = show
    this.resultOf = resultOf
  }

  /** Maps each row. */
  map<Other>(change: (row: Row) => Other): RowStream<Other> {
    return new RowStream(this.#begun, this.#reading, (rows) => this.#show(rows).map(change), this.resultOf)
  }

  /** The same rows, nested in a larger result. */
  within(resultOf: RowStream['resultOf']): RowStream<Row> {
    return new RowStream(this.#begun, this.#reading, this.#show, resultOf)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row[], void, void> {
    try {
      for (const rows of this.#begun) yield this.#show(rows)
      for await (const rows of this.#reading) yield this.#show(rows)
    } finally {
      await this.close()
    }
  }

  /** Closes the source, even where nothing was read. */
  async close(): Promise<void> {
    await this.#reading.return()
  }
}

/** All rows where one batch has them, mapped by `show`, else a stream. Throws the error of the first two batches. */
export async function openRows<Stored extends object, Row>(
  reading: RowBatches<Stored>,
  show: (rows: readonly Stored[]) => Row[],
): Promise<Row[] | RowStream<Row>> {
  const first = await reading.next()
  if (first.done === true) return []
  const second = await reading.next()
  if (second.done === true) return show(first.value)
  return new RowStream([first.value, second.value], reading, show as (rows: readonly object[]) => Row[])
}
