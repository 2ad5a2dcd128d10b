import assert from 'node:assert/strict'

/** Asserts that a record has the expected fields, whatever else it has. */
export function assertFields(record: Record<string, unknown>, expected: Record<string, unknown>): void {
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, record[name]]))
  assert.deepEqual(found, expected)
}
