import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aSchool, enroll, feeFields, make, type School, year } from './fee-school.fixture.ts'

const service = await startTestService()

/** An amount in minor units with its number of decimals, as a JSON number. */
function sent(units: bigint, digits: number): number {
  const text = units.toString().padStart(digits + 1, '0')
  return JSON.parse(digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`)
}

const getComponents = (amounts: readonly number[]) => amounts.map((amount) => ({ fees_category: 'Tuition', amount }))

/** The amounts of a fee in the record, the ledger, the payment and the database. */
async function findAmounts({ tenant, records }: School, name: string) {
  const fee = (await records.get(`/api/resource/Fees/${name}`)).body.data
  const filters = encodeURIComponent(JSON.stringify({ against_voucher: name, is_cancelled: 0 }))
  const ledger = await records.get(`/api/resource/GL Entry?fields=["debit","credit"]&filters=${filters}`)
  const [payment] = (await tenant.api.get(`/payments?limit=1&studentId=${await loadId(tenant.id, fee.student)}`)).body
    .data
  const [stored] = await service.database.inspect<{ total: string; paid: string }>(
    `select f.grand_total::text as total, p.amount::text as paid from fees f
       join payments p on p.tenant_id = f.tenant_id and p.fee = f.name where f.tenant_id = $1 and f.name = $2`,
    [tenant.id, name],
  )
  const lines = ledger.body.data.map(({ debit, credit }: Record<string, number>) => [debit, credit])
  return { total: fee.grand_total, outstanding: fee.outstanding_amount, lines, payment, kept: stored }
}

async function loadId(tenantId: string, code: string): Promise<string> {
  const [row] = await service.database.inspect<{ id: string }>(
    'select id from students where tenant_id = $1 and student_code = $2',
    [tenantId, code],
  )
  return row?.id ?? ''
}

for (const [currency, digits] of [
  ['USD', 2],
  ['KWD', 3],
  ['JPY', 0],
] as const) {
  test(`fees in ${currency}: exactly the sum of their components, in fee, ledger, payment and debt`, async () => {
    const school = await aSchool(service, { currency })
    const whole = 10n ** 12n * 10n ** BigInt(digits)
    const components = fc
      .array(fc.bigInt({ min: 1n, max: whole }), { minLength: 1, maxLength: 5 })
      .filter((units) => units.reduce((sum, each) => sum + each, 0n) <= whole)
    const examples: [bigint[]][] =
      digits === 2 ? [[[4n, 301557853424n]], [[446903423n]], [[whole]], [[whole - 1n, 1n]], [[10n, 20n]]] : [[[whole]]]
    await fc.assert(
      fc.asyncProperty(components, async (units) => {
        const expected = sent(
          units.reduce((sum, each) => sum + each, 0n),
          digits,
        )
        const amounts = units.map((each) => sent(each, digits))
        const fields = { components: getComponents(amounts), docstatus: 1 }
        const fee = await make(school.records, 'Fees', feeFields(school, await enroll(school), fields))
        assert.deepEqual(
          fee.components.map(({ amount }: { amount: number }) => amount),
          amounts,
        )
        const { total, outstanding, lines, payment, kept: stored } = await findAmounts(school, fee.name)
        assert.deepEqual([total, outstanding, payment.amount], [expected, expected, expected])
        assert.deepEqual(lines, [[expected, 0]])
        assert.deepEqual(stored, { total: String(expected), paid: String(expected) })
        assert.equal((await school.tenant.api.patch(`/payments/${payment.id}`, { status: 'paid' })).status, 200)
        assert.equal((await findAmounts(school, fee.name)).outstanding, 0)
      }),
      { numRuns: 12, examples },
    )
    const sum = await school.records.get('/api/resource/Fees?fields=["sum(grand_total) as total"]')
    const [exact] = await service.database.inspect<{ total: string }>(
      'select sum(grand_total)::text as total from fees where tenant_id = $1',
      [school.tenant.id],
    )
    assert.equal(sum.body.data[0].total, Number(exact?.total))
  })
}

test('payments: any amount is returned as it was sent', async () => {
  const school = await aSchool(service)
  const { student } = await enroll(school)
  const studentId = await loadId(school.tenant.id, student)
  for (const amount of [4469034.23, 999999999999.999, 1e12, 0.01, 3015578534.24, 0.07, 1234567.891]) {
    const made = await school.tenant.api.post('/payments', { studentId, amount, description: 'x', dueDate: null })
    const read = await school.tenant.api.get(`/payments/${made.body.data.id}`)
    assert.ok(read.text.includes(`"amount":${amount},`), `${amount}: ${read.text}`)
  }
})

test('discounts: computed in decimal and rounded once per line, half away from zero', async () => {
  const school = await aSchool(service)
  const structure = await make(school.records, 'Fee Structure', {
    program: 'Physics',
    academic_year: year,
    components: [
      { fees_category: 'Tuition', amount: 1.15, discount: 50 },
      { fees_category: 'Laboratory', amount: 999999999999.99, discount: 33.3 },
      { fees_category: 'Tuition', amount: 10.005 },
    ],
  })
  const totals = structure.components.map(({ total }: { total: number }) => total)
  assert.deepEqual(totals, [0.58, 666999999999.99, 10.01])
  assert.equal(structure.total_amount, 667000000010.58)
})

test('instalments: add up to the structure’s total, as amounts and as schedules', async () => {
  const school = await aSchool(service)
  const structure = await make(school.records, 'Fee Structure', {
    program: 'Physics',
    academic_year: year,
    docstatus: 1,
    components: [
      { fees_category: 'Tuition', amount: 1000.01, discount: 10 },
      { fees_category: 'Laboratory', amount: 0.07 },
    ],
  })
  await make(school.records, 'Student Group', {
    student_group_name: 'Everybody',
    group_based_on: 'Activity',
    academic_year: year,
  })
  const methods = '/api/method/education.education.doctype.fee_structure.fee_structure'
  const shared = await school.records.post(`${methods}.get_amount_distribution_based_on_fee_plan`, {
    components: JSON.stringify(structure.components),
    total_amount: structure.total_amount,
    fee_plan: 'Monthly',
  })
  const { distribution, per_component_amount } = shared.body.message
  assert.equal(distribution.length, 12)
  const inCents = (amount: number) => BigInt(Math.round(amount * 100))
  const cents = distribution.map(({ amount }: { amount: number }) => inCents(amount))
  assert.equal(
    cents.reduce((sum: bigint, each: bigint) => sum + each, 0n),
    inCents(structure.total_amount),
  )
  assert.deepEqual(per_component_amount, { Tuition: 75, Laboratory: 0.01 })
  const made = await school.records.post(`${methods}.make_fee_schedule`, {
    source_name: structure.name,
    dialog_values: JSON.stringify({ distribution, student_groups: [{ student_group: 'Everybody' }] }),
    per_component_amount: JSON.stringify(per_component_amount),
    total_amount: structure.total_amount,
  })
  assert.equal(made.body.message, 12, made.text)
  const totals = await school.records.get(
    `/api/resource/Fee Schedule?limit_page_length=0&fields=["total_amount"]&filters={"fee_structure":"${structure.name}"}`,
  )
  assert.equal(
    totals.body.data.reduce((sum: bigint, row: { total_amount: number }) => sum + inCents(row.total_amount), 0n),
    inCents(structure.total_amount),
  )
})

test('fees: above the maximum of a payment rejected with advice, and not stored', async () => {
  const school = await aSchool(service)
  const who = await enroll(school)
  const submit = (amounts: number[]) =>
    school.records.post(
      '/api/resource/Fees',
      feeFields(school, who, { docstatus: 1, components: getComponents(amounts) }),
    )
  for (const [amounts, type] of [
    [[1e12, 0.01], 'ValidationError'],
    [[1e15, 0.01, 1e15], 'DataError'],
  ] as const) {
    const rejected = await submit([...amounts])
    assert.deepEqual([rejected.status, rejected.body.exc_type], [417, type], rejected.text)
    assert.match(rejected.body.exception, /several fees|smaller amounts/)
  }
  assert.deepEqual((await school.records.get('/api/resource/Fees')).body.data, [])
})
