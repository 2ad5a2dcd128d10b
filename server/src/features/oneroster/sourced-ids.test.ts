import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { aRoster, assertRosterError } from './roster.fixture.ts'

const service = await startTestService()
const commandLine = await loadCommandLine(service)

async function apply({ slug }: TestTenant, sourcedIds: string): Promise<{ plan: object[]; applied: boolean }> {
  const file = join(commandLine.folder, 'roster.yaml')
  await writeFile(file, `oneroster: { sourcedIds: ${sourcedIds} }\n`)
  return commandLine.json(['apply', file, '--tenant', slug, '--yes'])
}

test('externalIds are sourcedIds where an institution chooses so, and one that was given out never changes', async () => {
  const { tenant, list, call } = await aRoster(service)
  const student = await aStudent(tenant.api, { fullName: 'Mary Somerville', externalId: 'S/1' })
  const odd = await aStudent(tenant.api, { fullName: 'Sofia Kowalewska', externalId: 'not an id' })
  const { plan } = await apply(tenant, 'externalId')
  assert.deepEqual(plan, [
    {
      action: 'change',
      kind: 'oneroster',
      key: 'of the institution',
      changes: [{ path: 'sourcedIds', before: 'id', after: 'externalId' }],
    },
  ])
  assert.deepEqual((await apply(tenant, 'externalId')).plan, [])
  const idOf = async (family: string) => (await list(`/students?filter=familyName='${family}'`))[0]?.sourcedId
  assert.deepEqual([await idOf('Somerville'), await idOf('Kowalewska')], ['S/1', odd.id])
  assert.equal((await call('/rostering/v1p2/users/S%2F1')).status, 200)
  assertRosterError(await call(`/rostering/v1p2/users/${student.id}`), 404, 'unknownobject')
  await tenant.api.patch(`/students/${student.id}`, { externalId: 'S/2' })
  await tenant.api.patch(`/students/${odd.id}`, { externalId: 'S/3' })
  assert.deepEqual([await idOf('Somerville'), await idOf('Kowalewska')], ['S/1', odd.id])
  await aStudent(tenant.api, { fullName: 'Ada Second', externalId: 'S/1' })
  const ids = (await list('/students?limit=1000')).map(({ sourcedId }) => sourcedId)
  assert.equal(new Set(ids).size, ids.length, 'no two have one')
  await apply(tenant, 'id')
  assert.deepEqual([await idOf('Somerville'), await idOf('Kowalewska')], ['S/1', odd.id])
  const later = await aStudent(tenant.api, { fullName: 'Emmy Noether', externalId: 'S/9' })
  assert.equal(await idOf('Noether'), later.id)
})

test('who was read by the id of the record stays so when externalIds are chosen; who was not, has the externalId', async () => {
  const { tenant, list } = await aRoster(service)
  const early = await aStudent(tenant.api, { fullName: 'Early Bird', externalId: 'E-1' })
  await list('/orgs')
  await list('/students')
  await apply(tenant, 'externalId')
  await aStudent(tenant.api, { fullName: 'Late Riser', externalId: 'L-1' })
  const ids = (await list('/students?sort=familyName')).map(({ familyName, sourcedId }) => [familyName, sourcedId])
  assert.deepEqual(
    ids.filter(([name]) => ['Bird', 'Riser'].includes(name)),
    [
      ['Bird', early.id],
      ['Riser', 'L-1'],
    ],
  )
  const audit = await tenant.api.get('/audit?action=tenant.oneroster_changed')
  const facts = { before: { sourcedIds: 'id' }, after: { sourcedIds: 'externalId' } }
  assert.deepEqual(audit.body.data[0].after, facts)
})
