import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aPerson, aRecordCaller } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { disclosures, type Entry } from './disclosures.fixture.ts'

const service = await startTestService()
const { json: matricula } = await loadCommandLine(service)

async function aSchool() {
  const tenant = await service.tenant()
  const resourceClient = await aRecordCaller(service, tenant)
  const student = async (first_name: string): Promise<string> => {
    const made = await resourceClient.post('/api/resource/Student', {
      first_name,
      student_email_id: `${first_name}@example.org`,
    })
    assert.equal(made.status, 200, made.text)
    return made.body.data.name
  }
  return { tenant, resourceClient, ada: await student('Ada'), grace: await student('Grace') }
}

const shown = ({ operation, surface, recordType, fieldGroup, count }: Entry) =>
  [operation, surface, recordType, fieldGroup, count] as const

/** The disclosures of a student by code, once there are as many as are waited for. */
async function about({ id, api }: TestTenant, code: string, min: number) {
  const [row] = await service.database.inspect<{ id: string }>(
    'select id from students where tenant_id = $1 and student_code = $2',
    [id, code],
  )
  return disclosures(api, `&entityId=${row?.id}`, min)
}

test('a record that is read by its address is recorded with its caller, and one that is made or changed is not', async () => {
  const { tenant, resourceClient, ada } = await aSchool()
  await resourceClient.put(`/api/resource/Student/${ada}`, { last_name: 'Byron' })
  assert.equal((await resourceClient.get(`/api/resource/Student/${ada}`)).status, 200)
  const entries = await about(tenant, ada, 1)
  assert.deepEqual(entries.map(shown), [['resource.read', 'resource_api', 'Student', 'identity', 1]])
  assert.deepEqual([entries[0]?.recordIds, entries[0]?.filter, entries[0]?.actor.type], [[ada], null, 'api_key'])
})

test('a list is recorded once, with the records in it whichever fields it shows, and without what was typed', async () => {
  const { tenant, resourceClient, ada, grace } = await aSchool()
  const query = new URLSearchParams({
    fields: '["first_name"]',
    filters: '[["first_name","like","%a%"],["enabled","=",1]]',
  })
  const listed = await resourceClient.get(`/api/resource/Student?${query}`)
  assert.deepEqual(listed.body.data, [{ first_name: 'Ada' }, { first_name: 'Grace' }])
  const [entry, ...others] = await about(tenant, ada, 1)
  assert.deepEqual([others, entry && shown(entry)], [[], ['resource.list', 'resource_api', 'Student', 'identity', 2]])
  assert.deepEqual([...(entry?.recordIds ?? [])].sort(), [ada, grace].sort())
  assert.deepEqual(entry?.filter?.filters, [
    ['first_name', 'like', '(withheld)'],
    ['enabled', '=', 1],
  ])
})

test('values, searches and counts are recorded as far as they show a record', async () => {
  const { tenant, resourceClient, ada, grace } = await aSchool()
  const call = (method: string, args: object) => resourceClient.post(`/api/method/${method}`, args)
  await call('frappe.client.get_count', { doctype: 'Student' })
  const value = await call('frappe.client.get_value', {
    doctype: 'Student',
    filters: { name: ada },
    fieldname: 'first_name',
  })
  assert.deepEqual(value.body.message, { first_name: 'Ada' })
  await call('frappe.desk.search.search_link', { doctype: 'Student', txt: 'Ada' })
  await call('frappe.client.get', { doctype: 'Student', name: grace })
  const entries = await disclosures(tenant.api, '', 3)
  assert.deepEqual(
    entries.map(({ operation, recordIds, filter }) => [operation, recordIds, filter?.search]),
    [
      ['frappe.client.get', [grace], undefined],
      ['frappe.desk.search.search_link', [ada], '(withheld)'],
      ['frappe.client.get_value', [ada], undefined],
    ],
  )
})

test('an export and a print are recorded as what they are', async () => {
  const { tenant, resourceClient, ada } = await aSchool()
  const exported = await resourceClient.post('/api/method/frappe.desk.reportview.export_query', {
    doctype: 'Student',
    fields: '["first_name"]',
  })
  assert.match(exported.text, /Ada/)
  const print = new URLSearchParams({ doctype: 'Student', name: ada })
  assert.equal((await resourceClient.get(`/api/method/frappe.utils.print_format.download_pdf?${print}`)).status, 200)
  const entries = await about(tenant, ada, 2)
  assert.deepEqual(entries.map(shown), [
    ['frappe.utils.print_format.download_pdf', 'download', 'Student', 'identity', 1],
    ['frappe.desk.reportview.export_query', 'export', 'Student', 'identity', 2],
  ])
})

test('a private file is recorded with the record that it is attached to', async () => {
  const { tenant, resourceClient, ada } = await aSchool()
  const form = new FormData()
  form.append('file', new Blob(['A note']), 'note.txt')
  for (const [name, value] of Object.entries({ is_private: '1', doctype: 'Student', docname: ada }))
    form.append(name, value)
  const { body, text } = await resourceClient.send('POST', '/api/method/upload_file', form)
  assert.ok(body.message, text)
  assert.equal((await resourceClient.get(body.message.file_url)).status, 200)
  const entries = await disclosures(tenant.api, '&entityType=File', 1)
  const file = entries.find(({ operation }) => operation === 'download_file')
  assert.deepEqual(file && shown(file), ['download_file', 'download', 'File', 'documents', 1])
  assert.ok(file?.recordIds.includes(ada))
})

test('a report is recorded for each type that it reveals, with the students in it', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, tenant, group } = seededTenant
  const [student] = seededTenant.students
  const day = '2026-09-01'
  await resourceClient.make('Student Attendance', {
    student,
    student_group: group,
    date: day,
    status: 'Absent',
    docstatus: 1,
  })
  const office = await aRecordCaller(service, tenant)
  const report = { report_name: 'Absent Student Report', filters: { date: day } }
  const { status, text } = await office.post('/api/method/frappe.desk.query_report.run', report)
  assert.equal(status, 200, text)
  const entries = await about(tenant, student, 2)
  const revealed = entries.filter(({ operation }) => operation === 'frappe.desk.query_report.run')
  assert.deepEqual(revealed.map(({ recordType }) => recordType).sort(), [
    'Student',
    'Student Attendance',

    'Student Leave Application',
  ])
  for (const { recordIds } of revealed) assert.deepEqual(recordIds, [student])
})

test('students and guardians who read what is about themselves are not recorded, and the office that reads it is', async () => {
  const { tenant, resourceClient, ada } = await aSchool()
  const { email, caller: own } = await aPerson(service, tenant, ['Student'])
  assert.equal((await resourceClient.put(`/api/resource/Student/${ada}`, { user: email })).status, 200)
  assert.equal((await own.get(`/api/resource/Student/${ada}`)).status, 200)
  await resourceClient.get(`/api/resource/Student/${ada}`)
  const entries = await about(tenant, ada, 1)
  assert.deepEqual(
    entries.map(({ actor }) => actor.type),
    ['api_key'],
  )
})

test('an institution sees nothing of what was read at another one by its records', async () => {
  const [ours, theirs] = [await aSchool(), await aSchool()]
  await theirs.resourceClient.get(`/api/resource/Student/${theirs.ada}`)
  await ours.resourceClient.get(`/api/resource/Student/${ours.ada}`)
  await about(theirs.tenant, theirs.ada, 1)
  const entries = await disclosures(ours.tenant.api, '', 1)
  assert.deepEqual(
    entries.map(({ recordIds }) => recordIds),
    [[ours.ada]],
  )
})

test('who read the records of a person who was erased is still told, and the entries have nothing that says who it was', async () => {
  const { tenant, resourceClient, ada } = await aSchool()
  const query = new URLSearchParams({ filters: '[["first_name","=","Ada"]]' })
  await resourceClient.get(`/api/resource/Student?${query}`)
  await resourceClient.get(`/api/resource/Student/${ada}`)
  await about(tenant, ada, 2)
  await matricula(['person', 'erase', ada, '--tenant', tenant.slug, '--yes'])
  const entries = await about(tenant, ada, 2)
  assert.deepEqual(
    entries.map(({ operation }) => operation),
    ['resource.read', 'resource.list'],
  )
  assert.ok(!/ada@|"Ada"/i.test(JSON.stringify(entries)))
})
