import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { inspectFile } from './inspect-file.ts'
import { isSameType } from './same-type.ts'
import * as samples from './sample-files.fixture.ts'

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < bytes.length; position += size) yield bytes.subarray(position, position + size)
}

/** The type that is found, which is the same however the bytes come. */
async function findType(content: Uint8Array | string): Promise<string | null> {
  const bytes = Buffer.from(content as string)
  const facts = await Promise.all([1, 7, 64 * 1024].map((size) => inspectFile(inChunks(bytes, size))))
  const [first, ...others] = facts.map(({ mimeType }) => mimeType)
  for (const other of others) assert.equal(other, first)
  return first as string | null
}

const { compoundFile, gif, jpeg, pdf, png, zip } = samples
const content = '[Content_Types].xml'

test('size and SHA-256 are those of the bytes, however they come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300_000 }),
      fc.integer({ min: 1, max: 100_000 }),
      async (bytes, size) => {
        const facts = await inspectFile(inChunks(bytes, Math.max(size, bytes.length / 100)))
        assert.equal(facts.sizeBytes, bytes.length)
        assert.equal(facts.checksumSha256, createHash('sha256').update(bytes).digest('hex'))
      },
    ),
    { numRuns: 30 },
  )
})

test('no bytes, however damaged, stop the inspection', async () => {
  const kinds = Object.values(samples).filter((sample) => Buffer.isBuffer(sample))
  const kind = fc.constantFrom(
    ...kinds,
    zip({ [content]: '', 'word/document.xml': '' }),
    compoundFile('', ['Workbook']),
  )
  await fc.assert(
    fc.asyncProperty(kind, fc.nat(), fc.uint8Array({ maxLength: 40 }), fc.nat(2000), async (bytes, at, damage, cut) => {
      const position = at % bytes.length
      const damaged = Buffer.concat([bytes.subarray(0, position), damage, bytes.subarray(position + damage.length)])
      await inspectFile(inChunks(damaged.subarray(0, damaged.length - (cut % damaged.length)), 512))
    }),
    { numRuns: 500 },
  )
})

test('the common kinds of files are told by their content', async () => {
  const expected: [string, Uint8Array][] = [
    ['application/pdf', pdf],
    ['application/pdf', Buffer.concat([Buffer.from('\ufeff\r\n  '), pdf])],
    ['application/pdf', Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\n%%EOF')],
    ['image/png', png],
    ['image/gif', gif],
    ['image/jpeg', jpeg],
    ['image/webp', samples.webp],
    ['image/heic', samples.heic],
    ['image/bmp', samples.bmp],
    ['application/rtf', samples.rtf],
    ['application/x-msdownload', samples.exe],
    ['text/calendar', Buffer.from('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n')],
  ]
  for (const [type, bytes] of expected) assert.equal(await findType(bytes), type)
})

test('an empty file, and bytes of no known kind, have no type', async () => {
  assert.equal(await findType(''), null)
  assert.equal(await findType(Buffer.alloc(1000)), null)
  assert.equal(await findType(Buffer.from('0102030405060708', 'hex')), null)
})

test('texts are told from files that begin alike, in UTF-8, UTF-16 and older encodings', async () => {
  const texts = [
    'name,amount\r\nAna,10\r\n',
    'BM is the plate of Brasília',
    'MZ, ID3, %!',
    '{"a": 1}',
    'II*',
    'a < b > c\f',
  ]
  for (const text of texts) assert.equal(await findType(text), 'text/plain', text)
  assert.equal(await findType(Buffer.from('José;ñandú', 'latin1')), 'text/plain')
  assert.equal(await findType(Buffer.from('\ufeffnota;alumno', 'utf16le')), 'text/plain')
  assert.equal(await findType(Buffer.from('\ufeffnota;alumno', 'utf16le').swap16()), 'text/plain')
  assert.equal(await findType(`${'text '.repeat(50_000)}\0`), null)
  assert.equal(await findType('<ana@example.org> wrote:'), 'text/plain')
})

test('what a browser or a shell would run is told as what it is', async () => {
  const expected: [string, string][] = [
    ['<!DOCTYPE html><p>', 'text/html'],
    ['\ufeff \n<!-- a --> <!-- b -->\n<HTML lang=en>', 'text/html'],
    ['<script>alert(1)</script>', 'text/html'],
    ['<img src=x onerror=alert(1)>', 'text/html'],
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
    ['<?xml version="1.0"?><!-- <html> --><!DOCTYPE svg PUBLIC "x"><svg:svg>', 'image/svg+xml'],
    ['<?xml version="1.0"?><x:html xmlns:x="http://www.w3.org/1999/xhtml">', 'application/xhtml+xml'],
    ['<?xml version="1.0"?><cfdi:Comprobante Version="4.0"/>', 'application/xml'],
    ['<invoice ></invoice>', 'application/xml'],
    ['#!/bin/sh\nrm -r', 'application/x-sh'],
    ['@echo off\r\n', 'application/x-bat'],
    ['<?php system($_GET[1]);', 'application/x-httpd-php'],
  ]
  for (const [text, type] of expected) {
    assert.equal(await findType(text), type, text)
    assert.equal(await findType(Buffer.from(`\ufeff${text}`, 'utf16le')), type, `${text} in UTF-16`)
  }
  assert.equal(await findType(`${' '.repeat(20_000)}<script>`), 'text/html')
})

test('an image or a PDF that begins with HTML, or carries it near its beginning, is HTML', async () => {
  const html = Buffer.from('<html><script>alert(1)</script></html>')
  for (const file of [pdf, png, gif, jpeg]) {
    assert.equal(await findType(Buffer.concat([html, file])), 'text/html')
    assert.equal(await findType(Buffer.concat([Buffer.from('  \n'), html, file])), 'text/html')
    assert.equal(await findType(Buffer.concat([file.subarray(0, 12), html, file.subarray(12)])), 'text/html')
    assert.equal(await findType(Buffer.concat([file, Buffer.from('<?PHP system(1)')])), 'text/html')
  }
  assert.equal(await findType(Buffer.concat([Buffer.from('GIF89a/*\0*/=1;alert(1)//'), gif])), 'text/html')
  assert.equal(await findType(Buffer.concat([Buffer.from('ffd8ffe02f2a', 'hex'), jpeg])), 'text/html')
  assert.equal(await findType('GIF89a/**/=1;alert(1)'), 'text/plain')
})

test('files of Office, OpenDocument and Java are told from other ZIP files by their list of entries', async () => {
  const office = 'application/vnd.openxmlformats-officedocument'
  const expected: [string, Record<string, string>][] = [
    [`${office}.wordprocessingml.document`, { [content]: '<Types/>', 'word/document.xml': '' }],
    [
      `${office}.wordprocessingml.document`,
      { 'word/media/image1.png': 'x'.repeat(70_000), 'word/document2.xml': '', [content]: '' },
    ],
    [`${office}.spreadsheetml.sheet`, { [content]: '', 'xl/workbook.xml': '' }],
    [`${office}.spreadsheetml.sheet`, { [content]: '', 'xl\\workbook.xml': '' }],
    [`${office}.presentationml.presentation`, { [content]: '', 'ppt/presentation.xml': '' }],
    [
      'application/vnd.ms-word.document.macroenabled.12',
      { [content]: '', 'word/document.xml': '', 'word/vbaProject.bin': '' },
    ],
    [
      'application/vnd.oasis.opendocument.text',
      { mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '' },
    ],
    ['application/epub+zip', { mimetype: 'application/epub+zip', 'a.xhtml': '<html>' }],
    ['application/java-archive', { 'META-INF/MANIFEST.MF': '', 'word/document.xml': '' }],
    ['application/zip', { 'word/document.xml': '' }],
    ['application/zip', { mimetype: 'text/html', 'a.txt': '' }],
    ['application/zip', { 'index.html': '<html><script>' }],
  ]
  for (const [type, entries] of expected) {
    assert.equal(await findType(zip(entries)), type)
    assert.equal(await findType(zip(entries, 'a comment at the end')), type)
  }
})

test('a ZIP file that was cut off has no type', async () => {
  const whole = zip({ [content]: '', 'word/document.xml': 'x'.repeat(1000) })
  for (const length of [whole.length - 1, whole.length - 100, 40])
    assert.equal(await findType(whole.subarray(0, length)), null)
})

test('a ZIP file larger than what is kept of it is told by its end', async () => {
  const bytes = zip({ 'word/media/a.bin': 'x'.repeat(3_000_000), 'word/document.xml': '', [content]: '' })
  const { mimeType } = await inspectFile(inChunks(bytes, 64 * 1024))
  assert.equal(mimeType, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document')
})

test('old Office files are told by the class of their root, else by the stream that only one kind has', async () => {
  const expected: [string, Buffer][] = [
    ['application/msword', compoundFile('0609020000000000c000000000000046', ['Workbook'])],
    ['application/vnd.ms-excel', compoundFile('2008020000000000c000000000000046', [])],
    ['application/vnd.ms-powerpoint', compoundFile('108d81649b4fcf1186ea00aa00b929e8', [])],
    ['application/vnd.ms-excel', compoundFile('', ['\u0005SummaryInformation', 'Workbook'])],
    ['application/msword', compoundFile('', ['1Table', 'WordDocument'], 400)],
    ['application/x-msi', compoundFile('84100c0000000000c000000000000046', [])],
    ['application/x-cfb', compoundFile('', ['Book of mine'])],
  ]
  for (const [type, bytes] of expected) assert.equal(await findType(bytes), type)
})

test('other names of a type are the same type; other types are not', () => {
  const same: [string, string][] = [
    ['image/jpg', 'image/jpeg'],
    ['IMAGE/JPEG; q=1', 'image/jpeg'],
    ['image/heif', 'image/heic'],
    ['text/csv; charset=utf-8', 'text/plain'],
    ['application/json', 'text/plain'],
    ['text/xml', 'application/xml'],
    ['application/x-zip-compressed', 'application/zip'],
  ]
  for (const [announced, found] of same) assert.ok(isSameType(announced, found), announced)
  const different: [string, string | null][] = [
    ['application/pdf', 'text/html'],
    ['text/plain', 'text/html'],
    ['image/png', 'image/jpeg'],
    ['application/zip', 'application/java-archive'],
    ['application/vnd.ms-excel', 'text/plain'],
    ['application/octet-stream', null],
    ['', 'text/plain'],
    ['pdf', 'application/pdf'],
  ]
  for (const [announced, found] of different) assert.ok(!isSameType(announced, found), announced)
})
