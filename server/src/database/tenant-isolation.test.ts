import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment } from '../testing/fixtures/factories.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { DatabaseUnavailable, sql } from './index.ts'

// Statements that forget the tenant forget the locks too.
const service = await startTestService({ guardsLocks: false })

const isCluster = service.database.workers.length > 0

/** Tables that belong to no tenant. */
const globalTables = [
  'api_key_hashes',
  'backup_state',
  'files_keys',
  'deleted_tenants',
  'installations',
  'job_states',
  'oauth_consumer_keys',
  'request_counts',
  'secret_key_marks',
  'schema_migrations',
  'tenants',
]

test('every table is a tenant’s, but for the named ones: tenant_id first in its key and closed by row-level security', async () => {
  const tables = await service.database.inspect<{ name: string; first: string; closed: boolean; policies: number }>(`
    select c.relname as name, c.relrowsecurity as closed,
           (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
             where i.indrelid = c.oid and i.indisprimary) as first,
           (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`)
  assert.ok(tables.length > 15)
  for (const { name, first, closed, policies } of tables) {
    if (globalTables.includes(name)) continue
    assert.deepEqual([name, first, closed, policies], [name, 'tenant_id', true, 1])
  }
})

test('every foreign key between tenant tables names the tenant', async () => {
  const keys = await service.database.inspect<{ name: string; columns: string[]; target: string }>(`
    select k.conname as name, k.confrelid::regclass::text as target,
           array(select a.attname::text from unnest(k.conkey) n join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n)
             as columns
      from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace`)
  for (const { name, columns, target } of keys) {
    assert.equal(columns[0], 'tenant_id', name)
    assert.ok(target === 'tenants' ? columns.length === 1 : columns.length > 1, name)
  }
})

test('the service’s role owns nothing, cannot bypass row-level security, and cannot change the audit', async () => {
  const [role] = await service.database.inspect(`
    select rolsuper, rolbypassrls, rolcreaterole, rolcanlogin,
           (select count(*)::int from pg_class where relowner = r.oid) as owned,
           has_table_privilege('matricula_service', 'audit_entries', 'update, delete') as may_change_audit
      from pg_roles r where rolname = 'matricula_service'`)
  assert.deepEqual(role, {
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcanlogin: false,
    owned: 0,
    may_change_audit: false,
  })
})

test('a query that forgets its tenant predicate sees its own tenant only', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  await aPayment(ours.api)
  await aPayment(theirs.api)
  const forgetful = sql`select distinct tenant_id from payments`
  const expected = [{ tenant_id: ours.id }]
  assert.deepEqual(await service.data.read(ours.id, forgetful), expected)
  assert.deepEqual(await service.data.readSlowly(ours.id, forgetful), expected)
  // A cluster would have to ask every node, which it cannot do for this role.
  if (isCluster) await assert.rejects(service.data.readGlobal(forgetful), DatabaseUnavailable)
  else assert.deepEqual(await service.data.readGlobal(forgetful), [])
})

test('nothing can be written into another tenant', async () => {
  const [ours, theirs] = [await service.tenant(), await service.tenant()]
  const payment = await aPayment(theirs.api)
  const write = service.data.transaction(ours.id, (tx) =>
    tx.query(sql`insert into naming_series (tenant_id, prefix, current) values (${theirs.id}, 'X', 1)`),
  )
  await assert.rejects(write, (error: Error) => {
    // On a cluster the other tenant's rows may be on another node, and this one hands nothing on for this role.
    return /row-level security/.test(error.message) || (isCluster && error instanceof DatabaseUnavailable)
  })
  const changed = await service.data.transaction(ours.id, (tx) =>
    tx.query(sql`update payments set amount = 1 where id = ${payment.id} returning id`),
  )
  assert.deepEqual(changed, [])
})

test('reads of many tenants at once over the shared connections never mix', async () => {
  const tenants = await Promise.all(Array.from({ length: 6 }, () => service.tenant()))
  await Promise.all(tenants.map(({ api }) => aPayment(api)))
  // It has a value, as each statement of a tenant has, so that it is planned for the tenant where that matters.
  const forgetful = sql`select tenant_id from payments where ${true}::boolean`
  const reads = Array.from({ length: 300 }, async (_, index) => {
    const { id } = tenants[(index * 7) % tenants.length] as { id: string }
    assert.deepEqual(await service.data.read(id, forgetful), [{ tenant_id: id }])
  })
  await Promise.all(reads)
})
