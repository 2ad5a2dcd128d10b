import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aSchool, enroll, feeFields, make, type School, year } from './fee-school.fixture.ts'

const service = await startTestService()
const { folder, json } = await loadCommandLine(service)

let count = 0
async function apply({ tenant }: School, discounts: readonly object[]): Promise<void> {
  count += 1
  const file = join(folder, `discounts-${count}.json`)
  await writeFile(file, JSON.stringify({ billing: { discounts } }))
  await json(['apply', file, '--tenant', tenant.slug, '--yes'])
}

type Enrolled = Awaited<ReturnType<typeof enroll>>

/** A student of an age, enrolled. */
async function aChild(school: School, date_of_birth: string, fields = {}): Promise<Enrolled> {
  const child = await enroll(school, fields)
  await school.records.put(`/api/resource/Student/${child.student}`, { date_of_birth })
  return child
}

async function loadStudentId({ tenant }: School, code: string): Promise<string> {
  const { body } = await tenant.api.get(`/students?search=${code}`)
  return body.data[0].id
}

/** An account that pays the given percentage for students. */
async function aFamily(school: School, children: readonly Enrolled[], fields = {}): Promise<string> {
  const made = await school.tenant.api.post('/billing/accounts', { name: 'Family', kind: 'family', ...fields })
  assert.equal(made.status, 201, made.text)
  const accountId = made.body.data.id
  for (const { student } of children) {
    const id = await loadStudentId(school, student)
    const put = await school.tenant.api.put(`/billing/students/${id}/shares`, { shares: [{ accountId, percent: 100 }] })
    assert.equal(put.status, 200, put.text)
  }
  return accountId
}

/** A submitted fee that was sent without components. */
async function charge(school: School, child: Enrolled, fields = {}) {
  const { components, ...sent } = feeFields(school, child, fields)
  return make(school.records, 'Fees', { ...sent, docstatus: 1 })
}

/** Category, amount and description of the negative components of a fee. */
function discountsOf(fee: { components: { fees_category: string; amount: number; description: string | null }[] }) {
  return fee.components
    .filter(({ amount }) => amount < 0)
    .map(({ fees_category, amount, description }) => [fees_category, amount, description])
}

const siblings = { key: 'Siblings', kind: 'sibling', percent: 10 }

test('a fee that is sent without components has those of its structure, and sent ones have no discount', async () => {
  const school = await aSchool(service)
  const child = await enroll(school)
  await apply(school, [{ key: 'All', kind: 'staff', studentCategories: ['Staff'], percent: 50 }])
  const fee = await charge(school, child)
  assert.deepEqual(
    fee.components.map(({ fees_category, amount }: Record<string, unknown>) => [fees_category, amount]),
    [
      ['Tuition', 1000],
      ['Laboratory', 200],
    ],
  )
  assert.equal(fee.grand_total, 1200)
  await make(school.records, 'Student Category', { category: 'Staff' })
  const sent = await make(school.records, 'Fees', {
    ...feeFields(school, child, { student_category: 'Staff' }),
    docstatus: 1,
  })
  assert.deepEqual([sent.grand_total, discountsOf(sent)], [1200, []])
  const given = await charge(school, child, { student_category: 'Staff' })
  assert.deepEqual([given.grand_total, given.outstanding_amount], [600, 600])
})

test('create_fees gives the sibling discount from the second child on by age, each category its part', async () => {
  const school = await aSchool(service)
  const [young, old, alone] = [
    await aChild(school, '2012-05-01'),
    await aChild(school, '2010-05-01'),
    await aChild(school, '2014-05-01'),
  ]
  await aFamily(school, [young, old])
  await aFamily(school, [alone])
  await apply(school, [siblings])
  await make(school.records, 'Student Group', {
    student_group_name: 'Everybody',
    group_based_on: 'Activity',
    academic_year: year,
    program: 'Physics',
    students: [young, old, alone].map(({ student }) => ({ student })),
  })
  const schedule = await make(school.records, 'Fee Schedule', {
    fee_structure: school.structure,
    academic_year: year,
    due_date: '2026-10-31',
    posting_date: '2026-09-01',
    company: school.tenant.name,
    student_groups: [{ student_group: 'Everybody' }],
    docstatus: 1,
  })
  const call = { dt: 'Fee Schedule', dn: schedule.name, method: 'create_fees' }
  const run = await school.records.post('/api/method/run_doc_method', call)
  assert.equal(run.status, 200, run.text)
  const of = async ({ student }: Enrolled) => {
    const list = await school.records.get(`/api/resource/Fees?filters={"student":"${student}"}`)
    return (await school.records.get(`/api/resource/Fees/${list.body.data[0].name}`)).body.data
  }
  const lessened = await of(young)
  assert.deepEqual(discountsOf(lessened), [
    ['Tuition', -100, 'Siblings'],
    ['Laboratory', -20, 'Siblings'],
  ])
  assert.deepEqual([lessened.grand_total, lessened.outstanding_amount], [1080, 1080])
  assert.deepEqual([(await of(old)).grand_total, (await of(alone)).grand_total], [1200, 1200])
  const { body } = await school.records.get(`/api/resource/Fee Schedule/${schedule.name}`)
  assert.equal(body.data.created_total, 3480)
  const [ledger] = await service.database.inspect<{ open: string; sum: string }>(
    `select sum(debit - credit) filter (where billing_account_id is not null)::text as open,
            sum(debit - credit)::text as sum from gl_entries where tenant_id = $1`,
    [school.tenant.id],
  )
  assert.deepEqual([Number(ledger?.open), Number(ledger?.sum)], [3480, 0])
})

test('siblings are ordered by entry where the discount says so, from the child that it names', async () => {
  const school = await aSchool(service)
  const children = [
    await aChild(school, '2014-01-01'),
    await aChild(school, '2012-01-01'),
    await aChild(school, '2010-01-01'),
  ]
  for (const [index, { student }] of children.entries())
    await school.records.put(`/api/resource/Student/${student}`, { joining_date: `202${index}-08-01` })
  await aFamily(school, children)
  await apply(school, [{ ...siblings, orderBy: 'entry', fromChild: 3 }])
  const totals: number[] = []
  for (const child of children) totals.push((await charge(school, child)).grand_total)
  assert.deepEqual(totals, [1200, 1200, 1080])
})

test('students of a company’s account are no siblings, nor are those who left or whose share has ended', async () => {
  const school = await aSchool(service)
  const [old, young] = [await aChild(school, '2010-01-01'), await aChild(school, '2012-01-01')]
  await apply(school, [siblings])
  await aFamily(school, [old, young], { kind: 'company' })
  assert.equal((await charge(school, young)).grand_total, 1200)
  const family = await aFamily(school, [old, young])
  assert.equal((await charge(school, young)).grand_total, 1080)
  const id = await loadStudentId(school, old.student)
  const ended = await school.tenant.api.put(`/billing/students/${id}/shares`, {
    shares: [{ accountId: family, percent: 100, validTo: '2026-08-31' }],
  })
  assert.equal(ended.status, 200, ended.text)
  assert.equal((await charge(school, young, { posting_date: '2026-09-01' })).grand_total, 1200)
  assert.equal((await charge(school, young, { posting_date: '2026-08-31' })).grand_total, 1080)
  await aFamily(school, [old])
  const left = await school.tenant.api.patch(`/students/${id}`, { status: 'withdrawn' })
  assert.equal(left.status, 200, left.text)
  assert.equal((await charge(school, young, { posting_date: '2026-08-31' })).grand_total, 1200)
})

test('discounts are given in their order: percentages of what is left, amounts up to their cap and the fee', async () => {
  const school = await aSchool(service)
  const child = await enroll(school, {})
  for (const category of ['Merit', 'Full']) await make(school.records, 'Student Category', { category })
  await apply(school, [
    { key: 'late', kind: 'scholarship', studentCategories: ['Merit'], percent: 50, order: 9, cap: 300 },
    { key: 'Merit', kind: 'scholarship', amount: 400, categories: ['Tuition'], order: 1 },
    { key: 'Full', kind: 'scholarship', amount: 5000 },
  ])
  const merit = await charge(school, child, { student_category: 'Merit' })
  assert.deepEqual(discountsOf(merit), [
    ['Tuition', -400, 'Merit'],
    ['Tuition', -225, 'late'],
    ['Laboratory', -75, 'late'],
  ])
  assert.equal(merit.grand_total, 500)
  const full = await charge(school, child, { student_category: 'Full' })
  assert.deepEqual([full.grand_total, full.outstanding_amount], [0, 0])
})

test('the discount of a category lessens what the payer of the category owes', async () => {
  const school = await aSchool(service)
  const child = await enroll(school)
  await make(school.records, 'Student Category', { category: 'Merit' })
  const [father, mother] = [await aFamily(school, [child]), await aFamily(school, [])]
  const id = await loadStudentId(school, child.student)
  await school.tenant.api.put(`/billing/students/${id}/shares`, {
    shares: [
      { accountId: father, percent: 100 },
      { accountId: mother, percent: 100, categories: ['Laboratory'] },
    ],
  })
  await apply(school, [{ key: 'Merit', kind: 'scholarship', percent: 25 }])
  await charge(school, child, { student_category: 'Merit' })
  const balance = async (account: string) =>
    (await school.tenant.api.get(`/billing/accounts/${account}`)).body.data.balance
  assert.deepEqual([await balance(father), await balance(mother)], [750, 150])
})

test('early payment: who has the money as credit when the fee is made has the discount, and only for one fee', async () => {
  const school = await aSchool(service)
  const child = await enroll(school)
  const family = await aFamily(school, [child])
  await apply(school, [{ key: 'Skonto', kind: 'early_payment', percent: 2 }])
  const pay = (amount: number) =>
    school.tenant.api.post('/billing/receipts', {
      accountId: family,
      receivedOn: new Date().toISOString().slice(0, 10),
      method: 'transfer',
      amount,
    })
  assert.equal((await pay(1175.99)).status, 201)
  assert.equal((await charge(school, child)).grand_total, 1200)
  assert.equal((await pay(1200.01)).status, 201)
  assert.equal((await charge(school, child)).grand_total, 1176)
  assert.equal((await charge(school, child)).grand_total, 1200)
})
