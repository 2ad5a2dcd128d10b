import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { createApiKey } from '../../identity/api-keys.ts'
import { joinNodes, onceAsOwner } from '../../testing/cluster/citus-cluster.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { createTestDatabase, getUrl, onDatabase } from '../../testing/fixtures/database/test-database.ts'
import { aRecordCaller, aStudent } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { newId } from '../../values/ids.ts'
import { type Connection, clientOptions, loadServer, migrate } from '../index.ts'
import { sql } from '../sql/statement.ts'
import { hideShards, letShardsBeShown } from './shard-views.ts'
import { getKind } from './table-kinds.ts'

const service = await startTestService()
const { database } = service
const skip = database.workers.length === 0 && 'the database is no Citus cluster: npm run citus-test has one'

/** Runs statements one after the other on a connection of the service's role, or of the owner, to one node. */
async function onNode(node: Connection, texts: readonly string[], as: 'service' | 'owner' = 'service') {
  const client = new pg.Client(clientOptions(node, as, 'matricula shards'))
  await client.connect()
  try {
    const answers: object[][] = []
    for (const text of texts) answers.push((await client.query(text)).rows)
    return answers.at(-1) as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

/** Two tenants whose rows are on different nodes, with the nodes. */
async function twoApart(): Promise<{ tenant: TestTenant; node: Connection }[]> {
  const found = new Map<string, { tenant: TestTenant; node: Connection }>()
  while (found.size < 2) {
    const tenant = await service.tenant()
    const node = await loadServer(database.connection, tenant.id)
    found.set(JSON.stringify(node), { tenant, node })
  }
  return [...found.values()]
}

/** Whether the service asks the shards of a tenant themselves. */
async function isDirect(tenant: TestTenant): Promise<boolean> {
  const plan = await service.data.read<{ 'QUERY PLAN': string }>(
    tenant.id,
    sql`explain select from students where tenant_id = ${tenant.id}`,
  )
  return !plan.some((row) => row['QUERY PLAN'].includes('Citus'))
}

/** A node as functions of Citus are told of it. */
function getAddress(node: Connection): string {
  const { hostname, port } = new URL((node as { connectionString: string }).connectionString)
  return `'${hostname}', ${port}`
}

/** The shard of the students' table that has those of a tenant. */
async function loadShard(tenant: TestTenant, node: Connection): Promise<string> {
  const [row] = await onNode(
    node,
    [`select shard_name('students', get_shard_id_for_distribution_column('students', '${tenant.id}'::uuid)) as name`],
    'owner',
  )
  return row?.name as string
}

test('every table of a cluster has the kind that is declared, and all tenant tables are placed together', {
  skip,
}, async () => {
  const tables = await database.inspect<{ name: string; has_tenant: boolean; kind: string; group: number }>(`
    select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id') as has_tenant,
           case p.partmethod when 'h' then 'distributed' when 'n' then 'reference' else 'local' end as kind,
           p.colocationid as group
      from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`)
  assert.ok(tables.length > 130)
  for (const { name, kind, has_tenant: hasTenant } of tables) {
    assert.deepEqual([name, kind], [name, getKind(name)])
    assert.equal(hasTenant, kind === 'distributed', name)
  }
  const groups = new Set(tables.filter(({ kind }) => kind === 'distributed').map(({ group }) => group))
  assert.equal(groups.size, 1)
  const others = tables.filter(({ kind }) => kind !== 'distributed').map(({ name, kind }) => `${name} ${kind}`)
  assert.deepEqual(others.sort(), [
    'api_key_hashes reference',
    'backup_state local',
    'deleted_tenants local',
    'files_keys local',
    'installations local',
    'job_states local',
    'oauth_consumer_keys reference',
    'request_counts local',
    'schema_migrations local',
    'secret_key_marks local',
    'tenants reference',
  ])
  const keys = await database.inspect<{ count: number }>(`
    select count(*)::int as count from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
  assert.ok((keys[0]?.count ?? 0) > 300)
})

test('on a worker the service sees its own tenant alone, of tables and of their shards, and nothing without one', {
  skip,
}, async () => {
  const [ours, theirs] = (await twoApart()) as [
    { tenant: TestTenant; node: Connection },
    { tenant: TestTenant; node: Connection },
  ]
  const neighbours: TestTenant[] = [ours.tenant]
  while (neighbours.length < 6) {
    const tenant = await service.tenant()
    if (JSON.stringify(await loadServer(database.connection, tenant.id)) === JSON.stringify(ours.node))
      neighbours.push(tenant)
  }
  for (const { api } of [...neighbours, theirs.tenant]) await aStudent(api)
  const shards = await onNode(
    ours.node,
    [
      `select s.shard_name as name from citus_shards s where s.table_name = 'students'::regclass
        and s.nodeport = ${(ours.node as { port?: number }).port ?? new URL((ours.node as { connectionString: string }).connectionString).port}`,
    ],
    'owner',
  )
  assert.ok(shards.length > 0)
  const all = shards.map(({ name }) => `select tenant_id from ${name}`).join(' union all ')
  const held = new Set((await onNode(ours.node, [all], 'owner')).map((row) => row.tenant_id))
  assert.ok(held.size >= neighbours.length, 'the node has the rows of several tenants')
  const asTenant = `select set_config('matricula.tenant_id', '${ours.tenant.id}', false)`
  assert.deepEqual(await onNode(ours.node, [asTenant, 'select distinct tenant_id from students']), [
    { tenant_id: ours.tenant.id },
  ])
  assert.deepEqual(await onNode(ours.node, [asTenant, `select distinct tenant_id from (${all}) s`]), [
    { tenant_id: ours.tenant.id },
  ])
  assert.deepEqual(await onNode(ours.node, [all]), [])
  for (const { id } of neighbours.slice(1)) {
    assert.deepEqual(await onNode(ours.node, [asTenant, `select * from students where tenant_id = '${id}'`]), [])
    assert.deepEqual(
      await onNode(ours.node, [asTenant, `update students set full_name = 'x' where tenant_id = '${id}' returning id`]),
      [],
    )
  }
  // The same through the views that show the shards.
  const [location] = await onNode(
    ours.node,
    [`select 'shards_' || get_shard_id_for_distribution_column('api_keys', '${ours.tenant.id}'::uuid) as name`],
    'owner',
  )
  const shown = [`set search_path = ${location?.name}, public`, 'set plan_cache_mode = force_generic_plan']
  const own = [...shown, asTenant]
  assert.deepEqual(await onNode(ours.node, [...own, 'select distinct tenant_id from students']), [
    { tenant_id: ours.tenant.id },
  ])
  assert.deepEqual(await onNode(ours.node, [...shown, 'select * from students']), [])
  for (const { id } of [...neighbours.slice(1), theirs.tenant]) {
    const theirRows = [
      `select from students where tenant_id = '${id}'`,
      `update students set full_name = 'x' where tenant_id = '${id}' returning id`,
      `delete from students where tenant_id = '${id}' returning id`,
    ]
    for (const text of theirRows) assert.deepEqual(await onNode(ours.node, [...own, text]), [])
    await assert.rejects(
      onNode(ours.node, [...own, `insert into naming_series (tenant_id, prefix, current) values ('${id}', 'X', 1)`]),
      /row-level security/,
    )
  }
  const asNext = `select set_config('matricula.tenant_id', '${neighbours[1]?.id}', false)`
  const keptByShards = [...own, 'prepare kept as select distinct tenant_id from students', 'execute kept', asNext]
  assert.ok(
    (await onNode(ours.node, [...keptByShards, 'execute kept'])).every((row) => row.tenant_id === neighbours[1]?.id),
  )
  // A plan that was made for one tenant shows nothing of it to another one.
  const asNeighbour = `select set_config('matricula.tenant_id', '${neighbours[1]?.id}', false)`
  const stored = [
    'set plan_cache_mode = force_generic_plan',
    asTenant,
    'prepare forgetful as select tenant_id from students',
    'execute forgetful',
  ]
  assert.deepEqual(await onNode(ours.node, stored), [{ tenant_id: ours.tenant.id }])
  const forgotten = await onNode(ours.node, [...stored, asNeighbour, 'execute forgetful'])
  assert.ok(forgotten.every((row) => row.tenant_id === neighbours[1]?.id))
  // Whatever would leave the node is refused, because the role cannot log in.
  const elsewhere = onNode(ours.node, [
    asTenant,
    `insert into naming_series (tenant_id, prefix, current) values ('${theirs.tenant.id}', 'X', 1)`,
  ])
  await assert.rejects(elsewhere, /not permitted to log in/)
  const roles = await Promise.all(
    database.workers.map((node) =>
      onNode(
        node,
        [`select rolcanlogin, rolsuper, rolbypassrls from pg_roles where rolname = 'matricula_service'`],
        'owner',
      ),
    ),
  )
  assert.deepEqual(
    roles.flat(),
    Array.from(database.workers, () => ({ rolcanlogin: false, rolsuper: false, rolbypassrls: false })),
  )
})

test('whose a secret is stands on every node once it is committed, and on none where it is not', { skip }, async () => {
  const tenant = await service.tenant()
  const hashes = async () => {
    const nodes = [database.connection, ...database.workers]
    const counts = await Promise.all(
      nodes.map((node) => onNode(node, ['select count(*)::int as count from api_key_hashes'], 'owner')),
    )
    return counts.map(([row]) => row?.count as number)
  }
  const before = await hashes()
  const key = {
    kind: 'client' as const,
    name: 'k',
    scopes: [],
    masterDomains: [],
    roles: [],
    requestsPerMinute: 10,
    expiresInSeconds: null,
  }
  const context = {
    tenant,
    actor: { type: 'operator' as const, id: null, name: 'test' },
    requestId: null,
    address: null,
  }
  const undone = service.data.transaction(tenant.id, async (tx) => {
    await createApiKey(tx, context, key)
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.deepEqual(await hashes(), before)
  await tenant.token()
  assert.deepEqual(
    await hashes(),
    before.map((count) => count + 1),
  )
})

/**
 * Writes and reads what a tenant has while something is done below it, and then finds all of it, told in order, to somebody who follows it
 * meanwhile or asks afterwards.
 */
async function whileUsed(tenant: TestTenant, work: Promise<unknown>, isFollowed = true): Promise<void> {
  const { api } = tenant
  const made: string[] = [(await aStudent(api)).id]
  let isDone = false
  const writing = (async () => {
    while (!isDone) {
      const response = await api.post('/students', { givenNames: 'Some', familyNames: 'Body' })
      if (response.status === 201) made.push(response.body.data.id)
      else assert.equal(response.status, 503)
    }
  })()
  const reported: string[] = []
  let after = ''
  const follow = async () => {
    const { status, body } = await api.get(`/events?types=student.created&limit=1000${after}`)
    if (status !== 200) return assert.equal(status, 503)
    reported.push(...body.data.map((event: { entityId: string }) => event.entityId))
    after = `&after=${body.next}`
  }
  // Whatever was answered before a page is asked for is in it.
  const reading = (async () => {
    while (!isDone) {
      if (isFollowed) await follow()
      const known = made.length
      const response = await api.get('/students?limit=1')
      if (response.status === 200)
        assert.ok(response.body.pagination.total >= known, 'a page shows what was there before')
      else assert.equal(response.status, 503)
    }
  })()
  const both = Promise.all([writing, reading])
  await work.finally(() => {
    isDone = true
  })
  await both
  made.push((await aStudent(api)).id)
  // The first that meets a part which is gone has the parts read anew, and goes through Citus meanwhile.
  await until(() => isDirect(tenant), 'the way to the shards', 30)
  for (const id of made) assert.equal((await api.get(`/students/${id}`)).status, 200)
  assert.equal((await api.get('/students?limit=1')).body.pagination.total, made.length)
  await until(async () => {
    await follow()
    return reported.length >= made.length
  }, 'the events of all students')
  assert.deepEqual(reported, made)
  const caller = await aRecordCaller(service, tenant)
  assert.equal((await caller.get('/api/resource/Student')).status, 200)
}

test('a tenant whose rows are moved to another node while it is used loses nothing and is found there', {
  skip,
}, async () => {
  const tenant = await service.tenant()
  const from = await loadServer(database.connection, tenant.id)
  const to = database.workers.find((node) => JSON.stringify(node) !== JSON.stringify(from)) as Connection
  const left = await loadShard(tenant, from)
  assert.ok(await isDirect(tenant), 'the service goes to the shards before the move')
  const moving = database.inspect(
    `select citus_move_shard_placement(get_shard_id_for_distribution_column('api_keys', '${tenant.id}'::uuid),
                                       ${getAddress(from)}, ${getAddress(to)}, 'block_writes')`,
  )
  await whileUsed(tenant, moving)
  // What the move has left behind is there until Citus drops it, and nobody reads or writes it.
  const asTenant = `select set_config('matricula.tenant_id', '${tenant.id}', false)`
  for (const text of [
    `select from ${left} where tenant_id = '${tenant.id}' and id = '${newId()}'`,
    `update ${left} set phone = null where tenant_id = '${tenant.id}'`,
    `delete from ${left} where tenant_id = '${tenant.id}'`,
    `insert into ${left} (tenant_id, id, full_name) values ('${tenant.id}', '${newId()}', 'x')`,
  ]) {
    await assert.rejects(onNode(from, [asTenant, text]), /on another node|does not exist/, text)
  }
  assert.notDeepEqual(await loadServer(database.connection, tenant.id), from)
})

test('tenants lose nothing while a node gives its rows away, comes back empty, and gets its share by rebalancing', {
  skip,
}, async () => {
  const [one, other] = (await twoApart()) as [{ tenant: TestTenant; node: Connection }, { tenant: TestTenant }]
  const emptied = async () => {
    await database.inspect(`select citus_drain_node(${getAddress(one.node)}, 'block_writes')`)
    assert.notDeepEqual(await loadServer(database.connection, one.tenant.id), one.node)
    await database.inspect(`select citus_set_node_property(${getAddress(one.node)}, 'shouldhaveshards', true)`)
    await database.inspect(`select rebalance_table_shards(shard_transfer_mode => 'block_writes')`)
  }
  const work = emptied()
  await Promise.all([whileUsed(one.tenant, work, false), whileUsed(other.tenant, work)])
  const [spread] = await database.inspect<{ nodes: number }>(
    `select count(distinct nodeport)::integer as nodes from citus_shards where table_name = 'students'::regclass`,
  )
  assert.equal(spread?.nodes, database.workers.length)
})

test('a tenant that is given a part of its own while it is used loses nothing, nor does one that shared the part with it', {
  skip,
}, async () => {
  const findPart = async ({ id }: TestTenant) => {
    const [row] = await database.inspect<{ part: string }>(
      `select get_shard_id_for_distribution_column('api_keys', $1::uuid)::text as part`,
      [id],
    )
    return row?.part
  }
  const large = await service.tenant()
  let neighbour = await service.tenant()
  while ((await findPart(neighbour)) !== (await findPart(large))) neighbour = await service.tenant()
  const isolating = database.inspect(
    `select isolate_tenant_to_new_shard('api_keys', '${large.id}', 'CASCADE', shard_transfer_mode => 'block_writes')`,
  )
  await Promise.all([large, neighbour].map((tenant) => whileUsed(tenant, isolating)))
  assert.notEqual(await findPart(neighbour), await findPart(large))
  const [part] = await database.inspect<{ smallest: string; largest: string }>(
    `select shardminvalue as smallest, shardmaxvalue as largest from pg_dist_shard where shardid = $1`,
    [await findPart(large)],
  )
  assert.equal(part?.smallest, part?.largest, 'no other tenant comes into it')
})

test('what takes the place of a node under another address is found without a restart', { skip }, async (t) => {
  const [node] = database.workers as [Connection & { connectionString: string }]
  const { hostname, port } = new URL(node.connectionString)
  const sockets = new Set<Socket>()
  const line = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    line.close()
    for (const socket of sockets) socket.destroy()
  }
  t.after(cut)
  const other = (line.address() as AddressInfo).port
  const renumber = (from: number, to: number) =>
    database.inspect('select citus_update_node(nodeid, nodename, $2) from pg_dist_node where nodeport = $1', [from, to])
  await renumber(Number(port), other)
  let tenant = await service.tenant()
  const isThere = async () => {
    const { connectionString } = (await loadServer(database.connection, tenant.id)) as { connectionString: string }
    return new URL(connectionString).port === String(other)
  }
  while (!(await isThere())) tenant = await service.tenant()
  const { id } = await aStudent(tenant.api)
  cut()
  const lost = await tenant.api.get(`/students/${id}`)
  assert.deepEqual([lost.status, lost.body.code], [503, 'service_unavailable'])
  await renumber(other, Number(port))
  assert.equal((await tenant.api.get(`/students/${id}`)).status, 200)
  assert.equal((await tenant.api.patch(`/students/${id}`, { phone: '+1 555 0100' })).status, 200)
  // Citus tells the other nodes by a daemon; until then they look for it where it is no longer.
  for (const each of database.workers) {
    const isKnown = async () =>
      (await onNode(each, [`select from pg_dist_node where nodeport = ${other}`], 'owner')).length === 0
    await until(isKnown, 'the address of the node at every node')
  }
  const isTold = async () => {
    const untold = 'select from pg_dist_node where hasmetadata and not metadatasynced'
    return (await onNode(database.connection, [untold], 'owner')).length === 0
  }
  await until(isTold, 'that every node knows all of them')
})

test('while shards may not be shown the service goes on through Citus, and to them when they may again', {
  skip,
}, async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api)
  assert.ok(await isDirect(tenant))
  const owner = new pg.Client(clientOptions(database.connection, 'owner'))
  await owner.connect()
  try {
    await hideShards(owner)
    assert.equal((await tenant.api.get(`/students/${student.id}`)).status, 200)
    assert.equal((await tenant.api.patch(`/students/${student.id}`, { phone: '+1 555 0100' })).status, 200)
    assert.equal(await isDirect(tenant), false)
    await letShardsBeShown(owner)
  } finally {
    await owner.end()
  }
  // The service asks again after a while.
  while (!(await isDirect(tenant))) await setTimeout(100)
  assert.equal((await tenant.api.get(`/students/${student.id}`)).body.data.phone, '+1 555 0100')
})

test('a database that has rows becomes a cluster with exactly these rows', { skip }, async (t) => {
  const name = `grown_${newId().replaceAll('-', '')}`
  const servers = [database.connection, ...database.workers]
  for (const node of servers) await onceAsOwner(node, `create database ${name}`)
  t.after(() => Promise.all(servers.map((node) => onceAsOwner(node, `drop database ${name} with (force)`))))
  const [coordinator, ...workers] = servers.map((node) => onDatabase(node, name)) as [Connection, ...Connection[]]
  const { json } = await loadCommandLine(service)
  const environment = { DATABASE_URL: getUrl(coordinator) }
  await json(['demo', '--tenant', 'riverside', '--students', '60', '--payments', '200'], { environment })
  /** How many rows each table has, and a hash of them. */
  const contents = async () => {
    const tables = await onceAsOwner<{ name: string }>(
      coordinator,
      `select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'schema_migrations' order by 1`,
    )
    const reported: Record<string, string> = {}
    for (const { name: table } of tables) {
      const rows = `select count(*) || ' ' || md5(string_agg(md5(t::text), '' order by md5(t::text))) as told from ${table} t`
      const [row] = await onceAsOwner<{ told: string | null }>(coordinator, rows)
      if (row?.told) reported[table] = row.told
    }
    return reported
  }
  const before = await contents()
  assert.ok(Object.keys(before).length > 50, 'most tables have rows')
  await joinNodes(coordinator, workers)
  await migrate(coordinator)
  assert.deepEqual(await contents(), before)
  const [local] = await onceAsOwner<{ count: number }>(coordinator, 'select count(*)::int from pg_dist_partition')
  assert.ok((local?.count ?? 0) > 100, 'the tables are distributed')
  const { checks } = await json(['doctor'], { environment })
  assert.deepEqual(
    checks.filter(({ status }: { status: string }) => status === 'failure'),
    [],
  )
})

test('a migration makes tables with foreign keys beside tables that are distributed already', { skip }, async () => {
  const other = await createTestDatabase()
  try {
    await other.runMigration(
      `create table prizes (tenant_id uuid not null references tenants (id), id uuid not null,
         student_id uuid, name text not null collate any_case, made_at timestamptz(3) not null default current_stamp(),
         constraint prizes_pkey primary key (tenant_id, id),
         constraint prizes_student_fkey foreign key (tenant_id, student_id) references students (tenant_id, id) deferrable);
       create index prizes_name_idx on prizes (tenant_id, name);
       alter table students add column prize_id uuid;
       alter table students add constraint students_prize_fkey foreign key (tenant_id, prize_id) references prizes (tenant_id, id);
       create function prizes_of(tenant uuid) returns bigint language plpgsql stable
         as $$ begin return (select count(*) from prizes where tenant_id = tenant); end $$;
       do $$ begin update students set phone = null where phone = ''; end $$`,
    )
    await migrate(other.connection)
    const [table] = await other.inspect<{ kind: string; closed: boolean; keys: number }>(`
      select p.partmethod as kind, c.relrowsecurity as closed,
             (select count(*)::int from pg_constraint k where k.conrelid = c.oid and k.contype = 'f') as keys
        from pg_class c join pg_dist_partition p on p.logicalrelid = c.oid where c.relname = 'prizes'`)
    assert.deepEqual(table, { kind: 'h', closed: true, keys: 2 })
    const tenant = newId()
    const [node] = other.workers as [Connection]
    await assert.rejects(
      other.inspect(`insert into prizes (tenant_id, id, name) values ('${tenant}', '${newId()}', 'x')`),
      /foreign key/,
    )
    assert.deepEqual(await onNode(node, [`select prizes_of('${tenant}')::int as count`], 'owner'), [{ count: 0 }])
  } finally {
    await other.drop()
  }
})

test('a start makes nodes anew only where one is not as it was left, and by hand always', { skip }, async () => {
  const other = await createTestDatabase()
  try {
    const [first, second] = other.workers as [Connection, Connection]
    const isGranted = async (node: Connection) => {
      const right = `has_sequence_privilege('matricula_service', 'stamp_floor', 'select')`
      const [row] = await onNode(node, [`select ${right} as "isGranted"`], 'owner')
      return row?.isGranted
    }
    const revoke = (node: Connection) => onNode(node, ['revoke select on stamp_floor from matricula_service'], 'owner')
    // What no mark tells of shows whether the nodes were made anew.
    await revoke(first)
    await migrate(other.connection)
    assert.equal(await isGranted(first), false, 'nothing was done')
    await migrate(other.connection, { isByHand: true })
    assert.equal(await isGranted(first), true)

    for (const change of [
      // A node that was added, or restored from a copy of before.
      () => onNode(second, ['comment on sequence stamp_floor is null'], 'owner'),
      // What somebody changed at the coordinator.
      () => other.inspect('create function added() returns integer language sql as $$ select 1 $$'),
      () => other.inspect('alter table students disable row level security'),
    ]) {
      await revoke(first)
      await change()
      let supplemented = 0
      const supplement = async () => {
        supplemented += 1
      }
      await migrate(other.connection, { supplement })
      assert.equal(await isGranted(first), true, String(change))
      await migrate(other.connection, { supplement })
      assert.equal(supplemented, 1, 'once it is made it is as it was')
    }
    // What was ended in the middle is done again.
    await revoke(first)
    await assert.rejects(
      migrate(other.connection, { isByHand: true, supplement: () => Promise.reject(new Error('ended')) }),
      /ended/,
    )
    await revoke(first)
    await migrate(other.connection)
    assert.equal(await isGranted(first), true)
  } finally {
    await other.drop()
  }
})

test('a node that does not answer is named by doctor, and in the refusal of a command that needs it', {
  skip,
}, async () => {
  const other = await createTestDatabase()
  try {
    const [node] = await other.inspect<{ name: string }>(
      `update pg_dist_node set nodeport = 9 where nodeid = (select max(nodeid) from pg_dist_node)
       returning nodename || ':9' as name`,
    )
    const { run } = await loadCommandLine(service)
    const environment = { DATABASE_URL: getUrl(other.connection) }
    const { code, stdout } = await run(['doctor', '--json'], { environment })
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; detail: string }[] }
    const cluster = checks.filter(({ name }) => name === 'cluster')
    assert.deepEqual(
      [code, cluster.map(({ status, detail }) => [status, detail])],
      [1, [['failure', `The node ${node?.name} does not answer: its tenants are refused with 503 until it does.`]]],
    )
    const stats = await run(['stats'], { environment })
    assert.equal(stats.code, 1)
    assert.match(stats.stderr, /A node of the cluster does not answer/)
  } finally {
    await other.drop()
  }
})
