import type { RowBatches } from '../../database/index.ts'

/** Rows that are read while they are sent. Whoever has it reads it to the end, or closes it. */
export class RowStream<Row = unknown> implements AsyncIterable<Row[]> {
  readonly #begun: readonly Row[][]
  readonly #rest: AsyncGenerator<Row[], void, void>
  /** What the result of a call is, with what stands for the array of all rows. */
  readonly resultOf: (rows: unknown) => unknown

  constructor(
    begun: readonly Row[][],
    rest: AsyncGenerator<Row[], void, void>,
    resultOf: RowStream['resultOf'] = (rows) => rows,
  ) {
    this.#begun = begun
    this.#rest = rest
    this.resultOf = resultOf
  }

  /** The same rows, standing in a larger result. */
  within(resultOf: RowStream['resultOf']): RowStream<Row> {
    return new RowStream(this.#begun, this.#rest, resultOf)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row[], void, void> {
    try {
      yield* this.#begun
      yield* this.#rest
    } finally {
      await this.close()
    }
  }

  async close(): Promise<void> {
    await this.#rest.return()
  }
}

/** All rows where they are few, as `show` has them, or the stream of them. Throws what the first ones fail with. */
export async function openRows<Stored extends object, Row>(
  reading: RowBatches<Stored>,
  show: (rows: readonly Stored[]) => Row[],
): Promise<Row[] | RowStream<Row>> {
  const shown = mapped(reading, show)
  const first = await shown.next()
  if (first.done === true) return []
  const second = await shown.next()
  return second.done === true ? first.value : new RowStream([first.value, second.value], shown)
}

async function* mapped<Stored extends object, Row>(
  reading: RowBatches<Stored>,
  show: (rows: readonly Stored[]) => Row[],
): AsyncGenerator<Row[], void, void> {
  for await (const rows of reading) yield show(rows)
}
