import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { afterFile } from '../testing/runner/file-end.ts'
import { type AnnouncedFile, completeUpload } from './complete-upload.ts'
import { FilesKeyMissing } from './encryption/encrypted-file.ts'
import { chunks, newKey, sha256 } from './file-store.fixture.ts'
import type { FileStore } from './file-store.ts'
import { missingScanner, startScanner, testVirus } from './inspection/clamd.fixture.ts'
import { pdf } from './inspection/sample-files.fixture.ts'
import { ScannerUnavailable, VirusScanner } from './inspection/virus-scan.ts'
import { openFileStore } from './open-file-store.ts'
import { onlyUser } from './storage-user.fixture.ts'

let folder: string
let store: FileStore
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matricula-files-'))
  // Encrypted, so that whatever looks at files is seen to read them plain.
  store = await openedUnder(randomBytes(32).toString('base64'))
})
afterFile(() => rm(folder, { recursive: true }))

const openedUnder = (filesKey: string) =>
  openFileStore({ storageUrl: null, dataDir: folder, secretKey: 'x', publicUrl: 'http://x', filesKey }, onlyUser)

async function uploaded(content: Uint8Array): Promise<string> {
  const key = newKey()
  await store.write(key, chunks(content), { maxBytes: 1e6 })
  return key
}

const announced = (content: Uint8Array, changes: Partial<AnnouncedFile> = {}): AnnouncedFile => ({
  sizeBytes: content.length,
  mimeTypes: ['application/pdf'],
  checksumsSha256: [sha256(content)],
  ...changes,
})

test('a file that is as announced is ready, however often it is completed', async () => {
  const key = await uploaded(pdf)
  const ready = {
    status: 'ready',
    facts: { sizeBytes: pdf.length, checksumSha256: sha256(pdf), mimeType: 'application/pdf' },
  }
  assert.deepEqual(await completeUpload(store, null, key, announced(pdf)), ready)
  assert.deepEqual(await completeUpload(store, null, key, announced(pdf, { checksumsSha256: [] })), ready)
  const both = await Promise.all([1, 2, 3].map(() => completeUpload(store, null, key, announced(pdf))))
  for (const outcome of both) assert.deepEqual(outcome, ready)
})

test('where nothing was uploaded, nothing is completed', async () => {
  assert.deepEqual(await completeUpload(store, null, newKey(), announced(pdf)), { status: 'missing' })
})

test('a file that differs in size, SHA-256 or type fails with what was expected and what was found', async () => {
  const html = Buffer.from('<html><script>alert(1)</script>')
  const other = sha256(Buffer.from('other'))
  const expected: [Uint8Array, Partial<AnnouncedFile>, object, object][] = [
    [pdf, { sizeBytes: 5 }, { sizeBytes: 5 }, { sizeBytes: pdf.length }],
    [pdf, { checksumsSha256: [sha256(pdf), other] }, { checksumSha256: other }, { checksumSha256: sha256(pdf) }],
    [html, {}, { mimeType: 'application/pdf' }, { mimeType: 'text/html' }],
    [Buffer.alloc(9), {}, { mimeType: 'application/pdf' }, { mimeType: null }],
  ]
  for (const [content, changes, wanted, found] of expected) {
    const key = await uploaded(content)
    for (const _ of ['first', 'again']) {
      const outcome = await completeUpload(store, null, key, announced(content, changes))
      assert.ok(outcome.status === 'failed')
      assert.equal(outcome.problem.code, 'file_rejected')
      assert.deepEqual(outcome.problem.extra, { expected: wanted, found })
    }
  }
})

test('an upload that was damaged in the storage is refused, and one under a key of another service waits for that key', async () => {
  const [cut, shortest, foreign] = [await uploaded(pdf), await uploaded(pdf), await uploaded(pdf)]
  const getPath = (key: string) => join(folder, 'files/uploads', key)
  await truncate(getPath(cut), pdf.length)
  await truncate(getPath(shortest), 20)
  for (const key of [cut, shortest, cut]) {
    const outcome = await completeUpload(store, null, key, announced(pdf))
    assert.ok(outcome.status === 'failed')
    assert.equal(outcome.problem.code, 'file_rejected')
  }
  const other = await openedUnder(randomBytes(32).toString('base64'))
  await assert.rejects(completeUpload(other, null, foreign, announced(pdf)), FilesKeyMissing)
  assert.equal((await completeUpload(store, null, foreign, announced(pdf))).status, 'ready')
})

test('while the scanner cannot be asked, a file is neither ready nor refused, and can be completed later', async () => {
  const key = await uploaded(pdf)
  const scanner = new VirusScanner({ path: join(folder, 'clamd.sock') })
  await assert.rejects(completeUpload(store, scanner, key, announced(pdf)), ScannerUnavailable)
  assert.equal((await completeUpload(store, null, key, announced(pdf))).status, 'ready')
})

test('a file that the scanner refuses is quarantined with the signature', {
  skip: missingScanner ?? false,
}, async () => {
  const running = await startScanner()
  const scanner = new VirusScanner({ path: running.socketPath })
  const asText = { mimeTypes: ['text/plain'] }
  const infected = await completeUpload(store, scanner, await uploaded(testVirus), announced(testVirus, asText))
  const clean = await completeUpload(store, scanner, await uploaded(pdf), announced(pdf))
  await running.stop()
  assert.ok(infected.status === 'quarantined')
  assert.match((infected.problem.extra.found as { virus: string }).virus, /Eicar-Test/)
  assert.equal(clean.status, 'ready')
})
