import type { Chunks } from '../lifecycle/backpressure.ts'

/** A member of a body that stands for rows which are not there yet. */
const context = '\u0000rows\u0000'

/**
 * The JSON text of a body whose rows are read while it is sent. `bodyOf` gives the body with a stand-in where the array of all
 * rows goes.
 */
export async function* jsonOfRows(
  bodyOf: (rows: unknown) => object,
  batches: AsyncIterable<readonly unknown[]>,
): Chunks {
  const [before, after] = JSON.stringify(bodyOf(context)).split(JSON.stringify(context)) as [string, string]
  let separator = `${before}[`
  for await (const rows of batches) {
    if (rows.length === 0) continue
    yield separator + JSON.stringify(rows).slice(1, -1)
    separator = ','
  }
  yield `${separator === ',' ? '' : separator}]${after}`
}
