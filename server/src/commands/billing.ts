import { Readable } from 'node:stream'
import type { Command } from 'commander'
import type { Database } from '../database/index.ts'
import { readOne } from '../entities/index.ts'
import { CommandError } from '../errors/index.ts'
import {
  billingAccounts,
  directDebits,
  journalFile,
  listAgeing,
  readStatement,
  writeInitiation,
} from '../features/billing-accounts/index.ts'
import { isCalendarDate } from '../http/index.ts'
import { type Page, readPage } from '../listing/index.ts'
import { amountText } from '../money/index.ts'
import { isUuid } from '../values/index.ts'
import { writeTarget } from './export/export-target.ts'
import { withOperator } from './operator.ts'
import { print } from './outcome.ts'

/** `matricula billing …`: what payers owe, the books, and the files for the bank. */
export function addBillingCommand(billing: Command): void {
  addAccounts(billing)
  addStatement(billing)
  addAgeing(billing)
  addJournal(billing)
  addDirectDebit(billing)
}

function addAccounts(parent: Command): void {
  parent
    .command('accounts')
    .description(`Lists billing accounts with their balances, at most ${maxAccounts}.`)
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--search <text>', 'a part of the name, the number or the e-mail address')
    .option('--json', 'print one JSON object')
    .action(({ tenant: slug, search, json }: { tenant: string; search?: string; json?: boolean }) =>
      withOperator(async ({ database, requireTenant }) => {
        const { id } = await requireTenant(slug)
        const found = await listAccounts(database, id, search === undefined ? {} : { search })
        const lines = found.map(({ accountNumber, name, balance, currency }) =>
          [accountNumber, `${currency} ${amountText(balance, currency)}`.padStart(16), name].join('  '),
        )
        print(json, { accounts: found }, lines.join('\n') || 'There are no accounts.')
      }),
    )
}

function addStatement(parent: Command): void {
  parent
    .command('statement')
    .description('Shows what happened on an account between two days, both included.')
    .argument('<account>', 'its number, its external id or its id')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--from <day>', 'the first day; from the beginning by default')
    .option('--to <day>', 'the last day; today by default')
    .option('--json', 'print one JSON object')
    .action((named: string, options: { tenant: string; from?: string; to?: string; json?: boolean }) => {
      const days = { ...parseDay('from', options.from), ...parseDay('to', options.to) }
      return withOperator(async ({ database, requireTenant }) => {
        const tenant = await requireTenant(options.tenant)
        const { id, currency } = await findAccount(database, tenant.id, named)
        const statement = await readStatement(database, tenant, id, days)
        const money = (amount: number) => amountText(amount, currency).padStart(14)
        const lines = statement.lines.map(({ date, kind, number, debit, credit, balance }) =>
          [date, kind.padEnd(12), number.padEnd(24), money(debit), money(credit), money(balance)].join('  '),
        )
        const opening = `Opening balance  ${currency} ${amountText(statement.openingBalance, currency)}`
        const closing = `Closing balance  ${currency} ${amountText(statement.closingBalance, currency)}`
        print(options.json, { statement }, [opening, ...lines, closing].join('\n'))
      })
    })
}

function addAgeing(parent: Command): void {
  parent
    .command('ageing')
    .description('Shows what is open, by the days since it was due.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--as-of <day>', 'as it stood at the end of this day; today by default')
    .option('--by <what>', `what the rows are: ${ageingRows.join(', ')}`, 'account')
    .option('--json', 'print one JSON object')
    .action((options: { tenant: string; asOf?: string; by: string; json?: boolean }) => {
      const by = ageingRows.find((each) => each === options.by)
      if (by === undefined) {
        throw new CommandError('invalid_value', `${options.by} is not one of ${ageingRows.join(', ')}.`)
      }
      const query = { by, ...parseDay('asOf', options.asOf) }
      return withOperator(async ({ database, requireTenant }) => {
        const rows = await listAgeing(database, await requireTenant(options.tenant), query)
        const lines = rows.map(({ name, currency, ...open }) => {
          const columns = [open.notDue, open.days1To30, open.days31To60, open.days61To90, open.over90, open.total]
          return [currency, ...columns.map((amount) => amountText(amount, currency).padStart(12)), name].join('  ')
        })
        const heading = ['   ', 'Not due', '1-30', '31-60', '61-90', 'Over 90', 'Total', 'Name']
        const aligned = heading.map((title, index) => (index > 0 && index < 7 ? title.padStart(12) : title)).join('  ')
        print(options.json, { ageing: rows }, rows.length === 0 ? 'Nothing is open.' : [aligned, ...lines].join('\n'))
      })
    })
}

function addJournal(parent: Command): void {
  parent
    .command('journal')
    .description('Exports the ledger between two days, both included.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('--from <day>', 'the first day')
    .requiredOption('--to <day>', 'the last day')
    .option('--format <format>', `${Object.keys(journalFormats).join(', ')}`, 'csv')
    .option('-o, --output <file>', 'where it is written; standard output by default', '-')
    .action((options: { tenant: string; from: string; to: string; format: string; output: string }) => {
      const mediaType = Object.hasOwn(journalFormats, options.format) ? journalFormats[options.format] : undefined
      if (mediaType === undefined) {
        const known = Object.keys(journalFormats).join(', ')
        throw new CommandError('invalid_value', `There is no format ${options.format}. There are: ${known}.`)
      }
      const days = { ...parseDay('from', options.from), ...parseDay('to', options.to) } as { from: string; to: string }
      return withOperator(async ({ database, requireTenant }) => {
        const { id } = await requireTenant(options.tenant)
        await writeTarget(options.output, Readable.from(await journalFile(database, id, mediaType, days)))
      })
    })
}

function addDirectDebit(parent: Command): void {
  parent
    .command('direct-debit')
    .description('Writes the file for the bank (pain.008) of a run of direct debits.')
    .argument('<id>', 'the run')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('-o, --output <file>', 'where it is written; standard output by default', '-')
    .action((id: string, options: { tenant: string; output: string }) =>
      withOperator(async ({ database, requireTenant }) => {
        const tenant = await requireTenant(options.tenant)
        const { record } = await readOne(database, tenant.id, directDebits, id)
        await writeTarget(options.output, Readable.from([await writeInitiation(database, tenant.id, record.id)]))
      }),
    )
}

const ageingRows = ['account', 'student', 'group', 'program'] as const

const journalFormats: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  hledger: 'text/x-hledger',
  beancount: 'text/x-beancount',
}

/** At most so many accounts are listed. */
const maxAccounts = 1000

type Account = ReturnType<typeof billingAccounts.toRecord>
type AccountFilters = { readonly search?: string } | { readonly externalId: string }

/** The accounts that match, in the order in which they were made. */
async function* readAccounts(database: Database, tenantId: string, filters: AccountFilters): AsyncGenerator<Account> {
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const query = { ...filters, limit: 100, cursor }
    const page: Page<Account> = await readPage(database, tenantId, billingAccounts, query)
    for await (const account of page.records as Iterable<Account> | AsyncIterable<Account>) yield account
    cursor = page.nextCursor
  }
}

async function listAccounts(database: Database, tenantId: string, filters: AccountFilters): Promise<Account[]> {
  const found: Account[] = []
  for await (const account of readAccounts(database, tenantId, filters)) {
    found.push(account)
    if (found.length === maxAccounts) break
  }
  return found
}

/** The account that a number, an external id or an id names. Throws `CommandError`. */
async function findAccount(database: Database, tenantId: string, named: string): Promise<Account> {
  if (isUuid(named)) return (await readOne(database, tenantId, billingAccounts, named)).record
  for (const filters of [{ externalId: named }, { search: named }]) {
    for await (const account of readAccounts(database, tenantId, filters)) {
      if (account.externalId === named || account.accountNumber === named) return account
    }
  }
  throw new CommandError('not_found', `There is no account ${named}. matricula billing accounts shows them.`)
}

/** The day of an option under its name; nothing where it is not given. Throws `CommandError`. */
function parseDay<Name extends string>(name: Name, text: string | undefined): Partial<Record<Name, string>> {
  if (text === undefined) return {}
  if (isCalendarDate(text)) return { [name]: text } as Record<Name, string>
  throw new CommandError('invalid_value', `${text} is not a day. Write it as 2026-09-01.`)
}
