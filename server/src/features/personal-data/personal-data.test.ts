import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { recordRegistry } from '../../app/record-definitions.ts'
import { asOwner } from '../../database/index.ts'
import { recordChoices } from '../../record-engine/index.ts'
import { fileKey } from '../../storage/file-key.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { wrongTotals } from '../../testing/fixtures/database/wrong-totals.ts'
import {
  aDocument,
  anApplication,
  aPayment,
  aPerson,
  aRecordCaller,
  aRequest,
  aStudent,
  aSubmission,
  aTemplate,
  aUser,
  getOperator,
  pdf,
} from '../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { cleanUpStoredFilesJob } from '../files/index.ts'
import { readCatalogue } from './catalogue.ts'
import { impersonalTables, personTables, unreferencedTables } from './declared.ts'
import { erasePerson } from './erase-person.ts'
import { findPerson } from './person.ts'
import { findRowsOfPerson, getNamingText } from './person-rows.ts'
import { unzip } from './unzipped.fixture.ts'

const service = await startTestService()
const commandLine = await loadCommandLine(service)
// The commands look for files where the service of the test keeps them.
const environment = { SECRET_KEY: service.secretKey }

/** What tells who somebody is, and stands nowhere else. */
const traces = {
  name: 'Ottilie Unmistakable',
  email: 'ottilie@unmistakable.example',
  phone: '+49 30 7654321',
  street: 'Unmistakable Lane 7',
}

/** Every text of a tenant's rows in which a trace of the person is left. */
async function tracesLeft(tenant: TestTenant): Promise<string[]> {
  const catalogue = await asOwner(service.database.connection, tenant.id, readCatalogue)
  const left: string[] = []
  for (const table of catalogue.columns.keys()) {
    const rows = await service.database.inspect<{ found: string }>(
      `select to_jsonb(r)::text as found from ${table} r
        where tenant_id = $1 and to_jsonb(r)::text ~* 'unmistakable|7654321'`,
      [tenant.id],
    )
    left.push(...rows.map(({ found }) => `${table}: ${found}`))
  }
  return left
}

/** A student of whom there is a bit of everything, and a guardian who answers for another child as well. */
async function aKnownStudent(tenant: TestTenant) {
  const { api } = tenant
  const records = await aRecordCaller(service, tenant)
  const user = await aUser(service, tenant, { email: traces.email, name: traces.name, roles: ['Student'] })
  const student = await aStudent(api, {
    fullName: traces.name,
    email: traces.email,
    phone: traces.phone,
    address: traces.street,
    dateOfBirth: '2012-03-04',
    gender: 'Female',
    externalId: 'sis-1',
  })
  const guardian = await records.post('/api/resource/Guardian', {
    guardian_name: 'Renate Elder',
    email_address: 'renate@elder.example',
  })
  assert.equal(guardian.status, 200, guardian.text)
  const code = student.studentCode
  const changed = await records.put(`/api/resource/Student/${code}`, {
    user: user.email,
    guardians: [{ guardian: guardian.body.data.name, relation: 'Mother' }],
    siblings: [{ full_name: `Otto ${traces.name}` }],
  })
  assert.equal(changed.status, 200, changed.text)
  const sibling = await aStudent(api, { fullName: 'Otto Other' })
  await records.put(`/api/resource/Student/${sibling.studentCode}`, {
    guardians: [{ guardian: guardian.body.data.name, relation: 'Mother' }],
  })
  const due: object = { studentId: student.id, description: `Lessons of ${traces.name}`, amount: 125.5 }
  const payment = await aPayment(api, due)
  const document = await aDocument(service, api, {
    entityType: 'student',
    entityId: student.id,
    title: `Passport of ${traces.name}`,
  })
  await aRequest(api, { entityId: student.id, recipient: { name: traces.name, email: traces.email } })
  const application = await anApplication(api, { fullName: traces.name, studentId: student.id, address: traces.street })
  const template = await aTemplate(service, tenant)
  await aSubmission(service, tenant, template, {
    studentId: student.id,
    submittedBy: { name: traces.name, email: traces.email },
  })
  const comment = {
    reference_doctype: 'Student',
    reference_name: code,
    content: `${traces.name} was ill`,
    comment_type: 'Comment',
  }
  assert.equal((await records.post('/api/resource/Comment', comment)).status, 200)
  return { student, payment, document, application, user, guardianCode: guardian.body.data.name as string, records }
}

/** Erases who is named by an id, as the command does. */
const erased = (tenant: TestTenant, id: string) =>
  asOwner(service.database.connection, tenant.id, async (tx) => {
    const { types, columns } = recordChoices(recordRegistry)
    const find = async () => findRowsOfPerson(tx, await findPerson(tx, id), types)
    return erasePerson(tx, getOperator(tenant), { find, retainedFields: columns })
  })

test('every table of an institution is one about people, or names them in a declared way, or is declared to say nothing of them', async () => {
  const { id } = await service.tenant()
  const catalogue = await asOwner(service.database.connection, id, readCatalogue)
  const reached = new Set<string>([...personTables.map(({ table }) => table), 'documents'])
  for (const table of reached) {
    for (const reference of catalogue.listReferences(table))
      if (getNamingText(reference) === null) reached.add(reference.table)
  }
  const silent = Object.values(impersonalTables).flat()
  const all = [...catalogue.columns.keys()]
  const declaredTwice = [...reached, ...unreferencedTables, ...silent].filter(
    (table, index, tables) => tables.indexOf(table) !== index,
  )
  assert.deepEqual(declaredTwice, [])
  assert.deepEqual(
    all.filter((table) => !reached.has(table) && !unreferencedTables.has(table) && !silent.includes(table)),
    [],
  )
  assert.deepEqual(
    silent.filter((table) => !all.includes(table)),
    [],
  )
})

test('an export of a person has its records of both surfaces and its files, and nothing of another one’s', async () => {
  const tenant = await service.tenant()
  const { student, document } = await aKnownStudent(tenant)
  const file = join(commandLine.folder, 'person.zip')
  const run = (who: string) =>
    commandLine.run(['person', 'export', who, file, '--tenant', tenant.slug, '--json'], {
      environment: { ...environment, DATA_DIR: commandLine.folder },
    })
  const { code, stdout, stderr } = await run(student.studentCode)
  assert.equal(code, 0, stderr)
  const { exported } = JSON.parse(stdout)
  for (const table of [
    'students',
    'users',
    'payments',
    'documents',
    'admission_applications',
    'form_submissions',
    'comments',
    'audit_entries',
    'events',
  ]) {
    assert.ok(exported.records[table] > 0, `${table} in ${stdout}`)
  }
  const files = unzip(await readFile(file))
  const [record] = JSON.parse(files.get('records/students.json')?.toString() ?? '[]')
  assert.deepEqual([record.id, record.full_name, record.search_text], [student.id, traces.name, undefined])
  assert.equal(exported.files + exported.missing, 1)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const whole = [...files.values()].map(String).join()
  assert.ok(whole.includes(document.id) && !whole.includes('Otto Other') && !whole.includes('password_hash'))
  const nobody = await run('nobody@unknown.example')
  assert.deepEqual([nobody.code, JSON.parse(nobody.stdout).error.code], [1, 'not_found'])
})

test('erased is whatever tells who somebody was: nothing of it is left in any row, amounts and dates stay, mirrors are told, and it can be done again', async () => {
  const tenant = await service.tenant()
  const { student, payment, document, user, guardianCode, records } = await aKnownStudent(tenant)
  const version = document.currentVersion as { id: string }
  const key = fileKey(tenant.id, version.id)
  const staff = await aPerson(service, tenant)
  // Whoever searches has what people are found by noted.
  await staff.caller.get('/console/v1/search?q=unmistakable')
  assert.ok((await tracesLeft(tenant)).some((line) => line.startsWith('search_entries')))
  const erase = (...more: string[]) =>
    commandLine.run(['person', 'erase', student.studentCode, '--tenant', tenant.slug, '--json', ...more], {
      environment,
    })
  const asked = await erase()
  assert.equal(asked.code, 1)
  const { wouldErase } = JSON.parse(asked.stdout)
  assert.ok(wouldErase.records.students === 1)
  assert.equal((await tenant.api.get(`/students/${student.id}`)).body.data.fullName, traces.name)
  const { body: before } = await tenant.api.get('/events?after=latest')
  const done = await erase('--yes')
  assert.equal(done.code, 0, done.stderr)
  assert.deepEqual(JSON.parse(done.stdout).erased, wouldErase)
  assert.deepEqual(await tracesLeft(tenant), [])
  const { body: erased } = await tenant.api.get(`/students/${student.id}`)
  assert.deepEqual(
    [erased.data.fullName, erased.data.email, erased.data.dateOfBirth, erased.data.gender, erased.data.externalId],
    ['Erased', null, null, 'Female', 'sis-1'],
  )
  assert.equal((await tenant.api.get(`/payments/${payment.id}`)).body.data.amount, 125.5)
  const { body: after } = await tenant.api.get(
    `/events?after=${before.next}&types=student.*,payment.*,vault_document.*`,
  )
  const reported = after.data.map(({ type, entityId }: { type: string; entityId: string }) => `${type} ${entityId}`)
  for (const line of [
    `student.updated ${student.id}`,
    `payment.updated ${payment.id}`,
    `vault_document.updated ${document.id}`,
  ]) {
    assert.ok(reported.includes(line), `${line} in ${reported}`)
  }
  const audit = await tenant.api.get('/audit?action=person.erased')
  assert.equal(audit.body.data.length, 1)
  const loggedIn = await records
    .with({ authorization: '' })
    .post('/api/method/login', { usr: user.email, pwd: user.password })
  assert.equal(loggedIn.status, 401)
  assert.equal((await records.get(`/api/resource/Guardian/${guardianCode}`)).body.data.guardian_name, 'Renate Elder')
  assert.deepEqual(await wrongTotals(service), [])
  const again = await erase('--yes')
  assert.deepEqual(JSON.parse(again.stdout).erased.records, {})
  assert.equal((await tenant.api.get('/audit?action=person.erased')).body.data.length, 1)
  assert.ok(key.length > 0 && pdf.length > 0)
})

test('two that erase somebody at once, beside somebody who writes, leave nothing of before, and nobody fails', async () => {
  const tenant = await service.tenant()
  const { student } = await aKnownStudent(tenant)
  const erase = () => erased(tenant, student.id)
  const writes = Array.from({ length: 20 }, (_, index) =>
    tenant.api.patch(`/students/${student.id}`, { city: `Town ${index}` }),
  )
  await Promise.all([erase(), erase(), ...writes])
  for (const { status } of await Promise.all(writes)) assert.equal(status, 200)
  await erase()
  const { body } = await tenant.api.get(`/students/${student.id}`)
  assert.deepEqual([body.data.fullName, body.data.city], ['Erased', null])
})

test('what was kept as long as its type or status says is erased with its files, and nothing else; without --yes it is only told', async () => {
  const tenant = await service.tenant()
  const settings = join(commandLine.folder, 'retention.yaml')
  await writeFile(
    settings,
    'documentTypes: [{ key: birth_certificate, retentionDays: 30 }]\npipelineStatuses: [{ key: rejected, retentionDays: 60 }]\n',
  )
  await commandLine.json(['apply', settings, '--tenant', tenant.slug, '--yes'])
  assert.deepEqual((await commandLine.json(['apply', settings, '--tenant', tenant.slug])).plan, [])
  const [old, young] = [await aDocument(service, tenant.api), await aDocument(service, tenant.api)]
  const rejected = await anApplication(tenant.api, { fullName: traces.name, status: 'rejected' })
  const open = await anApplication(tenant.api, { fullName: 'Still Open' })
  // The applicant logs in, and the one who does is somebody still.
  const user = await aUser(service, tenant, { email: 'family@shared.example', roles: ['Student'] })
  await service.database.inspect(
    `with applicant as (insert into contacts (tenant_id, id, code, display_name, user_name)
                        values ($1, gen_random_uuid(), 'APPLICANT-1', $3, $4) returning id)
     insert into application_contacts (tenant_id, id, application_id, contact_id, role, source)
     select $1, gen_random_uuid(), $2, id, 'applicant', 'api' from applicant`,
    [tenant.id, rejected.id, traces.name, user.email],
  )
  await service.database.inspect(`update documents set created_at = now() - interval '31 days' where id = $1`, [old.id])
  await service.database.inspect(
    `update admission_applications set updated_at = now() - interval '61 days' where tenant_id = $1`,
    [tenant.id],
  )
  const run = (...more: string[]) => commandLine.json(['retention', '--tenant', tenant.slug, ...more], { environment })
  assert.deepEqual(await run(), { wouldErase: { applications: 1, documents: 1 } })
  assert.deepEqual(await run('--yes'), { erased: { applications: 1, documents: 1 } })
  const { tenants } = await commandLine.json(['retention', '--every-tenant', '--yes'], { environment })
  const own = tenants.find(({ slug }: { slug: string }) => slug === tenant.slug)
  assert.deepEqual(own, { slug: tenant.slug, erased: { applications: 0, documents: 0 }, failure: null })
  const loadName = async (id: string) => (await tenant.api.get(`/admissions/applications/${id}`)).body.data.fullName
  assert.deepEqual([await loadName(rejected.id), await loadName(open.id)], ['Erased', 'Still Open'])
  const logIns = await service.database.inspect('select name, enabled from users where tenant_id = $1 and id = $2', [
    tenant.id,
    user.id,
  ])
  assert.deepEqual(logIns, [{ name: user.email, enabled: 1 }])
  const download = async (id: string) => (await tenant.api.get(`/vault/documents/${id}/download`)).status
  assert.deepEqual([await download(young.id), await download(old.id)], [200, 409])
  const erased = await tenant.api.get('/audit?action=vault_document.erased')
  assert.deepEqual(
    erased.body.data.map(({ entityId }: { entityId: string }) => entityId),
    [old.id],
  )
  assert.deepEqual((await tenant.traces(old.id)).events.at(-1), 'vault_document.updated')
  assert.deepEqual(await tracesLeft(tenant), [])
})

test('the audit of months that are over goes into a file whole, and leaves the database only when that was read again', async () => {
  const tenant = await service.tenant()
  await aStudent(tenant.api)
  await service.database.inspect(
    `insert into audit_entries (tenant_id, id, occurred_at, action, entity_type, entity_id, actor_type, actor_name, after)
     select $1, gen_random_uuid(), timestamptz '2020-01-31' + n * interval '1 hour', 'student.updated', 'student', gen_random_uuid(), 'system', 'test', '{}'
       from generate_series(1, 6000) n`,
    [tenant.id],
  )
  const count = async () =>
    (
      await service.database.inspect<{ count: number }>(
        'select count(*)::int as count from audit_entries where tenant_id = $1',
        [tenant.id],
      )
    )[0]?.count as number
  const before = await count()
  const file = join(commandLine.folder, 'audit.ndjson.gz')
  const archive = (name: string, ...more: string[]) =>
    commandLine.json(['archive-audit', name, '--tenant', tenant.slug, '--before', '2021-01', ...more])
  assert.deepEqual((await archive(file)).archived.removed, 0)
  const rejected = await commandLine.run([
    'archive-audit',
    file,
    '--tenant',
    tenant.slug,
    '--before',
    '2021-01',
    '--yes',
  ])
  assert.match(rejected.stderr, /is there already/)
  // Somebody writes an entry of that time once the file is whole.
  await service.database.inspect(`
    create function write_late() returns trigger language plpgsql as $$ begin
      insert into audit_entries (tenant_id, id, occurred_at, action, entity_type, entity_id, actor_type, actor_name, after)
      select '${tenant.id}', gen_random_uuid(), '2020-02-01', 'student.late', 'student', gen_random_uuid(), 'system', 'test', '{}'
       where not exists (select from audit_entries where tenant_id = '${tenant.id}' and action = 'student.late');
      return null; end $$`)
  await service.database.inspect(
    'create trigger write_late before delete on audit_entries for each statement execute function write_late()',
  )
  const { archived } = await archive(`${file}.2`, '--yes')
  await service.database.inspect('drop trigger write_late on audit_entries')
  assert.deepEqual([archived.entries, archived.removed], [6000, 6000])
  const lines = gunzipSync(await readFile(`${file}.2`))
    .toString()
    .trimEnd()
    .split('\n')
  assert.equal(new Set(lines.map((line) => JSON.parse(line).id)).size, 6000)
  // Each command tells of itself, and the last one of the file.
  assert.equal(await count(), before - 6000 + 5)
  assert.equal((await tenant.api.get('/audit?action=student.late')).body.data.length, 1)
  assert.equal((await tenant.api.get('/audit?action=audit.archived')).body.data[0].after.sha256, archived.sha256)
  // As a timer does it: of every institution, each into a file of its own, and again without a file where nothing is left.
  const folder = join(commandLine.folder, 'audits')
  await mkdir(folder)
  const months = (Date.now() - Date.parse('2020-03-01')) / (31 * 24 * 3600 * 1000)
  const everywhere = ['archive-audit', '--every-tenant', '--into', folder, '--keep-months', String(Math.floor(months))]
  const { tenants } = await commandLine.json([...everywhere, '--yes'])
  const own = tenants.filter(({ archived: one }: { archived: object | null }) => one !== null)
  assert.deepEqual(
    own.map(({ slug, archived: one }: { slug: string; archived: { removed: number } }) => [slug, one.removed]),
    [[tenant.slug, 1]],
  )
  assert.equal((await readdir(folder)).length, 1)
  await commandLine.json([...everywhere, '--yes'])
  assert.equal((await readdir(folder)).length, 1)
  for (const args of [
    ['archive-audit', file, '--every-tenant', '--before', '2021-01'],
    ['archive-audit', '--into', folder, '--before', '2021-01'],
    [...everywhere, '--before', '2021-01'],
  ]) {
    assert.equal((await commandLine.run(args)).code, 2, args.join(' '))
  }
})

test('the audit tells who opened a document', async () => {
  const tenant = await service.tenant()
  const document = await aDocument(service, tenant.api)
  const opened = ['audit', '--opened', document.id, '--tenant', tenant.slug]
  assert.deepEqual((await commandLine.json(opened)).entries, [])
  assert.equal((await tenant.api.get(`/vault/documents/${document.id}/download`)).status, 200)
  const { entries } = await commandLine.json(opened)
  assert.deepEqual(
    entries.map(({ action }: { action: string }) => action),
    ['vault_document.downloaded'],
  )
})

test('an address that several people share names none of them', async () => {
  const tenant = await service.tenant()
  const shared = { email: 'family@shared.example' }
  const one = await aStudent(tenant.api, { fullName: 'One', ...shared })
  await aStudent(tenant.api, { fullName: 'Two', ...shared })
  const { code, stdout } = await commandLine.run(
    ['person', 'erase', shared.email, '--tenant', tenant.slug, '--yes', '--json'],
    { environment },
  )
  assert.equal(code, 2)
  assert.ok(JSON.parse(stdout).error.message.includes(one.studentCode))
})

test('who is erased takes nothing from those who share a log-in, an address or a paper with them', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const records = await aRecordCaller(service, tenant)
  const user = await aUser(service, tenant, { email: 'family@elder.example', roles: ['Guardian'] })
  const [one, other] = [
    await aStudent(api, { fullName: 'Ada One', email: user.email }),
    await aStudent(api, { fullName: 'Otto Other' }),
  ]
  for (const { studentCode } of [one, other]) {
    const linked = await records.put(`/api/resource/Student/${studentCode}`, { user: user.email })
    assert.equal(linked.status, 200, linked.text)
  }
  const document = await aDocument(service, api, { entityType: 'student', entityId: one.id, title: 'Court order' })
  await api.post(`/vault/documents/${document.id}/links`, { entityType: 'student', entityId: other.id })
  const erase = (who: string) =>
    commandLine.run(['person', 'erase', who, '--tenant', tenant.slug, '--yes', '--json'], { environment })
  const named = await erase(user.id)
  assert.equal(named.code, 2, 'the log-in is of several')
  const done = await erase(one.studentCode)
  assert.equal(done.code, 0, done.stderr)
  assert.equal((await api.get(`/students/${one.id}`)).body.data.fullName, 'Erased')
  assert.equal((await api.get(`/students/${other.id}`)).body.data.fullName, 'Otto Other')
  const loggedIn = await records
    .with({ authorization: '' })
    .post('/api/method/login', { usr: user.email, pwd: user.password })
  assert.equal(loggedIn.status, 200, loggedIn.text)
  const loadUser = async (code: string) => (await records.get(`/api/resource/Student/${code}`)).body.data.user ?? null
  assert.deepEqual([await loadUser(one.studentCode), await loadUser(other.studentCode)], [null, user.email])
  assert.equal((await api.get(`/vault/documents/${document.id}/download`)).status, 200)
})

test('what a teacher wrote of a student goes with the student, and stays without a name when the teacher is erased', async () => {
  const tenant = await service.tenant()
  const records = await aRecordCaller(service, tenant)
  const user = await aUser(service, tenant, { email: traces.email, name: traces.name, roles: ['System Manager'] })
  const session = await records
    .with({ authorization: '' })
    .post('/api/method/login', { usr: user.email, pwd: user.password })
  const sid = session.cookies.get('sid')?.value as string
  const teacher = records.with({ authorization: '', cookie: `sid=${sid}` })
  const students = [await aStudent(tenant.api), await aStudent(tenant.api)]
  for (const { studentCode } of students) {
    const comment = {
      reference_doctype: 'Student',
      reference_name: studentCode,
      content: 'Was ill',
      comment_type: 'Comment',
    }
    const made = await teacher.post('/api/resource/Comment', comment)
    assert.equal(made.status, 200, made.text)
    assert.deepEqual([made.body.data.comment_by, made.body.data.comment_email], [traces.name, user.email])
  }
  const comments = () =>
    service.database.inspect(
      'select reference_name as of, comment_by as by, comment_email as email, content from comments where tenant_id = $1',
      [tenant.id],
    )
  await erased(tenant, students[0]?.id as string)
  assert.deepEqual(
    (await comments()).map((comment) => (comment as { of: string }).of),
    [students[1]?.studentCode],
  )
  await erased(tenant, user.id)
  const email = `erased-${user.id}@erased.invalid`
  assert.deepEqual(await comments(), [{ of: students[1]?.studentCode, by: 'Erased', email, content: 'Was ill' }])
  assert.deepEqual(await tracesLeft(tenant), [])
})

test('a document that came by a request goes with whoever was asked, although it is linked to nobody', async () => {
  const tenant = await service.tenant()
  const [one, other] = [await aStudent(tenant.api), await aStudent(tenant.api)]
  const documents = await Promise.all(
    [one, other].map(async ({ id }) => {
      const request = await aRequest(tenant.api, { entityId: id })
      const document = await aDocument(service, tenant.api, { title: `Paper of ${traces.name}` })
      await service.database.inspect('update documents set request_id = $1 where id = $2', [request.id, document.id])
      return document.id
    }),
  )
  const { files } = await erased(tenant, one.id)
  assert.equal(files.length, 1)
  const titles = await Promise.all(
    documents.map(async (id) => (await tenant.api.get(`/vault/documents/${id}`)).body.data.title),
  )
  assert.deepEqual(titles, ['Erased', `Paper of ${traces.name}`])
})

test('a file attached to somebody who is erased opens at its address no more, and its bytes go', async () => {
  const tenant = await service.tenant()
  const records = await aRecordCaller(service, tenant)
  const student = await aStudent(tenant.api, { fullName: traces.name })
  const form = new FormData()
  form.append('doctype', 'Student')
  form.append('docname', student.studentCode)
  form.append('file', new Blob([pdf as never]), 'report.pdf')
  const { body: sent } = await records.send('POST', '/api/method/upload_file', form)
  assert.equal((await records.get(sent.message.file_url)).status, 200)
  const [stored] = await service.database.inspect<{ id: string }>('select id from stored_files where tenant_id = $1', [
    tenant.id,
  ])
  const key = fileKey(tenant.id, stored?.id as string)
  assert.notEqual(await service.files.store.stat('frozen', key), null)
  await erased(tenant, student.id)
  assert.equal((await records.get(sent.message.file_url)).status, 404)
  await cleanUpStoredFilesJob(service.files).run(service.data, tenant)
  assert.equal(await service.files.store.stat('frozen', key), null)
})
