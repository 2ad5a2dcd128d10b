import type { Chunks } from '../lifecycle/backpressure.ts'

/** Placeholder for the rows in the body. */
const placeholder = '\u0000rows\u0000'

/**
 * Streams the JSON text of a body whose rows are read while it is sent. `buildBody` returns the body with its
 * argument in place of the array of rows.
 */
export async function* jsonOfRows(
  buildBody: (rows: unknown) => object,
  batches: AsyncIterable<readonly unknown[]>,
): Chunks {
  const [before, after] = JSON.stringify(buildBody(placeholder)).split(JSON.stringify(placeholder)) as [string, string]
  let separator = `${before}[`
  for await (const rows of batches) {
    if (rows.length === 0) continue
    yield separator + JSON.stringify(rows).slice(1, -1)
    separator = ','
  }
  yield `${separator === ',' ? '' : separator}]${after}`
}
