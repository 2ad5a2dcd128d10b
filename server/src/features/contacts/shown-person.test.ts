import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { loadStatements } from '../../testing/fixtures/database/count-statements.ts'
import { anApplication, aStudent } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { inspect } = service.database

/** Links a person to as many further applications and students, which are copies of one. */
async function linkMany(tenant: TestTenant, contactId: string, links: number): Promise<void> {
  const { id: application } = await anApplication(tenant.api)
  const { id: student } = await aStudent(tenant.api)
  const copies = [
    ['admission_applications', 'application_code', 'application_contacts', 'application_id', application],
    ['students', 'student_code', 'student_contacts', 'student_id', student],
  ] as const
  for (const [table, code, linkTable, owner, original] of copies) {
    const columns = await inspect<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_name = $1 and is_generated = 'NEVER' and column_name not in ('id', $2, 'external_id')`,
      [table, code],
    )
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    await inspect(
      `with copy as (
         insert into ${table} (id, ${code}, ${names})
         select gen_random_uuid(), 'COPY-' || number, ${names} from ${table}, generate_series(1, $3) as number
          where tenant_id = $1 and id = $2
         returning tenant_id, id
       )
       insert into ${linkTable} (tenant_id, id, ${owner}, contact_id, role, source)
       select tenant_id, gen_random_uuid(), id, $4, 'family', 'api' from copy`,
      [tenant.id, original, links, contactId],
    )
  }
}

async function aGuardian(resourceClient: ResourceClient, name: string): Promise<{ name: string; id: string }> {
  const guardian = await resourceClient.make('Guardian', { guardian_name: name })
  const [row] = await inspect<{ id: string }>(
    'select id from contacts where code = $1 order by created_at desc limit 1',
    [guardian.name],
  )
  return { name: guardian.name, id: row?.id ?? '' }
}

test('a person who is linked to a thousand students and a thousand applications is changed with a few statements', async (t) => {
  const tenant = await service.tenant()
  const resourceClient = new ResourceClient(service, tenant)
  const guardian = await aGuardian(resourceClient, 'Ann Byron')
  const links = 1000
  await linkMany(tenant, guardian.id, links)
  const moment = new Date().toISOString()
  const started = performance.now()
  const sent = await loadStatements(async () => {
    const changed = await resourceClient.update('Guardian', guardian.name, { guardian_name: 'Ann Milbanke' })
    assert.equal(changed.error, null, changed.told)
  })
  t.diagnostic(`${2 * links} records: ${sent.length} statements, ${(performance.now() - started).toFixed(0)} ms`)
  assert.ok(sent.length < 60, `${sent.length} statements`)
  for (const table of ['students', 'admission_applications']) {
    const [row] = await inspect(
      `select count(*)::integer as count from ${table} where tenant_id = $1 and version = 2 and updated_at >= $2`,
      [tenant.id, moment],
    )
    assert.deepEqual(row, { count: links }, table)
  }
  const events = await inspect(
    `select type, count(*)::integer as count, count(distinct entity_id)::integer as entities from events
      where tenant_id = $1 and occurred_at >= $2 and type <> 'guardian.updated' group by type order by type`,
    [tenant.id, moment],
  )
  assert.deepEqual(events, [
    { type: 'admission_contact.updated', count: links, entities: links },
    { type: 'student.updated', count: links, entities: links },
  ])
})

test('what is told of a student whose guardian changed is the student before and after', async () => {
  const tenant = await service.tenant()
  const resourceClient = new ResourceClient(service, tenant)
  const guardian = await aGuardian(resourceClient, 'Ann Byron')
  const student = await resourceClient.make('Student', { first_name: 'Ada', guardians: [{ guardian: guardian.name }] })
  const { body } = await tenant.api.get(`/students?studentCode=${student.name}`)
  const [before] = body.data
  await resourceClient.update('Guardian', guardian.name, { mobile_number: '+1 555 0100' })
  const after = (await tenant.api.get(`/students/${before.id}`)).body.data
  assert.equal(after.contacts[0].phone, '+1 555 0100')
  const [entry] = await inspect<{ before: object; after: object }>(
    `select before, after from audit_entries where tenant_id = $1 and entity_id = $2 order by occurred_at desc, id desc limit 1`,
    [tenant.id, before.id],
  )
  assert.deepEqual(entry, { before, after })
})

test('a person is linked and changed at once without either being missed', async () => {
  const tenant = await service.tenant()
  const resourceClient = new ResourceClient(service, tenant)
  const guardian = await aGuardian(resourceClient, 'Ann Byron')
  const students = await Promise.all(
    [1, 2, 3, 4].map(() => aStudent(tenant.api, { fullName: `Student ${randomUUID()}` })),
  )
  await Promise.all([
    ...students.map(({ studentCode }) =>
      resourceClient.update('Student', studentCode, { guardians: [{ guardian: guardian.name }] }),
    ),
    resourceClient.update('Guardian', guardian.name, { guardian_name: 'Ann Milbanke' }),
  ])
  for (const { id } of students) {
    const { contacts, updatedAt } = (await tenant.api.get(`/students/${id}`)).body.data
    assert.deepEqual(
      contacts.map((link: { displayName: string }) => link.displayName),
      ['Ann Milbanke'],
    )
    const [reported] = await inspect<{ after: { contacts: { displayName: string }[]; updatedAt: string } }>(
      'select after from audit_entries where tenant_id = $1 and entity_id = $2 order by occurred_at desc, id desc limit 1',
      [tenant.id, id],
    )
    assert.deepEqual(reported?.after.contacts, contacts)
    assert.equal(reported?.after.updatedAt, updatedAt)
  }
})
