import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { anApplication, aPerson, aStudent } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { inspect } = service.database
const { run, json } = await loadCommandLine(service)
const v1 = '/console/v1'

/** A guardian who was Ana when an application and a student were linked, and Luis when another application was. */
async function aMergedGuardian(settings: Parameters<typeof service.tenant>[0] = {}) {
  const tenant = await service.tenant(settings)
  const resourceClient = new ResourceClient(service, tenant)
  const manager = await aPerson(service, tenant)
  const contact = { displayName: 'Ana Lopez', phone: '555 0100', role: 'family' }
  const first = await anApplication(tenant.api, { fullName: 'Child of Ana', contacts: [contact] })
  const contactId = first.contacts[0]?.contactId as string
  const [row] = await inspect<{ code: string }>('select code from contacts where tenant_id = $1', [tenant.id])
  const code = row?.code as string
  const student = await aStudent(tenant.api, { fullName: 'Elder Child' })
  await resourceClient.update('Student', student.studentCode as string, {
    guardians: [{ guardian: code, relation: 'Mother' }],
  })
  assert.equal((await resourceClient.update('Guardian', code, { guardian_name: 'Luis Perez' })).error, null)
  const second = await anApplication(tenant.api, {
    fullName: 'Child of Luis',
    contacts: [{ contactId, role: 'family' }],
  })
  return { tenant, manager, contactId, code, first, student, second }
}

type Merged = Awaited<ReturnType<typeof aMergedGuardian>>

const split = ({ manager, contactId }: Merged, body: object, key: string = randomUUID()) =>
  manager.caller.send('POST', `${v1}/people/${contactId}/split`, body, { 'idempotency-key': key })

const loadContacts = async ({ tenant }: Merged, path: string) =>
  (await tenant.api.get(path)).body.data.contacts as { id: string; contactId: string; displayName: string }[]

test('splitting a person: moves the links with another name in the audit to a new person, with audit and events', async () => {
  const merged = await aMergedGuardian()
  const { tenant, manager, contactId, first, student, second } = merged
  const read = await manager.caller.get(`${v1}/people/${contactId}/links`)
  assert.equal(read.status, 200, read.text)
  assert.deepEqual(
    read.body.data.links.map((link: Record<string, unknown>) => [link.entityLabel, link.linkedAs, link.hasOtherName]),
    [
      ['Child of Ana', 'Ana Lopez', true],
      ['Elder Child', 'Ana Lopez', true],
      ['Child of Luis', 'Luis Perez', false],
    ],
  )
  const key = randomUUID()
  const done = await split(merged, {}, key)
  assert.equal(done.status, 200, done.text)
  const [made] = done.body.data.made
  assert.deepEqual([made.displayName, made.linkIds.length, done.body.data.made.length], ['Ana Lopez', 2, 1])
  for (const path of [`/admissions/applications/${first.id}`, `/students/${student.id}`]) {
    const [link] = await loadContacts(merged, path)
    assert.deepEqual([link?.contactId, link?.displayName], [made.contactId, 'Ana Lopez'], path)
  }
  const [stays] = await loadContacts(merged, `/admissions/applications/${second.id}`)
  assert.deepEqual([stays?.contactId, stays?.displayName], [contactId, 'Luis Perez'])
  assert.deepEqual((await tenant.traces(first.contacts[0]?.id as string)).events.at(-1), 'admission_contact.updated')
  assert.deepEqual((await tenant.traces(student.id)).events.at(-1), 'student.updated')
  assert.equal((await tenant.traces(contactId)).audit.at(-1), 'guardian.split')
  const [reported] = await inspect<{ before: { contactId: string }; after: { contactId: string } }>(
    'select before, after from audit_entries where tenant_id = $1 and entity_id = $2 order by id desc limit 1',
    [tenant.id, first.contacts[0]?.id],
  )
  assert.deepEqual([reported?.before.contactId, reported?.after.contactId], [contactId, made.contactId])
  assert.deepEqual((await split(merged, {}, key)).body, done.body)
  assert.deepEqual((await split(merged, {})).body.data.made, [])
})

test('splitting a person: the given links move to the given person, once', async () => {
  const merged = await aMergedGuardian()
  const [link] = await loadContacts(merged, `/admissions/applications/${merged.second.id}`)
  const body = { name: 'Carla Ruiz', linkIds: [link?.id], email: 'carla@example.org', phone: '555 0100' }
  const answers = await Promise.all([split(merged, body), split(merged, body)])
  assert.deepEqual(answers.map(({ status, body: { data } }) => [status, data.made.length]).sort(), [
    [200, 0],
    [200, 1],
  ])
  const [moved] = await loadContacts(merged, `/admissions/applications/${merged.second.id}`)
  assert.equal(moved?.displayName, 'Carla Ruiz')
})

test('splitting a person: rejects links without a name, unknown links and people, and missing permission', async () => {
  const merged = await aMergedGuardian()
  const loadCode = async (body: object) => {
    const { status, body: response } = await split(merged, body)
    return [status, response.code]
  }
  assert.deepEqual(await loadCode({ linkIds: [randomUUID()] }), [400, 'validation_failed'])
  assert.deepEqual(await loadCode({ name: 'Ana', linkIds: [randomUUID()] }), [422, 'reference_not_found'])
  const other = await aMergedGuardian()
  const foreign = await split({ ...merged, contactId: other.contactId }, {})
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'resource_not_found'])
  const unknown = await merged.manager.caller.get(`${v1}/people/${randomUUID()}/links`)
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'resource_not_found'])
  const bursar = await aPerson(service, merged.tenant, ['Accounts User'])
  assert.equal((await split({ ...merged, manager: bursar }, {})).status, 403)
  const inUse = await merged.manager.caller.get(`${v1}/people/${merged.contactId}/links`)
  assert.equal(inUse.body.data.links.length, 3)
})

test('splitting a person: rejected when another system owns students or applications', async () => {
  for (const domain of ['students', 'enrollment'] as const) {
    const merged = await aMergedGuardian({ systemOfRecord: { [domain]: 'integration' } })
    const { status, body } = await split(merged, {})
    assert.deepEqual([status, body.code, body.domain], [403, 'system_of_record_elsewhere', domain])
  }
})

test('doctor and person split: list guardians with two names, separate them, and find nothing afterwards', async () => {
  const { tenant, code } = await aMergedGuardian()
  const { slug } = tenant
  const guardians = async () => {
    const { checks } = await json(['doctor'])
    return checks.find(({ name }: { name: string }) => name === 'guardians').detail as string
  }
  assert.match(await guardians(), new RegExp(`1 of ${slug} \\(${code}\\)`))
  const args = ['person', 'split', '--tenant', slug, '--record', code]
  const { person } = await json([...args, '--dry-run'])
  assert.deepEqual(
    person.links.map(({ hasOtherName }: { hasOtherName: boolean }) => hasOtherName),
    [true, true, false],
  )
  const { split: done } = await json(args)
  assert.deepEqual([done.made.length, done.made[0].linkIds.length], [1, 2])
  assert.deepEqual((await json(args)).split.made, [])
  assert.doesNotMatch(await guardians(), new RegExp(`of ${slug} `))
  const missing = await run(['person', 'split', '--tenant', slug, '--record', 'nobody', '--json'])
  assert.equal(missing.code, 1)
  assert.match(missing.stderr + missing.stdout, /resource_not_found/)
  const wrong = await run(['person', 'split', '--tenant', slug, '--record', code, '--name', 'A', '--links', 'x'])
  assert.equal(wrong.code, 2)
})

test('possible duplicates: people with the same address or number, of this institution only', async () => {
  const tenant = await service.tenant()
  const officer = await aPerson(service, tenant, ['Admissions Officer'])
  const application = await anApplication(tenant.api, { contacts: [{ displayName: 'Ana', phone: '555-0100' }] })
  const ana = application.contacts[0]
  const path = `${v1}/possible-duplicates?applicationId=${application.id}`
  assert.deepEqual((await officer.caller.get(path)).body.data, [])
  const other = await anApplication(tenant.api, { contacts: [{ displayName: 'Luis', phone: '5550100' }] })
  await anApplication((await service.tenant()).api, { contacts: [{ displayName: 'Eva', phone: '5550100' }] })
  const [duplicate, ...more] = (await officer.caller.get(path)).body.data
  assert.deepEqual(more, [])
  assert.deepEqual(
    [duplicate.linkId, duplicate.contactId, duplicate.displayName, duplicate.hasSameEmail, duplicate.hasSamePhone],
    [ana?.id, other.contacts[0]?.contactId, 'Luis', false, true],
  )
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  assert.equal((await bursar.caller.get(path)).status, 403)
  const unknown = await officer.caller.get(`${v1}/possible-duplicates?applicationId=${randomUUID()}`)
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'resource_not_found'])
})
