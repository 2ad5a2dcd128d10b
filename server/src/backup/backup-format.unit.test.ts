import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BackupFileError, type Frame, frameHeadBytes, frameTypes, jsonFrame, magic } from './backup-format.ts'
import { readBackup, verifyBackup } from './read-backup.ts'
import { RowDigest } from './row-digest.ts'
import { getBytes, sectionFrames } from './write-frames.ts'

const key = '01a2038c-ee46-73a5-9f0b-ebabd7c51309/01a2038c-ee46-73a5-9f0b-ebabd7c51310'
const lines = 'a\t1\nb\\n\t2\nc\t\\N\n'
const file = Buffer.from('%PDF-1.4 of a test')

async function* pieces(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length)
}

async function* frames(): AsyncGenerator<Frame> {
  yield jsonFrame(frameTypes.header, { createdAt: '2026-11-22T00:00:00.000Z' })
  yield* sectionFrames({ kind: 'table', name: 'letters', columns: ['letter', 'number'] }, pieces(Buffer.from(lines), 4))
  yield* sectionFrames({ kind: 'table', name: 'nothing', columns: ['one'] }, pieces(Buffer.alloc(0), 1))
  yield* sectionFrames({ kind: 'file', state: 'frozen', key }, pieces(file, 5))
  const missingFiles = { count: 0, keys: [] }
  yield jsonFrame(frameTypes.trailer, { tables: 2, rows: 3, files: 1, fileBytes: file.length, missingFiles })
}

async function joined(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

const whole = await joined(getBytes(frames()))

const refused = (bytes: Buffer, message?: RegExp) =>
  assert.rejects(verifyBackup(pieces(bytes, 64)), (error: Error) => {
    assert.ok(error instanceof BackupFileError, String(error))
    if (message !== undefined) assert.match(error.message, message)
    return true
  })

/** Where each frame begins. */
function borders(): number[] {
  const found = [magic.length]
  for (let at = magic.length; at < whole.length; found.push(at)) at += frameHeadBytes + whole.readUInt32BE(at + 1)
  return found
}

test('a backup is read as it was written, in pieces of any length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 300 }), async (length) => {
      const contents: Record<string, string> = {}
      for await (const part of readBackup(pieces(whole, length))) {
        if (part.kind !== 'section') continue
        const name = part.head.kind === 'table' ? part.head.name : part.head.key
        contents[name] = (await joined(part.content)).toString()
        assert.equal(part.end().rows, { letters: 3, nothing: 0 }[name])
      }
      assert.deepEqual(contents, { letters: lines, nothing: '', [key]: file.toString() })
    }),
    { numRuns: 30 },
  )
})

test('a backup that ends anywhere before its end is refused, at each border of a section too', async () => {
  assert.ok(borders().length > 10)
  for (const border of borders().slice(0, -1)) await refused(whole.subarray(0, border), /cut off/)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), (length) => refused(whole.subarray(0, length))),
  )
})

test('a backup of which any one byte was altered is refused, and so is one with a byte more', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const altered = Buffer.from(whole)
      altered[at] = (altered[at] as number) ^ change
      return refused(altered)
    }),
    { numRuns: 600 },
  )
  await refused(Buffer.concat([whole, Buffer.from('\n')]), /altered/)
})

test('what is no backup, and what is one of a later format, is told apart', async () => {
  await refused(Buffer.from('PGDMP and more bytes than a few'), /no backup of Matricula/)
  await refused(Buffer.from(whole.toString('latin1').replace('backup 1', 'backup 2'), 'latin1'), /version 2 .* newer/)
})

test('a digest of rows tells them apart whatever their order and wherever pieces end', () => {
  const digest = (rows: string[], length: number) => {
    const all = Buffer.from(rows.map((row) => `${row}\n`).join(''))
    const sum = new RowDigest()
    for (let from = 0; from < all.length; from += length) sum.add(all.subarray(from, from + length))
    assert.equal(sum.rows, rows.length)
    return sum.digest
  }
  const row = fc.string().map((text) => text.replaceAll('\n', ' '))
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), fc.integer({ min: 1, max: 9 }), fc.nat(), (rows, length, which) => {
      const sum = digest(rows, length)
      assert.equal(digest([...rows].reverse(), length + 1), sum)
      assert.notEqual(digest([...rows, rows[0] as string], length), sum)
      const at = which % rows.length
      assert.notEqual(digest(rows.with(at, `${rows[at]}x`), length), sum)
    }),
  )
})
