import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockInOrder } from '../../concurrency/locks.ts'
import { isOneOf, type Sql, type Statement, sql, type Transaction } from '../../database/index.ts'
import { pagePlan } from '../../listing/page-plan.ts'
import { pageStatement } from '../../listing/page-statements.ts'
import { explaining, indexConditions } from '../../testing/fixtures/database/query-plans.ts'
import { notOnCluster } from '../../testing/fixtures/database/test-database.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { insertPayments, type NewPayment, type PaymentRecord, payments, writePayments } from './payment-store.ts'

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

test('a page of one currency is read by the index that has it in the order of the list, however few have the currency', {
  skip: notOnCluster('tables and indexes are below views'),
}, async () => {
  const { id } = await service.tenant()
  const student = '00000000-0000-7000-8000-000000000001'
  await service.database.load(
    id,
    `insert into students (tenant_id, id, student_code, full_name, status, search_text) values ($1, $2, 'S-1', 'One', 'active', '')`,
    [id, student],
  )
  await service.database.load(
    id,
    `insert into payments (tenant_id, id, student_id, amount, currency, status, description, due_date)
     select $1, new_uuid7(), $2, 1, 'USD', 'pending', 'Many', '2026-09-01' from generate_series(1, 3000)`,
    [id, student],
  )
  await service.database.inspect('analyze payments')
  const since = '2026-01-01T00:00:00.000Z'
  const query = { limit: 20, currency: 'GBP' }
  const from = { settled: 3, since, listed: 3000, seen: '10:10:', countedAt: 0 }
  const asked = { ...pagePlan(payments, query), keeping: { from, since, fields: ['currency'] } }
  const plan = await service.data.transaction(id, async (tx) => {
    const explained = await explaining(tx)
    await explained.tx.query(pageStatement(id, payments, asked) as Sql)
    return explained.plan()
  })
  const page = plan.slice(plan.indexOf('CTE page'), plan.indexOf('payments_currency_idx'))
  assert.match(page, /^CTE page\n.*Limit/, plan)
  assert.doesNotMatch(page, /Sort|Filter: .*currency/, plan)
})

/** How many of the plans of a statement that was asked for ten times were made with its values. */
async function plansWithValues(tx: Transaction, statement: Statement): Promise<number | undefined> {
  for (let time = 1; time <= 10; time += 1) await tx.query(statement)
  const [row] = await tx.query<{ custom_plans: number }>(
    sql`select custom_plans::integer as custom_plans from pg_prepared_statements where statement = ${statement.text}`,
  )
  return row?.custom_plans
}

test('what changes one payment, and what looks for one name, is not planned anew each time', {
  skip: notOnCluster('statements are prepared on the nodes'),
}, async () => {
  const { id } = await service.tenant()
  const before = { id, description: 'Tuition', updatedAt: '2026-09-01T00:00:00.000Z' } as PaymentRecord
  const namedBy = (names: string[]) =>
    sql`select id from students where tenant_id = ${id} and ${isOneOf(sql`student_code`, names)}`
  const custom = await service.data.transaction(id, async (tx) => {
    await lockInOrder(tx, [{ kind: 'payments', key: id }])
    return {
      change: await plansWithValues(tx, writePayments(id, [{ before, after: { ...before, description: 'Fees' } }])),
      one: await plansWithValues(tx, namedBy(['S-1'])),
      several: await plansWithValues(tx, namedBy(['S-1', 'S-2'])),
    }
  })
  // PostgreSQL tries five with values before it compares what they cost.
  assert.deepEqual(custom, { change: 5, one: 5, several: 10 })
})

test('a text is one of several where it is any of them, and none of none', async () => {
  const { id } = await service.tenant()
  const found = await service.data.transaction(id, (tx) =>
    Promise.all(
      [[], ['b'], ['a', 'c']].map(async (values) => {
        const rows = await tx.query<{ letter: string }>(
          sql`select letter from unnest(array['a', 'b', 'c', 'x']) letter where ${isOneOf(sql`letter`, values)}`,
        )
        return rows.map(({ letter }) => letter).join('')
      }),
    ),
  )
  assert.deepEqual(found, ['', 'b', 'ac'])
})
