import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Parser } from 'pg-protocol/dist/parser.js'
import { parserOfRows } from './row-client.ts'

/** A DataRow message (PostgreSQL manual, "Message Formats"). */
function getRow(texts: readonly (string | null)[]): Buffer {
  const number = (value: number, size: number) => {
    const bytes = Buffer.alloc(size)
    bytes.writeIntBE(value, 0, size)
    return bytes
  }
  const columns = texts.flatMap((text) => {
    if (text === null) return [number(-1, 4)]
    const bytes = Buffer.from(text)
    return [number(bytes.length, 4), bytes]
  })
  const body = Buffer.concat([number(texts.length, 2), ...columns])
  return Buffer.concat([Buffer.from('D'), number(body.length + 4, 4), body])
}

interface Row {
  readonly name: string
  readonly length: number
  readonly fields: readonly (string | null)[]
}

type Take = (message: { readonly name: string }) => void

interface RowParser {
  parse(bytes: Buffer, take: Take): void
}

/** What a parser makes of bytes that come in pieces of a size. */
function rowsBy(parser: RowParser, bytes: Buffer, size: number): Row[] {
  const rows: Row[] = []
  for (let start = 0; start < bytes.length; start += size) {
    parser.parse(Buffer.from(bytes.subarray(start, start + size)), (message) => {
      const { name, length, fields } = message as Row
      rows.push({ name, length, fields })
    })
  }
  return rows
}

const hostile = [
  '',
  null,
  'Ada',
  'Zoë',
  '学生',
  '👩‍🎓',
  '\u0001\u007f',
  '\u0080\u00ff',
  '\ufffd',
  'x'.repeat(127),
  'x'.repeat(128),
  'ß'.repeat(64),
]
const rows: readonly (readonly (string | null)[])[] = [
  [],
  [null],
  [''],
  hostile,
  [...hostile].reverse(),
  ...hostile.map((text) => ['before', text, null, 'behind']),
  ...[4_000, 4_090, 4_096, 5_000, 300_000].map((length) => ['a'.repeat(length), 'ë', null, 'z']),
  Array.from({ length: 1_600 }, (_, index) => (index % 3 === 0 ? null : `${index}`)),
]

test('a row reads as it was sent, and as the parser of the driver reads it', () => {
  const bytes = Buffer.concat(rows.map(getRow))
  const read = rowsBy(parserOfRows(), bytes, bytes.length)
  assert.deepEqual(
    read.map(({ fields }) => fields),
    rows,
  )
  assert.deepEqual(read, rowsBy(new Parser(), bytes, bytes.length))
})

test('a row reads the same in whatever pieces it comes', () => {
  const bytes = Buffer.concat(rows.filter((row) => row.join('').length < 1_000).map(getRow))
  const whole = rowsBy(parserOfRows(), bytes, bytes.length)
  for (const size of [1, 2, 3, 5, 7, 64, 1_000]) assert.deepEqual(rowsBy(parserOfRows(), bytes, size), whole)
})

test('other messages are read as before', () => {
  const reported: string[] = []
  const bytes = Buffer.concat([
    Buffer.from('2\0\0\0\x04'),
    getRow(['Ada']),
    Buffer.from('C\0\0\0\rSELECT 1\0'),
    Buffer.from('Z\0\0\0\x05I'),
  ])
  parserOfRows().parse(bytes, ({ name }) => reported.push(name))
  assert.deepEqual(reported, ['bindComplete', 'dataRow', 'commandComplete', 'readyForQuery'])
})
