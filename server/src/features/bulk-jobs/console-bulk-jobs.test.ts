import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aPerson, aStudent } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const registrar = await aPerson(service, tenant, ['Academics User'])
const path = '/console/v1/bulk-jobs'
type Person = typeof registrar

const post = ({ caller }: Person, address: string, body: object = {}) =>
  caller.send('POST', path + address, body, { 'idempotency-key': randomUUID() })
const read = async (id: string, { caller }: Person = registrar) => (await caller.get(`${path}/${id}`)).body.data

/** Waits until a job is over, and gives it. */
async function over(id: string) {
  const isOver = async () => {
    const found = await service.database.inspect(
      `select 1 from bulk_jobs where tenant_id = $1 and id = $2 and finished_at is not null`,
      [tenant.id, id],
    )
    return found.length > 0
  }
  await until(isOver, `the job ${id} is over`)
  return read(id)
}

const codes: string[] = []
for (let number = 0; number < 5; number += 1) {
  const { studentCode } = await aStudent(tenant.api, {
    fullName: `Bulk Student ${number}`,
    city: number < 3 ? 'Lima' : 'Cusco',
  })
  codes.push(studentCode as string)
}
const findCity = async (name: string) =>
  (await registrar.caller.get(`/api/resource/Student/${name}`)).body.data.city as string | undefined
const ofLima = { type: 'Student', action: 'update', filters: [['city', '=', 'Lima']], changes: { city: 'Quito' } }

test('a preview tells the exact number; the job changes each record as a single change, and is undone where nobody changed it since', async () => {
  const preview = await post(registrar, '/preview', ofLima)
  assert.deepEqual([preview.status, preview.body.data.total, preview.body.data.first.length], [200, 3, 3], preview.text)
  assert.equal(await findCity(codes[0] as string), 'Lima')
  const orFilters = [
    [
      ['name', '=', codes[0]],
      ['name', '=', codes[4]],
    ],
    [['city', '=', 'Lima']],
  ]
  const some = await post(registrar, '/preview', { ...ofLima, filters: [], orFilters })
  assert.deepEqual([some.body.data.total, some.body.data.first], [1, [codes[0]]], some.text)
  const stale = await post(registrar, '', { ...ofLima, expectedTotal: 4 })
  assert.deepEqual([stale.status, stale.body.code], [409, 'state_conflict'])
  const made = await post(registrar, '', { ...ofLima, expectedTotal: 3 })
  assert.deepEqual([made.status, made.body.data.total], [201, 3], made.text)
  const { id } = made.body.data
  const job = await over(id)
  assert.deepEqual([job.status, job.done, job.refused, job.canUndo], ['done', 3, 0, true])
  assert.deepEqual(await Promise.all(codes.map(findCity)), ['Quito', 'Quito', 'Quito', 'Cusco', 'Cusco'])
  const changes = await registrar.caller.get(`${path}/${id}/changes?limit=2`)
  const further = await registrar.caller.get(`${path}/${id}/changes?cursor=${changes.headers.get('next-cursor')}`)
  assert.deepEqual(
    [...changes.body.data, ...further.body.data].map(({ name }: { name: string }) => name),
    codes.slice(0, 3),
  )
  const traces = await service.database.inspect<{ audits: number; events: number }>(
    `select (select count(*)::int from audit_entries where tenant_id = $1 and request_id = $2 and action = 'student.updated' and actor_name = $3) as audits,
            (select count(*)::int from events where tenant_id = $1 and request_id = $2 and type = 'student.updated') as events`,
    [tenant.id, id, registrar.email],
  )
  assert.deepEqual(traces, [{ audits: 3, events: 3 }])
  assert.equal((await registrar.caller.put(`/api/resource/Student/${codes[1]}`, { city: 'Loja' })).status, 200)
  const undo = await post(registrar, `/${id}/undo`)
  assert.equal(undo.status, 201, undo.text)
  const undone = await over(undo.body.data.id)
  assert.deepEqual([undone.action, undone.done, undone.refused, undone.undoes], ['undo', 2, 1, id])
  assert.deepEqual(await Promise.all(codes.map(findCity)), ['Lima', 'Loja', 'Lima', 'Cusco', 'Cusco'])
  const validationErrors = await registrar.caller.get(`${path}/${undone.id}/faults`)
  assert.deepEqual(
    validationErrors.body.data.map(({ name, code }: { name: string; code: string }) => [name, code]),
    [[codes[1], 'TimestampMismatchError']],
  )
  const twice = await post(registrar, `/${id}/undo`)
  assert.deepEqual([twice.status, twice.body.code], [409, 'state_conflict'])
})

test('a record that is refused keeps no other from being changed, and is told with why', async () => {
  const names = [codes[3], 'no such student', codes[4]]
  const made = await post(registrar, '', {
    type: 'Student',
    action: 'update',
    names,
    changes: { gender: 'No Such Gender' },
  })
  const job = await over(made.body.data.id)
  assert.deepEqual([job.total, job.done, job.refused], [3, 0, 3])
  const first = await registrar.caller.get(`${path}/${job.id}/faults?limit=2`)
  const rest = await registrar.caller.get(`${path}/${job.id}/faults?cursor=${first.headers.get('next-cursor')}`)
  const reported = [...first.body.data, ...rest.body.data] as { name: string; code: string; detail: string }[]
  assert.deepEqual(reported.map(({ name }) => name).sort(), [...names].sort())
  assert.ok(reported.every(({ code, detail }) => /Error$/.test(code) && detail.length > 0))
})

test('what a killed process left behind is gone on with by whoever comes next, and nothing is done twice', async () => {
  const id = randomUUID()
  // As a process that was killed in the middle leaves it: one record done, two waiting, nobody at work.
  await service.database.inspect(
    `with made as (
       insert into bulk_jobs (tenant_id, id, type, action, changes, status, user_id, user_name, total, done)
       values ($1, $2, 'Student', 'update', '{"city": "Ambato"}', 'running', $3, $4, 3, 1))
     select 1`,
    [tenant.id, id, registrar.id, registrar.email],
  )
  await service.database.inspect(
    `insert into bulk_job_items (tenant_id, job_id, place, type, name, status)
     select $1, $2, place, 'Student', name, case when place = 1 then 'done' else 'waiting' end
       from unnest($3::text[]) with ordinality as named (name, place)`,
    [tenant.id, id, codes.slice(0, 3)],
  )
  // Whoever makes a job next wakes those that wait.
  const next = await post(registrar, '', {
    type: 'Student',
    action: 'update',
    names: [codes[4]],
    changes: { city: 'Puno' },
  })
  await over(next.body.data.id)
  const job = await over(id)
  assert.deepEqual([job.status, job.done], ['done', 3])
  assert.deepEqual(await Promise.all(codes.slice(0, 3).map(findCity)), ['Lima', 'Ambato', 'Ambato'])
})

test('a job that is cancelled does nothing further', async () => {
  const id = randomUUID()
  await service.database.inspect(
    `insert into bulk_jobs (tenant_id, id, type, action, changes, user_id, user_name, total)
     values ($1, $2, 'Student', 'update', '{"city": "Never"}', $3, $4, 1)`,
    [tenant.id, id, registrar.id, registrar.email],
  )
  await service.database.inspect(
    `insert into bulk_job_items (tenant_id, job_id, place, type, name) values ($1, $2, 1, 'Student', $3)`,
    [tenant.id, id, codes[3]],
  )
  const cancelled = await registrar.caller.send('POST', `${path}/${id}/cancel`)
  assert.deepEqual([cancelled.status, cancelled.body.data.status], [200, 'cancelled'], cancelled.text)
  const next = await post(registrar, '', {
    type: 'Student',
    action: 'update',
    names: [codes[4]],
    changes: { city: 'Tacna' },
  })
  await over(next.body.data.id)
  assert.deepEqual([(await read(id)).done, await findCity(codes[3] as string)], [0, 'Cusco'])
})

test('somebody does in bulk what they may do one by one, sees their own jobs, and none of another institution', async () => {
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  const rejected = await post(bursar, '', ofLima)
  assert.deepEqual([rejected.status, rejected.body.code], [403, 'insufficient_role'])
  const [mine] = (await registrar.caller.get(path)).body.data
  assert.deepEqual((await bursar.caller.get(path)).body.data, [])
  assert.equal((await bursar.caller.get(`${path}/${mine.id}`)).status, 404)
  const theirs = await service.tenant()
  const manager = await aPerson(service, theirs)
  assert.equal((await manager.caller.get(`${path}/${mine.id}`)).status, 404)
  for (const body of [
    { type: 'Student', action: 'update', changes: { city: 'x' } },
    { type: 'Student', action: 'update', names: ['a'], filters: [], changes: { city: 'x' } },
    { type: 'Student', action: 'update', names: ['a'] },
    { type: 'Student', action: 'update', names: ['a'], orFilters: [['city', '=', 'Lima']], changes: { city: 'x' } },
    { type: 'Student', action: 'delete', names: ['a'], changes: { city: 'x' } },
    { type: 'Student', action: 'update', names: ['a'], changes: { nothing: 'x' } },
    { type: 'Student', action: 'update', filters: [['nothing', '=', 1]], changes: { city: 'x' } },
  ]) {
    const wrong = await post(registrar, '', body)
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'validation_failed'], JSON.stringify(body))
  }
  assert.equal((await post(registrar, '/preview', { ...ofLima, type: 'No Such Type' })).status, 404)
})
