import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadInstallation, readInstallation } from '../../app/installation.ts'
import { Database } from '../../database/index.ts'
import { cleanUpUploadsJob } from '../../features/documents/index.ts'
import { fileKey } from '../../storage/file-key.ts'
import { openFileStore } from '../../storage/open-file-store.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { createTestDatabase, getUrl, notOnCluster } from '../../testing/fixtures/database/test-database.ts'
import { aDocument } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'matricula-storage-'))
afterFile(() => rm(dataDir, { recursive: true, force: true }))

const config = { storageUrl: null, dataDir, secretKey: 'x'.repeat(32), publicUrl: 'https://matricula.example' }
const user = { loadInstallation: () => loadInstallation(service.database.connection), warn: () => {} }
const store = await openFileStore({ ...config, filesKey: null }, user)
const service = await startTestService({ store })
const commandLine = await loadCommandLine(service)
const { api, ...tenant } = await service.tenant()
const environment = { DATA_DIR: dataDir }

const anUploadOf = async (id: string) => {
  const key = fileKey(tenant.id, id)
  async function* bytes() {
    yield Buffer.from('on its way')
  }
  await store.write(key, bytes(), { maxBytes: 100 })
  return key
}

test('a restored copy over the files of the original: its sweeps and commands remove none, start and doctor say so, until it adopts them', {
  skip: notOnCluster('a backup is restored into one PostgreSQL'),
}, async () => {
  const document = await aDocument(service, api)
  const key = fileKey(tenant.id, (document.currentVersion as { id: string }).id)
  assert.match((await commandLine.run(['storage', 'adopt'], { environment })).stdout, /belong to this installation/)
  const file = join(dataDir, 'all.backup')
  await commandLine.json(['backup', file], { environment })
  // What came after the backup is an orphan to the copy.
  const later = await anUploadOf(randomUUID())

  const database = await createTestDatabase()
  const data = new Database(database.connection, { connections: 2, readers: 1 })
  afterFile(async () => {
    await data.close()
    await database.drop()
  })
  const ofCopy = { ...environment, DATABASE_URL: getUrl(database.connection) }
  const restored = await commandLine.run(['restore', file], { environment: ofCopy })
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stderr, /belong to another installation .*matricula storage adopt/)

  const told: string[] = []
  const ofTheCopy = {
    loadInstallation: () => loadInstallation(database.connection),
    warn: (line: string) => void told.push(line),
  }
  const copy = await openFileStore({ ...config, filesKey: null }, ofTheCopy)
  const removeAbandoned = () => cleanUpUploadsJob({ store: copy, scanner: null }, -1).run(data, tenant)
  await removeAbandoned()
  await removeAbandoned()
  assert.equal(told.length, 1)
  assert.match(told[0] as string, /removes and changes none/)
  const deleted = ['tenant', 'delete', tenant.slug, '--yes', '--no-backup']
  assert.match((await commandLine.run(deleted, { environment: ofCopy })).stderr, /another installation/)
  assert.notEqual(await store.stat('upload', later), null)
  assert.notEqual(await store.stat('frozen', key), null)
  const ownership = async (where: NodeJS.ProcessEnv) => {
    const { checks } = JSON.parse((await commandLine.run(['doctor', '--json'], { environment: where })).stdout)
    return checks.find(({ name }: { name: string }) => name === 'files owner')
  }
  assert.equal((await ownership(environment)).status, 'ok')
  const amiss = await ownership(ofCopy)
  assert.equal(amiss.status, 'failure')
  assert.match(amiss.detail, /matricula storage adopt/)

  const { storage } = await commandLine.json(['storage', 'adopt'], { environment: ofCopy })
  assert.equal(storage.formerOwner, (await readInstallation(service.database.connection))?.id)
  assert.equal((await ownership(environment)).status, 'failure')
  await copy.remove('upload', later)
  assert.equal(await store.stat('upload', later), null)
  await store.remove('frozen', key)
  assert.notEqual(await store.stat('frozen', key), null)
  await commandLine.json(['storage', 'adopt'], { environment })
})

test('a database that was copied, or of which an operator says so, is another installation; asked twice at once it is one', async () => {
  const { connection } = service.database
  const before = await loadInstallation(connection)
  assert.deepEqual(await readInstallation(connection), before)
  const renounced = await commandLine.json(['storage', 'renounce'], { environment })
  assert.notEqual(renounced.storage.installation, before.id)
  // As pg_dump and a template leave it: the row names the database that it was made in.
  await service.database.inspect('update installations set database_oid = 1')
  assert.equal(await readInstallation(connection), null)
  const [one, other] = await Promise.all([loadInstallation(connection), loadInstallation(connection)])
  assert.deepEqual(one, other)
  assert.notEqual(one.id, renounced.storage.installation)
  assert.equal(one.mayClaim, false)
})
