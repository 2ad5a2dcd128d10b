import assert from 'node:assert/strict'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { notOnCluster } from '../testing/fixtures/database/test-database.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { untilWaiting } from '../testing/fixtures/waiting.ts'
import { Cancelled, Database, DatabaseUnavailable, sql, type Transaction } from './index.ts'
import { isEmbedded } from './pool/connection.ts'
import type { PartitionName } from './pool/partitions.ts'

// These tests lock as nothing in the service does.
const service = await startTestService({ guardsLocks: false })
const { data, database } = service

test('a transaction or a read whose connection is cut fails as unavailable, and the next one works', async () => {
  const { id } = await service.tenant()
  const cut = data.transaction(id, async (tx) => {
    const [backend] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await database.inspectAt(id, 'select pg_terminate_backend($1::int, 5000)', [backend?.pid])
    return tx.query(sql`select 1 as one`)
  })
  await assert.rejects(cut, DatabaseUnavailable)
  const reads = [1, 2].map((lane) => data.read(id, sql`select pg_sleep(30) is null as slept, ${lane}::int as lane`))
  const ended = Promise.all(reads.map((read) => assert.rejects(read, DatabaseUnavailable)))
  for (let cutOff = 0; cutOff < 2; ) {
    const rows = await database.inspectEach(`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`)
    cutOff += rows.length
  }
  await ended
  assert.deepEqual(await data.read(id, sql`select 1 as one`), [{ one: 1 }])
  assert.deepEqual(await data.transaction(id, (tx) => tx.query(sql`select 1 as one`)), [{ one: 1 }])
})

test('what shares a connection is found by an index and starts no workers, however much a plan expects', async () => {
  const { id } = await service.tenant()
  const [plan] = await data.read(
    id,
    sql`select current_setting('enable_seqscan') as whole_tables, current_setting('max_parallel_workers_per_gather') as workers`,
  )
  assert.deepEqual(plan, { whole_tables: 'off', workers: '0' })
})

test('a table to which a transaction adds most of its rows gets statistics within it, from five hundred rows on', {
  skip: notOnCluster('Citus makes statistics by itself'),
}, async () => {
  const { id } = await service.tenant()
  const rows = await data.transaction(id, async (tx) => {
    const grow = async (from: number, to: number) => {
      await tx.query(sql`
          insert into naming_series (tenant_id, prefix, current)
          select ${id}, 'N' || n, 0 from generate_series(${from}::int, ${to}::int) as n`)
      await tx.query(sql`select analyze_grown_tables()`)
      const [table] = await tx.query<{ rows: number }>(
        sql`select greatest(reltuples, 0) as rows from pg_class where oid = 'naming_series'::regclass`,
      )
      return table?.rows ?? 0
    }
    return [await grow(1, 499), await grow(500, 600), await grow(601, 700)]
  })
  assert.deepEqual(rows, [0, 600, 600])
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

test('of what is sent together nothing is done from the first that fails on, and each of the others tells that it is not its fault', async () => {
  const { id } = await service.tenant()
  const bump = await aCounter(id, 'A')
  const codes: unknown[] = []
  const failing = data.transaction(id, async (tx) => {
    const parts = [tx.query(bump('A')), tx.query(sql`select 1 / 0`), tx.query(bump('A')), tx.query(sql`select now()`)]
    const reported = await Promise.allSettled(parts)
    for (const each of reported) codes.push(each.status === 'fulfilled' ? null : each.reason.code)
  })
  await assert.rejects(failing, /division by zero/)
  assert.deepEqual(codes, [null, '22012', '22012', '22012'])
  assert.deepEqual(await data.read(id, sql`select current from naming_series where tenant_id = ${id}`), [
    { current: 0 },
  ])
})

test('a value that cannot be sent fails the whole transaction, and the connection is of use afterwards', async () => {
  const { id } = await service.tenant()
  const bump = await aCounter(id, 'A')
  const circular: { self?: object } = {}
  circular.self = circular
  for (const last of ['send', 'query'] as const) {
    const failing = data.transaction(id, async (tx) => {
      tx.send(bump('A'))
      await tx[last](sql`select ${circular}::jsonb`)
    })
    await assert.rejects(failing, /circular/)
  }
  assert.deepEqual(await data.read(id, sql`select current from naming_series where tenant_id = ${id}`), [
    { current: 0 },
  ])
  await data.transaction(id, (tx) => tx.query(bump('A')))
})

test('a value that cannot be sent fails the transaction whatever is answered meanwhile', async () => {
  const { id } = await service.tenant()
  const bump = await aCounter(id, 'A')
  const failing = data.transaction(id, async (tx) => {
    const first = tx.query(bump('A'))
    const circular: { self?: object } = {}
    circular.self = circular
    tx.send(sql`select ${circular}::jsonb`)
    await first
  })
  await assert.rejects(failing, /circular/)
  assert.deepEqual(await data.read(id, sql`select current from naming_series where tenant_id = ${id}`), [
    { current: 0 },
  ])
})

test('what a read has failed of leaves the next one of its connection to its own tenant', async () => {
  const one = new Database(database.connection, { connections: 1 })
  try {
    const [first, second] = [await service.tenant(), await service.tenant()]
    const loadOwn = ({ id }: { id: string }, partition: PartitionName) =>
      one.for({ partition }).readSlowly(id, sql`select tenant_id from naming_series where tenant_id = ${id}`)
    for (const tenant of [first, second]) await aCounter(tenant.id, 'A')
    for (const partition of ['reads', 'writes'] as const) {
      assert.deepEqual(await loadOwn(second, partition), [{ tenant_id: second.id }])
      await assert.rejects(one.for({ partition }).readSlowly(first.id, sql`select 1 / 0`), /division by zero/)
      assert.deepEqual(await loadOwn(first, partition), [{ tenant_id: first.id }])
    }
  } finally {
    await one.close()
  }
})

test('of reads that are sent together one that fails keeps none of the others from its answer, nor from its tenant', async () => {
  const [{ id }, other] = [await service.tenant(), await service.tenant()]
  const ownTenant = (tenantId: string) => data.read(tenantId, sql`select current_setting('matricula.tenant_id') as own`)
  const division = (by: number) => data.read(id, sql`select 6 / ${by}::int as result`)
  for (const each of [id, other.id]) await ownTenant(each)
  const reported = await Promise.allSettled([division(2), division(0), division(3), ownTenant(other.id), ownTenant(id)])
  const answers = reported.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code))
  const getOwn = (own: string) => [{ own }]
  assert.deepEqual(answers, [[{ result: 3 }], '22012', [{ result: 2 }], getOwn(other.id), getOwn(id)])
})

test('a statement that a failed flight has prepared is of use afterwards, also to what was sent before that was known', async () => {
  const { id } = await service.tenant()
  const one = new Database(database.connection, { connections: 1 })
  try {
    const fresh = sql`select ${'of this test alone'}::text as said`
    const failing = one.transaction(id, async (tx) => {
      const sent = [tx.query(fresh), tx.query(sql`select 1 / 0`)]
      await new Promise(setImmediate)
      sent.push(tx.query(fresh))
      await Promise.allSettled(sent)
    })
    await assert.rejects(failing, /division by zero/)
    assert.deepEqual(await one.transaction(id, (tx) => tx.query(fresh)), [{ said: 'of this test alone' }])
  } finally {
    await one.close()
  }
})

test('a statement is planned anew after some uses on a connection, each time after four times as many', async () => {
  const { id } = await service.tenant()
  const plannedAt: number[] = []
  await data.transaction(id, async (tx) => {
    for (let use = 1; use <= 100; use += 1) {
      const [row] = await tx.query<{ uses: number }>(sql`
        select generic_plans + custom_plans as uses from pg_prepared_statements where statement like '%generic_plans + custom_plans%'`)
      // The plan that is being made counts already.
      if (row?.uses === 1) plannedAt.push(use)
    }
  })
  assert.deepEqual(plannedAt, [1, 17, 65])
})

test('what asks of a transaction that has ended is refused', async () => {
  const { id } = await service.tenant()
  let late: Transaction | undefined
  await data.transaction(id, async (tx) => {
    late = tx
  })
  assert.throws(() => late?.send(sql`select 1`), /has ended/)
  await assert.rejects(async () => late?.query(sql`select 1`), /has ended/)
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

/** A row of the tenant to wait for, and how to count up on it. */
async function aCounter(tenantId: string, ...prefixes: string[]) {
  await data.transaction(tenantId, async (tx) => {
    for (const prefix of prefixes) {
      await tx.query(sql`insert into naming_series (tenant_id, prefix, current) values (${tenantId}, ${prefix}, 0)`)
    }
  })
  return (prefix: string) => sql`
    update naming_series set current = current + 1 where tenant_id = ${tenantId} and prefix = ${prefix}`
}

/** Holds a row until the returned function is called. */
async function holding(tenantId: string, row: ReturnType<typeof sql>): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = withResolvers()
  const { promise: held, resolve: hold } = withResolvers()
  const ended = data.transaction(tenantId, async (tx) => {
    await tx.query(row)
    hold()
    await released
  })
  await held
  return () => {
    release()
    return ended
  }
}

function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

test('a deadlock of a statement that nobody waited for is told by the next one, and the transaction runs again', async () => {
  const { id } = await service.tenant()
  const bump = await aCounter(id, 'A', 'B')
  let arrived = 0
  const { promise: both, resolve: bothArrived } = withResolvers()
  const codes: unknown[] = []
  const cross = (own: string, other: string) =>
    data.transaction(id, async (tx) => {
      await tx.query(bump(own))
      arrived += 1
      if (arrived === 2) bothArrived()
      await both
      tx.send(bump(other))
      await tx.query(sql`select 1 as one`).catch((error) => {
        codes.push(error.code)
        throw error
      })
    })
  await Promise.all([cross('A', 'B'), cross('B', 'A')])
  // Both may find it at the same moment.
  assert.deepEqual([...new Set(codes)], ['40P01'])
  const rows = await data.read(id, sql`select current from naming_series where tenant_id = ${id}`)
  assert.deepEqual(rows, [{ current: 2 }, { current: 2 }])
})

test('what a savepoint undid does not explain what fails later', async () => {
  const { id } = await service.tenant()
  const failing = data.transaction(id, async (tx) => {
    await tx.query(sql`savepoint here`)
    await tx.query(sql`select 1 / 0`).catch(() => {})
    await tx.query(sql`rollback to savepoint here`)
    await tx.query(sql`select 'x'::text::int`)
  })
  await assert.rejects(failing, { code: '22P02' })
})

test('a transaction cannot take a second connection', async () => {
  const { id } = await service.tenant()
  const nested: ((tx: Transaction) => Promise<unknown>)[] = [
    () => data.transaction(id, async () => {}),
    () => data.readSlowly(id, sql`select 1`),
    () => data.read(id, sql`select 1`),
    () => data.readGlobal(sql`select 1`),
  ]
  for (const work of nested) await assert.rejects(data.transaction(id, work), /must not take a second connection/)
})

test('a note inside a transaction is no part of it, and is left out where it cannot be written', async () => {
  const { id } = await service.tenant()
  const bump = await aCounter(id, 'A')
  await assert.rejects(
    data.transaction(id, async () => {
      data.note(id, bump('A'))
      data.note(id, sql`select 1 / 0`)
      throw new Error('undone')
    }),
    /undone/,
  )
  for (let recorded = 0; recorded === 0; ) {
    const [row] = await data.read<{ current: number }>(
      id,
      sql`select current from naming_series where tenant_id = ${id}`,
    )
    recorded = row?.current ?? 0
  }
})

test('a tenant whose transactions all wait for one row keeps no other from its own', async () => {
  const noisy = (await service.tenant()).id
  const quiet = (await service.tenant()).id
  const bump = await aCounter(noisy, 'A')
  const release = await holding(noisy, bump('A'))
  const waiting = Array.from({ length: 40 }, () => data.transaction(noisy, (tx) => tx.query(bump('A'))))
  await untilWaiting(database, 5) // and the one that holds the row
  // Each server has rooms of its own.
  const writes = data.rooms.filter(({ name, held }) => name === 'writes' && held > 0)
  assert.deepEqual(
    writes.map(({ held, waiting: inLine }) => [held, inLine]),
    [[6, 35]],
  )
  assert.deepEqual(await data.transaction(quiet, (tx) => tx.query(sql`select 1 as one`)), [{ one: 1 }])
  await release()
  await Promise.all(waiting)
  const rows = await data.read(noisy, sql`select current from naming_series where tenant_id = ${noisy}`)
  assert.deepEqual(rows, [{ current: 41 }])
})

test('a statement is cancelled when nobody wants it any more: a read, a write, and what waits in line', async () => {
  const { id } = await service.tenant()
  const bump = await aCounter(id, 'A')
  const release = await holding(id, bump('A'))
  const client = new AbortController()
  const wanted = data.for({ signal: client.signal })
  const works = [
    ...Array.from({ length: 9 }, () => wanted.transaction(id, (tx) => tx.query(bump('A')))),
    wanted.readSlowly(id, sql`select current from naming_series where tenant_id = ${id} for update`),
  ]
  const rejected = Promise.all(works.map((work) => assert.rejects(work, Cancelled)))
  await untilWaiting(database, 6)
  client.abort()
  await rejected
  await untilWaiting(database, 0)
  await assert.rejects(wanted.readSlowly(id, sql`select 1`), Cancelled)
  await release()
  assert.deepEqual(await data.readSlowly(id, sql`select current from naming_series where tenant_id = ${id}`), [
    { current: 1 },
  ])
})

test('work that nobody wants any more is undone when it has not come to its commit, and stays when it has', async () => {
  const { id } = await service.tenant()
  const bump = await aCounter(id, 'A')
  const client = new AbortController()
  const wanted = data.for({ signal: client.signal })
  const undone = wanted.transaction(id, async (tx) => {
    await tx.query(bump('A'))
    client.abort()
  })
  await assert.rejects(undone, Cancelled)
  const late = new AbortController()
  const done = data.for({ signal: late.signal }).transaction(id, async (tx) => {
    await tx.query(bump('A'))
    // Comes when the commit is on its way.
    queueMicrotask(() => queueMicrotask(() => setImmediate(() => late.abort())))
  })
  await done
  const rows = await data.read(id, sql`select current from naming_series where tenant_id = ${id}`)
  assert.deepEqual(rows, [{ current: 1 }])
})

test('what has patience steps back before what somebody waits for, where the database is the one on this machine', async (t) => {
  if (!isEmbedded(database.connection)) return t.skip('the database is not the embedded one')
  const { id } = await service.tenant()
  const loadPriority = (partition: PartitionName) =>
    data.for({ partition }).transaction(id, async (tx) => {
      const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      return getPriority(row?.pid)
    })
  const [promptly, patiently] = [await loadPriority('writes'), await loadPriority('long')]
  assert.equal(patiently, Math.min(19, promptly + 5))
  assert.deepEqual([await loadPriority('jobs'), await loadPriority('reads')], [patiently, promptly])
})
