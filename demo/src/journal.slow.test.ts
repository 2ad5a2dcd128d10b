import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { chargeOlderJob } from '@matricula/server/features/billing-accounts/index'
import { startTestService } from '@matricula/server/testing/fixtures/test-service'
import { fillDemoTenant } from './demo-tenant.ts'

const run = promisify(execFile)

/** Why a program cannot be run here, or false. */
function skipWithout(program: string, debianPackage: string): string | false {
  try {
    execFileSync('which', [program])
    return false
  } catch {
    return `${program} is not installed (apt-get install ${debianPackage})`
  }
}

const service = await startTestService()
const tenant = await service.tenant({ timeZone: 'America/Bogota', currency: 'COP' })
const size = { students: 300, payments: 2000, seed: 1 }
await fillDemoTenant(service.database.connection, tenant, size, service.files.store, () => {})
await chargeOlderJob.run(service.data, tenant as never)

interface Balance {
  readonly account: string
  readonly root: string
  readonly currency: string
  readonly balance: number
}

/** The balances of the ledger that are not 0, as the database has them. */
async function loadBalances(): Promise<Balance[]> {
  const rows = await service.database.inspect<Omit<Balance, 'balance'> & { balance: string }>(
    `select g.account, coalesce(c.root_type, '') as root, g.account_currency as currency, sum(g.debit - g.credit)::text as balance
       from gl_entries g left join accounts c on c.tenant_id = g.tenant_id and c.name = g.account
      where g.tenant_id = $1 group by 1, 2, 3 having sum(g.debit - g.credit) <> 0`,
    [tenant.id],
  )
  return rows.map((row) => ({ ...row, balance: Number(row.balance) }))
}

const kinds: Readonly<Record<string, string>> = { Asset: 'Assets', Income: 'Income', Expense: 'Expenses' }

/** Balances as lines of a text, in order. */
const toLines = (balances: readonly (readonly [account: string, currency: string, balance: number])[]) =>
  balances.map(([account, currency, balance]) => `${account} ${currency} ${balance}`).sort()

/** The whole ledger in a file of a media type. */
async function writeJournal(t: TestContext, mediaType: string, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-journal-'))
  t.after(() => rm(folder, { recursive: true }))
  const response = await tenant.api.get('/billing/journal?from=2000-01-01&to=2999-12-31', { accept: mediaType })
  assert.equal(response.status, 200)
  await writeFile(join(folder, name), response.text)
  return join(folder, name)
}

test('GET /v1/billing/journal: the ledger of the demo has charges and receipts of two years', async () => {
  const spread = await service.database.inspect<{ vouchers: number }>(
    `select count(distinct voucher_no)::integer as vouchers from gl_entries where tenant_id = $1
      group by extract(year from posting_date)`,
    [tenant.id],
  )
  assert.ok(spread.length === 2 && spread.every(({ vouchers }) => vouchers > 500), JSON.stringify(spread))
})

test('GET /v1/billing/journal as text/x-hledger: hledger checks it, and has the balances of the ledger', {
  skip: skipWithout('hledger', 'hledger'),
}, async (t) => {
  const file = await writeJournal(t, 'text/x-hledger', 'ledger.journal')
  await run('hledger', ['check', '-f', file])
  const { stdout } = await run('hledger', ['balance', '-f', file, '--flat', '--no-total', '--layout=bare', '-O', 'csv'])
  const rows = stdout.trim().split('\n').slice(1)
  const shown = rows.map((row) => {
    const [account, currency, balance] = JSON.parse(`[${row}]`) as [string, string, string]
    return [account, currency, Number(balance)] as const
  })
  const own = await loadBalances()
  assert.deepEqual(
    toLines(shown),
    toLines(own.map(({ account, root, currency, balance }) => [`${kinds[root]}:${account}`, currency, balance])),
  )
})

test('GET /v1/billing/journal as text/x-beancount: bean-check passes, and bean-query has the balances of the ledger', {
  skip: skipWithout('bean-check', 'beancount'),
}, async (t) => {
  const file = await writeJournal(t, 'text/x-beancount', 'ledger.beancount')
  await run('bean-check', [file])
  const query = 'select account, currency, sum(number) as balance group by account, currency'
  const { stdout } = await run('bean-query', ['-f', 'csv', file, query])
  const rows = stdout.trim().split('\n').slice(1)
  const shown = rows.map((row) => {
    const [account = '', currency = '', balance = ''] = row.split(',').map((cell) => cell.trim())
    return [account, currency, Number(balance)] as const
  })
  const own = await loadBalances()
  const toName = (account: string) => account.replace(/[^A-Za-z0-9]+/g, '-')
  assert.deepEqual(
    toLines(shown.filter(([, , balance]) => balance !== 0)),
    toLines(
      own.map(({ account, root, currency, balance }) => [`${kinds[root]}:${toName(account)}`, currency, balance]),
    ),
  )
})
