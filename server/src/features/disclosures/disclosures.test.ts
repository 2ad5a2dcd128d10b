import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { clientApi, consoleApi, disclosedByOperations, fieldGroupsOfRecords, type Operation } from '@matricula/contract'
import { recordTypes } from '@matricula/contract/record-types'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aPayment, aStudent, getOperator } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { unzip } from '../personal-data/unzipped.fixture.ts'
import { disclosures, type Entry } from './disclosures.fixture.ts'
import { changeDisclosureSettings, forgetDisclosuresJob } from './index.ts'

const service = await startTestService()
const { json: matricula } = await loadCommandLine(service)

test('a read of one record is recorded with its caller, its record and its field group', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api, { externalId: 'S-1' })
  const { id, api } = await tenant.token({ name: 'ERP sync' })
  const read = await api.get(`/students/${student.id}`)
  const [entry, ...rest] = await disclosures(tenant.api, `&entityId=${student.id}`, 1)
  assert.deepEqual(rest, [])
  assert.deepEqual(
    [entry?.operation, entry?.surface, entry?.recordType, entry?.fieldGroup, entry?.recordIds, entry?.filter],
    ['getStudent', 'client_api', 'student', 'identity', [student.id], null],
  )
  assert.deepEqual(entry?.actor, { type: 'api_key', id, name: 'ERP sync' })
  assert.equal(entry?.requestId, read.headers.get('request-id'))
  assert.equal((await disclosures(tenant.api, '&externalId=S-1', 1)).length, 1)
  assert.deepEqual(await disclosures(tenant.api, '&externalId=S-2', 0), [])
})

test('a list is recorded once, with its filter and every record and person in it', async () => {
  const { api } = await service.tenant()
  const [one, other] = [await aStudent(api), await aStudent(api)]
  const payment = await aPayment(api, { studentId: one.id })
  await api.get('/students?limit=5')
  await api.get(`/payments?studentId=${one.id}`)
  const entries = await disclosures(api, `&entityId=${one.id}`, 2)
  assert.deepEqual(
    entries.map(({ operation, count }) => [operation, count]),
    [
      ['listPayments', 1],
      ['listStudents', 2],
    ],
  )
  assert.deepEqual(entries[0]?.recordIds, [payment.id, one.id])
  assert.deepEqual([...(entries[1]?.recordIds ?? [])].sort(), [one.id, other.id].sort())
  assert.equal(entries[1]?.filter?.limit, 5)
  assert.equal((await disclosures(api, '&entityType=payment', 1)).length, 1)
})

test('what is refused, not found or not changed since discloses nothing', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api)
  const { api } = await tenant.token({ scopes: ['payments:read'] })
  assert.equal((await api.get(`/students/${student.id}`)).status, 403)
  assert.equal((await tenant.api.get(`/students/${tenant.id}`)).status, 404)
  await tenant.api.get('/students')
  assert.deepEqual(
    (await disclosures(tenant.api, '', 1)).map(({ operation }) => operation),
    ['listStudents'],
  )
})

test('what was typed to find somebody is not kept, and that something was typed is', async () => {
  const { api } = await service.tenant()
  const student = await aStudent(api, { fullName: 'Unmistakable Person', email: 'unmistakable@example.org' })
  await api.get('/students?search=Unmistakable&limit=7')
  await api.get('/students?email=unmistakable@example.org')
  const entries = await disclosures(api, `&entityId=${student.id}`, 2)
  assert.deepEqual(
    [entries[0]?.filter?.email, entries[1]?.filter?.search, entries[1]?.filter?.limit],
    ['(withheld)', '(withheld)', 7],
  )
})

test('an institution that records none has no disclosures', async () => {
  const [off, on] = [await service.tenant(), await service.tenant()]
  await service.data.transaction(off.id, (tx) => changeDisclosureSettings(tx, getOperator(off), { enabled: false }))
  const student = await aStudent(off.api)
  const other = await aStudent(on.api)
  await off.api.get(`/students/${student.id}`)
  await on.api.get(`/students/${other.id}`)
  // Entries are written in the order of the reads: once the later one is there, so would the first be.
  await disclosures(on.api, '', 1)
  assert.deepEqual(await disclosures(off.api, '', 0), [])
})

test('an institution sees nothing of what was read at another one', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const student = await aStudent(theirs.api)
  await theirs.api.get(`/students/${student.id}`)
  await disclosures(theirs.api, `&entityId=${student.id}`, 1)
  assert.deepEqual(await disclosures(ours.api, `&entityId=${student.id}`, 0), [])
  assert.deepEqual(await disclosures(ours.api, '', 0), [])
})

test('the command line tells who read a record by its id, its code and its key, and whether an assistant did', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api, { externalId: 'S-9' })
  await tenant.api.get(`/students/${student.id}`, { 'x-matricula-client': 'mcp' })
  await disclosures(tenant.api, '', 1)
  for (const record of [student.id, student.studentCode as string, 'S-9']) {
    const reported = await matricula(['disclosures', '--tenant', tenant.slug, '--record', record])
    assert.deepEqual(
      reported.disclosures.map(({ operation, surface }: Entry) => [operation, surface]),
      [['getStudent', 'mcp']],
      record,
    )
  }
  const nobody = await matricula(['disclosures', '--tenant', tenant.slug, '--record', 'S-10'])
  assert.deepEqual(nobody, { disclosures: [] })
})

test('tenant update turns the record of disclosures off, which the audit tells', async () => {
  const { id, slug, api } = await service.tenant()
  await matricula(['tenant', 'update', slug, '--disclosures', 'off', '--keep-disclosures', '5y'])
  const { body } = await api.get(`/audit?entityId=${id}&action=tenant.disclosures_changed`)
  assert.deepEqual(body.data[0]?.after, {
    before: { enabled: true, keepYears: 3 },
    after: { enabled: false, keepYears: 5 },
  })
})

test('who may not read the audit may not read disclosures', async () => {
  const tenant = await service.tenant()
  const { api } = await tenant.token({ scopes: ['students:read'] })
  const { status, body } = await api.get('/disclosures')
  assert.deepEqual([status, body.code], [403, 'insufficient_scope'])
})

test('every operation that reads says what it discloses, and every record type about a person its field group', () => {
  const operations: [string, Operation][] = Object.entries({ ...clientApi, ...consoleApi })
  const reading = operations.filter(([, { method }]) => method === 'GET').map(([id]) => id)
  assert.deepEqual(Object.keys(disclosedByOperations).sort(), reading.sort())
  const people = new Set(recordTypes.filter((type) => type.personField !== undefined).map(({ name }) => name))
  const about = recordTypes.filter(
    ({ name, fields }) =>
      people.has(name) || Object.values(fields).some((field) => field.type === 'Link' && people.has(field.target)),
  )
  assert.deepEqual(
    about.map(({ name }) => name).filter((name) => fieldGroupsOfRecords[name] === undefined),
    [],
  )
})

test('the job deletes what is older than the institution keeps, by whole months, and nothing else', async () => {
  const [usual, long] = [await service.tenant(), await service.tenant()]
  await service.data.transaction(long.id, (tx) => changeDisclosureSettings(tx, getOperator(long), { keepYears: 5 }))
  for (const { id, api } of [usual, long]) {
    await aStudent(api)
    await api.get('/students')
    await disclosures(api, '', 1)
    for (const months of [35, 36, 37, 59, 61]) {
      await service.database.inspect(
        `insert into disclosures (tenant_id, month, id, occurred_at, actor_type, actor_name, surface, operation, record_type,
                                  field_group, record_ids, count)
         select tenant_id, (date_trunc('month', now()) - make_interval(months => $2))::date, gen_random_uuid(),
                now() - make_interval(months => $2), actor_type, actor_name, surface, $2::text, record_type, field_group,
                record_ids, count
           from disclosures where tenant_id = $1 and operation = 'listStudents'`,
        [id, months],
      )
    }
    const tenant = { id } as Parameters<typeof forgetDisclosuresJob.run>[1]
    await forgetDisclosuresJob.run(service.data, tenant)
  }
  const kept = async ({ id }: { id: string }) => {
    const rows = await service.database.inspect<{ operation: string }>(
      'select operation from disclosures where tenant_id = $1 order by month desc',
      [id],
    )
    return rows.map(({ operation }) => operation)
  }
  assert.deepEqual(await kept(usual), ['listStudents', '35', '36'])
  assert.deepEqual(await kept(long), ['listStudents', '35', '36', '37', '59'])
})

test('a walk by cursor has every disclosure once, the newest first, and goes by type, actor and time', async () => {
  const tenant = await service.tenant()
  const other = await tenant.token({ name: 'Other' })
  const student = await aStudent(tenant.api)
  for (let limit = 1; limit <= 4; limit += 1) await tenant.api.get(`/students?limit=${limit}`)
  await disclosures(tenant.api, '', 4)
  await other.api.get('/payments')
  await aPayment(tenant.api, { studentId: student.id })
  await other.api.get('/payments')
  const all = await disclosures(tenant.api, '', 5)
  const walked: string[] = []
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const { status, body, headers } = await tenant.api.get(`/disclosures?limit=2&cursor=${encodeURIComponent(cursor)}`)
    assert.equal(status, 200)
    walked.push(...body.data.map(({ id }: Entry) => id))
    cursor = headers.get('next-cursor')
  }
  assert.deepEqual(
    walked,
    all.map(({ id }) => id),
  )
  const loadIds = async (query: string) => (await disclosures(tenant.api, query, 0)).map(({ id }) => id)
  assert.deepEqual(await loadIds(`&actorId=${other.id}`), [all[0]?.id])
  assert.deepEqual(await loadIds('&entityType=payment'), [all[0]?.id])
  assert.deepEqual(await loadIds('&since=2199-01-01'), [])
  assert.deepEqual(await loadIds('&until=2020-01-01'), [])
  const { status, body } = await tenant.api.get('/disclosures?cursor=none')
  assert.deepEqual([status, body.code], [400, 'validation_failed'])
})

test('an export of a person is recorded, and has the disclosures of the person without those of others', async () => {
  const tenant = await service.tenant()
  const [one, other] = [await aStudent(tenant.api), await aStudent(tenant.api)]
  await tenant.api.get('/students')
  await disclosures(tenant.api, '', 1)
  const folder = await mkdtemp(join(tmpdir(), 'matricula-export-'))
  const file = join(folder, 'person.zip')
  const { exported } = await matricula(['person', 'export', one.id, file, '--tenant', tenant.slug])
  assert.equal(exported.records.disclosures, 1)
  const [entry] = JSON.parse(
    unzip(await readFile(file))
      .get('records/disclosures.json')
      ?.toString() ?? '[]',
  )
  assert.deepEqual(
    [entry.operation, entry.record_ids, JSON.stringify(entry).includes(other.id)],
    ['listStudents', undefined, false],
  )
  const [latest] = await disclosures(tenant.api, `&entityId=${one.id}`, 2)
  assert.deepEqual(
    [latest?.operation, latest?.surface, latest?.fieldGroup, latest?.actor.type],
    ['person export', 'export', 'everything', 'operator'],
  )
  await rm(folder, { recursive: true })
})
