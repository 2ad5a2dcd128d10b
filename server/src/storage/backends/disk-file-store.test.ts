import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readOrMakeSecretKey } from '../encryption/secret-key.ts'
import { type FileService, startFileService } from '../file-service.fixture.ts'
import { chunks, inMinutes, newKey, testFileStore } from '../file-store.fixture.ts'
import { FileStoreUnavailable } from '../file-store.ts'
import { openFileStore } from '../open-file-store.ts'
import { StorageUrlError } from '../storage-url.ts'
import { onlyUser } from '../storage-user.fixture.ts'
import { DiskFileStore } from './disk-file-store.ts'

describe('files on disk', () => {
  let service: FileService
  before(async () => {
    service = await startFileService()
  })
  after(() => service.stop())

  testFileStore({ store: () => service.store, reach: (url) => service.reach(url) })

  const loadFiles = async (state: 'uploads' | 'frozen', tenant: string) =>
    readdir(join(service.folder, 'files', state, tenant)).catch(() => [])

  test('of several who freeze at once, one does', async () => {
    const key = newKey()
    await service.store.write(key, chunks('x'), { maxBytes: 1 })
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => service.store.freeze(key)))
    assert.equal(outcomes.filter((outcome) => outcome === 'frozen').length, 1)
  })

  test('a crash between the two steps of freezing leaves a frozen file, and freezing again tells so', async () => {
    const key = newKey()
    await service.store.write(key, chunks('x'), { maxBytes: 1 })
    await service.store.freeze(key)
    // As it is when the upload's own name was not removed any more.
    await writeFile(join(service.folder, 'files/uploads', key), 'x')
    assert.equal(await service.store.freeze(key), 'already_frozen')
  })

  test('files and folders are for the user of the service only', async () => {
    const key = newKey()
    await service.store.write(key, chunks('x'), { maxBytes: 1 })
    const mode = async (path: string) => ((await stat(join(service.folder, path))).mode & 0o777).toString(8)
    for (const folder of ['files', 'files/uploads', 'files/frozen', `files/uploads/${key.split('/')[0]}`]) {
      assert.equal(await mode(folder), '700', folder)
    }
    assert.equal(await mode(`files/uploads/${key}`), '600')
    await service.store.freeze(key)
    assert.equal(await mode(`files/frozen/${key}`), '600')
  })

  test('while bytes come, no key shows them, and nothing is left when they break off', async () => {
    const key = newKey()
    const tenant = key.split('/')[0] as string
    const broken = async function* () {
      yield Buffer.from('half')
      assert.equal((await loadFiles('uploads', tenant)).length, 1)
      assert.equal(await service.store.stat('upload', key), null)
      const listed: string[] = []
      for await (const found of service.store.list('upload')) listed.push(found)
      assert.ok(!listed.some((found) => found.startsWith(tenant)))
      throw new RangeError('the sender is gone')
    }
    await assert.rejects(service.store.write(key, broken(), { maxBytes: 100 }), RangeError)
    assert.deepEqual(await loadFiles('uploads', tenant), [])
  })

  test('what broken writes left behind is removed once it is old enough, and nothing else is', async () => {
    const key = newKey()
    await service.store.write(key, chunks('kept'), { maxBytes: 10 })
    const folder = join(service.folder, 'files/uploads', key.split('/')[0] as string)
    const [old, young] = [join(folder, '.old.part'), join(folder, '.young.part')]
    for (const file of [old, young]) await writeFile(file, 'half')
    await utimes(old, inMinutes(-120), inMinutes(-120))
    await utimes(join(service.folder, 'files/uploads', key), inMinutes(-120), inMinutes(-120))
    assert.equal(await service.store.removeUnfinished({ before: inMinutes(-60) }), 1)
    assert.deepEqual((await readdir(folder)).sort(), ['.young.part', key.split('/')[1]].sort())
  })

  test('the check names the folder in which files cannot be kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'matricula-files-'))
    const store = await DiskFileStore.open({ folder: join(folder, 'files'), secretKey: 'x', publicUrl: 'http://x' })
    await store.check()
    assert.deepEqual(await readdir(join(folder, 'files/uploads')), [])
    assert.deepEqual(await readdir(join(folder, 'files/frozen')), [])
    await rm(join(folder, 'files/frozen'), { recursive: true })
    await assert.rejects(store.check(), (error: Error) => {
      assert.ok(error instanceof FileStoreUnavailable)
      assert.ok(error.message.includes(join(folder, 'files')))
      return true
    })
    assert.deepEqual(await readdir(join(folder, 'files/uploads')), [])
    await rm(folder, { recursive: true })
  })
})

describe('opening the storage', () => {
  let dataDir: string
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'matricula-files-'))
  })
  after(() => rm(dataDir, { recursive: true }))

  test('without a STORAGE_URL files are kept under the data folder; a wrong one is refused', async () => {
    const config = { dataDir: join(dataDir, 'new'), secretKey: 'x', publicUrl: 'http://x', filesKey: null }
    const store = await openFileStore({ ...config, storageUrl: null }, onlyUser)
    await store.check()
    assert.deepEqual((await readdir(join(dataDir, 'new/files'))).sort(), ['frozen', 'uploads'])
    await assert.rejects(openFileStore({ ...config, storageUrl: 'https://bucket' }, onlyUser), StorageUrlError)
  })

  test('the secret key is made once, whoever asks first, and is for the user of the service only', async () => {
    const folder = join(dataDir, 'keys')
    const keys = await Promise.all(Array.from({ length: 8 }, () => readOrMakeSecretKey(folder)))
    assert.equal(new Set(keys).size, 1)
    assert.equal(Buffer.from(keys[0] as string, 'base64').length, 32)
    assert.deepEqual(await readdir(folder), ['secret-key'])
    const mode = async () => (await stat(join(folder, 'secret-key'))).mode & 0o777
    assert.equal(await mode(), 0o600)
    await chmod(join(folder, 'secret-key'), 0o644)
    assert.equal(await readOrMakeSecretKey(folder), keys[0])
    assert.equal(await mode(), 0o600)
  })

  test('a damaged secret key is told with its place, and is not replaced', async () => {
    const folder = join(dataDir, 'damaged')
    await mkdir(folder)
    await writeFile(join(folder, 'secret-key'), 'short\n')
    await assert.rejects(readOrMakeSecretKey(folder), /damaged\/secret-key holds no key/)
    assert.equal(await readFile(join(folder, 'secret-key'), 'utf8'), 'short\n')
  })
})
