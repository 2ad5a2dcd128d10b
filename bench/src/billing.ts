import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { Caller } from '../../server/dist/testing/fixtures/client.js'
import { printCharging } from './charging.ts'
import { asOwner } from './services/bench-database.ts'
import type { BenchService } from './services/bench-service.ts'
import { median } from './services/load.ts'

/** What is measured by default, and with `full` behind the command: as institutions of twenty thousand students have it. */
const sizes = {
  usual: { charged: 500, few: 2_500, many: 50_000, lines: 2_000, owed: 8_000 },
  full: { charged: 20_000, few: 2_500, many: 250_000, lines: 50_000, owed: 200_000 },
} as const
const connections = 16
const receiptsOfEach = 10
const allocations = 10
const repetitions = 7

const iban = 'DE89370400440532013000'
const today = () => new Date().toISOString().slice(0, 10)
const print = (what: string, measured: string) => process.stdout.write(`${what.padEnd(52)}${measured}\n`)

type Size = (typeof sizes)[keyof typeof sizes]

/** What is measured, by the word that chooses it alone. */
const parts = { charging: printCharging, receipts: printReceipts, reports: printReports, matching: printMatching }

/** Charges, receives, reports and matches, beside what the same rows take by hand or a smaller tenant takes. */
export async function printBilling(service: BenchService): Promise<void> {
  const args = process.argv.slice(3)
  const size = args.includes('full') ? sizes.full : sizes.usual
  const chosen = Object.keys(parts).filter((part) => args.includes(part))
  await asOwner(service, async (owner) => {
    for (const part of chosen.length > 0 ? chosen : Object.keys(parts)) {
      await parts[part as keyof typeof parts](service, owner, size)
    }
  })
}

/** A caller of the Client API with the scopes of billing. */
async function aCaller(service: BenchService, slug: string): Promise<Caller> {
  const all = ['--scopes', 'all,extensions', '--domains', 'students,enrollment,payments']
  const quota = ['--requests-per-minute', '1000000']
  const { token } = await service.command('token', 'create', '--tenant', slug, '--name', 'billing', ...all, ...quota)
  return new Caller(service.address, token)
}

/** The tables of a receipt, with what makes a row of each another one. */
const copied = {
  billing_receipts: `'id', $2::uuid, 'receipt_number', $2::uuid, 'voucher_no', $2::uuid`,
  billing_receipt_allocations: `'receipt_id', $2::uuid`,
  gl_entries: `'id', gen_random_uuid(), 'name', gen_random_uuid(), 'voucher_no', $2::uuid`,
  audit_entries: `'id', gen_random_uuid()`,
} as const

async function printReceipts(service: BenchService, owner: pg.Client): Promise<void> {
  const slug = 'receipts'
  const { tenantId } = await service.fill(slug, 100, connections * receiptsOfEach * allocations)
  await owner.query(`update payments set status = 'pending', currency = 'USD' where tenant_id = $1`, [tenantId])
  await owner.query(chargedAccounts, [tenantId, connections])
  await owner.query(chargedPayments, [tenantId])
  const api = await aCaller(service, slug)
  const owed = await owner.query<{ account: string; ids: string[]; amounts: number[] }>(
    `select account_id as account, array_agg(payment_id::text) as ids, array_agg(open_amount::float) as amounts
       from obligations where tenant_id = $1 and open_amount > 0 group by 1`,
    [tenantId],
  )
  const posted: number[] = []
  const started = performance.now()
  await Promise.all(
    owed.rows.map(async ({ account: accountId, ids, amounts }) => {
      for (let first = 0; first + allocations <= ids.length; first += allocations) {
        const parts = ids.slice(first, first + allocations)
        const sent = parts.map((paymentId, index) => ({ paymentId, amount: amounts[first + index] as number }))
        const amount = Number(sent.reduce((sum, part) => sum + part.amount, 0).toFixed(2))
        const begun = performance.now()
        const body = { accountId, receivedOn: today(), method: 'cash', amount, allocations: sent }
        const { status, text } = await api.post('/billing/receipts', body)
        if (status !== 201) throw new Error(text)
        posted.push(performance.now() - begun)
      }
    }),
  )
  const rate = posted.length / ((performance.now() - started) / 1000)
  const byHand = await copyReceipts(service, owner, tenantId, posted.length)
  const ratio = (rate / byHand).toFixed(2)
  print(
    `receipts of ${allocations} allocations, ${connections} connections`,
    `${rate.toFixed(0)}/s, by hand ${byHand.toFixed(0)}/s, ratio ${ratio}; at least 0.6 is wanted`,
  )
}

interface ReceiptToCopy {
  readonly id: string
  readonly voucher: string
  readonly paid: readonly string[]
}

/** Copies the rows of receipts by plain SQL, over as many connections; how many a second. */
async function copyReceipts(service: BenchService, owner: pg.Client, tenantId: string, count: number): Promise<number> {
  const { rows } = await owner.query<ReceiptToCopy>(
    `select r.id, r.voucher_no as voucher, array(select payment_id from billing_receipt_allocations l
              where l.tenant_id = $1 and l.receipt_id = r.id) as paid
       from billing_receipts r where r.tenant_id = $1 order by r.id limit $2`,
    [tenantId, connections],
  )
  const begun = performance.now()
  await Promise.all(
    rows.map((receipt) =>
      asOwner(service, async (own) => {
        for (let made = 0; made < count / rows.length; made += 1) await copyReceipt(own, tenantId, receipt)
      }),
    ),
  )
  return count / ((performance.now() - begun) / 1000)
}

/** Which rows of a table are those of a receipt: `$3` its id, `$4` its voucher. */
const ofReceipt = {
  billing_receipts: 'id = $3::uuid and $4::text is not null',
  billing_receipt_allocations: 'receipt_id = $3::uuid and $4::text is not null',
  gl_entries: '$3::uuid is not null and voucher_no = $4',
  audit_entries: '$3::uuid is not null and $4::text is not null',
} as const

async function copyReceipt(own: pg.Client, tenantId: string, { id, voucher, paid }: ReceiptToCopy): Promise<void> {
  const made = randomUUID()
  await own.query('begin')
  for (const [table, other] of Object.entries(copied)) {
    const which = ofReceipt[table as keyof typeof ofReceipt]
    await own.query(
      `insert into ${table} select made.*
         from (select * from ${table} where tenant_id = $1 and $2::uuid is not null and ${which} limit ${allocations + 1}) r,
              jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object(${other})) made`,
      [tenantId, made, id, voucher],
    )
  }
  const touched = [tenantId, paid]
  await own.query(
    'update obligations set paid_amount = paid_amount where tenant_id = $1 and payment_id = any($2)',
    touched,
  )
  await own.query('update payments set version = version + 1 where tenant_id = $1 and id = any($2)', touched)
  await own.query('commit')
}

/** So many accounts, which the payments of a tenant are then owed by. */
const chargedAccounts = `
  insert into billing_accounts (tenant_id, id, number, account_number, name, kind, currency, language)
  select $1, gen_random_uuid(), n + 1000000, 'B-' || n, 'Family ' || n, 'family', 'USD', 'en' from generate_series(1, $2::integer) n`

/** The obligations of all payments, dealt to the accounts; what is paid has nothing open. */
const chargedPayments = `
  insert into obligations (tenant_id, payment_id, account_id, reference, invoice_number, company, receivable_account,
                           income_account, posted_on, due_on, paid_amount, open_amount)
  select $1, p.id, a.id, 'RF' || substr(md5(p.id::text), 1, 20), 'INV-' || p.n, c.name, c.default_receivable_account,
         c.default_income_account, p.created_at::date, p.due_date::date, case when p.status = 'paid' then p.amount else 0 end,
         case when p.status = 'paid' then 0 else p.amount end
    from (select *, row_number() over (order by id) as n from payments where tenant_id = $1) p
    join (select id, row_number() over (order by number) as n, count(*) over () as total
            from billing_accounts where tenant_id = $1 and kind = 'family') a on a.n = 1 + p.n % a.total
    cross join (select * from companies where tenant_id = $1 limit 1) c
  on conflict do nothing`

/** Two lines for what each payment charged, and two for what was paid of it. */
const postings = `
  insert into gl_entries (tenant_id, id, name, posting_date, account, debit, credit, account_currency, voucher_type,
                          voucher_no, company, docstatus, owner, modified_by, billing_account_id)
  select $1, gen_random_uuid(), gen_random_uuid()::text, o.posted_on, line.account, line.debit, line.credit, 'USD', 'Sales Invoice',
         o.invoice_number, o.company, 1, 'bench', 'bench', case when line.account = o.receivable_account then o.account_id end
    from obligations o join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
   cross join lateral (values (o.receivable_account, p.amount, 0), (o.income_account, 0, p.amount),
                              (o.income_account, o.paid_amount, 0), (o.receivable_account, 0, o.paid_amount)) line (account, debit, credit)
   where o.tenant_id = $1`

async function printReports(service: BenchService, owner: pg.Client, { few, many }: Size): Promise<void> {
  const open = 1_000
  const measured: { ageing: number; balances: number; statement: number }[] = []
  for (const count of [few, many]) {
    const slug = `reports-${count}`
    const { tenantId } = await service.fill(slug, 200, count)
    await owner.query(
      `update payments p set status = case when n.n <= $2 then 'pending' else 'paid' end, currency = 'USD'
         from (select id, row_number() over (order by id) as n from payments where tenant_id = $1) n
        where p.tenant_id = $1 and p.id = n.id`,
      [tenantId, open],
    )
    await owner.query(chargedAccounts, [tenantId, 500])
    await owner.query(chargedPayments, [tenantId])
    await owner.query(postings, [tenantId])
    await owner.query('vacuum analyze')
    const api = await aCaller(service, slug)
    const accounts = (await api.get('/billing/accounts?limit=100')).body.data as { id: string }[]
    const time = async (path: (n: number) => string) => {
      const times: number[] = []
      for (let repetition = 0; repetition <= repetitions; repetition += 1) {
        const begun = performance.now()
        const { status, text } = await api.get(path(repetition))
        if (status !== 200) throw new Error(text)
        if (repetition > 0) times.push(performance.now() - begun)
      }
      return median(times)
    }
    measured.push({
      ageing: await time(() => '/billing/ageing'),
      balances: await time(() => '/billing/accounts?limit=100'),
      statement: await time((n) => `/billing/accounts/${accounts[n]?.id}/statement`),
    })
  }
  const [small, large] = measured as [(typeof measured)[number], (typeof measured)[number]]
  for (const what of ['ageing', 'balances'] as const) {
    const ratio = (large[what] / small[what]).toFixed(2)
    const times = `${large[what].toFixed(1)} ms, with ${few * 4} ${small[what].toFixed(1)} ms`
    print(`${what} with ${many * 4} postings`, `${times}, ratio ${ratio}; at most 1.2 is wanted`)
  }
  print('statement of one account', `${large.statement.toFixed(1)} ms; at most 20 ms are wanted`)
}

async function printMatching(service: BenchService, owner: pg.Client, { lines, owed }: Size): Promise<void> {
  const slug = 'matching'
  const { tenantId } = await service.fill(slug, 200, owed)
  await owner.query(`update payments set status = 'pending', currency = 'EUR' where tenant_id = $1`, [tenantId])
  await owner.query(chargedAccounts.replace(`'USD'`, `'EUR'`), [tenantId, 500])
  await owner.query(chargedPayments, [tenantId])
  await owner.query(
    `insert into billing_settings (tenant_id, settings) values ($1, $2)
     on conflict (tenant_id) do update set settings = excluded.settings`,
    [tenantId, { bankAccounts: [{ key: 'main', iban, currency: 'EUR', csvColumns: null }] }],
  )
  await owner.query('analyze')
  const { rows } = await owner.query<{ number: string; amount: string }>(
    `select o.invoice_number as number, o.open_amount::text as amount from obligations o where o.tenant_id = $1 limit $2`,
    [tenantId, lines],
  )
  const day = today()
  const csv = ['bookedOn,valueOn,amount,currency,bankReference,text']
  for (const [index, { number, amount }] of rows.entries()) csv.push(`${day},${day},${amount},EUR,B-${index},${number}`)
  const api = await aCaller(service, slug)
  const before = await service.residentMebibytes()
  const begun = performance.now()
  const file = await api.send('POST', `/billing/bank-statements?account=${iban}`, `${csv.join('\n')}\n`, {
    'content-type': 'text/csv',
  })
  if (file.status !== 201) throw new Error(file.text)
  const propose = async () => {
    const found: string[] = []
    for (let page = 1; (page - 1) * 100 < rows.length; page += 1) {
      const response = await api.get(`/billing/bank-statements/${file.body.data.id}/lines?limit=100&page=${page}`)
      if (response.status !== 200) throw new Error(response.text)
      for (const { id, proposals } of response.body.data) found.push(`${id} ${JSON.stringify(proposals)}`)
    }
    return found
  }
  const once = await propose()
  const seconds = (performance.now() - begun) / 1000
  const isSame = JSON.stringify(once) === JSON.stringify(await propose())
  const matched = once.filter((line) => !line.endsWith('[]')).length
  const grown = ((await service.residentMebibytes()) - before).toFixed(0)
  print(
    `match ${rows.length} lines against ${owed} obligations`,
    `${seconds.toFixed(1)} s, ${matched} with a proposal, the same twice: ${isSame}, memory grew by ${grown} MiB`,
  )
}
