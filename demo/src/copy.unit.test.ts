import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CopyValue, copyLine } from './copy.ts'

/** Reads a line as PostgreSQL does: https://www.postgresql.org/docs/current/sql-copy.html, "Text Format". */
function readLine(line: string): (string | null)[] {
  assert.equal(line.indexOf('\n'), line.length - 1)
  const plain: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
  return line
    .slice(0, -1)
    .split('\t')
    .map((field) => (field === '\\N' ? null : field.replace(/\\(.)/gs, (_, mark: string) => plain[mark] ?? mark)))
}

const value = fc.oneof(
  fc.string({ unit: fc.constantFrom('\\', '\t', '\n', '\r', '\b', '\f', '\v', 'N', '.', 'a', 'é', '😀', '"', "'") }),
  fc.string({ unit: 'grapheme' }),
  fc.constant(null),
)

test('every text and null comes back from a line of COPY as it was', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
      assert.deepEqual(readLine(copyLine(values)), values)
    }),
  )
})

test('objects come back as JSON, numbers and booleans as PostgreSQL writes them', () => {
  fc.assert(
    fc.property(fc.object({ depthSize: 'small' }), (object) => {
      const [text] = readLine(copyLine([object]))
      assert.equal(text, JSON.stringify(object))
    }),
  )
  const values: CopyValue[] = [12.5, 0, true, false, null]
  assert.deepEqual(readLine(copyLine(values)), ['12.5', '0', 't', 'f', null])
})
