import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'
import { TenantShares, type WorkKind } from './tenant-shares.ts'

/** Requests of tenants that are worked on until they are answered by hand. */
class Requests {
  readonly #shares = new TenantShares()
  readonly #open: { tenant: string; answer: () => void }[] = []
  readonly begun: Record<string, number> = {}

  send(tenant: string, count = 1, kind: WorkKind = {}): Promise<unknown> {
    const work = () => {
      this.begun[tenant] = (this.begun[tenant] ?? 0) + 1
      return new Promise<void>((response) => this.#open.push({ tenant, answer: response }))
    }
    const one = () => this.#shares.run(tenant, work, kind)
    return Promise.all(Array.from({ length: count }, one))
  }

  /** Answers what is open, until nothing is. */
  async respondAll(): Promise<void> {
    for (; this.#open.length > 0; await new Promise(setImmediate)) {
      for (const { answer: response } of this.#open.splice(0)) response()
    }
  }

  /** Answers the first of a tenant. */
  async respondOne(of: string): Promise<void> {
    const [first] = this.#open.splice(
      this.#open.findIndex(({ tenant }) => tenant === of),
      1,
    )
    first?.answer()
    await new Promise(setImmediate)
  }
}

test('tenant shares: without contention more requests run at once, and all complete', async () => {
  const requests = new Requests()
  const sent = requests.send('alone', 50)
  assert.equal(requests.begun.alone, 24)
  await requests.respondAll()
  await sent
  assert.equal(requests.begun.alone, 50)
})

test('tenant shares: half as many long pages run at once, in order of arrival', async () => {
  const requests = new Requests()
  const sent = [requests.send('alone', 10, { records: 20 }), requests.send('alone', 10, { records: 100 })]
  assert.equal(requests.begun.alone, 12)
  sent.push(requests.send('alone', 10))
  assert.equal(requests.begun.alone, 12)
  await requests.respondOne('alone')
  assert.equal(requests.begun.alone, 13)
  await requests.respondAll()
  await Promise.all(sent)
  assert.equal(requests.begun.alone, 30)
})

test('tenant shares: group commit gets twice as many slots without contention, the usual ones with it', async () => {
  const requests = new Requests()
  const writes = requests.send('alone', 60, { usesGroupCommit: true })
  assert.equal(requests.begun.alone, 48)
  const read = requests.send('alone')
  const quiet = requests.send('quiet', 5, { usesGroupCommit: true })
  assert.deepEqual(requests.begun, { alone: 48, quiet: 3 })
  await requests.respondAll()
  await Promise.all([writes, read, quiet])
  assert.deepEqual(requests.begun, { alone: 61, quiet: 5 })
})

test('tenant shares: a read is not overtaken by later group commits', async () => {
  const requests = new Requests()
  const before = requests.send('alone', 30, { usesGroupCommit: true })
  const read = requests.send('alone')
  const after = requests.send('alone', 30, { usesGroupCommit: true })
  assert.equal(requests.begun.alone, 30)
  for (let answered = 0; answered < 7; answered += 1) await requests.respondOne('alone')
  // The read, and those of the writes for which there is room behind it.
  assert.equal(requests.begun.alone, 30 + 1 + 24)
  await requests.respondAll()
  await Promise.all([before, read, after])
  assert.equal(requests.begun.alone, 61)
})

test('tenant shares: under contention a few requests per tenant run at once, and all complete', async () => {
  const requests = new Requests()
  const first = requests.send('quiet')
  const noisy = requests.send('noisy', 50)
  assert.deepEqual(requests.begun, { quiet: 1, noisy: 3 })
  await requests.respondOne('noisy')
  assert.deepEqual(requests.begun, { quiet: 1, noisy: 4 })
  const later = requests.send('quiet', 2)
  assert.deepEqual(requests.begun, { quiet: 3, noisy: 4 })
  await requests.respondAll()
  await Promise.all([first, noisy, later])
  assert.deepEqual(requests.begun, { quiet: 3, noisy: 50 })
})

test('tenant shares: a busy tenant drops to the contended maximum when another one arrives', async () => {
  const requests = new Requests()
  const noisy = requests.send('noisy', 100)
  assert.equal(requests.begun.noisy, 24)
  const quiet = requests.send('quiet', 1)
  const more = requests.send('noisy', 1)
  for (let answered = 0; answered < 21; answered += 1) await requests.respondOne('noisy')
  assert.equal(requests.begun.noisy, 24, 'none is begun while more than a few are under way')
  await requests.respondOne('noisy')
  assert.equal(requests.begun.noisy, 25)
  await requests.respondAll()
  await Promise.all([noisy, quiet, more])
  assert.deepEqual(requests.begun, { quiet: 1, noisy: 101 })
})

test('tenant shares: a long wait and a failure release the slot', async () => {
  const requests = new Requests()
  const [first, slow] = [requests.send('quiet'), requests.send('noisy', 5)]
  assert.equal(requests.begun.noisy, 3)
  const [last] = process.hrtime()
  while (requests.begun.noisy === 3) await new Promise(setImmediate)
  assert.ok(process.hrtime()[0] - last < 60)
  await requests.respondAll()
  await Promise.all([first, slow])
  const shares = new TenantShares()
  const fail = (tenant: string) => shares.run(tenant, () => Promise.reject(new Error('refused')))
  const outcomes = await Promise.allSettled(['quiet', ...Array.from({ length: 9 }, () => 'noisy')].map(fail))
  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
})

test('tenant shares: a slot ends when its work returns, rejects or throws, and errors are passed on', async () => {
  const shares = new TenantShares()
  const rejected = new Error('refused')
  const works: (() => Promise<string>)[] = [
    async () => 'answered',
    () => Promise.reject(rejected),
    () => {
      throw rejected
    },
  ]
  const begun: number[] = []
  const all = Array.from({ length: 60 }, (_, number) =>
    shares.run('alone', () => {
      begun.push(number)
      return (works[number % works.length] as (typeof works)[number])()
    }),
  )
  assert.equal(begun.length, 24)
  const outcomes = await Promise.allSettled(all)
  assert.deepEqual(begun, [...all.keys()])
  for (const [number, outcome] of outcomes.entries()) {
    if (number % works.length === 0) assert.deepEqual(outcome, { status: 'fulfilled', value: 'answered' })
    else assert.deepEqual(outcome, { status: 'rejected', reason: rejected })
  }
})

test('tenant shares: a waiting request continues in its own asynchronous context', async () => {
  const shares = new TenantShares()
  const request = new AsyncLocalStorage<number>()
  const reported = await Promise.all(
    Array.from({ length: 60 }, (_, number) =>
      request.run(number, () =>
        shares.run('alone', async () => {
          await new Promise(setImmediate)
          return request.getStore()
        }),
      ),
    ),
  )
  assert.deepEqual(reported, [...reported.keys()])
})
