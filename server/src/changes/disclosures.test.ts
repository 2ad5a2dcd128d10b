import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../database/index.ts'
import { getOperator } from '../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../testing/fixtures/test-service.ts'
import { newId } from '../values/ids.ts'
import { type Disclosure, type DisclosureBounds, DisclosureLog } from './disclosures.ts'

const service = await startTestService()

/** A log over the database, which can be away, and what it reports. */
function aLog(bounds: Partial<DisclosureBounds> = {}) {
  const state = { isAway: false, tries: 0, reports: [] as { facts: { entries?: number }; message: string }[] }
  const real = service.data.for({ partition: 'notes' })
  const transaction: Database['transaction'] = (...call) => {
    state.tries += 1
    return state.isAway ? Promise.reject(new Error('the database is away')) : real.transaction(...call)
  }
  const database = { for: () => ({ transaction }) } as unknown as Database
  const error = (facts: object, message: string) => void state.reports.push({ facts, message })
  return {
    state,
    log: new DisclosureLog(database, { error }, { pauseMilliseconds: 1, gatherMilliseconds: 60_000, ...bounds }),
  }
}

const aRead = (tenant: TestTenant, ids: readonly string[] = [newId()]): Disclosure => ({
  context: getOperator(tenant),
  surface: 'client_api',
  operation: newId(),
  disclosed: { recordType: 'student', fieldGroup: 'identity' },
  ids,
  count: 1,
  filter: null,
})

const stored = ({ id }: TestTenant) =>
  service.database.inspect<{ record_ids: string[] }>(
    'select record_ids from disclosures where tenant_id = $1 order by id',
    [id],
  )

test('an orderly end writes what was read until then', async () => {
  const tenant = await service.tenant()
  const { log, state } = aLog()
  for (let read = 0; read < 50; read += 1) void log.add(aRead(tenant))
  await log.close()
  assert.deepEqual([(await stored(tenant)).length, state.reports], [50, []])
})

test('single records that the same caller reads by the same operation before entries are written are one entry with all of them', async () => {
  const tenant = await service.tenant()
  const { log } = aLog()
  const read = aRead(tenant, ['one'])
  void log.add(read)
  void log.add({ ...read, ids: ['other'] })
  void log.add({ ...read, ids: ['other'] })
  void log.add({ ...read, filter: { limit: 1 } })
  void log.add({ ...read, context: { ...read.context, address: '192.0.2.7' } })
  await log.close()
  assert.deepEqual(
    (await stored(tenant)).map(({ record_ids }) => record_ids),
    [['one', 'other'], ['one'], ['one']],
  )
})

test('what cannot be written while the database is away is written once it is back, and once', async () => {
  const tenant = await service.tenant()
  const { log, state } = aLog()
  void log.add(aRead(tenant, ['one']))
  state.isAway = true
  await log.flush()
  void log.add(aRead(tenant, ['other']))
  await log.flush()
  assert.deepEqual(await stored(tenant), [])
  assert.ok(state.reports.every(({ message }) => message === 'disclosures are not written yet'))
  state.isAway = false
  await log.flush()
  await log.close()
  assert.deepEqual(
    (await stored(tenant)).map(({ record_ids }) => record_ids),
    [['one'], ['other']],
  )
})

test('while the database is away no more is held than the bound, and what finds no room is counted in the log', async () => {
  const tenant = await service.tenant()
  const { log, state } = aLog({ maxIds: 10 })
  state.isAway = true
  void log.add(aRead(tenant))
  await log.flush()
  for (let read = 0; read < 20; read += 1) assert.equal(log.add(aRead(tenant)), undefined, 'no answer waits')
  await log.flush()
  const lost = state.reports.filter(({ message }) => message.startsWith('disclosures were not recorded'))
  // Each entry holds its id and a place of its own.
  assert.deepEqual(
    lost.map(({ facts }) => facts.entries),
    [16],
  )
  state.isAway = false
  await log.close()
  assert.equal((await stored(tenant)).length, 5)
})

test('where the buffer is full and the database takes entries, an answer waits for room and nothing is lost', async () => {
  const tenant = await service.tenant()
  const { log, state } = aLog({ maxIds: 4 })
  for (let read = 0; read < 30; read += 1) await log.add(aRead(tenant))
  await log.close()
  assert.deepEqual([(await stored(tenant)).length, state.reports], [30, []])
})

test('an end without the database gives up after its tries and reports how many entries are lost', async () => {
  const tenant = await service.tenant()
  const { log, state } = aLog({ lastTries: 3 })
  state.isAway = true
  void log.add(aRead(tenant))
  void log.add(aRead(tenant))
  await log.close()
  assert.equal(state.tries, 3)
  const last = state.reports.at(-1)
  assert.deepEqual([last?.facts.entries, last?.message], [2, 'disclosures could not be written before the end'])
})

test('ids and filters that PostgreSQL takes in no text keep nothing else from being written', async () => {
  const tenant = await service.tenant()
  const { log, state } = aLog()
  void log.add({
    ...aRead(tenant, ['a\u0000b', '\ud800', 'x'.repeat(10_000)]),
    filter: { 'k\u0000': '\ud800', email: 'a@b.example' },
  })
  void log.add(aRead(tenant, ['plain']))
  await log.close()
  const rows = await stored(tenant)
  assert.deepEqual([rows.length, state.reports], [2, []])
  assert.deepEqual(rows[0]?.record_ids, ['ab', '\ufffd', 'x'.repeat(200)])
})
