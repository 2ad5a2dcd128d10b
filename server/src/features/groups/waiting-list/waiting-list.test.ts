import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordRegistry } from '../../../app/record-definitions.ts'
import { aStudent } from '../../../testing/fixtures/factories.ts'
import { seedTenant } from '../../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { waitingListJob } from './waiting-list-job.ts'

const service = await startTestService()

/** An institution whose group of two is full, and three more students who wait for a place in it. */
async function aFullGroup() {
  const own = await seedTenant(service)
  const { resourceClient, group, tenant } = own
  await resourceClient.update('Student Group', group, { max_strength: 2 })
  const waiting: string[] = []
  const entries: string[] = []
  for (const email of ['emmy@example.org', 'sofia@example.org', 'mary@example.org']) {
    const { studentCode } = await aStudent(tenant.api, { email })
    waiting.push(studentCode as string)
    entries.push((await resourceClient.make('Waiting List Entry', { student_group: group, student: studentCode })).name)
  }
  const members = async () => {
    const { data } = await resourceClient.call('api.get_student_group_students', { student_group: group })
    return data.map(({ student }: { student: string }) => student) as string[]
  }
  const statuses = async () => {
    const args = { fields: '["status","position"]', order_by: 'position asc' }
    const { data } = await resourceClient.list('Waiting List Entry', args)
    return data.map(({ status }: { status: string }) => status) as string[]
  }
  const call = (method: string, name: string) => resourceClient.call(`api.${method}`, { name })
  /** Ends the memberships of the first students of the group. */
  const freePlaces = async (...leaving: string[]) => {
    const { data } = await resourceClient.read('Student Group', group)
    const rows = data.students.map(({ name, student }: Record<string, string>) => ({
      name,
      ...(leaving.includes(student as string) && { active: 0 }),
    }))
    const freed = await resourceClient.update('Student Group', group, { students: rows })
    assert.equal(freed.error, null, freed.told)
  }
  return { ...own, waiting, entries, members, statuses, call, freePlaces }
}

test('who waits is in order, and a new place is offered to the first, with its traces', async () => {
  const own = await aFullGroup()
  const { resourceClient, entries, statuses, students, freePlaces } = own
  assert.deepEqual(await statuses(), ['Waiting', 'Waiting', 'Waiting'])
  await freePlaces(students[0])
  assert.deepEqual(await statuses(), ['Offered', 'Waiting', 'Waiting'])
  const { data } = await resourceClient.read('Waiting List Entry', entries[0] as string)
  const days = (Date.parse(data.offer_expires_on) - Date.parse(data.offered_on)) / 86_400_000
  assert.deepEqual([data.position, days], [1, 7])
  assert.deepEqual(await resourceClient.traces('Waiting List Entry', entries[0] as string), [
    'waiting_list_entry.created',
    'waiting_list_entry.updated',
  ])
})

test('an offer that is accepted is a membership from today on, once', async () => {
  const own = await aFullGroup()
  const { entries, statuses, students, waiting, members, call, freePlaces } = own
  const [first, second] = entries as [string, string]
  await freePlaces(students[0])
  const outcomes = await Promise.all([
    call('accept_waiting_list_offer', first),
    call('accept_waiting_list_offer', first),
  ])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), [200, 417])
  const accepted = outcomes.find(({ status }) => status === 200)
  assert.equal(accepted?.data.status, 'Accepted')
  assert.deepEqual((await members()).sort(), [students[1], waiting[0]].sort())
  assert.deepEqual(await statuses(), ['Accepted', 'Waiting', 'Waiting'])
  const early = await call('accept_waiting_list_offer', second)
  assert.deepEqual([early.status, early.error], [417, 'ValidationError'])
  assert.match(early.told, /is Waiting, not Offered/)
})

test('an offer that is declined or deleted goes to the next, and who leaves the list gets none', async () => {
  const own = await aFullGroup()
  const { resourceClient, entries, statuses, students, call, freePlaces } = own
  const [first, second, third] = entries as [string, string, string]
  await freePlaces(students[0])
  assert.equal((await call('leave_waiting_list', second)).data.status, 'Withdrawn')
  assert.equal((await call('leave_waiting_list', first)).data.status, 'Declined')
  assert.deepEqual(await statuses(), ['Declined', 'Withdrawn', 'Offered'])
  assert.equal((await call('leave_waiting_list', first)).error, 'ValidationError')
  const again = await resourceClient.make('Waiting List Entry', { student_group: own.group, student: own.waiting[0] })
  assert.equal((await resourceClient.remove('Waiting List Entry', third)).error, null)
  assert.equal((await resourceClient.read('Waiting List Entry', again.name)).data.status, 'Offered')
})

test('a place that is offered is nobody else’s, unless the strength is raised or the student is who was offered it', async () => {
  const own = await aFullGroup()
  const { resourceClient, group, waiting, students, statuses, members, freePlaces } = own
  await freePlaces(students[0])
  const add = async (student: string, fields: object = {}) => {
    const { data } = await resourceClient.read('Student Group', group)
    const rows = data.students.map(({ name }: { name: string }) => ({ name }))
    return resourceClient.update('Student Group', group, { students: [...rows, { student }], ...fields })
  }
  const refused = await add(waiting[1] as string)
  assert.deepEqual([refused.status, refused.error], [417, 'ValidationError'])
  assert.match(refused.told, /offered to 1 students/)
  assert.equal((await add(waiting[0] as string)).error, null)
  assert.deepEqual(await statuses(), ['Accepted', 'Waiting', 'Waiting'])
  assert.equal((await add(waiting[2] as string, { max_strength: 3 })).error, null)
  assert.deepEqual(await statuses(), ['Accepted', 'Waiting', 'Accepted'])
  assert.equal((await members()).length, 3)
})

test('offers lapse after their last day, and a leaver’s place is offered, by the service itself', async () => {
  const own = await aFullGroup()
  const { resourceClient, tenant, students, statuses, entries, call } = own
  const job = waitingListJob({ registry: recordRegistry, sendsMail: true })
  const run = async () => job.run(service.data, tenant)
  await resourceClient.update('Student', students[0], { date_of_leaving: '2026-09-01' })
  await run()
  assert.deepEqual(await statuses(), ['Offered', 'Waiting', 'Waiting'])
  await run()
  assert.deepEqual(await statuses(), ['Offered', 'Waiting', 'Waiting'], 'again, it changes nothing')
  await service.database.inspect(
    `update waiting_list_entries set offer_expires_on = '2026-01-01' where tenant_id = $1 and name = $2`,
    [tenant.id, entries[0]],
  )
  const late = await call('accept_waiting_list_offer', entries[0] as string)
  assert.match(late.told, /ended on 2026-01-01/)
  await run()
  assert.deepEqual(await statuses(), ['Lapsed', 'Offered', 'Waiting'])
  const mails = await service.database.inspect<{ recipient: string }>(
    `select recipient from outgoing_mails where tenant_id = $1 and kind = 'place_offered' order by id`,
    [tenant.id],
  )
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['emmy@example.org', 'sofia@example.org'],
  )
})

test('what is no place to wait for is refused, and a status is not typed', async () => {
  const own = await aFullGroup()
  const { resourceClient, tenant, group, students, waiting, entries, year } = own
  const open = await resourceClient.make('Student Group', {
    ...{ student_group_name: 'Open', academic_year: year, group_based_on: 'Activity' },
  })
  const { studentCode } = await aStudent(tenant.api, { status: 'inactive' })
  for (const [fields, pattern] of [
    [{ student: waiting[0] }, /waits for a place in Nursing A already/],
    [{ student: students[0] }, /is in the Student Group/],
    [{ student: studentCode }, /disabled/],
    [{ student_group: open.name }, /no Max Strength/],
    [{ position: -1, student_group: group }, /Position/],
    [{ status: 'Offered' }, /Status is not typed/],
  ] as const) {
    const { studentCode: somebody } = await aStudent(tenant.api)
    const made = await resourceClient.create('Waiting List Entry', {
      student_group: group,
      student: somebody,
      ...fields,
    })
    assert.deepEqual([made.status, made.error], [417, 'ValidationError'], JSON.stringify(fields))
    assert.match(made.told, pattern)
  }
  const typed = await resourceClient.update('Waiting List Entry', entries[0] as string, { status: 'Accepted' })
  assert.match(typed.told, /Status is not typed/)
  for (const caller of [resourceClient.as('Instructor'), resourceClient.as('Student')]) {
    assert.equal((await caller.read('Waiting List Entry', entries[0] as string)).status, 403)
    assert.equal((await caller.call('api.accept_waiting_list_offer', { name: entries[0] })).status, 403)
  }
  const other = await seedTenant(service)
  const foreign = await other.resourceClient.call('api.leave_waiting_list', { name: entries[0] })
  assert.equal(foreign.status, 404)
})

test('staff move somebody up, and offer free places at once', async () => {
  const own = await aFullGroup()
  const { resourceClient, entries, statuses, students, group } = own
  await resourceClient.update('Waiting List Entry', entries[2] as string, { position: 1 })
  await resourceClient.update('Waiting List Entry', entries[0] as string, { position: 2 })
  await resourceClient.update('Student', students[0], { enabled: 0 })
  const offered = await resourceClient.call('api.offer_free_places', { student_group: group })
  assert.deepEqual(offered.data, [entries[2]], offered.told)
  assert.equal((await statuses())[0], 'Offered')
})
