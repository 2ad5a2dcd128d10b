import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { forgetEventsJob } from './index.ts'

const service = await startTestService()

test('old events are forgotten in batches, those that are not old stay, and who asks for one that is gone is told where to go on', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  await service.database.inspect('delete from events where tenant_id = $1', [tenant.id])
  // The last old one was written after one that is not old, and stays with it.
  await service.database.inspectAt(
    tenant.id,
    `insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, changed, actor_type, actor_name)
     select $1, gen_random_uuid(), 'student.created',
            now() - case when n <= 2500 or n = 2600 then interval '401 days' else interval '1 day' end,
            'student', gen_random_uuid(), '{}', 'system', 'test' from generate_series(1, 2600) n order by n`,
    [tenant.id],
  )
  const left = async () => {
    const [row] = await service.database.inspect<{ events: number; positions: number }>(
      `select (select count(*)::int from events where tenant_id = $1) as events,
              (select count(*)::int from event_positions where tenant_id = $1) as positions`,
      [tenant.id],
    )
    return [row?.events, row?.positions]
  }
  await forgetEventsJob.run(service.data, tenant, () => false)
  assert.deepEqual(await left(), [1600, 1600])
  await forgetEventsJob.run(service.data, tenant)
  assert.deepEqual(await left(), [100, 100])
  const expired = await api.get('/events?after=2499')
  assert.deepEqual([expired.status, expired.body.code, expired.body.earliest], [410, 'position_expired', '2500'])
  const stored = await api.get('/events?after=2500&limit=1')
  assert.equal(stored.body.data[0].position, '2501')
  const oldest = await api.get('/events?limit=1000')
  assert.deepEqual([oldest.body.data.length, oldest.body.data[0].position, oldest.body.hasMore], [100, '2501', false])
  await service.database.inspect(`update events set occurred_at = now() - interval '401 days' where tenant_id = $1`, [
    tenant.id,
  ])
  await forgetEventsJob.run(service.data, tenant)
  assert.deepEqual((await api.get('/events')).body, { data: [], next: '2600', hasMore: false })
})
