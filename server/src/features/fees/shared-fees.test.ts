import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aSchool, enroll, feeFields, make, type School } from './fee-school.fixture.ts'

const service = await startTestService()

async function loadStudentId({ tenant }: School, code: string): Promise<string> {
  const [row] = await service.database.inspect<{ id: string }>(
    'select id from students where tenant_id = $1 and student_code = $2',
    [tenant.id, code],
  )
  return row?.id ?? ''
}

async function makeAccount({ tenant }: School, fields: object): Promise<string> {
  const made = await tenant.api.post('/billing/accounts', fields)
  assert.equal(made.status, 201, made.text)
  return made.body.data.id
}

/** Status, amounts and due days of what an account owes. */
async function loadObligations({ tenant }: School, account: string) {
  const { body } = await tenant.api.get(`/billing/accounts/${account}/obligations`)
  return body.data.map((each: { amount: number; openAmount: number; dueDate: string; status: string }) => [
    each.amount,
    each.openAmount,
    each.dueDate.slice(0, 10),
    each.status,
  ])
}

async function loadFee({ records }: School, name: string) {
  return (await records.get(`/api/resource/Fees/${name}`)).body.data
}

/** A fee of 1 200 in two households: the mother pays a third of it in two instalments, and the laboratory alone. */
async function aSharedFee(school: School) {
  const who = await enroll(school)
  await make(school.records, 'Payment Terms Template', {
    template_name: 'Halves',
    terms: [
      { invoice_portion: 50, credit_days: 10 },
      { invoice_portion: 50, credit_days: 40 },
    ],
  })
  const father = await makeAccount(school, { name: 'Father' })
  const mother = await makeAccount(school, { name: 'Mother', paymentTerms: 'Halves' })
  const student = await loadStudentId(school, who.student)
  const put = await school.tenant.api.put(`/billing/students/${student}/shares`, {
    shares: [
      { accountId: father, percent: 66.67 },
      { accountId: mother, percent: 33.33 },
      { accountId: mother, percent: 100, categories: ['Laboratory'] },
    ],
  })
  assert.equal(put.status, 200, put.text)
  const fee = await make(school.records, 'Fees', { ...feeFields(school, who), docstatus: 1 })
  return { father, mother, fee: fee.name as string }
}

test('a submitted fee becomes one obligation for each account and instalment, and their sum is the fee’s', async () => {
  const school = await aSchool(service)
  const { father, mother, fee } = await aSharedFee(school)
  assert.deepEqual(
    (await loadObligations(school, father)).map(([amount, open, due]: unknown[]) => [amount, open, due]),
    [[666.7, 666.7, '2026-09-30']],
  )
  assert.deepEqual(
    (await loadObligations(school, mother)).map(([amount, open, due]: unknown[]) => [amount, open, due]),
    [
      [266.65, 266.65, '2026-09-11'],
      [266.65, 266.65, '2026-10-11'],
    ],
  )
  assert.equal((await loadFee(school, fee)).outstanding_amount, 1200)
})

test('outstanding_amount is what is left, and a fee with money received cannot be cancelled until it is reversed', async () => {
  const school = await aSchool(service)
  const { father, mother, fee } = await aSharedFee(school)
  const receivedOn = new Date().toISOString().slice(0, 10)
  const paid = await school.tenant.api.post('/billing/receipts', {
    accountId: mother,
    receivedOn,
    method: 'transfer',
    amount: 300,
  })
  assert.equal(paid.status, 201, paid.text)
  assert.equal((await loadFee(school, fee)).outstanding_amount, 900)
  const cancel = () => school.records.put(`/api/resource/Fees/${fee}`, { docstatus: 2 })
  const refused = await cancel()
  assert.deepEqual([refused.status, refused.body.exc_type], [417, 'LinkExistsError'])
  const reversed = await school.tenant.api.post(`/billing/receipts/${paid.body.data.id}/reverse`, {})
  assert.equal(reversed.status, 200, reversed.text)
  assert.equal((await loadFee(school, fee)).outstanding_amount, 1200)
  const cancelled = await cancel()
  assert.equal(cancelled.status, 200, cancelled.text)
  for (const account of [father, mother]) {
    const { body } = await school.tenant.api.get(`/billing/accounts/${account}`)
    assert.equal(body.data.balance, 0)
  }
  const [ledger] = await service.database.inspect<{ open: string; sum: string }>(
    `select coalesce(sum(debit - credit) filter (where billing_account_id is not null), 0)::text as open,
            sum(debit - credit)::text as sum from gl_entries where tenant_id = $1`,
    [school.tenant.id],
  )
  assert.deepEqual([Number(ledger?.open), Number(ledger?.sum)], [0, 0])
})

test('a Payment Terms Template whose portions are not 100 percent together is refused', async () => {
  const { records } = await aSchool(service)
  const { status } = await records.post('/api/resource/Payment%20Terms%20Template', {
    template_name: 'Two thirds',
    terms: [{ invoice_portion: 66, credit_days: 0 }],
  })
  assert.equal(status, 417)
})

test('a fee that would be posted in closed books is refused', async () => {
  const school = await aSchool(service)
  const who = await enroll(school)
  await school.records.put('/api/resource/Education Settings/Education Settings', { books_closed_until: '2026-09-01' })
  const { status, body } = await school.records.post('/api/resource/Fees', { ...feeFields(school, who), docstatus: 1 })
  assert.deepEqual([status, body.exc_type], [417, 'ValidationError'])
})
