import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { afterFile } from '../../../../testing/runner/file-end.ts'
import { addRows, headLength } from './binary-rows.ts'
import { columnValues } from './column-values.ts'
import { ParquetFile } from './parquet-file.ts'
import type { ParquetType } from './parquet-tables.ts'

const folder = await mkdtemp(join(tmpdir(), 'matricula-parquet-test-'))
afterFile(() => rm(folder, { recursive: true, force: true }))

type Field = Buffer | null

const text = (value: string) => Buffer.from(value)
const bytes = (length: number, write: (buffer: Buffer) => unknown) => {
  const buffer = Buffer.alloc(length)
  write(buffer)
  return buffer
}
const int32 = (value: number) => bytes(4, (buffer) => buffer.writeInt32BE(value))
const int64 = (value: bigint) => bytes(8, (buffer) => buffer.writeBigInt64BE(value))
const double = (value: number) => bytes(8, (buffer) => buffer.writeDoubleBE(value))
const boolean = (value: boolean) => Buffer.of(value ? 1 : 0)
const day2000 = Date.UTC(2000, 0, 1)
/** As PostgreSQL sends a time: microseconds from 2000. */
const stamp = (moment: string) => int64(BigInt(Date.parse(moment) - day2000) * 1000n)
const day = (date: string) => int32((Date.parse(date) - day2000) / 86_400_000)

/** What `copy … to stdout (format binary)` sends for rows of fields, behind its head. */
function copied(rows: readonly (readonly Field[])[]): Buffer {
  const parts = rows.flatMap((fields) => [
    bytes(2, (buffer) => buffer.writeInt16BE(fields.length)),
    ...fields.flatMap((field) => (field === null ? [int32(-1)] : [int32(field.length), field])),
  ])
  return Buffer.concat(parts)
}

const end = bytes(2, (buffer) => buffer.writeInt16BE(-1))

/** Writes rows of one column, in row groups of a size, from pieces of a size, and opens the file. */
async function writeColumn(type: ParquetType, fields: readonly Field[], groupRows = 1e9, pieceRows = 1e9) {
  const path = join(folder, `${Math.random()}.parquet`)
  const columns = [{ name: 'value', type }]
  const file = await ParquetFile.open(path, columns)
  const values = columnValues(type)
  let waiting = 0
  for (let at = 0; at < fields.length; at += pieceRows) {
    const piece = fields.slice(at, at + pieceRows)
    waiting += addRows(copied(piece.map((field) => [field])), [values]).rows
    if (waiting < groupRows) continue
    await file.writeGroup([values.take()])
    waiting = 0
  }
  if (waiting > 0) await file.writeGroup([values.take()])
  await file.finish()
  await file.close()
  const opened = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(opened)
  const objects = await parquetReadObjects({ file: opened })
  return {
    values: objects.map(({ value }) => value ?? null),
    chunks: metadata.row_groups.map(({ columns: [chunk] }) => chunk?.meta_data),
    size: opened.byteLength,
  }
}

test('Parquet: every type is read back as it was, with its bounds, and null is null', async () => {
  const cases: readonly (readonly [ParquetType, readonly Field[], readonly unknown[], unknown, unknown])[] = [
    ['INT32', [int32(7), null, int32(-3)], [7, null, -3], -3, 7],
    ['INT64', [int64(2n ** 62n), int64(-1n), null], [2n ** 62n, -1n, null], -1n, 2n ** 62n],
    ['DOUBLE', [double(0.1), double(Number.NaN), double(-5)], [0.1, Number.NaN, -5], -5, 0.1],
    ['BOOLEAN', [boolean(true), null, boolean(false)], [true, null, false], false, true],
    [
      'DATE',
      [day('2011-02-03'), day('1815-12-10'), int32(0x7fffffff), null],
      [new Date('2011-02-03'), new Date('1815-12-10'), null, null],
      new Date('1815-12-10'),
      new Date('2011-02-03'),
    ],
    [
      'TIMESTAMP',
      [stamp('2026-11-28T12:34:56.789Z'), stamp('1969-12-31T23:59:59.999Z'), stamp('1850-01-01T00:00:00.001Z'), null],
      [
        new Date('2026-11-28T12:34:56.789Z'),
        new Date('1969-12-31T23:59:59.999Z'),
        new Date('1850-01-01T00:00:00.001Z'),
        null,
      ],
      new Date('1850-01-01T00:00:00.001Z'),
      new Date('2026-11-28T12:34:56.789Z'),
    ],
    ['TIMESTAMP', [int64(2n ** 63n - 1n), int64(-(2n ** 63n))], [null, null], undefined, undefined],
    ['STRING', [text('Zoë 😀'), text(''), null], ['Zoë 😀', '', null], undefined, undefined],
    ['JSON', [text('{"a": [1, null]}'), text('"x"'), null], [{ a: [1, null] }, 'x', null], undefined, undefined],
    ['STRING', [null, null], [null, null], undefined, undefined],
  ]
  for (const [type, fields, expected, min, max] of cases) {
    const { values, chunks } = await writeColumn(type, fields)
    assert.deepEqual(values, expected, type)
    const { statistics } = chunks[0] ?? {}
    assert.deepEqual([statistics?.min_value, statistics?.max_value], [min, max], type)
    assert.equal(statistics?.null_count, BigInt(expected.filter((value) => value === null).length), type)
  }
})

test('Parquet: texts that repeat are in a dictionary, others are not, however row groups and pieces are cut', async () => {
  const statuses = ['paid', 'pending', 'cancelled', 'Überfällig']
  const few = Array.from({ length: 3001 }, (_, index) => (index % 7 === 0 ? null : text(statuses[index % 4] as string)))
  const many = Array.from({ length: 3001 }, (_, index) => text(`${index} ${'x'.repeat(index % 90)}`))
  const shown = (fields: readonly Field[]) => fields.map((field) => field?.toString() ?? null)
  for (const [groupRows, pieceRows] of [
    [1e9, 1e9],
    [1000, 70],
    [1, 400],
    [1e9, 1],
  ] as const) {
    const repeated = await writeColumn('STRING', few, groupRows, pieceRows)
    assert.deepEqual(repeated.values, shown(few), `${groupRows} rows, ${pieceRows} a piece`)
    assert.ok(repeated.chunks.every((chunk) => chunk?.encodings.includes('RLE_DICTIONARY')))
    const different = await writeColumn('STRING', many, groupRows, pieceRows)
    assert.deepEqual(different.values, shown(many), `${groupRows} rows, ${pieceRows} a piece`)
    if (groupRows > 1000) assert.deepEqual(different.chunks[0]?.encodings, ['PLAIN'])
  }
  const { size } = await writeColumn('STRING', few)
  assert.ok(size < 2000, `${size} bytes`)
})

test('Parquet: a dictionary of any number of entries is read back, and what becomes too large turns into plain texts', async () => {
  for (const different of [1, 2, 3, 255, 256, 257, 4096, 4097, 6000]) {
    const fields = Array.from({ length: different * 3 }, (_, index) => text(`value ${index % different}`))
    const { values } = await writeColumn('STRING', fields)
    assert.deepEqual(
      values,
      fields.map((field) => field.toString()),
      String(different),
    )
  }
})

test('Parquet: what compresses is compressed', async () => {
  const repeating = await writeColumn(
    'STRING',
    Array.from({ length: 2000 }, (_, index) => text(`${'the same words again and again, '.repeat(6)}${index}`)),
  )
  assert.equal(repeating.chunks[0]?.codec, 'SNAPPY')
  assert.ok(repeating.size < 100_000, `${repeating.size} bytes`)
})

test('Parquet: whole rows are counted, and the end of all rows is told from the end of a piece', () => {
  const values = columnValues('STRING')
  const rows = copied([[text('a')], [null]])
  assert.deepEqual(addRows(rows, [values]), { rows: 2, isOver: false })
  assert.deepEqual(addRows(Buffer.concat([rows, end]), [values]), { rows: 2, isOver: true })
  assert.deepEqual(addRows(end, [values]), { rows: 0, isOver: true })
  assert.equal(headLength(Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), int32(0), int32(3)])), 22)
})
