import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notOnCluster } from '../../testing/fixtures/database/test-database.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { Database, identifier, sql } from '../index.ts'

const service = await startTestService()
// Other tests run beside these, and keep what is brief from being so.
const brevity = { byItself: 1_000, whileContended: 2_000 }
const data = new Database(service.database.connection, { brevity })
afterFile(() => data.close())
const [one, other] = [await service.tenant(), await service.tenant()]
const skip = notOnCluster('the two tenants may be at different nodes')

interface Seen {
  readonly pid: number
  readonly tenant: string
}

/** Takes so many milliseconds, and tells over which connection and for whom it was asked; `words` tell its text from others. */
const taking = (words: string, milliseconds: number) => sql`
  select pg_backend_pid() as pid, current_tenant_id() as tenant, pg_sleep(${milliseconds / 1000}::float8) is null as ${identifier(words)}`

const read = async (tenantId: string, words: string, milliseconds = 0) => {
  const [seen] = await data.readBriefly<Seen>(tenantId, taking(words, milliseconds))
  assert.equal(seen?.tenant, tenantId)
  return seen?.pid
}

/** The connection over which the brief reads of a tenant go, once one was seen to be brief by itself. */
async function findShared(tenantId: string, words: string): Promise<number | undefined> {
  await read(tenantId, words)
  const pids = await Promise.all(Array.from({ length: 5 }, () => read(tenantId, words)))
  assert.equal(new Set(pids).size, 1)
  return pids[0]
}

test('what a tenant was answered quickly shares one connection from then on, whoever else is read for there', {
  skip,
}, async () => {
  const shared = await findShared(one.id, 'a')
  assert.notEqual(await read(other.id, 'a'), shared, 'another tenant has its own to learn of')
  const pids = await Promise.all([one, other, one, other].map(({ id }) => read(id, 'a')))
  assert.deepEqual(pids, [shared, shared, shared, shared])
})

test('what takes longer there than others should wait is done by itself, is not tried there again for a while, and hurts nobody', {
  skip,
}, async () => {
  const shared = await findShared(one.id, 'a')
  const [long, ...others] = await Promise.all([
    read(one.id, 'a', 3_000),
    read(one.id, 'a'),
    read(other.id, 'a'),
    read(one.id, 'a'),
  ])
  assert.notEqual(long, shared)
  assert.equal(others.length, 3)
  assert.notEqual(await read(one.id, 'a'), shared, 'for its tenant it is no company any more')
  assert.equal(await read(other.id, 'a'), shared, 'for another one it is')
  assert.equal(data.failures.get('57014') ?? 0, 0)
})

test('what takes its time by itself is never tried in company', async () => {
  await read(one.id, 'b', 1_100)
  const begun = await findShared(other.id, 'b')
  assert.notEqual(await read(one.id, 'b', 1_100), begun)
})

test('what it fails of in company it is refused for, and those beside it are answered', async () => {
  const divided = (by: number) =>
    data.readBriefly<{ quotient: number }>(one.id, sql`select 6 / ${by}::integer as quotient`)
  for (let round = 0; round < 3; round += 1) assert.deepEqual(await divided(2), [{ quotient: 3 }])
  const [rejected, answered] = await Promise.allSettled([divided(0), divided(3)])
  assert.equal(rejected?.status, 'rejected')
  assert.deepEqual(answered, { status: 'fulfilled', value: [{ quotient: 2 }] })
})

test('where the connection could not be told in time for whom it reads, it reads nothing for another tenant', {
  skip,
}, async (t) => {
  const [{ name } = { name: '' }] = await service.database.inspect<{ name: string }>(
    'select current_database() as name',
  )
  await service.database.inspect('create table slow_tellings (tenant text)')
  await service.database.inspect('grant select on slow_tellings to public')
  await service.database.inspect(`
    create function public.set_config(setting text, value text, is_local boolean) returns text language plpgsql as $$
    begin
      if exists (select from slow_tellings where tenant = value) then perform pg_sleep(3); end if;
      return pg_catalog.set_config(setting, value, is_local);
    end $$`)
  await service.database.inspect(`alter database ${name} set search_path = public, pg_catalog`)
  const slow = new Database(service.database.connection, { brevity })
  t.after(() => slow.close())
  const loadRead = async (tenantId: string) => {
    const [seen] = await slow.readBriefly<Seen>(tenantId, taking('c', 0))
    assert.equal(seen?.tenant, tenantId)
    return seen?.pid
  }
  for (const { id } of [one, other]) await loadRead(id)
  const [shared] = await Promise.all([loadRead(other.id), loadRead(one.id)])
  await service.database.inspect('insert into slow_tellings values ($1)', [other.id])
  assert.notEqual(await loadRead(other.id), shared)
  assert.equal(await loadRead(one.id), shared)
})
