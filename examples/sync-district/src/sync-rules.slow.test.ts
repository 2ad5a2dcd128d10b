import assert from 'node:assert/strict'
import { unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { getUrl } from '../../../server/dist/testing/fixtures/database/test-database.js'
import { ResourceClient } from '../../../server/dist/testing/fixtures/resource-client.js'
import { startTestService, type TestTenant } from '../../../server/dist/testing/fixtures/test-service.js'
import { aDistrict, edit } from './testing/files.ts'
import { runProgram } from './testing/program.ts'
import { type AnyRecord, lastPosition, loadEvents, loadState } from './testing/tenant-state.ts'

const service = await startTestService()

const ada = '1,Ms,Ada,,Byron,,,2010-12-10'
const allegra = '2,Ms,Allegra,,Byron,,,2012-01-12'
const anne = '11,Anne,,Byron,Female,(950) 111 1111,anne@example.org,1 Hall Road,Grand Bend,TX,78834'
const george = '12,George,,Byron,Male,(950) 222 2222,,1 Hall Road,Grand Bend,TX,78834'
const family = {
  students: [ada],
  contacts: [anne, george],
  student_contacts: ['1,11,Mother,true,true,true', '1,12,Father,false,true,false'],
}

async function aSync() {
  const tenant = await service.tenant()
  const { secret } = await tenant.token({ name: 'sync' })
  const run = (folder: string, ...args: string[]) =>
    runProgram({ args: ['--url', service.address, '--token', secret, '--data', folder, ...args] })
  return { tenant, run }
}

async function loadContacts(tenant: TestTenant, externalId: string): Promise<AnyRecord[]> {
  return (await loadState(tenant)).applications.get(externalId)?.contacts ?? []
}

function fileIds(contacts: AnyRecord[]): string[] {
  return contacts.map(({ metadata }) => metadata.contactId)
}

test('a row that the service refuses is told in one line with code and detail, and the other rows are done', async () => {
  const { tenant, run } = await aSync()
  const folder = await aDistrict({ ...family, students: ['7,,Zoe,,Late,,,2999-01-01', ada] })
  const { code, output, errors } = await run(folder)
  assert.equal(code, 1)
  const rejections = errors.split('\n').filter((line) => line.includes('.csv:'))
  assert.deepEqual(rejections, ['students.csv:2 validation_failed: #/dateOfBirth must be a day before today'])
  assert.doesNotMatch(errors, /^ +at /m)
  assert.match(output, /students +1 created, 1 refused\napplications +1 created, 1 left out\ncontacts +2 linked\n/)
  assert.match(output, /payments +1 created, 1 left out\nNot everything is in step: 1 failure\.\n/)
  assert.deepEqual([...(await loadState(tenant)).students.keys()], ['1'])
})

test('a faulty row about the contacts of a student is told, and then nobody of that student is unlinked', async () => {
  const { tenant, run } = await aSync()
  await run(await aDistrict(family))
  const faulty: [string, string][] = [
    ['1,13,Father,false,true,false', 'unknown_contact'],
    ['1,11,Father,false,true,false', 'repeated_id'],
    ['1,12,Father,false,yes,false', 'not_true_or_false'],
    ['1,12,Father,true,true,false', 'second_primary_contact'],
    ['1,14,Father,false,true,false', 'nameless_contact'],
  ]
  for (const [row, reason] of faulty) {
    const contacts = [...family.contacts, '14,,,,,(950) 444 4444,,,,,']
    const links = ['1,11,Mother,true,true,true', row]
    const { code, errors } = await run(await aDistrict({ ...family, contacts, student_contacts: links }))
    assert.equal(code, 1)
    assert.match(errors, new RegExp(`^student_contacts\\.csv:3 ${reason}: `, 'm'))
    assert.deepEqual(fileIds(await loadContacts(tenant, '1')), ['11', '12'])
  }
})

test('two parents who share a telephone number stay two people, and a parent of two students is one', async () => {
  const { tenant, run } = await aSync()
  const folder = await aDistrict({
    students: [ada, allegra],
    contacts: [
      '11,Anne,,Byron,Female,(950) 111 1111,,,,,',
      '12,George,,Byron,Male,950-111-1111,,,,,',
      '13,Augusta,,Leigh,Female,(950) 333 3333,,,,,',
    ],
    student_contacts: [1, 2].flatMap((student) =>
      ['11,Mother,true', '12,Father,false', '13,Aunt,false'].map((link) => `${student},${link},true,false`),
    ),
  })
  assert.match((await run(folder)).output, /contacts +6 linked\n/)
  const people = async (student: string) => (await loadContacts(tenant, student)).map(({ contactId }) => contactId)
  assert.equal(new Set(await people('1')).size, 3)
  assert.deepEqual(await people('2'), await people('1'))
  const [mother, father] = await loadContacts(tenant, '1')
  assert.deepEqual([mother.phone, father.phone], [null, null])
  assert.deepEqual([mother.metadata.phone, father.metadata.phone], ['(950) 111 1111', '950-111-1111'])
  assert.match((await run(folder)).output, /^Nothing changed/m)
})

test('a parent who left the files and came back is unlinked and linked again, every time', async () => {
  const { tenant, run } = await aSync()
  const whole = await aDistrict(family)
  const without = await aDistrict({ ...family, student_contacts: ['1,11,Mother,true,true,true'] })
  await run(whole)
  for (let round = 1; round <= 2; round += 1) {
    assert.match((await run(without)).output, /contacts +1 unlinked, 1 unchanged\n/)
    assert.deepEqual(fileIds(await loadContacts(tenant, '1')), ['11'])
    assert.match((await run(whole)).output, /contacts +1 linked, 1 unchanged\n/)
    assert.deepEqual(fileIds(await loadContacts(tenant, '1')), ['11', '12'])
  }
})

test('another primary contact, and what is no longer in a file, are carried over', async () => {
  const { tenant, run } = await aSync()
  await run(await aDistrict(family))
  const folder = await aDistrict({
    students: ['1,,Ada,,Byron,,Countess,2010-12-10'],
    contacts: ['11,Anne,,Byron,Female,(950) 111 1111,,,,,', george],
    student_contacts: ['1,11,,false,,', '1,12,Father,true,true,false'],
  })
  assert.equal((await run(folder)).code, 0)
  const { students, applications } = await loadState(tenant)
  assert.deepEqual([students.get('1').preferredName, students.get('1').customFields], ['Countess', {}])
  const { contacts, primaryContact } = applications.get('1')
  assert.equal(primaryContact.metadata.contactId, '12')
  const [mother] = contacts
  assert.deepEqual([mother.role, mother.relationshipLabel, mother.isPrimary], ['other', null, false])
  assert.deepEqual(mother.metadata, { contactId: '11', name: 'Anne Byron', phone: '(950) 111 1111' })
  assert.match((await run(folder)).output, /^Nothing changed/m)
})

test('another tuition changes the payments and nothing else; another term makes further payments', async () => {
  const { tenant, run } = await aSync()
  const folder = await aDistrict(family)
  await run(folder)
  const position = await lastPosition(service, tenant)
  assert.match((await run(folder, '--tuition', '475.5')).output, /payments +1 updated\n/)
  assert.deepEqual(await loadEvents(service, tenant, position), { 'payment.updated': 1 })
  await writeFile(
    join(folder, 'sessions.csv'),
    'session_name,school_year,term,begin_date,end_date,school_id\nSpring,2021-2022,Spring,2022-01-04,,1\nSpring,,,2022-01-05,,2\n',
  )
  assert.match((await run(folder, '--term', 'Spring')).output, /payments +1 created\n/)
  assert.match((await run(folder, '--term', 'Spring')).output, /^Nothing changed/m)
  const { payments } = await loadState(tenant)
  assert.equal(payments.get('1:2021-2022 Fall Semester').amount, 475.5)
  const spring = payments.get('1:Spring')
  assert.equal(
    spring.dueDate,
    spring.createdAt,
    'the schools begin on different days and the files do not tell which is the student’s',
  )
})

test('what the files do not own stays as others set it: statuses, addresses, notes, links of their own', async () => {
  const { tenant, run } = await aSync()
  const folder = await aDistrict(family)
  await run(folder)
  const { students, applications, payments } = await loadState(tenant)
  const [student, application, payment] = [students.get('1'), applications.get('1'), payments.values().next().value]
  const path = `/admissions/applications/${application.id}`
  await tenant.api.patch(`/students/${student.id}`, { phone: '1', customFields: { locker: 7 } })
  await tenant.api.patch(path, { status: 'interview' })
  await tenant.api.post(`${path}/contacts`, { displayName: 'Agent', role: 'billing', metadata: { note: 'pays' } })
  await tenant.api.patch(`${path}/contacts/${application.contacts[0].id}`, { metadata: { note: 'call late' } })
  await tenant.api.patch(`/payments/${payment.id}`, { status: 'paid' })
  const state = await loadState(tenant)
  assert.match((await run(folder)).output, /^Nothing changed/m)
  assert.deepEqual(await loadState(tenant), state)
})

test('what somebody deleted or merged in the tenant is told and not made again, until it is made there', async () => {
  const { tenant, run } = await aSync()
  const folder = await aDistrict({ ...family, students: [ada, allegra] })
  await run(folder)
  const resourceClient = new ResourceClient(service, tenant)
  const { students, applications } = await loadState(tenant)
  for (const externalId of ['1', '2']) {
    const { id, applicationCode } = applications.get(externalId)
    await tenant.api.patch(`/admissions/applications/${id}`, { studentId: null })
    assert.equal((await resourceClient.remove('Student Applicant', applicationCode)).error, null)
  }
  // A student with payments is not merged.
  const paying = [tenant.id, students.get('2').id]
  await service.database.inspect(
    'delete from gl_entries g using students s where g.tenant_id = $1 and s.tenant_id = $1 and s.id = $2 and g.party = s.student_code',
    paying,
  )
  await service.database.inspect('delete from payments where tenant_id = $1 and student_id = $2', paying)
  await service.database.inspect('delete from billing_accounts where tenant_id = $1 and student_id = $2', paying)
  const codes = ['2', '1'].map((externalId) => students.get(externalId).studentCode)
  assert.equal((await resourceClient.rename('Student', codes[0], codes[1], 1)).error, null)
  const { code, output, errors } = await run(folder)
  assert.equal(code, 0, errors)
  const reported = `${output}${errors}`
  assert.match(
    reported,
    new RegExp(`students\\.csv:3 deleted_there: students 2 was merged into ${students.get('1')?.id} in `),
  )
  assert.match(reported, /students\.csv:2 deleted_there: applications 1 was deleted in the tenant at 20/)
  assert.match(
    output,
    /students +1 unchanged, 1 left out\napplications +2 left out\npayments +1 unchanged, 1 left out\n/,
  )
  const { body } = await tenant.api.get('/students')
  assert.deepEqual(
    body.data.map((student: AnyRecord) => student.externalId),
    ['1'],
  )
  await tenant.api.post('/students', { externalId: '2', fullName: 'Allegra' })
  const again = await run(folder)
  assert.match(again.output, /students +1 updated, 1 unchanged\n/)
})

test('a refusal that every row would meet ends the run with one line', async () => {
  const { tenant } = await aSync()
  const folder = await aDistrict(family)
  const { secret } = await tenant.token({ masterDomains: ['students'] })
  const cases: [string, RegExp][] = [
    ['mtc_nonsense', /^invalid_token: .+$/m],
    [secret, /^domain_not_granted: .+$/m],
  ]
  for (const [token, line] of cases) {
    const { code, errors } = await runProgram({
      args: ['--url', service.address, '--data', folder],
      environment: { MATRICULA_TOKEN: token },
    })
    assert.equal(code, 1)
    assert.match(errors, line)
    assert.doesNotMatch(errors, /^ +at /m)
  }
})

test('wrong words end with 2; files that are not whole end with 1 and nothing is written', async () => {
  const { tenant, run } = await aSync()
  const position = await lastPosition(service, tenant)
  const folder = await aDistrict(family)
  for (const args of [['--surprise'], ['--tuition', '0'], ['--concurrency', '65'], ['--url', 'ftp://x']]) {
    assert.equal((await run(folder, ...args)).code, 2)
  }
  assert.match((await run(folder, '--help')).output, /--concurrency N/)
  const unknown = await run(folder, '--term', 'Winter')
  assert.deepEqual(
    [unknown.code, unknown.errors],
    [1, 'sessions.csv has no term "Winter". It has: 2021-2022 Fall Semester.'],
  )
  await edit(folder, 'students.csv', ada, ada.slice(0, 12))
  assert.match((await run(folder)).errors, /^students\.csv is not whole: /)
  await edit(folder, 'student_contacts.csv', 'relation', 'kinship')
  assert.match(
    (await run(await aDistrict({ ...family, student_contacts: [] }))).errors,
    /^student_contacts\.csv has no rows/,
  )
  await unlink(join(folder, 'students.csv'))
  assert.match((await run(folder)).errors, /students\.csv cannot be read: ENOENT$/)
  assert.deepEqual(await loadEvents(service, tenant, position), {})
})

test('without a token it makes the tenant, a token and a key through the command line, and uses the same ones again', async () => {
  const folder = await aDistrict(family)
  const run = () =>
    runProgram({
      args: ['--url', service.address, '--data', folder, '--tenant', 'hill-side'],
      environment: {
        DATABASE_URL: getUrl(service.database.connection),
        SECRET_KEY: 'a key of thirty-two letters or more',
      },
    })
  const first = await run()
  assert.deepEqual([first.code, first.errors.match(/^(?![a-z]+ +\d+ of \d+$).*$/m)], [0, null])
  assert.match((await run()).output, /^Nothing changed/m)
  const [tenant] = await service.database.inspect<{ id: string; name: string }>(
    `select id, name from tenants where slug = 'hill-side'`,
  )
  assert.equal(tenant?.name, 'Hill Side')
  const keys = await service.database.inspect<{ id: string; name: string; kind: string }>(
    'select id, name, kind from api_keys where tenant_id = $1 order by kind',
    [tenant?.id],
  )
  const secrets = await service.database.inspect('select from api_key_secrets where api_key_id = any ($1)', [
    keys.map(({ id }) => id),
  ])
  assert.equal(secrets.length, 4)
  assert.deepEqual(
    keys.map(({ name, kind }) => ({ name, kind })),
    ['client', 'resource'].map((kind) => ({
      name: 'sync-district',
      kind,
    })),
  )
})
