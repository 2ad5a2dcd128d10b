import type { Journal, Static } from '@matricula/contract'
import { type Database, sql } from '../../../database/index.ts'
import type { Chunks } from '../../../http/index.ts'
import { plainNumber } from '../../../values/index.ts'
import { requireSpan } from './statement.ts'

type JournalRecord = Static<typeof Journal>
type Entry = JournalRecord['entries'][number] & { readonly root: string | null }

/** Two days, `YYYY-MM-DD`, both included. */
interface Span {
  readonly from: string
  readonly to: string
}

/** The ledger between two days, both included, by day and document, in batches. Throws `validation_failed` for days out of order. */
export function readJournal(database: Database, tenantId: string, { from, to }: Span): AsyncIterable<readonly Entry[]> {
  requireSpan(from, to)
  return database.readRows<Entry>(
    tenantId,
    sql`
      select g.posting_date as date, coalesce(g.voucher_no, g.name) as document, coalesce(g.account, '') as account,
             coalesce(b.account_number, g.party) as party, g.debit, g.credit, coalesce(g.account_currency, '') as currency,
             coalesce(g.remarks, '') as text, c.root_type as root
        from gl_entries g
        left join billing_accounts b on b.tenant_id = g.tenant_id and b.id = g.billing_account_id
        left join accounts c on c.tenant_id = g.tenant_id and c.name = g.account
       where g.tenant_id = ${tenantId} and g.posting_date between ${from}::date and ${to}::date
       order by g.posting_date, document, g.created_at, g.id`,
  )
}

/** An entry as it is answered in JSON. */
export function toEntry({ root: _, ...entry }: Entry): JournalRecord['entries'][number] {
  return entry
}

/** The ledger between two days as `text/csv`, `text/x-hledger` or `text/x-beancount`, piece by piece. Throws as `readJournal`. */
export async function journalFile(
  database: Database,
  tenantId: string,
  mediaType: string,
  span: Span,
): Promise<Chunks> {
  const batches = readJournal(database, tenantId, span)
  if (mediaType === 'text/x-hledger') return formatHledger(batches)
  if (mediaType !== 'text/x-beancount') return formatCsv(batches)
  const accounts = await database.read<OpenedAccount>(
    tenantId,
    sql`
      select coalesce(g.account, '') as account, c.root_type as root, min(min(g.posting_date)) over () as "firstDay"
        from gl_entries g left join accounts c on c.tenant_id = g.tenant_id and c.name = g.account
       where g.tenant_id = ${tenantId} and g.posting_date between ${span.from}::date and ${span.to}::date
       group by 1, 2 order by 1, 2`,
  )
  return formatBeancount(accounts, batches)
}

const headings = ['date', 'document', 'account', 'party', 'debit', 'credit', 'currency', 'text'] as const

/** CSV (RFC 4180). A text that a spreadsheet would run is written as text. */
async function* formatCsv(batches: AsyncIterable<readonly Entry[]>): Chunks {
  yield `${headings.join(',')}\r\n`
  for await (const entries of batches) {
    yield entries
      .map((entry) => {
        const cells = headings.map((name) => {
          const value = entry[name]
          return typeof value === 'number' ? plainNumber(value) : quoteCell(value ?? '')
        })
        return `${cells.join(',')}\r\n`
      })
      .join('')
  }
}

function quoteCell(text: string): string {
  const guarded = /^[=+\-@\t\r']/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

const roots: Readonly<Record<string, string>> = {
  Asset: 'Assets',
  Liability: 'Liabilities',
  Equity: 'Equity',
  Income: 'Income',
  Expense: 'Expenses',
}

/** The lines of each document of a day, which balance together, in batches of documents. */
async function* groupTransactions(batches: AsyncIterable<readonly Entry[]>): AsyncGenerator<Entry[][], void, void> {
  let open: Entry[] = []
  for await (const entries of batches) {
    const ended: Entry[][] = []
    for (const entry of entries) {
      const [first] = open
      if (first !== undefined && (first.date !== entry.date || first.document !== entry.document)) {
        ended.push(open)
        open = []
      }
      open.push(entry)
    }
    yield ended
  }
  if (open.length > 0) yield [open]
}

const signed = ({ debit, credit }: Entry) => (credit === 0 ? plainNumber(debit) : `-${plainNumber(credit)}`)
const oneLine = (text: string) => text.replace(/[\r\n;|"\\]+/g, ' ').trim()

/** A journal of hledger: an account is below the name of its kind. */
async function* formatHledger(batches: AsyncIterable<readonly Entry[]>): Chunks {
  for await (const transactions of groupTransactions(batches)) yield transactions.map(toHledger).join('')
}

function toHledger(lines: readonly Entry[]): string {
  const [first] = lines as [Entry]
  const postings = lines.map((line) => {
    const account = `${roots[line.root ?? ''] ?? 'Equity'}:${oneLine(line.account).replace(/\s+/g, ' ')}`
    const party = line.party === null ? '' : `  ; party: ${oneLine(line.party)}`
    return `    ${account}  ${signed(line)} ${line.currency}${party}\n`
  })
  return `${first.date} (${oneLine(first.document).replace(/[()]/g, ' ')}) ${oneLine(first.text)}\n${postings.join('')}\n`
}

type NamedAccount = Pick<Entry, 'account' | 'root'>

interface OpenedAccount extends NamedAccount {
  /** The first day on which any account has an entry. */
  readonly firstDay: string
}

/** The names of accounts in beancount: letters, digits and dashes below the name of their kind. */
class BeancountNames {
  readonly #names = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** The name of an account, and whether it is named for the first time. */
  find({ account, root }: NamedAccount): { readonly name: string; readonly isNew: boolean } {
    const key = `${root} ${account}`
    const known = this.#names.get(key)
    if (known !== undefined) return { name: known, isNew: false }
    const plain =
      account
        .normalize('NFKD')
        .replace(/[^A-Za-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'Account'
    const base = `${roots[root ?? ''] ?? 'Equity'}:${plain.charAt(0).toUpperCase()}${plain.slice(1)}`
    let name = base
    for (let number = 2; this.#taken.has(name); number += 1) name = `${base}-${number}`
    this.#names.set(key, name)
    this.#taken.add(name)
    return { name, isNew: true }
  }
}

/** A ledger of beancount: every account is opened on the first day on which one has an entry. */
async function* formatBeancount(accounts: readonly OpenedAccount[], batches: AsyncIterable<readonly Entry[]>): Chunks {
  const names = new BeancountNames()
  const first = accounts[0]?.firstDay
  const opened = accounts.map((account) => names.find(account).name).sort()
  yield [...opened.map((name) => `${first} open ${name}\n`), '\n'].join('')
  for await (const transactions of groupTransactions(batches)) {
    yield transactions.map((lines) => toBeancount(lines, names)).join('')
  }
}

function toBeancount(lines: readonly Entry[], names: BeancountNames): string {
  const [first] = lines as [Entry]
  // An account that was booked on since the others were read is opened here.
  const opened: string[] = []
  const postings = lines.map((line) => {
    const { name, isNew } = names.find(line)
    if (isNew) opened.push(`${first.date} open ${name}\n`)
    return `  ${name}  ${signed(line)} ${line.currency}\n`
  })
  const head = `${first.date} * "${oneLine(first.document)}" "${oneLine(first.text)}"\n`
  return `${opened.join('')}${head}${postings.join('')}\n`
}
