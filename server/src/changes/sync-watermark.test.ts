import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { clientOptions } from '../database/index.ts'
import { Caller } from '../testing/fixtures/client.ts'
import { raceSyncs } from '../testing/fixtures/database/sync-race.ts'
import { aRecordCaller, aStudent } from '../testing/fixtures/factories.ts'
import { RecordCaller } from '../testing/fixtures/record-caller.ts'
import { until } from '../testing/fixtures/service-process.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'

// These tests write without the locks that the service takes.
const service = await startTestService({ guardsLocks: false })
const { inspect, inspectAt } = service.database

async function withClient<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(clientOptions(service.database.connection, 'owner', 'matricula test'))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function watermarkNow(): Promise<string> {
  const [row] = await inspect<{ stamp: string }>(`select date_trunc('milliseconds', sync_watermark()) as stamp`)
  return row?.stamp as string
}

/** Lets the watermark see something else than what the catalogue has of that name, until `work` is done. */
async function withCatalogue(views: string, work: () => Promise<void>): Promise<void> {
  await inspect(`create schema staged; ${views.replaceAll('create ', 'create or replace ')};
                 alter function sync_watermark() set search_path = staged, pg_catalog, public`)
  try {
    await work()
  } finally {
    await inspect(`alter function sync_watermark() set search_path = pg_catalog, public; drop schema staged cascade`)
  }
}

test('what begins and is stamped while the watermark is read is not before it', async () => {
  const gated = `
    create view staged.pg_stat_activity as
      with looked as materialized (select * from pg_catalog.pg_stat_activity),
           waited as materialized (select count(*), pg_catalog.pg_advisory_xact_lock_shared(7) from looked)
      select looked.* from looked, waited`
  await withCatalogue(gated, () =>
    withClient(async (gate) => {
      await gate.query('select pg_advisory_lock(7)')
      const reading = watermarkNow()
      const waiting = `select from pg_locks where locktype = 'advisory' and objid = 7 and not granted`
      await until(async () => (await inspect(waiting)).length > 0, 'the reader waiting for the gate')
      await withClient(async (writer) => {
        await writer.query('begin')
        const { rows } = await writer.query('select current_stamp() as stamp')
        await gate.query('select pg_advisory_unlock(7)')
        const watermark = await reading
        assert.ok(watermark <= rows[0].stamp, `the watermark ${watermark} is after the stamp ${rows[0].stamp}`)
        await writer.query('rollback')
      })
    }),
  )
})

test('sweeps through two services miss nothing while both surfaces write, whatever commits when', async () => {
  const slow = `
    create view staged.pg_stat_activity as
      with looked as materialized (select * from pg_catalog.pg_stat_activity),
           waited as materialized (select count(*), pg_catalog.pg_sleep(0.02) from looked)
      select looked.* from looked, waited`
  const tenant = await service.tenant()
  const [client, records] = [await tenant.token(), await aRecordCaller(service, tenant)]
  const other = await service.beside()
  const { secret } = await tenant.token({ kind: 'resource', scopes: [], masterDomains: [], roles: ['System Manager'] })
  const runners = [
    { api: client.api, resourceClient: records },
    {
      api: new Caller(other, client.secret),
      resourceClient: new RecordCaller(`${other}/t/${tenant.slug}`, { authorization: secret }),
    },
  ]
  await withCatalogue(slow, async () => {
    const { written, missed, sweeps: syncs } = await raceSyncs(runners, 5, 20)
    assert.ok(written > 0 && syncs > 2, `${written} written, ${syncs} sweeps`)
    assert.deepEqual(missed, [], `${missed.length} of ${written} were missed`)
  })
})

test('a watermark follows the clock, and stays before a transaction that is open', async () => {
  const start = new Date().toISOString()
  await until(async () => (await watermarkNow()) > start, 'a watermark after the start')
  await withClient(async (open) => {
    await open.query('begin')
    const { rows } = await open.query(`select date_trunc('milliseconds', now()) as began`)
    const isLater = async () => {
      assert.ok((await watermarkNow()) <= rows[0].began)
      const clock = await open.query(`select clock_timestamp() > now() + interval '1200 milliseconds' as is_later`)
      return clock.rows[0].is_later === true
    }
    await until(isLater, 'the next second, in which the floor follows')
    await open.query('rollback')
  })
})

test('where the clock steps back, changes on both surfaces are stamped no earlier than the watermark that was told', async () => {
  const tenant = await service.tenant()
  const resourceClient = await aRecordCaller(service, tenant)
  const before = await aStudent(tenant.api)
  // The same as a clock that has stepped back by an hour since the watermark was read.
  await inspectAt(
    tenant.id,
    `select setval('stamp_floor', floor(extract(epoch from clock_timestamp()) * 1000)::bigint + 3600000)`,
  )
  try {
    let reported = ''
    const isTold = async () => {
      reported = (await tenant.api.get('/students?limit=1')).headers.get('sync-watermark') as string
      return Date.parse(reported) > Date.now() + 3_000_000
    }
    await until(isTold, () => `a watermark of the clock before it stepped back, not ${reported}`)
    const created = await aStudent(tenant.api)
    await tenant.api.patch(`/students/${before.id}`, { city: 'Lima' })
    const made = await resourceClient.post('/api/resource/Student', { first_name: 'Grace' })
    assert.equal(made.status, 200, made.text)
    const { body } = await tenant.api.get(`/students?updatedSince=${reported}`)
    const codes = body.data.map((student: { studentCode: string }) => student.studentCode)
    assert.deepEqual(codes, [before.studentCode, created.studentCode, made.body.data.name])
    const [event] = await inspect<{ early: number }>(
      'select count(*)::integer as early from events where tenant_id = $1 and occurred_at < $2 and entity_id = $3',
      [tenant.id, reported, created.id],
    )
    assert.equal(event?.early, 0)
  } finally {
    await inspectAt(
      tenant.id,
      `select setval('stamp_floor', floor(extract(epoch from clock_timestamp()) * 1000)::bigint)`,
    )
  }
})

test('a stamp is never before the begin of its transaction, also where the clock steps back in between', async () => {
  await inspect(`
    create schema behind;
    create function behind.clock_timestamp() returns timestamptz language sql volatile
      as $$ select pg_catalog.clock_timestamp() - interval '1 hour' $$`)
  await withClient(async (client) => {
    await client.query('set search_path = behind, pg_catalog, public')
    await client.query('begin')
    const { rows } = await client.query(`select date_trunc('milliseconds', now()) as began, current_stamp() as stamp,
                                                clock_timestamp() as clock`)
    const [{ began, stamp, clock }] = rows
    assert.ok(clock < began && stamp >= began, JSON.stringify(rows[0]))
    await client.query('rollback')
  })
})

test('while somebody prepares a two-phase commit, of which nobody knows when it began, the next sweep reads everything', async () => {
  const prepared = 'create view staged.pg_prepared_xacts as select current_database() as database'
  await withCatalogue(prepared, async () => assert.equal(await watermarkNow(), '1970-01-01T00:00:00.000Z'))
})
