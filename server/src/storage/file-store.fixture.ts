import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { Problem } from '../errors/problem.ts'
import { altered } from '../testing/fixtures/altered.ts'
import { fileKey } from './file-key.ts'
import type { FileFilter, FileStore, UploadGrant } from './file-store.ts'
import { adoptFiles, claimFiles } from './ownership.ts'
import { onlyUser } from './storage-user.fixture.ts'

/** A store under test, and how its addresses are reached from here. */
export interface Subject {
  store(): FileStore
  reach(url: string): string
}

export const newKey = () => fileKey(randomUUID(), randomUUID())
export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code

export async function* chunks(...parts: (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part as string)
}

/** An upload of some bytes, as the vault would announce it. */
export function getGrant(bytes: Uint8Array | string, changes: Partial<UploadGrant> = {}): UploadGrant {
  const sizeBytes = Buffer.from(bytes as string).length
  const announced = { sizeBytes, mimeType: 'application/pdf', checksumSha256: null }
  return { key: newKey(), ...announced, expiresAt: inMinutes(15), ...changes }
}

/** What every store promises, whatever it keeps files in. */
export function testFileStore(subject: Subject): void {
  const limits = { maxBytes: 1000 }

  const stored = async (state: 'upload' | 'frozen', key: string) => {
    const bytes = await subject.store().open(state, key)
    return bytes === null ? null : (await buffer(bytes)).toString()
  }

  const frozen = async (content: string | Uint8Array) => {
    const key = newKey()
    await subject.store().write(key, chunks(content), { maxBytes: 1e9 })
    assert.equal(await subject.store().freeze(key), 'frozen')
    return key
  }

  const put = (url: string, body: string | Uint8Array, headers: Readonly<Record<string, string>>) =>
    fetch(subject.reach(url), { method: 'PUT', body: Buffer.from(body as string), headers })

  const download = async (key: string, changes: object = {}) => {
    const asked = { fileName: 'Año 1.pdf', mimeType: 'application/pdf', disposition: 'inline', expiresAt: inMinutes(5) }
    const grant = { key, ...asked, ...changes } as Parameters<FileStore['signDownload']>[0]
    return subject.reach(await subject.store().signDownload(grant))
  }

  test('what is written can be read, whole and in parts, and its size and SHA-256 are told', async () => {
    const store = subject.store()
    const key = newKey()
    const outcome = await store.write(key, chunks('hello ', '', 'world'), limits)
    assert.deepEqual(outcome, { sizeBytes: 11, checksumSha256: sha256(Buffer.from('hello world')) })
    assert.deepEqual(await store.stat('upload', key), { sizeBytes: 11 })
    assert.equal(await stored('upload', key), 'hello world')
    const part = await store.open('upload', key, { first: 6, last: 8 })
    assert.equal((await buffer(part as NonNullable<typeof part>)).toString(), 'wor')
    assert.equal(await store.stat('frozen', key), null)
    await store.write(key, chunks('again'), limits)
    assert.equal(await stored('upload', key), 'again')
  })

  test('a file of no bytes, and one of many megabytes, are kept as they are', async () => {
    const empty = newKey()
    await subject.store().write(empty, chunks(), limits)
    assert.deepEqual(await subject.store().stat('upload', empty), { sizeBytes: 0 })
    const part = randomBytes(1024 * 1024)
    const key = newKey()
    const parts = Array.from({ length: 20 }, () => part)
    const outcome = await subject.store().write(key, chunks(...parts), { maxBytes: 20 * part.length })
    assert.equal(outcome.checksumSha256, sha256(Buffer.concat(parts)))
    const bytes = await subject.store().open('upload', key)
    assert.equal(sha256(await buffer(bytes as NonNullable<typeof bytes>)), outcome.checksumSha256)
  })

  test('what is too long, not as expected, or breaks off is not stored, and leaves what was there before', async () => {
    const store = subject.store()
    const key = newKey()
    const expectRejection = async () => {
      const other = sha256(Buffer.from('other'))
      await assert.rejects(store.write(key, chunks('x'.repeat(999), 'yz'), limits), isProblem('content_too_large'))
      await assert.rejects(store.write(key, chunks('ab'), { ...limits, sizeBytes: 3 }), isProblem('file_rejected'))
      await assert.rejects(
        store.write(key, chunks('ab'), { ...limits, checksumSha256: other }),
        isProblem('file_rejected'),
      )
      const broken = async function* () {
        yield Buffer.from('half of ')
        throw new RangeError('the sender is gone')
      }
      await assert.rejects(store.write(key, broken(), limits), RangeError)
    }
    await expectRejection()
    assert.equal(await stored('upload', key), null)
    await store.write(key, chunks('first'), { ...limits, sizeBytes: 5, checksumSha256: sha256(Buffer.from('first')) })
    await expectRejection()
    assert.equal(await stored('upload', key), 'first')
  })

  test('freezing moves an upload to where nothing replaces it', async () => {
    const store = subject.store()
    const key = newKey()
    assert.equal(await store.freeze(key), 'missing')
    await store.write(key, chunks('the diploma'), limits)
    assert.equal(await store.freeze(key), 'frozen')
    assert.equal(await store.stat('upload', key), null)
    assert.equal(await stored('frozen', key), 'the diploma')
    assert.equal(await store.freeze(key), 'already_frozen')
    await assert.rejects(store.write(key, chunks('forged'), limits), isProblem('state_conflict'))
    assert.equal(await stored('frozen', key), 'the diploma')
    assert.equal(await stored('upload', key), null)
  })

  test('of several who freeze at once, all find the same file', async () => {
    const store = subject.store()
    const key = newKey()
    await store.write(key, chunks('the diploma'), limits)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => store.freeze(key)))
    assert.ok(outcomes.includes('frozen'))
    assert.ok(!outcomes.includes('missing'))
    assert.equal(await stored('frozen', key), 'the diploma')
  })

  test('files have one owner: the first one who claims them, until another one adopts them, and nobody else removes or replaces any', async () => {
    const store = subject.store()
    const [own, other] = [await onlyUser.loadInstallation(), { id: randomUUID(), mayClaim: true }]
    const [upload, key] = [newKey(), await frozen('the diploma')]
    await store.write(upload, chunks('half'), limits)
    assert.deepEqual(await claimFiles(store, own), { is: 'own', owner: own.id })
    assert.deepEqual(await claimFiles(store, other), { is: 'foreign', owner: own.id })
    try {
      await adoptFiles(store, other)
      assert.deepEqual(await claimFiles(store, own), { is: 'foreign', owner: other.id })
      await store.remove('frozen', key)
      await store.remove('upload', upload)
      assert.equal(await store.removeUnfinished({ before: new Date(Date.now() + 60_000) }), 0)
      await assert.rejects(store.replace(key, chunks('forged')), /belong to another installation/)
      assert.deepEqual([await stored('frozen', key), await stored('upload', upload)], ['the diploma', 'half'])
    } finally {
      await adoptFiles(store, own)
    }
    await store.remove('upload', upload)
    assert.equal(await store.stat('upload', upload), null)
  })

  test('removing takes away an upload or a frozen file, and is harmless when there is none', async () => {
    const store = subject.store()
    const key = await frozen('the diploma')
    await store.remove('upload', key)
    assert.equal(await stored('frozen', key), 'the diploma')
    await store.remove('frozen', key)
    await store.remove('frozen', key)
    assert.equal(await store.stat('frozen', key), null)
    assert.equal(await store.open('frozen', key), null)
  })

  test('uploads and frozen files are listed apart, by tenant and by when they were stored', async () => {
    const store = subject.store()
    const [upload, stored] = [newKey(), await frozen('kept')]
    await store.write(upload, chunks('waits'), limits)
    const keys = async (state: 'upload' | 'frozen', filter?: FileFilter) => {
      const found: string[] = []
      for await (const key of store.list(state, filter)) found.push(key)
      return found.filter((key) => key === upload || key === stored)
    }
    assert.deepEqual(await keys('upload'), [upload])
    assert.deepEqual(await keys('frozen'), [stored])
    assert.deepEqual(await keys('upload', { before: inMinutes(1) }), [upload])
    assert.deepEqual(await keys('upload', { before: inMinutes(-1) }), [])
    const [tenantId] = upload.split('/') as [string]
    assert.deepEqual(await keys('upload', { tenantId, before: inMinutes(1) }), [upload])
    assert.deepEqual(await keys('upload', { tenantId: randomUUID() }), [])
    assert.deepEqual(await keys('frozen', { tenantId }), [])
  })

  test('nothing but two lower-case UUIDs is a key', async () => {
    const store = subject.store()
    const [tenant, file] = newKey().split('/') as [string, string]
    const others = ['', tenant, `${tenant}/`, `${tenant}/../${file}`, `../${tenant}/${file}`, `${tenant}/${file}/..`]
    others.push(`${tenant.toUpperCase()}/${file}`, `${tenant}/${file}\n`, `${tenant}\\${file}`, `${tenant}/.${file}`)
    for (const key of others) {
      await assert.rejects(store.write(key, chunks('x'), limits), TypeError, key)
      await assert.rejects(store.stat('frozen', key), TypeError, key)
      await assert.rejects(store.open('frozen', key), TypeError, key)
      await assert.rejects(store.freeze(key), TypeError, key)
      await assert.rejects(store.remove('upload', key), TypeError, key)
      await assert.rejects(store.signUpload(getGrant('x', { key })), TypeError, key)
      await assert.rejects(download(key), TypeError, key)
    }
  })

  test('an upload address takes the bytes it was signed for, and again until the file is frozen', async () => {
    const grant = getGrant('the diploma')
    const { method, url, headers } = await subject.store().signUpload(grant)
    assert.equal(method, 'PUT')
    assert.equal(headers['content-type'], 'application/pdf')
    assert.equal((await put(url, 'the first..', headers)).status, 200)
    assert.equal((await put(url, 'the diploma', headers)).status, 200)
    assert.equal(await stored('upload', grant.key), 'the diploma')
    assert.equal(await subject.store().freeze(grant.key), 'frozen')
    await put(url, 'forged file', headers)
    assert.equal(await stored('frozen', grant.key), 'the diploma')
    assert.equal(await subject.store().freeze(grant.key), 'already_frozen')
    assert.equal(await stored('frozen', grant.key), 'the diploma')
  })

  test('an upload address with a checksum takes the file that has it', async () => {
    const bytes = randomBytes(500)
    const grant = getGrant(bytes, { checksumSha256: sha256(bytes) })
    const { url, headers } = await subject.store().signUpload(grant)
    assert.equal((await put(url, bytes, headers)).status, 200)
    assert.deepEqual(await subject.store().stat('upload', grant.key), { sizeBytes: 500 })
  })

  test('an upload address takes no other length or type, no other method, and nothing after its time', async () => {
    const grant = getGrant('the diploma')
    const { url, headers } = await subject.store().signUpload(grant)
    const expired = await subject.store().signUpload({ ...grant, expiresAt: inMinutes(-1) })
    const attempts = [
      () => put(url, 'the diplom', headers),
      () => put(url, 'the diploma!', headers),
      () => put(url, '', headers),
      () => put(url, 'the diploma', { ...headers, 'content-type': 'text/html' }),
      () => put(url, 'the diploma', {}),
      () => put(expired.url, 'the diploma', expired.headers),
      () => put(altered(url), 'the diploma', headers),
      () => fetch(subject.reach(url), { method: 'POST', body: 'the diploma', headers }),
      () => fetch(subject.reach(url)),
      () => fetch(subject.reach(url), { method: 'DELETE' }),
    ]
    for (const [position, attempt] of attempts.entries()) {
      const { status } = await attempt()
      assert.ok(status >= 400 && status < 500, `attempt ${position}: ${status}`)
      assert.equal(await subject.store().stat('upload', grant.key), null, `attempt ${position}`)
    }
  })

  test('a download address hands out the frozen file under its name and type, whole and in ranges', async () => {
    const key = await frozen('the diploma')
    const url = await download(key)
    const response = await fetch(url)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/pdf')
    assert.equal(
      response.headers.get('content-disposition'),
      `inline; filename="A_o 1.pdf"; filename*=UTF-8''A%C3%B1o%201.pdf`,
    )
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(await response.text(), 'the diploma')
    const part = await fetch(url, { headers: { range: 'bytes=4-6' } })
    assert.equal(part.status, 206)
    assert.equal(part.headers.get('content-range'), 'bytes 4-6/11')
    assert.equal(await part.text(), 'dip')
    assert.equal((await fetch(url, { headers: { range: 'bytes=11-' } })).status, 416)
  })

  test('a download address hands out nothing after its time, when changed, or of an upload', async () => {
    const key = await frozen('the diploma')
    const upload = newKey()
    await subject.store().write(upload, chunks('not yet inspected'), limits)
    const url = await download(key)
    const rejected = [await download(key, { expiresAt: inMinutes(-1) }), altered(url), await download(upload)]
    for (const [position, address] of rejected.entries()) {
      const response = await fetch(address)
      assert.ok(response.status >= 400 && response.status < 500, `attempt ${position}: ${response.status}`)
      assert.ok(!/diploma|inspected/.test(await response.text()))
    }
    const replaced = await fetch(url, {
      method: 'PUT',
      body: 'forged file',
      headers: { 'content-type': 'application/pdf' },
    })
    assert.ok(replaced.status >= 400)
    assert.equal(await stored('frozen', key), 'the diploma')
  })

  test('a type that a browser would run is an attachment, whatever was asked for', async () => {
    const key = await frozen('<script>')
    for (const mimeType of ['text/html', 'image/svg+xml', 'application/xml', 'application/xhtml+xml']) {
      const response = await fetch(await download(key, { mimeType }))
      assert.equal(await response.text(), '<script>')
      assert.match(response.headers.get('content-disposition') ?? '', /^attachment;/)
    }
  })

  test('a type with more than its two names is not signed', async () => {
    for (const mimeType of ['', 'pdf', 'text/html; charset=utf-8', 'Text/Plain', 'text/plain\r\nx: y', 'a/b/c']) {
      await assert.rejects(subject.store().signUpload(getGrant('x', { mimeType })), TypeError, mimeType)
      await assert.rejects(download(newKey(), { mimeType }), TypeError, mimeType)
    }
  })

  test('the check passes where files can be kept', () => subject.store().check())
}
