import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { Problem } from '../../errors/problem.ts'
import { type FileService, startFileService } from '../file-service.fixture.ts'
import { chunks, inMinutes, newKey, testFileStore } from '../file-store.fixture.ts'
import { FileStoreUnavailable } from '../file-store.ts'
import { openFileStore } from '../open-file-store.ts'
import { onlyUser } from '../storage-user.fixture.ts'
import { encrypted, FileDamaged, headerBytes } from './encrypted-file.ts'
import type { EncryptedFileStore } from './encrypted-file-store.ts'
import { FilesKeyError, parseFilesKeys } from './files-keys.ts'

const [older, newer] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string]
const chunkBytes = 64 * 1024
const sealedBytes = chunkBytes + 16

describe('encrypted files on disk', () => {
  let service: FileService
  before(async () => {
    service = await startFileService({ filesKey: older })
  })
  after(() => service.stop())

  testFileStore({ store: () => service.store, reach: (url) => service.reach(url) })

  /** The same files under other keys. */
  const under = (filesKey: string | null) =>
    openFileStore(
      { storageUrl: null, dataDir: service.folder, secretKey: 'x', publicUrl: 'http://x', filesKey },
      onlyUser,
    )
  const getPath = (key: string) => join(service.folder, 'files/frozen', key)

  async function frozen(content: Uint8Array, store: EncryptedFileStore = service.store): Promise<string> {
    const key = newKey()
    await store.write(key, chunks(content), { maxBytes: 1e9 })
    assert.equal(await store.freeze(key), 'frozen')
    return key
  }

  async function read(key: string, range?: { first: number; last: number }, store = service.store): Promise<Buffer> {
    const bytes = await store.open('frozen', key, range)
    assert.notEqual(bytes, null)
    return buffer(bytes as Readable)
  }

  test('sizes and ranges are those of the plain bytes, at every edge of a chunk, and nothing plain is on the disk', async () => {
    for (const size of [
      0,
      1,
      chunkBytes - 1,
      chunkBytes,
      chunkBytes + 1,
      2 * chunkBytes,
      3 * chunkBytes + 5,
      20 * chunkBytes,
    ]) {
      const content = randomBytes(size)
      const key = await frozen(content)
      assert.deepEqual(await service.store.stat('frozen', key), { sizeBytes: size })
      assert.ok((await read(key)).equals(content), `${size} bytes`)
      assert.ok((await buffer((await service.store.openWhole('frozen', key)) as Readable)).equals(content))
      const edges = [0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes - 1, size - 1]
      for (const first of edges) {
        for (const last of edges.filter((edge) => edge >= first && edge < size && first >= 0)) {
          const part = await read(key, { first, last })
          assert.ok(part.equals(content.subarray(first, last + 1)), `${first} to ${last} of ${size}`)
        }
      }
      if (size > 16) assert.ok(!(await readFile(getPath(key))).includes(content.subarray(0, 16)))
    }
  })

  test('what was altered, cut off, left out, swapped, appended or put in the place of another file is not handed out', async () => {
    const content = randomBytes(3 * chunkBytes + 100)
    const key = await frozen(content)
    const other = await readFile(getPath(await frozen(content)))
    const stored = await readFile(getPath(key))
    const chunk = (number: number, of = stored) =>
      of.subarray(headerBytes + number * sealedBytes, headerBytes + (number + 1) * sealedBytes)
    const header = stored.subarray(0, headerBytes)
    const flipped = (position: number) => {
      const copy = Buffer.from(stored)
      copy[position] = (copy[position] as number) ^ 1
      return copy
    }
    const attacks: Record<string, Buffer> = {
      'a byte of the salt': flipped(headerBytes - 1),
      'a byte of the first chunk': flipped(headerBytes + 5),
      'a byte of the last tag': flipped(stored.length - 1),
      'cut within the last chunk': stored.subarray(0, -1),
      'cut before the last chunk': stored.subarray(0, headerBytes + 3 * sealedBytes),
      'cut after the header': header,
      'cut within the header': header.subarray(0, -1),
      'a chunk left out': Buffer.concat([header, chunk(0), chunk(2), chunk(3)]),
      'chunks swapped': Buffer.concat([header, chunk(1), chunk(0), chunk(2), chunk(3)]),
      'a chunk of another file': Buffer.concat([header, chunk(0), chunk(1, other), chunk(2), chunk(3)]),
      'bytes appended': Buffer.concat([stored, Buffer.from('x')]),
      'a chunk appended': Buffer.concat([stored, chunk(0)]),
      'the whole of another file': other,
    }
    for (const [attack, bytes] of Object.entries(attacks)) {
      await writeFile(getPath(key), bytes)
      await assert.rejects(read(key), FileDamaged, attack)
      await assert.rejects(service.store.openWhole('frozen', key), FileDamaged, attack)
      const { sizeBytes } = (await service.store.stat('frozen', key).catch(() => null)) ?? { sizeBytes: 0 }
      if (sizeBytes > 0) await assert.rejects(read(key, { first: 0, last: sizeBytes - 1 }), FileDamaged, attack)
    }
    await writeFile(getPath(key), stored)
    assert.ok((await read(key)).equals(content))
  })

  test('what begins as an encrypted file does is refused, with a key and without one, however it is cut into pieces', async () => {
    const [filesKey] = parseFilesKeys(newer)
    const form = await buffer(encrypted(chunks('of somebody else'), { key: filesKey as never, name: 'x' }))
    const isRefusal = (error: unknown) => error instanceof Problem && error.code === 'file_rejected'
    for (const store of [service.store, await under(null)]) {
      for (const pieces of [[form], [...form].map((byte) => Buffer.from([byte])), [form.subarray(0, 16)]]) {
        const key = newKey()
        await assert.rejects(store.write(key, chunks(...pieces), { maxBytes: 1e6 }), isRefusal)
        assert.equal(await store.stat('upload', key), null)
      }
      for (const content of [form.subarray(0, 15), form.subarray(1)]) {
        assert.ok((await read(await frozen(content, store), undefined, store)).equals(content))
      }
    }
  })

  test('a large file of which the end is damaged is not opened as a whole one', async () => {
    const key = await frozen(randomBytes(20 * chunkBytes))
    const stored = await readFile(getPath(key))
    await writeFile(getPath(key), stored.subarray(0, -1))
    await assert.rejects(service.store.openWhole('frozen', key), FileDamaged)
  })

  test('a damaged file is 503 to whoever downloads it, and nothing of it comes', async () => {
    const key = await frozen(Buffer.from('the diploma'))
    const stored = await readFile(getPath(key))
    await writeFile(getPath(key), Buffer.concat([stored.subarray(0, -1), Buffer.from([0x55])]))
    const asked = { fileName: 'x.pdf', mimeType: 'application/pdf', disposition: 'inline' } as const
    const url = await service.store.signDownload({ key, ...asked, expiresAt: inMinutes(5) })
    const response = await fetch(service.reach(url))
    assert.equal(response.status, 503)
    assert.equal(((await response.json()) as { code: string }).code, 'service_unavailable')
  })

  test('plain files and those under older keys are read, and new ones are under the first key', async () => {
    const [plain, rotated] = [await under(null), await under(`${newer}, ${older}`)]
    const content = randomBytes(chunkBytes + 7)
    const keys = [await frozen(content, plain), await frozen(content), await frozen(content, rotated)]
    const [oldId, newId] = [older, newer].map((key) => parseFilesKeys(key)[0]?.id)
    const ids = await Promise.all(keys.map(async (key) => (await rotated.storedUnder('frozen', key))?.keyId))
    assert.deepEqual(ids, [null, oldId, newId])
    for (const key of keys) {
      assert.ok((await read(key, undefined, rotated)).equals(content))
      assert.ok(
        (await read(key, { first: 3, last: chunkBytes + 3 }, rotated)).equals(content.subarray(3, chunkBytes + 4)),
      )
      assert.deepEqual(await rotated.stat('frozen', key), { sizeBytes: content.length })
    }
    assert.ok((await read(keys[0] as string, undefined, plain)).equals(content))
  })

  test('without its key a file is refused with the id of the key, and not handed out as it is stored', async () => {
    const key = await frozen(Buffer.from('the diploma'))
    const id = parseFilesKeys(older)[0]?.id as string
    for (const store of [await under(null), await under(newer)]) {
      const isRefusal = (error: Error) => error instanceof FileStoreUnavailable && error.message.includes(id)
      await assert.rejects(store.open('frozen', key), isRefusal)
      await assert.rejects(store.open('frozen', key, { first: 0, last: 2 }), isRefusal)
    }
  })

  test('whoever reads a file while it is encrypted anew, whole or in parts, reads what it is', async () => {
    const content = randomBytes(20 * chunkBytes)
    const key = await frozen(content, await under(null))
    const begun = (await service.store.open('frozen', key)) as Readable
    const turns = [await under(`${newer},${older}`), await under(`${older},${newer}`)] as const
    const reader = turns[0]
    let isOver = false
    const readers = [1, 2].map(async () => {
      for (let count = 0; count < 5 || !isOver; count += 1) {
        const first = (count * 7919) % (content.length - chunkBytes)
        assert.ok((await read(key, undefined, reader)).equals(content))
        assert.ok((await read(key, { first, last: first + 999 }, reader)).equals(content.subarray(first, first + 1000)))
        assert.deepEqual(await reader.stat('frozen', key), { sizeBytes: content.length })
      }
    })
    for (let turn = 0; turn < 12; turn += 1) {
      assert.equal(await (turns[turn % 2] as EncryptedFileStore).encryptAnew(key), 'encrypted')
    }
    isOver = true
    await Promise.all(readers)
    assert.ok((await buffer(begun)).equals(content))
  })

  test('a file that was removed is not made anew, and one that cannot be read stays as it is', async () => {
    const gone = await frozen(Buffer.from('gone'), await under(null))
    await service.store.remove('frozen', gone)
    assert.equal(await service.store.encryptAnew(gone), 'missing')
    assert.equal(await service.store.stat('frozen', gone), null)
    const damaged = await frozen(randomBytes(2 * chunkBytes))
    const bytes = (await readFile(getPath(damaged))).subarray(0, -1)
    await writeFile(getPath(damaged), bytes)
    const rotated = await under(`${newer},${older}`)
    await assert.rejects(rotated.encryptAnew(damaged), FileDamaged)
    assert.ok((await readFile(getPath(damaged))).equals(bytes))
  })
})

test('FILES_KEY takes keys of 32 bytes in base64, each once, and never tells what it was given', () => {
  assert.deepEqual(parseFilesKeys(null), [])
  assert.equal(parseFilesKeys(`${newer}, ${older}`).length, 2)
  assert.notEqual(parseFilesKeys(newer)[0]?.id, parseFilesKeys(older)[0]?.id)
  const wrong = [
    '',
    ',',
    'secret',
    `${older},`,
    `${older} ${newer}`,
    `${older},${older}`,
    randomBytes(31).toString('base64'),
  ]
  wrong.push(randomBytes(33).toString('base64'), randomBytes(32).toString('hex'), `!${older.slice(1)}`)
  wrong.push(Array.from({ length: 17 }, () => randomBytes(32).toString('base64')).join())
  for (const text of wrong) {
    assert.throws(
      () => parseFilesKeys(text),
      (error: Error) => error instanceof FilesKeyError && (text.length < 4 || !error.message.includes(text)),
      text,
    )
  }
})
