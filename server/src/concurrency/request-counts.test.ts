import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { pageLimits } from '../http/pages/public/page-throttle.ts'
import { newSecret } from '../identity/secrets.ts'
import { Caller } from '../testing/fixtures/client.ts'
import { movedBack } from '../testing/fixtures/database/test-database.ts'
import { until } from '../testing/fixtures/service-process.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { RequestCounts } from './request-counts.ts'
import { MinuteCounts } from './shared-counts.ts'

const failuresPerMinute = 40
const service = await startTestService({ trustedProxies: '127.0.0.1', authFailuresPerMinute: failuresPerMinute })
const addresses = [service.address, await service.beside(), await service.beside()]

let client = 0
/** The headers of a client that nobody else in this file is. */
const aClient = () => {
  client += 1
  return { 'x-forwarded-for': `192.0.2.${client}` }
}

const booked = async () =>
  (
    await service.database.inspect<{ count: number }>(
      'select coalesce(sum(count), 0)::int as count from request_counts',
    )
  )[0]?.count as number

/**
 * Asks one process after the other until all of them refuse, and returns how often they did not. Each keeps less than two to itself,
 * so that is waited for before the next round.
 */
async function letThrough(ask: (address: string) => Promise<number>, maxCached: number): Promise<number> {
  const before = await booked()
  let passed = 0
  for (let rejected = 0; rejected < addresses.length; ) {
    rejected = 0
    for (const address of addresses) {
      if ((await ask(address)) === 429) rejected += 1
      else passed += 1
    }
    await until(
      async () => (await booked()) - before >= passed - addresses.length * maxCached,
      'the sum of all processes',
    )
  }
  return passed
}

test('whoever asks for pages as people do costs the database no count, and no address or link stands in it', async () => {
  const before = await booked()
  const headers = aClient()
  for (let count = 0; count < 20; count += 1) await fetch(`${service.address}/r/a/b/c`, { headers })
  assert.equal(await booked(), before)
  const columns = await service.database.inspect(
    `select attname from pg_attribute where attrelid = 'request_counts'::regclass and attnum > 0 order by attnum`,
  )
  assert.deepEqual(columns, [{ attname: 'key' }, { attname: 'count' }, { attname: 'ends_at' }])
  assert.deepEqual(await service.database.inspect('select key from request_counts where length(key) <> 32'), [])
})

test('whoever guesses links is held back over all processes together', async () => {
  const headers = aClient()
  const limit = pageLimits.unknownPerAddress
  const guess = async (address: string) => (await fetch(`${address}/r/${randomUUID()}`, { headers })).status
  const passed = await letThrough(guess, 1)
  assert.ok(passed >= limit && passed <= limit + 2 * addresses.length, `${passed} were let through`)
})

test('whoever tries tokens is held back over all processes together, and known tokens pass', async () => {
  const headers = aClient()
  const tenant = await service.tenant()
  const { secret } = await tenant.token()
  for (const address of addresses) assert.equal((await new Caller(address, secret).get('/me', headers)).status, 200)
  const tryOne = async (address: string) => (await new Caller(address, newSecret('client')).get('/me', headers)).status
  const passed = await letThrough(tryOne, 1)
  assert.ok(passed >= failuresPerMinute && passed <= failuresPerMinute + 3 * addresses.length, `${passed} passed`)
  for (const address of addresses) assert.equal((await new Caller(address, secret).get('/me', headers)).status, 200)
})

test('addresses of one IPv6 network try tokens as one', async () => {
  let status = 0
  for (let host = 1; status !== 429; host += 1) {
    assert.ok(host <= failuresPerMinute + 1)
    const headers = { 'x-forwarded-for': `2001:db8:7:7::${host.toString(16)}` }
    status = (await new Caller(service.address, 'mtc_nonsense').get('/me', headers)).status
  }
})

test('while the counts cannot be written each process holds to the limit by itself, and tells the others later', async () => {
  const counts = new MinuteCounts(randomUUID(), 20, new RequestCounts(service.data))
  const before = await booked()
  await service.database.inspect('revoke insert on request_counts from matricula_service')
  const waits = Array.from({ length: 25 }, () => counts.take('somebody'))
  assert.deepEqual([waits.filter((seconds) => seconds === 0).length, waits[24]], [20, 60])
  await service.database.inspect('grant insert on request_counts to matricula_service')
  const others = new MinuteCounts(randomUUID(), 20, new RequestCounts(service.data))
  others.take('somebody')
  await until(async () => (await booked()) > before, 'a count that is written again')
})

test('what is over is counted anew, and forgotten', async () => {
  const name = randomUUID()
  const counts = () => new MinuteCounts(name, 5, new RequestCounts(service.data))
  const one = counts()
  for (let count = 0; count < 5; count += 1) one.take('key')
  const isFull = async (other: MinuteCounts) => {
    other.take('key')
    await until(async () => (await booked()) > 0, 'a count')
    return other.wait('key') > 0
  }
  const second = counts()
  await until(() => isFull(second), 'what another process counted')
  await service.database.inspect(`update request_counts set ${movedBack('ends_at', '3 minutes')}`)
  const third = counts()
  third.take('another key')
  await until(async () => {
    const [row] = await service.database.inspect<{ old: number }>(
      'select count(*)::int as old from request_counts where ends_at < now()',
    )
    return row?.old === 0
  }, 'the end of old counts')
  third.take('key')
  assert.equal(third.wait('key'), 0)
})
