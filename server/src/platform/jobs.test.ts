import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../testing/test-service.ts'
import { inBatches, type Job, startJobs } from './jobs.ts'
import { retentionJob } from './retention.ts'

const service = await startTestService()

/** Runs a job until it has had so many turns. */
async function turnsOf(count: number, run: Job['run']) {
  const logged: object[] = []
  const log = { info: () => {}, error: (facts: object) => void logged.push(facts) }
  const turns: string[] = []
  let enough = () => {}
  const had = new Promise<void>((resolve) => (enough = resolve))
  const job: Job = {
    name: `test-${Math.random()}`,
    everySeconds: 0.05,
    run: async (database, tenant, hasTime) => {
      turns.push(tenant.slug)
      if (turns.length >= count) enough()
      await run(database, tenant, hasTime)
    },
  }
  const stop = startJobs(service.data, [job], log)
  await had
  await stop()
  return { turns, logged }
}

test('a job goes on with the next tenant when one fails, and the log names the one', async () => {
  const tenants = [await service.tenant(), await service.tenant(), await service.tenant()]
  const slugs = tenants.map(({ slug }) => slug).sort()
  const failing = slugs[0]
  const { turns, logged } = await turnsOf(3, async (_, tenant) => {
    if (tenant.slug === failing) throw Object.assign(new Error('broken'), { code: '23505' })
  })
  assert.deepEqual(turns.slice(0, 3), slugs)
  assert.deepEqual((logged[0] as { tenant: string; reason: string }).tenant, failing)
  assert.deepEqual((logged[0] as { tenant: string; reason: string }).reason, '23505')
})

test('a tenant with much to do leaves the rest when its time is over', async () => {
  let batches = 0
  await inBatches(
    10,
    () => batches < 3,
    async () => {
      batches += 1
      return 10
    },
  )
  assert.equal(batches, 3)
  await inBatches(
    10,
    () => true,
    async () => {
      batches += 1
      return batches < 6 ? 10 : 4
    },
  )
  assert.equal(batches, 6)
})

test('old events are forgotten in batches, and those that are not old stay', async () => {
  const tenant = await service.tenant()
  await service.database.inspect('delete from events where tenant_id = $1', [tenant.id])
  await service.database.inspect(
    `insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, changed, actor_type, actor_name)
     select $1, gen_random_uuid(), 'student.created', now() - case when n <= 2500 then interval '401 days' else interval '1 day' end,
            'student', gen_random_uuid(), '{}', 'system', 'test' from generate_series(1, 2600) n order by n`,
    [tenant.id],
  )
  const left = async () =>
    (
      await service.database.inspect<{ count: number }>(
        'select count(*)::int as count from events where tenant_id = $1',
        [tenant.id],
      )
    )[0]?.count
  await retentionJob.run(service.data, tenant, () => false)
  assert.equal(await left(), 1600)
  await retentionJob.run(service.data, tenant)
  assert.equal(await left(), 100)
})
