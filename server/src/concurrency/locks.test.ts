import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type Transaction } from '../database/index.ts'
import { aStudent } from '../testing/fixtures/factories.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { untilWaiting } from '../testing/fixtures/waiting.ts'
import { guardLocks } from '../testing/rules/lock-guard.ts'
import { byLockOrder } from './lock-order.ts'
import { lockCounter, lockRows, lockTenantExclusive, lockTenantShared, takeAdvisoryLock } from './locks.ts'
import { undoneByFailure } from './savepoint.ts'

const service = await startTestService()
const { data, database } = service

/** Something that a transaction waits for until the test lets it go on. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

async function twoStudents(api: Parameters<typeof aStudent>[0]): Promise<[string, string]> {
  const [one, other] = [await aStudent(api), await aStudent(api)]
  return [one.id, other.id].sort() as [string, string]
}

test('kinds go before each other in one order: person, student, application, fee, payment, ledger; equals go by their ids', () => {
  const kinds = ['turn', 'contacts', 'students', 'admission_applications', 'users', 'fees', 'payments', 'ledger']
  const locks = kinds.flatMap((kind) => ['a', 'b'].map((key) => ({ kind, key })))
  assert.deepEqual([...locks].reverse().sort(byLockOrder), locks)
})

test('two that lock the same rows in opposite orders both come to their end without a deadlock, one of them beginning again', async () => {
  const tenant = await service.tenant()
  const [low, high] = await twoStudents(tenant.api)
  const holding = gate()
  const beginnings: string[] = []
  const lockBoth = (name: string, first: string, second: string, between: () => Promise<void>) =>
    data.transaction(tenant.id, async (tx) => {
      beginnings.push(name)
      await lockRows(tx, 'students', [first])
      await between()
      await lockRows(tx, 'students', [second])
    })
  const reachedBoth: Promise<void>[] = []
  const upward = gate()
  reachedBoth.push(
    lockBoth('upward', low, high, async () => {
      upward.open()
      await holding.opened
    }),
  )
  await upward.opened
  let isFirst = true
  reachedBoth.push(
    lockBoth('downward', high, low, async () => {
      if (!isFirst) return
      isFirst = false
      holding.open()
      await untilWaiting(database, 1)
    }),
  )
  await Promise.all(reachedBoth)
  assert.deepEqual(beginnings, ['upward', 'downward', 'downward'])
})

test('what comes before something held is taken at once where it is free', async () => {
  const tenant = await service.tenant()
  const [low, high] = await twoStudents(tenant.api)
  let beginnings = 0
  await data.transaction(tenant.id, async (tx) => {
    beginnings += 1
    await lockCounter(tx, 'B-')
    await lockRows(tx, 'students', [high, low])
    await takeAdvisoryLock(tx, 'somebody', 'anybody')
    await lockRows(tx, 'students', [low])
  })
  assert.equal(beginnings, 1)
})

test('turns that two want in opposite orders are given to one after the other', async () => {
  const { id } = await service.tenant()
  const order: string[] = []
  const take = (name: string, ...subjects: string[]) =>
    data.transaction(id, async (tx) => {
      for (const subject of subjects) await takeAdvisoryLock(tx, subject)
      order.push(name)
    })
  await Promise.all([take('one', 'a', 'b'), take('other', 'b', 'a'), take('third', 'b', 'a')])
  assert.equal(order.length, 3)
})

test('whoever works alone waits for those who change records, and they for it', async () => {
  const tenant = await service.tenant()
  const order: string[] = []
  const [changing, alone] = [gate(), gate()]
  const started = gate()
  const change = data.transaction(tenant.id, async (tx) => {
    lockTenantShared(tx)
    await tx.query(sql`select 1 as one`)
    started.open()
    await changing.opened
    order.push('changed')
  })
  await started.opened
  const rename = data.transaction(tenant.id, async (tx) => {
    lockTenantShared(tx)
    await lockTenantExclusive(tx)
    order.push('alone')
    await alone.opened
  })
  await untilWaiting(database, 1)
  changing.open()
  await change
  const later = data.transaction(tenant.id, async (tx) => {
    await takeAdvisoryLock(tx, 'a')
    order.push('later')
  })
  await untilWaiting(database, 1)
  alone.open()
  await Promise.all([rename, later])
  assert.deepEqual(order, ['changed', 'alone', 'later'])
})

test('whoever cannot work alone lets others go on, and gives up after some seconds', async () => {
  const { id } = await service.tenant()
  const [started, end] = [gate(), gate()]
  const change = data.transaction(id, async (tx) => {
    lockTenantShared(tx)
    await tx.query(sql`select 1 as one`)
    started.open()
    await end.opened
  })
  await started.opened
  const rejected = assert.rejects(
    data.transaction(id, (tx) => lockTenantExclusive(tx)),
    { code: '55P03' },
  )
  await untilWaiting(database, 1)
  // It waits behind the one that waits to be alone, and goes on long before the first one ends.
  await data.transaction(id, (tx) => takeAdvisoryLock(tx, 'a'))
  await rejected
  end.open()
  await change
})

test('a part that fails lets go of what it locked, so that it is locked again where it is needed', async () => {
  const tenant = await service.tenant()
  const { id } = await aStudent(tenant.api)
  const statements: string[] = []
  await data.transaction(tenant.id, async (tx) => {
    const reported: Transaction = {
      ...tx,
      query: (statement) => {
        statements.push(statement.text)
        return tx.query(statement)
      },
    }
    const part = undoneByFailure(reported, async () => {
      await lockRows(reported, 'students', [id])
      throw new Error('refused')
    })
    await assert.rejects(part, /refused/)
    await lockRows(reported, 'students', [id])
  })
  assert.equal(statements.filter((text) => text.includes('for no key update')).length, 2)
})

test('the guard of the tests sees who waits backward, and who changes what is not locked', async () => {
  const violations: string[] = []
  const getKinds = () => violations.map((violation) => violation.split(':')[0])
  const silent: Transaction = {
    tenantId: 'x',
    query: async () => [{ id: 'a' }] as never,
    send: () => {},
    sendExpression: () => {},
    atEnd: () => {},
    kept: new Map(),
  }
  const tx = guardLocks(silent, (violation) => violations.push(violation))
  await tx.query(sql`select f.id from fees f where f.name = ${'a'} for no key update`)
  await tx.query(sql`update fees set version = 2`)
  assert.deepEqual(getKinds(), [])
  await tx.query(sql`select s.id from students s where s.id = ${'a'} for no key update`)
  await tx.query(sql`select s.id from students s where s.id = ${'a'} for no key update skip locked`)
  tx.send(sql`update contacts set version = 2`)
  assert.deepEqual(getKinds(), ['waits for students  behind fees a', 'changes contacts that it has not locked'])
})
