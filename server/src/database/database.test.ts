import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../testing/test-service.ts'
import { DatabaseUnavailable, sql } from './index.ts'

const service = await startTestService()
const { data, database } = service

test('a transaction or a read whose connection is cut fails as unavailable, and the next one works', async () => {
  const { id } = await service.tenant()
  const cut = data.transaction(id, async (tx) => {
    const [backend] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await database.inspect('select pg_terminate_backend($1, 5000)', [backend?.pid])
    return tx.query(sql`select 1 as one`)
  })
  await assert.rejects(cut, DatabaseUnavailable)
  const reads = [1, 2].map((lane) => data.read(id, sql`select pg_sleep(30) is null as slept, ${lane}::int as lane`))
  const ended = Promise.all(reads.map((read) => assert.rejects(read, DatabaseUnavailable)))
  for (let cutOff = 0; cutOff < 2; ) {
    const rows = await database.inspect(`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`)
    cutOff += rows.length
  }
  await ended
  assert.deepEqual(await data.read(id, sql`select 1 as one`), [{ one: 1 }])
  assert.deepEqual(await data.transaction(id, (tx) => tx.query(sql`select 1 as one`)), [{ one: 1 }])
})

test('a statement that was sent without waiting fails the commit, and nothing is written', async () => {
  const { id } = await service.tenant()
  const failing = data.transaction(id, async (tx) => {
    await tx.query(sql`insert into naming_series (tenant_id, prefix, current) values (${id}, 'A', 1)`)
    tx.send(sql`select 1 / 0`)
  })
  await assert.rejects(failing, /division by zero/)
  assert.deepEqual(await data.read(id, sql`select prefix from naming_series where tenant_id = ${id}`), [])
})

test('a transaction that loses a race runs again and sees the winner', async () => {
  const { id } = await service.tenant()
  const add = () =>
    data.transaction(id, async (tx) => {
      const found = await tx.query(sql`select 1 from naming_series where tenant_id = ${id} and prefix = 'A'`)
      if (found.length > 0) return 'found'
      await tx.query(sql`insert into naming_series (tenant_id, prefix, current) values (${id}, 'A', 1)`)
      return 'added'
    })
  const outcomes = await Promise.all([add(), add(), add(), add()])
  assert.deepEqual(outcomes.sort(), ['added', 'found', 'found', 'found'])
})

test('deadlocked transactions both come to their end', async () => {
  const { id } = await service.tenant()
  await data.transaction(id, (tx) =>
    tx.query(sql`insert into naming_series (tenant_id, prefix, current) values (${id}, 'A', 0), (${id}, 'B', 0)`),
  )
  const bump = (order: string[]) =>
    data.transaction(id, async (tx) => {
      for (const prefix of order) {
        await tx.query(
          sql`update naming_series set current = current + 1 where tenant_id = ${id} and prefix = ${prefix}`,
        )
      }
    })
  await Promise.all([bump(['A', 'B']), bump(['B', 'A']), bump(['A', 'B'])])
  const rows = await data.read(id, sql`select current from naming_series where tenant_id = ${id}`)
  assert.deepEqual(rows, [{ current: 3 }, { current: 3 }])
})

test('only one process at a time holds an exclusive lock', async () => {
  const order: string[] = []
  const outer = await data.withExclusiveLock('test', async () => {
    order.push('outer')
    assert.equal(await data.withExclusiveLock('test', async () => void order.push('inner')), false)
  })
  assert.equal(outer, true)
  assert.equal(await data.withExclusiveLock('test', async () => void order.push('later')), true)
  assert.deepEqual(order, ['outer', 'later'])
})
