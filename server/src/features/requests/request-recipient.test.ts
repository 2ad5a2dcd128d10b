import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explaining, indexConditions } from '../../testing/fixtures/database/query-plans.ts'
import { notOnCluster } from '../../testing/fixtures/database/test-database.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { loadLanguages } from './request-recipient.ts'

const service = await startTestService()

test('request languages: found by index, however many users the institution has', {
  skip: notOnCluster('tables and indexes are below views'),
}, async () => {
  const { id } = await service.tenant()
  await service.database.inspect(
    `insert into users (tenant_id, id, name, email, first_name, full_name)
       select $1, new_uuid7(), n || '@example.org', n || '@example.org', 'A', 'A' from generate_series(1, 3000) n`,
    [id],
  )
  await service.database.inspect('analyze users')
  const plan = await service.data.transaction(id, async (tx) => {
    const explained = await explaining(tx)
    await loadLanguages(explained.tx, 'student', [{ entityId: id, contactId: id, email: '1@example.org' }])
    return explained.plan()
  })
  assert.match(indexConditions(plan, 'users u').join(), /^Index Cond: .* AND \(name = /, plan)
})
