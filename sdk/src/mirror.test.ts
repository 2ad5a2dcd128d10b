import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOwner, sql } from '../../server/dist/database/index.js'
import { aPayment, aRecordCaller, aStudent } from '../../server/dist/testing/fixtures/factories.js'
import { until } from '../../server/dist/testing/fixtures/service-process.js'
import { startTestService, type TestTenant } from '../../server/dist/testing/fixtures/test-service.js'
import { type Client, createClient } from './client.ts'
import { type MirroredChange, type MirrorState, type MirrorStore, mirror } from './mirror.ts'
import { collected } from './testing/collected.ts'

const service = await startTestService()
const resources = ['students', 'payments'] as const
type Mirrored = (typeof resources)[number]

/** A copy in memory that a process which dies leaves behind: what was applied, and the state that was kept. */
class Copy implements MirrorStore<Mirrored> {
  readonly records = { students: new Map<string, object>(), payments: new Map<string, object>() }
  kept: string | null = null
  readonly handed: string[] = []
  /** Asked before each part of a write whether the process dies there. */
  dies = () => false

  load(): Promise<MirrorState | null> {
    return Promise.resolve(this.kept === null ? null : JSON.parse(this.kept))
  }

  write(changes: readonly MirroredChange<Mirrored>[], state: MirrorState): Promise<void> {
    if (this.dies()) return Promise.reject(new Death())
    for (const { resource, id, record, deleted } of changes) {
      this.handed.push(`${id} ${record?.updatedAt ?? deleted?.deletedAt}`)
      if (record === null) this.records[resource].delete(id)
      else this.records[resource].set(id, record)
    }
    if (this.dies()) return Promise.reject(new Death())
    this.kept = JSON.stringify(state)
    return Promise.resolve()
  }
}

class Death extends Error {}

async function aClient(tenant: TestTenant): Promise<Client> {
  const { secret } = await tenant.token({ name: 'mirror' })
  return createClient({ url: service.address, token: secret })
}

async function assertInStep(client: Client, { records }: Copy): Promise<void> {
  for (const resource of resources) {
    const present = await collected<{ id: string }>(client[resource].list())
    assert.deepEqual(
      [...records[resource]].sort(([one], [other]) => (one < other ? -1 : 1)),
      present
        .map((record) => [record.id, record])
        .sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1)),
    )
  }
}

test('a copy has what there is, follows what changes, is deleted and is shown of others, and hands nothing over twice', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  const resourceClient = await aRecordCaller(service, tenant)
  const [ada, grace] = [await aStudent(tenant.api), await aStudent(tenant.api, { fullName: 'Grace Hopper' })]
  const payment = await aPayment(tenant.api, { studentId: ada.id })
  const copy = new Copy()
  const round = () => mirror(client, { resources, store: copy, follow: false })
  await round()
  await assertInStep(client, copy)
  await client.students.update(ada.id, { fullName: 'Ada Lovelace', givenNames: 'Ada', familyNames: 'Lovelace' })
  assert.equal((await resourceClient.delete(`/api/resource/Student/${grace.studentCode}`)).status, 202)
  await round()
  assert.deepEqual([...copy.records.students.keys()], [ada.id])
  assert.equal((copy.records.payments.get(payment.id) as typeof payment).studentName, 'Ada Lovelace')
  await assertInStep(client, copy)
  const handed = copy.handed.length
  await round()
  assert.equal(copy.handed.length, handed)
  assert.equal(new Set(copy.handed).size, handed)
})

test('a name that was written before a payment and is seen after it comes into the copy', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  const student = await aStudent(tenant.api)
  const payment = await aPayment(tenant.api, { studentId: student.id })
  const copy = new Copy()
  const round = () => mirror(client, { resources, store: copy, follow: false })
  await round()
  await asOwner(service.database.connection, tenant.id, async (tx) => {
    await tx.query(sql`update students set full_name = 'Ada Late', version = version + 1 where id = ${student.id}`)
    await client.payments.update(payment.id, { description: 'Later' })
    await round()
  })
  await tenant.api.patch(`/payments/${(await aPayment(tenant.api, { studentId: student.id })).id}`, { amount: 7 })
  await round()
  assert.equal((copy.records.payments.get(payment.id) as typeof payment).studentName, 'Ada Late')
})

test('a program that is deleted leaves the copy', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  const resourceClient = await aRecordCaller(service, tenant)
  const made = await resourceClient.post('/api/resource/Program', { program_name: 'Nursing' })
  assert.equal(made.status, 200, made.text)
  const stored = new Map<string, object>()
  let state: MirrorState | null = null
  const store: MirrorStore<'programs'> = {
    load: () => Promise.resolve(state),
    write: (changes, next) => {
      for (const { id, record } of changes) record === null ? stored.delete(id) : stored.set(id, record)
      state = next
      return Promise.resolve()
    },
  }
  const round = () => mirror(client, { resources: ['programs'], store, follow: false })
  await round()
  assert.equal(stored.size, 1)
  assert.equal((await resourceClient.delete('/api/resource/Program/Nursing')).status, 202)
  await round()
  assert.equal(stored.size, 0)
})

test('a copy that is followed is in step soon after each change, until it is stopped', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  const copy = new Copy()
  const stop = new AbortController()
  const mirrored = mirror(client, { resources, store: copy, pause: 10, signal: stop.signal })
  for (let number = 0; number < 5; number += 1) {
    const { id, studentId } = await aPayment(tenant.api)
    // A round may meet the payment and only the next one its student.
    const isThere = () => copy.records.payments.has(id) && copy.records.students.has(studentId)
    await until(isThere, 'the payment and its student in the copy')
  }
  stop.abort()
  await mirrored
  await assertInStep(client, copy)
})

test('a copy loses nothing, whatever is written meanwhile and wherever its process dies', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  const resourceClient = await aRecordCaller(service, tenant)
  const copy = new Copy()
  copy.dies = () => Math.random() < 0.15
  let isWriting = true
  const write = async (name: string) => {
    for (let number = 0; number < 60; number += 1) {
      const student = await aStudent(tenant.api, { fullName: `${name} ${number}` })
      const { id } = await aPayment(tenant.api, { studentId: student.id })
      if (number % 3 === 0) await client.payments.update(id, { status: 'paid' })
      if (number % 4 === 0) await client.students.update(student.id, { fullName: `${name} ${number}, renamed` })
      const single = await aStudent(tenant.api, { fullName: `${name} ${number} alone` })
      if (number % 2 === 0) await resourceClient.delete(`/api/resource/Student/${single.studentCode}`)
    }
  }
  let deaths = 0
  const follow = async () => {
    for (let isLast = false; ; ) {
      try {
        await mirror(client, { resources, store: copy, follow: false })
        if (isLast) return
        isLast = !isWriting
      } catch (error) {
        if (!(error instanceof Death)) throw error
        deaths += 1
      }
    }
  }
  const writers = Promise.all([write('Ada'), write('Grace')]).finally(() => {
    isWriting = false
  })
  await Promise.all([writers, follow()])
  assert.ok(deaths > 5, String(deaths))
  await assertInStep(client, copy)
})

test('a first reading that is ended in the middle goes on where it was', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  for (let batch = 0; batch < 2; batch += 1) {
    await client.students.batch(
      Array.from({ length: 250 }, (_, number) => ({ externalId: `${batch}-${number}`, fullName: 'Ada' })),
    )
  }
  const copy = new Copy()
  let writes = 0
  copy.dies = () => ++writes === 6
  await assert.rejects(mirror(client, { resources, store: copy, follow: false }), Death)
  assert.equal(copy.records.students.size, 300)
  await mirror(client, { resources, store: copy, follow: false })
  assert.equal(copy.records.students.size, 500)
  // The page whose state was not kept comes again, and no other.
  assert.equal(copy.handed.length, 600)
  await assertInStep(client, copy)
})

test('a resource that is added to a copy is read whole', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  await aPayment(tenant.api)
  const copy = new Copy()
  await mirror(client, { resources: ['students'], store: copy, follow: false })
  assert.deepEqual([copy.records.students.size, copy.records.payments.size], [1, 0])
  await mirror(client, { resources, store: copy, follow: false })
  assert.deepEqual([copy.records.students.size, copy.records.payments.size], [1, 1])
})

test('a copy that is ahead of its service, which was put back, is not continued', async () => {
  const tenant = await service.tenant()
  const client = await aClient(tenant)
  await aStudent(tenant.api)
  const copy = new Copy()
  await mirror(client, { resources, store: copy, follow: false })
  const state = JSON.parse(copy.kept as string) as MirrorState
  copy.kept = JSON.stringify({ ...state, position: String(Number(state.position) + 1000) })
  await assert.rejects(mirror(client, { resources, store: copy, follow: false }), { code: 'validation_failed' })
})
