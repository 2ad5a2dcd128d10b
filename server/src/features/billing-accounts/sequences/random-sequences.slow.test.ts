import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkBilling } from '../../../commands/diagnostics/billing-check.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { aSchool, enroll, feeFields, make } from '../../fees/fee-school.fixture.ts'
import { BooksModel, type ModelObligation } from './books-model.fixture.ts'

const service = await startTestService()
const school = await aSchool(service)
const { tenant, records } = school
const { api } = tenant
await make(records, 'Payment Terms Template', {
  template_name: 'Thirds',
  terms: [10, 40, 70].map((credit_days, index) => ({ invoice_portion: index === 0 ? 33.34 : 33.33, credit_days })),
})
const today = () => new Date().toISOString().slice(0, 10)
const dueDays = ['2026-01-05', '2026-06-05', '2999-01-05'] as const
const dunningFee = 5
await service.database.inspect('insert into billing_settings (tenant_id, settings) values ($1, $2::jsonb)', [
  tenant.id,
  JSON.stringify({ dunning: [{ level: 1, daysOverdue: 1, fee: dunningFee, percent: null, texts: null }] }),
])

/** Sequences in each currency; `SEQUENCES=334` runs a thousand. */
const sequencesOfEach = Number(process.env.SEQUENCES ?? 40)

const digits = { USD: 2, JPY: 0, KWD: 3 } as const
type Currency = keyof typeof digits

/** What is done, with numbers that choose on what and how much. */
interface Step {
  readonly does: keyof typeof steps
  readonly which: number
  readonly other: number
  readonly units: number
}

/** A family in two households with one child. */
class Family {
  readonly model = new BooksModel()
  readonly currency: Currency
  readonly #scale: number
  student = { id: '', code: '', enrollment: '' }
  payer: string | null = null
  payouts: { id: string; account: string; units: number }[] = []
  accounts: string[] = []

  constructor(currency: Currency) {
    this.currency = currency
    this.#scale = 10 ** digits[currency]
  }

  async begin(): Promise<void> {
    const { student, enrollment } = await enroll(school)
    const found = await api.get(`/students?studentCode=${student}`)
    this.student = { id: found.body.data[0].id, code: student, enrollment }
    for (const fields of [{ name: 'Mother', paymentTerms: 'Thirds' }, { name: 'Father' }]) {
      const made = await api.post('/billing/accounts', { ...fields, currency: this.currency })
      assert.equal(made.status, 201, made.text)
      this.accounts.push(made.body.data.id)
    }
  }

  amount = (units: number) => units / this.#scale
  units = (amount: number) => Math.round(amount * this.#scale)

  /** Adds what was charged and the model does not know yet: to whom is judged by the caller. */
  async learn(): Promise<ModelObligation[]> {
    const rows = await service.database.inspect<{
      id: string
      account: string
      fee: string | null
      due: string
      amount: string
    }>(
      `select o.payment_id as id, o.account_id as account, o.fee, o.due_on::text as due, p.amount::text as amount
         from obligations o join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
        where o.tenant_id = $1 and p.student_id = $2 order by p.created_at, p.id`,
      [tenant.id, this.student.id],
    )
    const before = this.model.obligations.length
    for (const { id, account, fee, due: dueOn, amount } of rows) {
      if (this.model.obligations.some((each) => each.id === id)) continue
      this.model.charge({ id, account, fee, dueOn, amount: this.units(Number(amount)) })
      if (!this.accounts.includes(account)) this.accounts.push(account)
    }
    return this.model.obligations.slice(before)
  }

  obligation = (which: number): ModelObligation | undefined =>
    this.model.obligations[which % Math.max(1, this.model.obligations.length)]

  /** Asserts that the service did what the model says, and gives back what it answered. */
  async ask(outcome: 'done' | 'refused', response: Promise<{ status: number; text: string; body: unknown }>) {
    const { status, text, body } = await response
    assert.equal(status < 300 ? 'done' : 'refused', outcome, text)
    assert.ok(status < 500, text)
    return (body as { data: never }).data as Record<string, never>
  }

  /** Compares accounts, obligations, receipts and ledger with the model, and the ledger with itself. */
  async compare(): Promise<void> {
    const [row] = await service.database.inspect<{
      obligations: object[]
      receipts: object[]
      accounts: object[]
      sum: string
    }>(
      `select
         (select coalesce(json_agg(json_build_array(o.payment_id, p.amount, o.paid_amount, o.adjusted_amount, o.open_amount,
                    case when p.status in ('pending', 'overdue') then 'due' else p.status end) order by o.payment_id), '[]')
            from obligations o join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
           where o.tenant_id = $1 and p.student_id = $2) as obligations,
         (select coalesce(json_agg(json_build_array(r.id, r.amount, r.status) order by r.id), '[]')
            from billing_receipts r where r.tenant_id = $1 and r.account_id = any($3::uuid[])) as receipts,
         (select json_agg(json_build_array(a.id, a.credit,
                   (select coalesce(sum(g.debit - g.credit), 0) from gl_entries g
                     where g.tenant_id = $1 and g.billing_account_id = a.id)) order by a.id)
            from billing_accounts a where a.tenant_id = $1 and a.id = any($3::uuid[])) as accounts,
         (select coalesce(sum(debit - credit), 0) from gl_entries where tenant_id = $1)::text as sum`,
      [tenant.id, this.student.id, this.accounts],
    )
    const { model, amount } = this
    const byId = (one: unknown[], other: unknown[]) => ((one[0] as string) < (other[0] as string) ? -1 : 1)
    assert.deepEqual(
      row?.obligations,
      model.obligations
        .map((each) => {
          const sums = [each.amount, each.paid, each.adjusted, model.open(each)].map(amount)
          return [each.id, ...sums, each.status]
        })
        .sort(byId),
    )
    assert.deepEqual(
      row?.receipts,
      model.receipts.map((each) => [each.id, amount(each.amount), each.isReversed ? 'reversed' : 'posted']).sort(byId),
    )
    assert.deepEqual(
      row?.accounts,
      this.accounts
        .map((id) => {
          const open = model.obligations.filter((each) => each.account === id)
          const balance = open.reduce((sum, each) => sum + model.open(each), 0) - model.credit(id)
          return [id, amount(model.credit(id)), amount(balance)]
        })
        .sort(byId),
    )
    assert.equal(Number(row?.sum), 0)
  }

  /** What the API says of each account, in the end. */
  async compareStatements(): Promise<void> {
    for (const id of this.accounts) {
      const { balance } = (await api.get(`/billing/accounts/${id}`)).body.data
      const { closingBalance } = (await api.get(`/billing/accounts/${id}/statement`)).body.data
      const { debit, credit } = { debit: this.units(balance), credit: this.units(closingBalance) }
      assert.equal(debit, credit)
    }
  }
}

const receiptOf = (accountId: string, amount: number) => ({ accountId, receivedOn: today(), method: 'cash', amount })

/** Each step judges by the model whether it is done or refused, and asks the service. */
const steps = {
  charge: async (family: Family, { which, units }: Step) => {
    const sent = { studentId: family.student.id, currency: family.currency, description: 'Tuition' }
    const dueDate = dueDays[which % dueDays.length]
    await family.ask('done', api.post('/payments', { ...sent, amount: family.amount(units), dueDate }))
    const [made, ...others] = await family.learn()
    assert.equal(others.length, 0)
    assert.equal(made?.amount, units)
    if (family.payer !== null) assert.equal(made?.account, family.payer)
    else assert.ok(!family.accounts.slice(0, 2).includes(made?.account ?? ''))
  },
  fee: async (family: Family) => {
    if (family.currency !== 'USD') return
    await make(records, 'Fees', {
      ...feeFields(school, { student: family.student.code, ...family.student }),
      docstatus: 1,
    })
    const made = await family.learn()
    assert.equal(
      made.reduce((sum, { amount }) => sum + amount, 0),
      120_000,
    )
  },
  cancelFee: async (family: Family, { which }: Step) => {
    const fees = [...new Set(family.model.obligations.flatMap(({ fee, isClosed }) => (fee && !isClosed ? [fee] : [])))]
    const fee = fees[which % Math.max(1, fees.length)]
    if (fee === undefined) return
    await family.ask(family.model.cancelFee(fee), records.put(`/api/resource/Fees/${fee}`, { docstatus: 2 }))
  },
  share: async (family: Family, { which, other }: Step) => {
    const [mother, father] = family.accounts as [string, string]
    const percent = 1 + (other % 99)
    const choices = [
      [],
      [{ accountId: mother, percent: 100 }],
      [
        { accountId: mother, percent },
        { accountId: father, percent: 100 - percent },
      ],
    ]
    const shares = choices[which % choices.length] as { accountId: string; percent: number }[]
    await family.ask('done', api.put(`/billing/students/${family.student.id}/shares`, { shares }))
    const largest = shares.reduce((most, each) => Math.max(most, each.percent), 0)
    family.payer = shares.find((each) => each.percent === largest)?.accountId ?? null
  },
  receipt: async (family: Family, { which, units }: Step) => {
    const account = family.accounts[which % family.accounts.length] as string
    const parts = family.model.allocate(account, units)
    const made = await family.ask('done', api.post('/billing/receipts', receiptOf(account, family.amount(units))))
    family.model.receive({ id: made.id as never, account, isFromCredit: false, amount: units, parts })
  },
  part: async (family: Family, { which, other, units }: Step) => {
    const obligation = family.obligation(which)
    if (obligation === undefined) return
    const { account } = obligation
    const parts = [{ obligation, amount: 1 + (other % units) }]
    const isFromCredit = other % 3 === 0
    const outcome = family.model.mayReceive(account, units, isFromCredit, parts)
    const made = await family.ask(
      outcome,
      api.post('/billing/receipts', {
        ...receiptOf(account, family.amount(units)),
        ...(isFromCredit && { method: 'credit' }),
        allocations: parts.map((part) => ({ paymentId: obligation.id, amount: family.amount(part.amount) })),
      }),
    )
    if (outcome === 'done') family.model.receive({ id: made.id as never, account, isFromCredit, amount: units, parts })
  },
  spend: async (family: Family, { which }: Step) => {
    const account = family.accounts[which % family.accounts.length] as string
    const credit = family.model.credit(account)
    if (credit === 0) return
    const parts = family.model.allocate(account, credit)
    const outcome = family.model.mayReceive(account, credit, true, parts)
    const sent = { ...receiptOf(account, family.amount(credit)), method: 'credit' }
    const made = await family.ask(outcome, api.post('/billing/receipts', sent))
    if (outcome === 'done') {
      family.model.receive({ id: made.id as never, account, isFromCredit: true, amount: credit, parts })
    }
  },
  payOut: async (family: Family, { which, units }: Step) => {
    const account = family.accounts[which % family.accounts.length] as string
    const sent = { accountId: account, paidOn: today(), method: 'transfer', amount: family.amount(units) }
    const outcome = family.model.payOut(account, units)
    const made = await family.ask(outcome, api.post('/billing/payouts', sent))
    if (outcome === 'done') family.payouts.push({ id: made.id as never, account, units })
  },
  payBack: async (family: Family, { which }: Step) => {
    const [payout] = family.payouts.splice(which % Math.max(1, family.payouts.length), 1)
    if (payout === undefined) return
    await family.ask('done', api.post(`/billing/payouts/${payout.id}/reverse`, {}))
    family.model.payBack(payout.account, payout.units)
  },
  reverse: async (family: Family, { which }: Step) => {
    const receipt = family.model.receipts[which % Math.max(1, family.model.receipts.length)]
    if (receipt === undefined) return
    await family.ask(family.model.reverse(receipt), api.post(`/billing/receipts/${receipt.id}/reverse`, {}))
  },
  instalment: async (family: Family, { which, other }: Step) => {
    const obligation = family.obligation(which)
    if (obligation === undefined || family.model.open(obligation) < 2) return
    const open = family.model.open(obligation)
    const first = 1 + (other % (open - 1))
    const dueDate = dueDays[other % dueDays.length] as string
    const parts = [
      { amount: family.amount(first), dueDate: obligation.dueOn },
      { amount: family.amount(open - first), dueDate },
    ]
    const made = await family.ask('done', api.post(`/billing/obligations/${obligation.id}/split`, { parts }))
    family.model.split(obligation, first, (made as never as { paymentId: string }[])[1]?.paymentId ?? '', dueDate)
  },
  credit: async (family: Family, { which, units }: Step) => {
    const obligation = family.obligation(which)
    if (obligation === undefined) return
    const sent = { amount: family.amount(units), reason: 'Hardship' }
    const outcome = family.model.creditNote(obligation, units)
    await family.ask(outcome, api.post(`/billing/obligations/${obligation.id}/credit`, sent))
  },
  writeOff: async (family: Family, { which, units }: Step) => {
    const obligation = family.obligation(which)
    if (obligation === undefined) return
    const sent = { amount: family.amount(units), reason: 'Unknown address' }
    const outcome = family.model.writeOff(obligation, units)
    await family.ask(outcome, api.post(`/billing/obligations/${obligation.id}/write-off`, sent))
  },
  refund: async (family: Family, { which }: Step) => {
    const obligation = family.obligation(which)
    if (obligation?.status !== 'paid') return
    const outcome = family.model.setStatus(obligation, 'refunded')
    await family.ask(outcome, api.patch(`/payments/${obligation.id}`, { status: 'refunded' }))
  },
  cancel: async (family: Family, { which }: Step) => {
    const obligation = family.obligation(which)
    if (obligation === undefined || obligation.fee !== null) return
    const outcome = family.model.setStatus(obligation, 'cancelled')
    await family.ask(outcome, api.patch(`/payments/${obligation.id}`, { status: 'cancelled' }))
  },
  reopen: async (family: Family, { which }: Step) => {
    const obligation = family.obligation(which)
    if (obligation === undefined || (obligation.fee !== null && obligation.isClosed)) return
    if (family.model.open(obligation) === 0 && !obligation.isClosed && obligation.status === 'cancelled') return
    const outcome = family.model.setStatus(obligation, 'due')
    await family.ask(outcome, api.patch(`/payments/${obligation.id}`, { status: 'pending' }))
  },
  dunningFee: async (family: Family) => {
    const run = await family.ask('done', api.post('/billing/dunning-runs', { accountIds: family.accounts }))
    await family.ask('done', api.post(`/billing/dunning-runs/${run.id}/send`, {}))
    for (const made of await family.learn()) assert.equal(made.amount, family.units(dunningFee))
  },
} as const

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])),
  which: fc.nat(1000),
  other: fc.nat(1000),
  units: fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 200_000 })),
})

/** A credit note beyond what is open of a fee whose receipt is then reversed and which is cancelled. */
const cancelledAfterCredit: Step[] = (
  [
    ['fee', 0],
    ['receipt', 110_000],
    ['credit', 20_000],
    ['reverse', 1],
    ['cancelFee', 1],
    ['spend', 1],
  ] as const
).map(([does, units]) => ({ does, units, which: does === 'receipt' || does === 'spend' ? 2 : 0, other: 0 }))

for (const currency of Object.keys(digits) as Currency[]) {
  test(`accounts, obligations, receipts and ledger agree after every step of random sequences in ${currency}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (sequence) => {
        const family = new Family(currency)
        await family.begin()
        for (const each of sequence) {
          await steps[each.does](family, each)
          await family.compare()
        }
        await family.compareStatements()
      }),
      { numRuns: sequencesOfEach, examples: [[cancelledAfterCredit]] },
    )
  })
}

test('doctor finds that accounts, obligations, receipts and ledger agree after all sequences', async () => {
  const { status, detail } = await checkBilling((text, values) => service.database.inspect(text, values as unknown[]))
  assert.equal(status, 'ok', detail)
})
