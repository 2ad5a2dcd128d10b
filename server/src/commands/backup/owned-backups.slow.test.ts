import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadBackupOwner, loadInstallation } from '../../app/installation.ts'
import type { BackupTarget } from '../../backup/backup-target.ts'
import { openBackupTarget, within } from '../../backup/open-backup-target.ts'
import {
  describeOthersBackups,
  findOthersBackups,
  getScheduledName,
  pruneBackups,
  removeUnfinishedBackups,
} from '../../backup/prune-backups.ts'
import type { Connection } from '../../database/index.ts'
import { missingGateway, openBucket, startGateway } from '../../storage/backends/radosgw.fixture.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { createTestDatabase, getUrl, notOnCluster } from '../../testing/fixtures/database/test-database.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'

const folder = await mkdtemp(join(tmpdir(), 'matricula-owned-'))
afterFile(() => rm(folder, { recursive: true, force: true }))
const service = await startTestService()
await service.tenant()
const commandLine = await loadCommandLine(service)
const withoutGateway = missingGateway()

const day = (number: number) => new Date(Date.UTC(2026, 0, number))

/** An installation on a database of its own, with its environment. */
interface Installed {
  readonly connection: Connection
  readonly environment: NodeJS.ProcessEnv
}

async function restoredFrom(file: string, { environment }: Installed, keys: object): Promise<Installed> {
  const database = await createTestDatabase()
  after(() => database.drop())
  const dataDir = await mkdtemp(join(folder, 'copy-'))
  const there = { ...environment, ...keys, DATA_DIR: dataDir, DATABASE_URL: getUrl(database.connection) }
  await commandLine.json(['restore', file], { environment: there })
  return { connection: database.connection, environment: there }
}

/** Makes a scheduled backup of an installation as of a day. Returns its name. */
async function made({ connection, environment }: Installed, to: string, at: Date): Promise<string> {
  const name = getScheduledName(at, await loadBackupOwner(connection))
  await commandLine.json(['backup', within(to, name)], { environment })
  return name
}

/** What two installations, the second one restored from a backup of the first, do to each other's backups in one target. */
async function shareOneTarget(to: string, keys: object): Promise<void> {
  const target: BackupTarget = await openBackupTarget(to)
  const original: Installed = {
    connection: service.database.connection,
    environment: { DATA_DIR: await mkdtemp(join(folder, 'original-')), ...keys },
  }
  const ofOriginal = [
    await made(original, to, day(1)),
    await made(original, to, day(2)),
    await made(original, to, day(3)),
  ]
  const copy = await restoredFrom(within(to, ofOriginal[2] as string), original, keys)
  const prune = async ({ connection }: Installed, retained: number) =>
    pruneBackups(target, await loadBackupOwner(connection), retained)
  const others = async ({ connection }: Installed) => findOthersBackups(target, await loadBackupOwner(connection))
  assert.deepEqual(await prune(copy, 1), [])
  const ofCopy = [await made(copy, to, day(4)), await made(copy, to, day(5))]
  assert.deepEqual(await others(copy), ofOriginal)
  assert.deepEqual(await others(original), ofCopy)
  assert.match(
    describeOthersBackups(ofOriginal) ?? '',
    /^3 scheduled backups .* not removed\. .*matricula storage adopt$/,
  )
  assert.deepEqual(await prune(copy, 1), [ofCopy[0]])
  assert.deepEqual(await prune(original, 2), [ofOriginal[0]])

  // A name that says another maker than the backup itself does not make it anybody's.
  const { id } = await loadInstallation(copy.connection)
  const disguised = getScheduledName(day(1), { id, replaced: [], replacesUnnamed: false })
  await commandLine.json(['backup', within(to, disguised)], { environment: original.environment })
  assert.deepEqual(await prune(copy, 1), [])
  await target.remove(disguised)

  const { storage } = await commandLine.json(['storage', 'adopt'], { environment: copy.environment })
  assert.deepEqual(storage.replaced, [(await loadInstallation(original.connection)).id])
  assert.deepEqual(await others(copy), [])
  assert.deepEqual(await prune(copy, 2), [ofOriginal[1]])
  assert.deepEqual(await prune(original, 1), [])
  assert.deepEqual((await target.names()).filter((name) => name.endsWith('.backup')).sort(), [ofOriginal[2], ofCopy[1]])

  // A copy of the copy took nobody's place yet.
  await commandLine.json(['storage', 'renounce'], { environment: copy.environment })
  assert.deepEqual(await others(copy), [ofOriginal[2], ofCopy[1]])
}

const onOnePostgres = notOnCluster('a backup is restored into one PostgreSQL')

test('a restored copy with the folder of the original for its backups removes its own alone, until it takes its place', {
  skip: onOnePostgres,
}, async () => {
  const to = join(folder, 'kept')
  await shareOneTarget(to, {})

  const target = await openBackupTarget(to)
  const { id } = await loadInstallation(service.database.connection)
  const owner = { id, replaced: [], replacesUnnamed: false }
  const part = (name: string) => join(to, `.${name}.00000000-0000-0000-0000-000000000000.part`)
  const [own, foreign] = [id, 'ffffffff-0000-4000-8000-000000000000'].map((maker) =>
    part(getScheduledName(day(6), { ...owner, id: maker })),
  ) as [string, string]
  for (const file of [own, foreign]) await writeFile(file, 'under way')
  await removeUnfinishedBackups(target, owner)
  assert.deepEqual(
    (await target.names()).filter((name) => name.endsWith('.part')),
    [foreign.slice(to.length + 1)],
  )
})

test('backups that name no installation are removed only by one that adopted them; what is no backup is never', async () => {
  const to = join(folder, 'unnamed')
  const target = await openBackupTarget(to)
  const environment = { DATA_DIR: await mkdtemp(join(folder, 'upgraded-')) }
  const { connection } = service.database
  const unnamed = ['matricula-2026-01-01T00-00-00Z.backup', 'matricula-2026-01-02T00-00-00Z.backup']
  for (const name of unnamed) {
    await target.write(
      name,
      (async function* () {
        yield* withoutMaker
      })(),
    )
  }
  const damaged = 'matricula-2025-01-01T00-00-00Z.backup'
  await writeFile(join(to, damaged), 'no backup')
  await writeFile(join(to, 'matricula-2025.backup'), 'by hand')
  const prune = async () => pruneBackups(target, await loadBackupOwner(connection), 1)
  assert.deepEqual(await prune(), [])
  await commandLine.json(['storage', 'adopt'], { environment })
  assert.deepEqual(await prune(), [unnamed[0]])
  assert.deepEqual((await target.names()).sort(), ['matricula-2025.backup', damaged, unnamed[1]].sort())
})

/** The beginning of a backup of version 1.0: its header names no installation. */
const withoutMaker = (() => {
  const content = Buffer.from(JSON.stringify({ madeBy: '1.0.0', tenants: 1 }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return [Buffer.from('matricula backup 1\n'), Buffer.from('h'), length, content]
})()

test('a restored copy with the bucket of the original for its backups removes its own alone, until it takes its place', {
  skip: onOnePostgres || (withoutGateway ?? false),
}, async () => {
  const gateway = await startGateway()
  after(() => gateway.stop())
  const bucket = await openBucket(gateway)
  after(() => bucket.close())
  const keys = { AWS_ACCESS_KEY_ID: gateway.accessKeyId, AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey }
  Object.assign(process.env, keys)
  after(() => {
    for (const name of Object.keys(keys)) delete process.env[name]
  })
  await shareOneTarget(`s3://files/backups?endpoint=${gateway.endpoint}&region=default`, keys)
})
