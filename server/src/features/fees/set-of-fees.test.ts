import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aSchool, enroll, feeFields, make, type School, year } from './fee-school.fixture.ts'

const service = await startTestService()

/** Who pays for a student: percentages of two accounts, and whether the second pays the laboratory alone. */
interface Household {
  readonly first: number
  readonly paysLaboratory: boolean
}

/** A school with students and what decides over their fees, and what is needed to charge them. */
interface ReadySchool {
  readonly school: School
  readonly enrolled: readonly Awaited<ReturnType<typeof enroll>>[]
  readonly schedule: string
}

interface Case {
  readonly households: readonly (Household | null)[]
  readonly isGapless: boolean
  readonly hasDiscount: boolean
  readonly hasInstalments: boolean
}

async function prepare({ households, isGapless, hasDiscount, hasInstalments }: Case): Promise<ReadySchool> {
  const school = await aSchool(service)
  const { records, tenant } = school
  const discounts = [
    {
      ...{
        key: 'Siblings',
        kind: 'sibling',
        orderBy: 'age',
        fromChild: 2,
        percent: 10,
        amount: null,
        categories: null,
      },
      ...{ order: 1, cap: null, studentCategories: null },
    },
  ]
  const settings = { numbering: { gapless: isGapless }, ...(hasDiscount && { discounts }) }
  await service.database.inspect('insert into billing_settings (tenant_id, settings) values ($1, $2::jsonb)', [
    tenant.id,
    JSON.stringify(settings),
  ])
  await make(records, 'Payment Terms Template', {
    template_name: 'Thirds',
    terms: [10, 40, 70].map((credit_days, index) => ({ invoice_portion: index === 0 ? 33.34 : 33.33, credit_days })),
  })
  const accounts: string[] = []
  for (const fields of [{ name: 'Mother', ...(hasInstalments && { paymentTerms: 'Thirds' }) }, { name: 'Father' }]) {
    const made = await tenant.api.post('/billing/accounts', fields)
    assert.equal(made.status, 201, made.text)
    accounts.push(made.body.data.id)
  }
  const enrolled: Awaited<ReturnType<typeof enroll>>[] = []
  for (const household of households) {
    const one = await enroll(school)
    enrolled.push(one)
    if (household === null) continue
    const { body } = await tenant.api.get(`/students?studentCode=${one.student}`)
    const [mother, father] = accounts
    const shares = [
      { accountId: mother, percent: household.first },
      { accountId: father, percent: 100 - household.first },
      ...(household.paysLaboratory ? [{ accountId: father, percent: 100, categories: ['Laboratory'] }] : []),
    ]
    const put = await tenant.api.put(`/billing/students/${body.data[0].id}/shares`, { shares })
    assert.equal(put.status, 200, put.text)
  }
  const group = await make(records, 'Student Group', {
    ...{ student_group_name: 'All', group_based_on: 'Activity', academic_year: year },
    students: enrolled.map(({ student }) => ({ student })),
  })
  const schedule = await make(records, 'Fee Schedule', {
    ...{ fee_structure: school.structure, academic_year: year, company: tenant.name, docstatus: 1 },
    ...{ posting_date: '2026-09-01', due_date: '2026-09-30', student_groups: [{ student_group: group.name }] },
  })
  return { school, enrolled, schedule: schedule.name }
}

async function chargeAtOnce({ school, schedule }: ReadySchool): Promise<void> {
  const call = { dt: 'Fee Schedule', dn: schedule, method: 'create_fees' }
  const { status, text } = await school.records.post('/api/method/run_doc_method', call)
  assert.equal(status, 200, text)
}

/** Makes each fee by itself, with the fields that those of a schedule have. */
async function chargeOneByOne({ school, enrolled, schedule }: ReadySchool): Promise<void> {
  const { components: _, ...fields } = feeFields(school, { student: '', enrollment: '' })
  for (const { student, enrollment } of enrolled) {
    await make(school.records, 'Fees', {
      ...fields,
      ...{ student, program_enrollment: enrollment, fee_schedule: schedule, docstatus: 1 },
      ...{ program: 'Physics', academic_year: year },
    })
  }
}

/** What identifies a row in both schools. */
const namesOfIds = `
  select id::text, 'student ' || student_code as name from students where tenant_id = $1
  union all select id::text, 'account ' || account_number from billing_accounts where tenant_id = $1
  union all select id::text, 'fee ' || name from fees where tenant_id = $1
  union all select id::text, 'ledger line of ' || voucher_no from gl_entries where tenant_id = $1
  union all
  select o.payment_id::text, 'payment of ' || a.account_number || ' for ' || o.fee || ' due ' || o.due_on
    from obligations o join billing_accounts a on a.tenant_id = o.tenant_id and a.id = o.account_id where o.tenant_id = $1`

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The rows that the fees of a school are, sorted, with names in place of what differs between schools. */
async function readRows({ school: { tenant } }: ReadySchool): Promise<Record<string, string[]>> {
  const ids = await service.database.inspect<{ id: string; name: string }>(namesOfIds, [tenant.id])
  const names = new Map(ids.map(({ id, name }) => [id, name]))
  const ofFees = `entity_type in ('fee', 'payment', 'gl_entry', 'billing_account')`
  const where: Record<string, string> = {
    fees: 'true',
    fees_components: 'true',
    payments: 'true',
    obligations: 'true',
    gl_entries: 'true',
    billing_accounts: 'true',
    audit_entries: ofFees,
    events: ofFees,
    naming_series: `prefix collate "C" !~ 'STU|ENR'`,
  }
  const rows: Record<string, string[]> = {}
  for (const [table, condition] of Object.entries(where)) {
    const found = await service.database.inspect<{ row: string }>(
      `select to_jsonb(r)::text as row from ${table} r where tenant_id = $1 and ${condition}`,
      [tenant.id],
    )
    rows[table] = found.map(({ row }) => withoutChance(row, names, tenant)).sort()
  }
  // Which shard of a count is raised is a matter of the connection.
  const counted = await service.database.inspect<{ status: string; payments: number }>(
    `select status, sum(count)::integer as payments from record_counts
      where tenant_id = $1 and entity_type = 'payment' group by status order by status`,
    [tenant.id],
  )
  rows.record_counts = counted.map(({ status, payments }) => `${payments} ${status}`)
  return rows
}

/** Rows as text without ids of chance, stamps, positions, and what is called after the school. */
function withoutChance(row: string, names: ReadonlyMap<string, string>, { name }: School['tenant']): string {
  const named = row
    .replaceAll(uuids, (id) => names.get(id) ?? 'id')
    .replaceAll(name, 'School')
    .replaceAll(/ - [A-Z0-9]+"/g, ' - S"')
    .replaceAll(/Number \d+/g, 'Number')
  return named
    .replaceAll(/"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^"]*"/g, '"moment"')
    .replaceAll(/RF[0-9A-Z]{6,}/g, 'reference')
    .replaceAll(
      /"(position|transaction_id|posting_time|shard|search_text|request_id|actor_id|actor_name|owner|modified_by)": [^,}]*/g,
      '',
    )
    .replaceAll(/"name": "[0-9a-z]{10}"/g, '"name": "row"')
    .replaceAll(/ACC-GLE-(\d{4})-[^"]*/g, 'ACC-GLE-$1')
}

const household = fc.option(fc.record({ first: fc.integer({ min: 1, max: 99 }), paysLaboratory: fc.boolean() }), {
  freq: 2,
})

test('fees that a schedule makes at once are row by row those that are made one by one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        households: fc.array(household, { minLength: 1, maxLength: 5 }),
        isGapless: fc.boolean(),
        hasDiscount: fc.boolean(),
        hasInstalments: fc.boolean(),
      }),
      async (drawn) => {
        const [atOnce, oneByOne] = [await prepare(drawn), await prepare(drawn)]
        await chargeAtOnce(atOnce)
        await chargeOneByOne(oneByOne)
        const [made, wanted] = [await readRows(atOnce), await readRows(oneByOne)]
        assert.ok(made.obligations?.length)
        assert.deepEqual(made, wanted)
      },
    ),
    { numRuns: 5 },
  )
})

test('fees of a schedule that is interrupted by one that is refused leave nothing, and are then all made once', async () => {
  const ready = await prepare({ households: [null, null], isGapless: true, hasDiscount: false, hasInstalments: false })
  const { tenant } = ready.school
  const before = await readRows(ready)
  await service.database.inspect(`update accounts set disabled = 1 where tenant_id = $1 and account_name = 'Debtors'`, [
    tenant.id,
  ])
  const call = { dt: 'Fee Schedule', dn: ready.schedule, method: 'create_fees' }
  const refused = await ready.school.records.post('/api/method/run_doc_method', call)
  assert.equal(refused.status, 417, refused.text)
  assert.deepEqual(await readRows(ready), before)
  await service.database.inspect('update accounts set disabled = 0 where tenant_id = $1', [tenant.id])
  await chargeAtOnce(ready)
  const made = await readRows(ready)
  assert.equal(made.fees?.length, 2)
  assert.equal(made.obligations?.length, 2)
})
