import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DownloadGrant, UploadGrant } from './file-store.ts'
import { findMediaType } from './inspection/media-type.ts'
import { requestedRange } from './routes/byte-range.ts'
import { allowedDisposition, contentDisposition } from './routes/content-disposition.ts'
import { SignedGrants } from './signed-grants.ts'

const grants = new SignedGrants('a secret key of this very test, long enough')

const upload: UploadGrant = {
  key: `${randomUUID()}/${randomUUID()}`,
  sizeBytes: 12_345,
  mimeType: 'application/pdf',
  checksumSha256: 'ab'.repeat(32),
  expiresAt: new Date('2026-09-01T00:00:00.000Z'),
}

const download = {
  key: upload.key,
  fileName: 'Título “final”.pdf',
  mimeType: 'application/pdf',
  disposition: 'inline',
  expiresAt: upload.expiresAt,
} as const satisfies DownloadGrant

test('a token gives back the grant that was sealed in it, and fits into a path', () => {
  assert.deepEqual(grants.open('upload', grants.seal('upload', upload)), upload)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (fileName) => {
      fc.pre(!/\p{Cs}/u.test(fileName))
      const token = grants.seal('download', { ...download, fileName })
      assert.match(token, /^[A-Za-z0-9._-]+$/)
      assert.deepEqual(grants.open('download', token), { ...download, fileName })
    }),
  )
})

test('no token but the very same opens: none altered, none of another secret, none for another purpose', () => {
  const token = grants.seal('upload', upload)
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.string({ maxLength: 3 }), fc.nat(3), (position, inserted, removed) => {
      const changed = token.slice(0, position) + inserted + token.slice(position + removed)
      fc.pre(changed !== token)
      assert.equal(grants.open('upload', changed), null)
    }),
    { numRuns: 2000 },
  )
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(grants.open('upload', text), null)))
  assert.equal(grants.open('download', token), null)
  assert.equal(new SignedGrants('another secret key, also long enough').open('upload', token), null)
  const [payload, signature] = token.split('.') as [string, string]
  const larger = { ...upload, sizeBytes: 1e12, expiresAt: upload.expiresAt.getTime() }
  const forged = Buffer.from(JSON.stringify(larger)).toString('base64url')
  assert.equal(grants.open('upload', `${forged}.${signature}`), null)
  assert.equal(grants.open('upload', `${payload}.`), null)
})

test('a Range header gives one part of the file, or the whole where it says nothing that is served', () => {
  const expected: [string | undefined, ReturnType<typeof requestedRange>][] = [
    [undefined, 'whole'],
    ['bytes=0-9', { first: 0, last: 9 }],
    ['Bytes=0-0', { first: 0, last: 0 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=90-1000', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=100-', 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
    ['bytes=9-0', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes 0-1', 'whole'],
    ['bytes=0x1-2', 'whole'],
    ['lines=0-1', 'whole'],
  ]
  for (const [header, range] of expected) assert.deepEqual(requestedRange(header, 100), range, header)
  assert.equal(requestedRange('bytes=0-', 0), 'unsatisfiable')
  assert.equal(requestedRange('bytes=-5', 0), 'unsatisfiable')
})

test('a range never leaves the file', () => {
  const location = fc.oneof(fc.constant(''), fc.nat(300).map(String))
  fc.assert(
    fc.property(location, location, fc.nat(200), (from, to, size) => {
      const range = requestedRange(`bytes=${from}-${to}`, size)
      if (typeof range === 'string') return
      assert.ok(range.first >= 0 && range.first <= range.last && range.last < size)
    }),
  )
})

test('a file name is given in ASCII and, where that is not the whole name, in UTF-8', () => {
  const expected: [string, string][] = [
    ['diploma.pdf', 'inline; filename="diploma.pdf"'],
    ['Año 1.pdf', `inline; filename="A_o 1.pdf"; filename*=UTF-8''A%C3%B1o%201.pdf`],
    ['An\u0303o.pdf', `inline; filename="A_o.pdf"; filename*=UTF-8''A%C3%B1o.pdf`],
    ['a"b\\c%d.pdf', `inline; filename="a_b_c_d.pdf"; filename*=UTF-8''a%22b_c%25d.pdf`],
    [`it's (1)*.pdf`, `inline; filename="it's (1)*.pdf"`],
    [`é'(*).pdf`, `inline; filename="_'(*).pdf"; filename*=UTF-8''%C3%A9%27%28%2A%29.pdf`],
    ['../../etc/passwd', 'inline; filename=".._.._etc_passwd"'],
    ['a\r\nSet-Cookie: b', 'inline; filename="aSet-Cookie: b"'],
    ['gpj.\u202eexe', 'inline; filename="gpj.exe"'],
    ['🎓.pdf', `inline; filename="_.pdf"; filename*=UTF-8''%F0%9F%8E%93.pdf`],
    ['\ud800.pdf', 'inline; filename="_.pdf"'],
    ['', 'inline; filename="file"'],
    [' .. ', 'inline; filename="file"'],
    [`${'x'.repeat(200_000)}.pdf`, `inline; filename="${'x'.repeat(196)}.pdf"`],
    ['🎓'.repeat(100_000), `inline; filename="${'_'.repeat(200)}"; filename*=UTF-8''${'%F0%9F%8E%93'.repeat(200)}`],
  ]
  for (const [fileName, header] of expected) assert.equal(contentDisposition('inline', fileName), header)
})

/** Half of a pair too. */
const codeUnit = fc.nat(0xffff).map((unit) => String.fromCharCode(unit))

test('whatever a file is called, the header is one line of printable ASCII with balanced quotes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: codeUnit })), (fileName) => {
      const header = contentDisposition('attachment', fileName)
      assert.match(header, /^attachment; filename="(?:(?!["\\])[ -~])+"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/)
      const name = /UTF-8''(.*)$/.exec(header)?.[1]
      if (name !== undefined) assert.ok(!/[/\\\p{Cc}]/u.test(decodeURIComponent(name)))
    }),
    { numRuns: 1000 },
  )
})

test('only what browsers show without running it is shown', () => {
  for (const type of ['image/png', 'application/pdf', 'text/plain', 'video/mp4']) {
    assert.equal(allowedDisposition('inline', type), 'inline')
    assert.equal(allowedDisposition('attachment', type), 'attachment')
  }
  for (const type of [
    'text/html',
    'image/svg+xml',
    'text/xml',
    'application/octet-stream',
    'image/pngx',
    'text/javascript',
  ]) {
    assert.equal(allowedDisposition('inline', type), 'attachment')
  }
})

test('a media type is read without its parameters and in lower case, or not at all', () => {
  assert.equal(findMediaType('Text/CSV; charset=utf-8'), 'text/csv')
  assert.equal(findMediaType('image/svg+xml'), 'image/svg+xml')
  for (const text of [
    '',
    'text',
    'text/',
    '/csv',
    'text/csv/x',
    'te xt/csv',
    'text/csv\n',
    `text/${'x'.repeat(128)}`,
  ]) {
    assert.equal(findMediaType(text === 'text/csv\n' ? 'text/c\nsv' : text), null, text)
  }
})
