import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadInstallation } from '../../app/installation.ts'
import { asOwner, ServiceRegistry, type Transaction } from '../../database/index.ts'
import type { EncryptedFileStore } from '../../storage/encryption/encrypted-file-store.ts'
import { countStoredUnder } from '../../storage/encryption/encryption-usage.ts'
import { parseFilesKeys } from '../../storage/encryption/files-keys.ts'
import { fileKey } from '../../storage/file-key.ts'
import { openFileStore } from '../../storage/open-file-store.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { createTestDatabase, getUrl, notOnCluster } from '../../testing/fixtures/database/test-database.ts'
import { aDocument, anUpload, aStudent, pdf } from '../../testing/fixtures/factories.ts'
import { launchService, until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { encryptAll } from './encrypt-files.ts'

const onOnePostgres = { skip: notOnCluster('the nodes are backed up by their own PostgreSQL') }

const folder = await mkdtemp(join(tmpdir(), 'matricula-encryption-'))
afterFile(() => rm(folder, { recursive: true, force: true }))

const [older, newer] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string]
const [olderId, newerId] = [older, newer].map((key) => parseFilesKeys(key)[0]?.id as string) as [string, string]
const storage = { storageUrl: null, secretKey: 'x'.repeat(32), publicUrl: 'https://matricula.example' }
const user = { loadInstallation: () => loadInstallation(service.database.connection), warn: () => {} }
const opened = (filesKey: string | null) => openFileStore({ ...storage, dataDir: folder, filesKey }, user)

// The service of the test knows both keys, as one that was restarted for a rotation; what it stores is under the
// older one.
const service = await startTestService({ store: await opened(`${older},${newer}`) })
const commandLine = await loadCommandLine(service)
const { api, ...tenant } = await service.tenant()
const settings = (filesKey: string) => ({
  environment: { DATA_DIR: folder, SECRET_KEY: service.secretKey, FILES_KEY: filesKey },
})

const aFile = async () => {
  const document = await aDocument(service, api)
  return { id: document.id, key: fileKey(tenant.id, (document.currentVersion as { id: string }).id) }
}
const loadRaw = (key: string) => readFile(join(folder, 'files/frozen', key))
const underKey = async (store: EncryptedFileStore, key: string) => (await store.storedUnder('frozen', key))?.keyId
const encryption = async (filesKey: string) => {
  const { stdout } = await commandLine.run(['doctor', '--json'], settings(filesKey))
  return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'encryption')
}

const operator = {
  connection: service.database.connection,
  asOwner: <Result>(id: string, work: (tx: Transaction) => Promise<Result>) =>
    asOwner(service.database.connection, id, work),
}

/** Sends the small PDF as an upload that nobody completes; what the service keeps is under the older key. */
async function waitingUpload(): Promise<string> {
  const key = fileKey(tenant.id, crypto.randomUUID())
  await service.files.store.write(key, Readable.from([pdf]), { maxBytes: 1e6 })
  return key
}

async function downloaded(id: string): Promise<Buffer> {
  const { status, body } = await api.get(`/vault/documents/${id}/download`)
  assert.equal(status, 200)
  const response = await service.sendFile(body.data.url, {})
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

test('what is handed in is stored under the key, checked and handed out as it was; doctor tells what is not, and a command mends it', async () => {
  const store = await opened(older)
  const [document, plain] = [await aFile(), await aFile()]
  assert.ok(!(await loadRaw(document.key)).includes(pdf.subarray(0, 16)))
  // As a version before, or a service without a key, stored it.
  await writeFile(join(folder, 'files/frozen', plain.key), pdf)
  for (const { id } of [document, plain]) assert.ok((await downloaded(id)).equals(pdf))
  const { status, detail } = await encryption(older)
  assert.equal(status, 'warning')
  assert.match(detail, /of 2 files 1 are plain and 0 under an older key. Run: matricula encrypt-files/)
  const { files } = await commandLine.json(['encrypt-files'], settings(older))
  assert.deepEqual([files.encrypted, files.asTheyWere, files.unreadable, files.forgotten], [1, 1, [], []])
  assert.equal(await underKey(store, plain.key), olderId)
  assert.ok(!(await loadRaw(plain.key)).includes(pdf.subarray(0, 16)))
  for (const { id } of [document, plain]) assert.ok((await downloaded(id)).equals(pdf))
  assert.equal((await encryption(older)).status, 'ok')
})

test(
  'what goes out of the storage, in backups and exports, is plain, and what is restored is under the key that is there',
  onOnePostgres,
  async () => {
    const student = await aStudent(api)
    await aDocument(service, api, { entityType: 'student', entityId: student.id })
    const [backup, zip] = [join(folder, 'one.backup'), join(folder, 'person.zip')]
    const made = await commandLine.json(['backup', backup, '--tenant', tenant.slug], settings(older))
    assert.equal(made.backup.missingFiles, 0)
    assert.equal(made.backup.fileBytes, made.backup.files * pdf.length)
    const { exported } = await commandLine.json(
      ['person', 'export', student.studentCode, zip, '--tenant', tenant.slug],
      settings(older),
    )
    assert.equal(exported.files, 1)
    const verified = await commandLine.json(['backup', 'verify', backup])
    assert.equal(verified.backup.fileBytes, made.backup.fileBytes)
    const database = await createTestDatabase()
    after(() => database.drop())
    const location = {
      ...settings(newer).environment,
      DATA_DIR: join(folder, 'restored'),
      DATABASE_URL: getUrl(database.connection),
    }
    const { restored } = await commandLine.json(['restore', backup], { environment: location })
    assert.equal(restored.files, made.backup.files)
    const store = await openFileStore({ ...storage, dataDir: location.DATA_DIR, filesKey: newer }, null)
    for await (const key of store.list('frozen')) {
      assert.equal(await underKey(store, key), newerId)
      assert.ok((await buffer((await store.open('frozen', key)) as Readable)).equals(pdf))
    }
    assert.deepEqual(await database.inspect('select key_id from files_keys'), [{ key_id: newerId }])
  },
)

test('a service and a command without a key under which files are stored do not begin, and say in one line which', async () => {
  const line = `FILES_KEY lacks the key ${olderId}, under which files are stored: give it too, behind the newest, separated by a comma`
  const rejected = await commandLine.run(['tenant', 'list'], settings(newer))
  assert.deepEqual([rejected.code, rejected.stderr], [2, `matricula: ${line}\n`])
  const { FILES_KEY: _, ...environment } = settings(older).environment
  const started = await launchService({ ...commandLine.environment, ...environment } as Record<string, string>)
  assert.notEqual(await started.ended, 0)
  assert.ok(started.output().includes(line), started.output())
  const wrong = await commandLine.run(['tenant', 'list'], settings('secret'))
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /FILES_KEY must be 32 bytes in base64/)
})

test('the old key is not forgotten where an upload under it is completed while files are walked over', async () => {
  const store = await opened(`${newer},${older}`)
  const key = await waitingUpload()
  const list = store.list.bind(store)
  store.list = async function* (state, filter) {
    if (state === 'upload') yield* list(state, filter)
    else await store.freeze(key) // where the walk has been already
  }
  const { uploads, forgotten } = await encryptAll(operator, store, newerId)
  assert.deepEqual([uploads, forgotten, await underKey(store, key)], [1, [], olderId])
})

test('a rotation that is killed goes on where it was, while files are read, and the old key is not needed afterwards', async () => {
  const store = await opened(`${newer},${older}`)
  const read = await aFile()
  // Files that no record names are kept too.
  for (let count = 0; count < 300; count += 1) {
    await store.freeze(await waitingUpload())
  }
  // The first run cannot come to its end before it is killed: while this waits, it forgets no key.
  const waiting = await waitingUpload()
  const count = async () => (await countStoredUnder(store, 'frozen')).counts
  const program = fileURLToPath(new URL('../../../bin/matricula.js', import.meta.url))
  const environment = { ...commandLine.environment, ...settings(`${newer},${older}`).environment }
  const child = spawn(process.execPath, [program, 'encrypt-files'], { env: environment, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await until(async () => ((await count()).get(newerId) ?? 0) > 0, 'a file under the new key')
  child.kill('SIGKILL')
  await ended
  await store.remove('upload', waiting)
  const between = await count()
  assert.ok((await downloaded(read.id)).equals(pdf))
  const rotating = commandLine.json(['encrypt-files'], settings(`${newer},${older}`))
  let reads = 0
  for (let isOver = false; !isOver || reads < 3; reads += 1) {
    assert.ok((await downloaded(read.id)).equals(pdf))
    isOver = await Promise.race([
      rotating.then(() => true),
      new Promise<boolean>((resolve) => setImmediate(resolve, false)),
    ])
  }
  const { files } = await rotating
  const after = await count()
  const all = [...after.values()].reduce((sum, each) => sum + each, 0)
  assert.deepEqual([...after.keys()], [newerId])
  assert.equal(files.encrypted, all - (between.get(newerId) ?? 0))
  assert.deepEqual(files.forgotten, [olderId])
  const listed = await commandLine.run(['tenant', 'list'], settings(newer))
  assert.equal(listed.code, 0, listed.stderr)
  assert.equal((await encryption(newer)).status, 'ok')
})

test('a file whose record lets go of it at that moment is not left behind, no job removes files meanwhile, and a damaged one is told and stays', async () => {
  const store = await opened(`${older},${newer}`)
  const [removed, damaged] = [await aFile(), await aFile()]
  await writeFile(join(folder, 'files/frozen', removed.key), pdf)
  const bytes = (await loadRaw(damaged.key)).subarray(0, -1)
  await writeFile(join(folder, 'files/frozen', damaged.key), bytes)
  const freeJobs = () =>
    service.database.inspect<{ job: string }>(`
      select job from unnest(array['stored-files', 'abandoned-uploads']) as job
       where pg_try_advisory_xact_lock(hashtextextended('matricula.job.' || job, 0))`)
  let freeMeanwhile: unknown[] | undefined
  store.list = async function* (state) {
    if (state === 'frozen') yield removed.key
  }
  const encryptAnew = store.encryptAnew.bind(store)
  store.encryptAnew = async (key) => {
    const outcome = await encryptAnew(key)
    freeMeanwhile = await freeJobs()
    if (key === removed.key)
      await service.database.inspect(`update document_versions set status = 'failed' where id = $1`, [
        key.split('/')[1],
      ])
    return outcome
  }
  await encryptAll(operator, store, olderId)
  assert.deepEqual([freeMeanwhile, (await freeJobs()).length], [[], 2])
  assert.equal(await store.stat('frozen', removed.key), null)
  const report = await commandLine.run(['encrypt-files', '--json'], settings(`${newer},${older}`))
  assert.equal(report.code, 1)
  assert.deepEqual(JSON.parse(report.stdout).files.unreadable, [damaged.key])
  assert.ok((await loadRaw(damaged.key)).equals(bytes))
})

test(
  'a damaged file and uploads that cannot be read keep neither a backup nor a rotation from its end, and are refused when completed',
  onOnePostgres,
  async () => {
    const both = settings(`${newer},${older}`)
    const damaged = await aFile()
    const bytes = await loadRaw(damaged.key)
    await writeFile(join(folder, 'files/frozen', damaged.key), bytes.subarray(0, -1))
    const [cut, foreign] = [await anUpload(api), await anUpload(api)]
    const put = (version: { id: string }, content: Buffer) =>
      writeFile(join(folder, 'files/uploads', fileKey(tenant.id, version.id)), content)
    await put(cut.version, bytes.subarray(0, 20))
    await put(foreign.version, Buffer.concat([bytes.subarray(0, 16), randomBytes(60)]))
    const backup = join(folder, 'damaged.backup')
    const [before] = await service.database.inspect<{ files: number }>(
      `select count(*)::int as files from document_versions where tenant_id = $1 and status = 'ready'`,
      [tenant.id],
    )
    const unreadable = JSON.parse((await commandLine.run(['encrypt-files', '--json'], both)).stdout).files.unreadable
    assert.ok(unreadable.includes(damaged.key))
    const made = await commandLine.json(['backup', backup, '--tenant', tenant.slug], both)
    assert.deepEqual(
      [made.backup.missingFiles, made.backup.files],
      [unreadable.length, (before?.files ?? 0) - unreadable.length],
    )
    await commandLine.json(['backup', 'verify', backup])
    const path = `/vault/documents/${cut.document.id}/versions/${cut.version.id}/complete`
    const rejected = await api.send('POST', path, undefined)
    assert.deepEqual([rejected.status, rejected.body.code], [422, 'file_rejected'], rejected.text)
    await writeFile(join(folder, 'files/frozen', damaged.key), bytes.subarray(0, 20))
    const { status, detail } = await encryption(`${newer},${older}`)
    assert.equal(status, 'failure')
    assert.match(detail, /1 more are cut off/)
  },
)

test('files are not encrypted while a service runs that does not have the key, and are once it is gone', async () => {
  const begin = (filesKeys: string[]) =>
    ServiceRegistry.begin(service.database.connection, {
      knows: '9999',
      wanted: 1,
      suits: () => 1,
      least: 1,
      filesKeys,
    })
  const [having, without] = [await begin([olderId, newerId]), await begin([olderId])]
  try {
    const rejected = await commandLine.run(['encrypt-files', '--json'], settings(`${newer},${older}`))
    const { error } = JSON.parse(rejected.stdout)
    assert.deepEqual([rejected.code, error.code], [1, 'state_conflict'])
    assert.match(error.message, new RegExp(`^1 of the running services do not have the key ${newerId}`))
    await without.close()
    // Tests before this one have left files that cannot be read, which it tells.
    const { stdout } = await commandLine.run(['encrypt-files', '--json'], settings(`${newer},${older}`))
    assert.equal(JSON.parse(stdout).files.keyId, newerId, stdout)
  } finally {
    await Promise.all([having.close(), without.close()])
  }
})
