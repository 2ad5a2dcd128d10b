import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { anApplication, aStudent, getOperator } from '../../../testing/fixtures/factories.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { afterFile } from '../../../testing/runner/file-end.ts'
import { changeDisclosureSettings } from '../../disclosures/index.ts'
import { analyticsFilesJob } from '../index.ts'

const service = await startTestService()
const folder = await mkdtemp(join(tmpdir(), 'matricula-analytics-'))
afterFile(() => rm(folder, { recursive: true, force: true }))

const log = {
  error: (_facts: object, message: string) => assert.fail(message),
}

type Tenant = Parameters<ReturnType<typeof analyticsFilesJob>['run']>[1]

const run = ({ id, slug }: { readonly id: string; readonly slug: string }, to: string) =>
  analyticsFilesJob({ everySeconds: 3600, to }, log).run(service.data, { id, slug } as Tenant)

test('analytics files on a schedule: a run is one disclosure of everything about each person, with where the files are', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()]
  const student = await aStudent(tenant.api)
  const application = await anApplication(tenant.api, { contacts: [{ email: 'carmen@example.org' }] })
  await aStudent(other.api)
  await run(tenant, folder)
  const { body } = await tenant.api.get(`/disclosures?entityId=${student.id}`)
  const [entry, ...rest] = body.data.filter(({ surface }: { surface: string }) => surface === 'export')
  assert.deepEqual(rest, [])
  assert.deepEqual(
    [entry.operation, entry.recordType, entry.fieldGroup, entry.actor.type, entry.count],
    ['analytics files', 'person', 'everything', 'system', 3],
  )
  const contact = application.contacts[0]?.contactId
  assert.deepEqual([...entry.recordIds].sort(), [student.id, application.id, contact].sort())
  const [stamp = ''] = await readdir(join(folder, tenant.slug))
  const { kind, to, tables } = entry.filter
  assert.deepEqual([kind, to], ['parquet', join(folder, tenant.slug, stamp)])
  const manifest = JSON.parse(await readFile(join(to, 'manifest.json'), 'utf8'))
  assert.equal(tables, manifest.tables.length)
  assert.deepEqual((await other.api.get('/disclosures?entityType=person')).body.data, [])
})

test('analytics files on a schedule: an institution that records no disclosures gets its files all the same', async () => {
  const tenant = await service.tenant()
  await aStudent(tenant.api)
  await service.data.transaction(tenant.id, (tx) =>
    changeDisclosureSettings(tx, getOperator(tenant), { enabled: false }),
  )
  await run(tenant, folder)
  assert.equal((await readdir(join(folder, tenant.slug))).length, 1)
  assert.deepEqual((await tenant.api.get('/disclosures')).body.data, [])
})

test('analytics files on a schedule: where the place takes no files, the run fails', async () => {
  const tenant = await service.tenant()
  await writeFile(join(folder, 'taken'), '')
  await assert.rejects(run(tenant, join(folder, 'taken')), { code: 'ENOTDIR' })
  assert.deepEqual((await tenant.api.get('/disclosures')).body.data, [])
})
