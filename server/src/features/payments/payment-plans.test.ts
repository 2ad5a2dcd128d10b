import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explaining, indexConditions } from '../../testing/plans.ts'
import { notOnCluster } from '../../testing/test-database.ts'
import { startTestService } from '../../testing/test-service.ts'
import { insertPayments, type NewPayment } from './payment-store.ts'

const service = await startTestService()

test('payments that are made together look up their students one by one, however many the institution has', {
  skip: notOnCluster('tables and indexes are below views'),
}, async () => {
  const { id } = await service.tenant()
  await service.database.inspect(
    `insert into students (tenant_id, id, student_code, full_name, status, search_text)
     select $1, new_uuid7(), 'S-' || n, 'Student ' || n, 'active', '' from generate_series(1, 3000) n`,
    [id],
  )
  await service.database.inspect('analyze students')
  const made = (student: NewPayment['student']): NewPayment => ({
    id,
    externalId: null,
    student,
    amount: 12.5,
    currency: 'EUR',
    status: 'pending',
    description: 'Tuition',
    dueDate: null,
    paidAt: null,
    isPaidNow: false,
  })
  const plan = await service.data.transaction(id, async (tx) => {
    const explained = await explaining(tx)
    await explained.tx.query(insertPayments(id, [made({ id }), made({ code: 'S-7' })]))
    return explained.plan()
  })
  const conditions = indexConditions(plan, 'students')
  assert.equal(conditions.length, 2, plan)
  for (const condition of conditions) assert.match(condition, /^Index Cond: .* AND \((id|student_code) = /, plan)
})
