import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { clientOptions, loadServer, sql } from '../../database/index.ts'
import { notOnCluster } from '../../testing/fixtures/database/test-database.ts'
import { aDocument, anApplication, aPerson, aRecordCaller, aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { searchEntriesJob } from './index.ts'
import { takeAllWaiting } from './waiting-entries.ts'

const service = await startTestService()
const tenant = await service.tenant()
const { api } = tenant
const manager = await aPerson(service, tenant)

const find = async (q: string, more: Record<string, string> = {}, { caller } = manager) => {
  const { status, body, text } = await caller.get(`/console/v1/search?${new URLSearchParams({ q, ...more })}`)
  assert.equal(status, 200, text)
  return body.data as { kind: string; id: string; name: string | null; title: string; detail: string }[]
}
const titles = async (...given: Parameters<typeof find>) => (await find(...given)).map(({ title }) => title)

const student = await aStudent(api, {
  fullName: 'José María García-Peña',
  givenNames: 'José María',
  familyNames: 'García-Peña',
  externalId: 'SIS-4711',
})
const { caller: records } = { caller: await aRecordCaller(service, tenant) }

test('a name is found by beginnings of its words in any order, with or without accents, and so is a code or a key', async () => {
  for (const q of ['jose garcia', 'GARCÍA josé', 'pena jos', 'mar gar', 'sis 4711', 'SIS-4711', student.studentCode]) {
    assert.deepEqual(await titles(q), ['José María García-Peña'], q)
  }
  assert.deepEqual(await titles('jose lopez'), [])
  const [hit] = await find('garcia')
  assert.deepEqual(
    [hit?.kind, hit?.id, hit?.name, hit?.detail.includes(student.studentCode as string)],
    ['student', student.id, student.studentCode, true],
  )
  for (const odd of [' ', '%', '_', "'; drop table students; --", '\\', '((', '😀', '\u0000'.slice(1) || '.']) {
    assert.deepEqual(await titles(odd), [], odd)
  }
})

test('what is spelt alike is found where nothing else is, and the nearest comes first', async () => {
  assert.deepEqual(await titles('garcya'), ['José María García-Peña'])
  await aStudent(api, { fullName: 'Garcilaso Vega', givenNames: 'Garcilaso', familyNames: 'Vega' })
  assert.deepEqual(await titles('garci'), ['Garcilaso Vega', 'José María García-Peña'])
  assert.deepEqual(await titles('garci', { limit: '1' }), ['Garcilaso Vega'])
})

test('students, applicants, guardians, staff, payments and documents are in one answer', async () => {
  await anApplication(api, { fullName: 'Zenobia Applicant' })
  const owner = await aStudent(api, { fullName: 'Ada Owner' })
  const fee = { studentId: owner.id, amount: 10, description: 'Zenobia fee', dueDate: '2026-09-01' }
  assert.equal((await api.post('/payments', fee)).status, 201)
  const { id: documentId } = await aDocument(service, api)
  assert.equal((await api.patch(`/vault/documents/${documentId}`, { title: 'Zenobia certificate' })).status, 200)
  for (const [type, fields] of [
    ['Guardian', { guardian_name: 'Zenobia Guardian' }],
    ['Instructor', { instructor_name: 'Zenobia Teacher' }],
  ] as const) {
    assert.equal((await records.post(`/api/resource/${type}`, fields)).status, 200)
  }
  const kinds = (await find('zenobia')).map(({ kind }) => kind)
  for (const kind of ['applicant', 'guardian', 'instructor', 'payment', 'document'])
    assert.ok(kinds.includes(kind), kind)
  assert.deepEqual([...new Set((await find('zenobia', { kind: 'payment' })).map(({ kind }) => kind))], ['payment'])
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  const seen = new Set((await find('zenobia', {}, bursar)).map(({ kind }) => kind))
  assert.ok(seen.has('payment'))
  assert.ok(!seen.has('document'))
  assert.ok((await find('owner', {}, bursar)).some(({ kind, id }) => kind === 'student' && id === owner.id))
})

test('numbers and addresses find a record for those who read them; others find it by its names and its code', async () => {
  const body = {
    fullName: 'Hidden Number',
    documentNumber: 'X7788991',
    phone: '+51 999 000',
    email: 'hidden@home.example',
  }
  const { studentCode } = await aStudent(api, body)
  const registrar = await aPerson(service, tenant, ['Academics User'])
  const parent = await aPerson(service, tenant, ['Instructor', 'Guardian'])
  const guardian = await records.post('/api/resource/Guardian', { guardian_name: 'A Parent', user: parent.email })
  const rows = [{ guardian: guardian.body.data.name, relation: 'Mother' }]
  assert.equal((await records.put(`/api/resource/Student/${studentCode}`, { guardians: rows })).status, 200)
  const students = async (...given: Parameters<typeof find>) =>
    (await find(...given)).filter(({ kind }) => kind === 'student').map(({ title }) => title)
  for (const q of ['X7788991', 'x778', 'hidden@home.example']) {
    assert.deepEqual(await students(q, {}, registrar), ['Hidden Number'], q)
    assert.deepEqual(await students(q, {}, parent), [], q)
  }
  assert.deepEqual(await students('hidden num', {}, parent), ['Hidden Number'])
  assert.deepEqual(await students(studentCode as string, {}, parent), ['Hidden Number'])
})

test('people are found by their names by an index that has the names of people alone', {
  skip: notOnCluster('tables and indexes are below views'),
}, async () => {
  const { id } = await service.tenant()
  for (const [kind, named] of [
    ['student', ' student '],
    ['payment', ''],
  ]) {
    await service.database.inspect(
      `insert into search_entries (tenant_id, kind, record_id, words, named)
       select $1, $2, new_uuid7(), ' tuition ' || n, case when $3 = '' then '' else $3 || n end from generate_series(1, 3000) n`,
      [id, kind, named],
    )
  }
  await service.database.inspect('analyze search_entries')
  const plan = await service.database.inspect<{ 'QUERY PLAN': string }>(
    `explain select record_id from search_entries e
      where e.tenant_id = '${id}' and e.kind = any ('{student,guardian}') and named like '% 2777%'`,
  )
  assert.match(JSON.stringify(plan), /search_entries_people_idx/)
})

test('a change of the name is found at once, and what is gone is not', async () => {
  const { id } = await aStudent(api, { fullName: 'Before Change' })
  assert.equal((await api.patch(`/students/${id}`, { fullName: 'After Change' })).status, 200)
  assert.deepEqual(await titles('before change'), [])
  assert.deepEqual(await titles('after change'), ['After Change'])
  await service.database.inspectAt(tenant.id, 'delete from students where tenant_id = $1 and id = $2', [tenant.id, id])
  assert.deepEqual(await titles('after change'), [])
})

test('whoever takes over changes keeps no writer waiting, and loses none when it is killed or when the record changes meanwhile', async () => {
  for (const isKilled of [true, false]) {
    const name = isKilled ? 'Quentin' : 'Rosalind'
    const { id } = await aStudent(api, { fullName: `${name} Erstwhile` })
    const client = new pg.Client(clientOptions(await loadServer(service.database.connection, tenant.id), 'owner'))
    client.on('error', () => {})
    await client.connect()
    await client.query('begin')
    await client.query(`select set_config('matricula.tenant_id', $1, true)`, [tenant.id])
    const { rows } = await client.query('select take_waiting_for_search($1, 500) as taken', [tenant.id])
    assert.ok(rows[0].taken > 0)
    assert.equal((await api.patch(`/students/${id}`, { fullName: `${name} Henceforth` })).status, 200)
    // Nor does it keep anybody waiting who searches meanwhile.
    await Promise.all([titles(name), titles('erstwhile'), titles(name)])
    await client.query(isKilled ? 'select pg_terminate_backend(pg_backend_pid())' : 'commit').catch(() => {})
    await client.end().catch(() => {})
    assert.deepEqual(await titles(name), [`${name} Henceforth`])
    assert.deepEqual(await titles('erstwhile'), [])
  }
})

test('however often a record was changed, all of it is taken over with its last change, and counts as one', async () => {
  const { id } = await aStudent(api, { fullName: 'Changed Often' })
  const client = new pg.Client(clientOptions(await loadServer(service.database.connection, tenant.id), 'owner'))
  await client.connect()
  try {
    const take = async (max: number) =>
      (await client.query('select take_waiting_for_search($1, $2) as taken', [tenant.id, max])).rows[0].taken
    await client.query('begin')
    await client.query(`select set_config('matricula.tenant_id', $1, true)`, [tenant.id])
    while ((await take(500)) > 0);
    const waits = `insert into search_waiting (tenant_id, record_id, kind) select $1, $2, 'student' from generate_series(1, $3::integer)`
    await client.query(waits, [tenant.id, id, 3])
    await client.query(waits, [tenant.id, randomUUID(), 2])
    const [first, second] = [await take(1), await take(1)]
    assert.deepEqual([first, second].sort(), [2, 3])
    assert.equal(await take(1), 0)
    await client.query('commit')
  } finally {
    await client.end()
  }
  assert.deepEqual(await titles('changed often'), ['Changed Often'])
})

test('what waits of a record is taken over at once, however much waits of others, and all of it where nothing is to be left', async () => {
  const wait = (records: number, changes: number) =>
    service.database.inspectAt(
      tenant.id,
      `insert into search_waiting (tenant_id, record_id, kind)
       select $1, r.id, 'student' from (select gen_random_uuid() as id from generate_series(1, $2::integer)) r,
              generate_series(1, $3::integer) order by random()`,
      [tenant.id, records, changes],
    )
  const waiting = () => service.database.inspect('select from search_waiting where tenant_id = $1', [tenant.id])
  await searchEntriesJob.run(service.data, tenant)
  await wait(10, 15)
  const take = sql`select take_waiting_for_search(${tenant.id}, 1) as taken`
  for (let record = 0; record < 10; record += 1) {
    assert.deepEqual(await service.data.transaction(tenant.id, (tx) => tx.query(take)), [{ taken: 15 }])
  }
  assert.equal((await waiting()).length, 0)

  await wait(1100, 2)
  await service.data.transaction(tenant.id, takeAllWaiting)
  assert.equal((await waiting()).length, 0)
})

test('what was written by a program or a restore, and more of it than a search takes over, is found after the job', async () => {
  await service.database.inspectAt(
    tenant.id,
    `insert into students (tenant_id, id, student_code, full_name, search_text)
     select $1, gen_random_uuid(), 'BULK-' || n, 'Bulk Written ' || n, '' from generate_series(1, 1200) n`,
    [tenant.id],
  )
  await searchEntriesJob.run(service.data, tenant)
  const waiting = await service.database.inspect('select from search_waiting where tenant_id = $1', [tenant.id])
  assert.equal(waiting.length, 0)
  assert.deepEqual(await titles('bulk 1177'), ['Bulk Written 1177'])
})

test('a search goes on with what was noted before where the database takes no writes', async () => {
  await aStudent(api, { fullName: 'Noted Before' })
  assert.deepEqual(await titles('noted'), ['Noted Before'])
  await service.database.runMigration(`
    create function refuse_for_lack_of_disk() returns trigger language plpgsql
      as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger no_disk before delete on search_waiting for each row execute function refuse_for_lack_of_disk()`)
  try {
    await aStudent(api, { fullName: 'Noted Later' })
    assert.deepEqual(await titles('noted'), ['Noted Before'])
  } finally {
    await service.database.runMigration('drop trigger no_disk on search_waiting')
  }
  assert.deepEqual((await titles('noted')).sort(), ['Noted Before', 'Noted Later'])
})

test('nobody finds what another institution has, nor somebody without a session anything', async () => {
  const theirs = await service.tenant()
  await aStudent(theirs.api, { fullName: 'Xerxes Elsewhere' })
  assert.deepEqual(await titles('xerxes'), [])
  const otherTenant = await fetch(`${service.address}/t/${tenant.slug}/console/v1/search?q=a`)
  assert.equal(otherTenant.status, 401)
  const wrong = await manager.caller.get('/console/v1/search?q=')
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'validation_failed'])
})
