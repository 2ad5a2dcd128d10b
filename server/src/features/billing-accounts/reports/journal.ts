import type { Journal, Static } from '@matricula/contract'
import { type Database, sql } from '../../../database/index.ts'
import { plainNumber } from '../../../values/index.ts'
import { requireSpan } from './statement.ts'

type JournalRecord = Static<typeof Journal>
type Entry = JournalRecord['entries'][number] & { readonly root: string | null }

/** The ledger between two days, both included, by day and document. Throws `validation_failed` for days out of order. */
export async function readJournal(
  database: Database,
  tenantId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly Entry[]> {
  requireSpan(from, to)
  const entries: Entry[] = []
  const batches = database.readRows<Entry>(
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
  for await (const batch of batches) entries.push(...batch)
  return entries
}

/** An entry as it is answered in JSON. */
export function toEntry({ root: _, ...entry }: Entry): JournalRecord['entries'][number] {
  return entry
}

/** The ledger as a file of a media type. */
export function formatJournal(mediaType: string, entries: readonly Entry[]): string {
  if (mediaType === 'text/x-hledger') return formatHledger(entries)
  return mediaType === 'text/x-beancount' ? formatBeancount(entries) : formatCsv(entries)
}

const headings = ['date', 'document', 'account', 'party', 'debit', 'credit', 'currency', 'text'] as const

/** CSV (RFC 4180). A text that a spreadsheet would run is written as text. */
function formatCsv(entries: readonly Entry[]): string {
  const rows = entries.map((entry) =>
    headings.map((name) => {
      const value = entry[name]
      return typeof value === 'number' ? plainNumber(value) : quoteCell(value ?? '')
    }),
  )
  return [headings, ...rows].map((row) => `${row.join(',')}\r\n`).join('')
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

/** The lines of each document of a day: they balance together. */
function groupTransactions(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    const isSame = last?.[0]?.date === entry.date && last[0].document === entry.document
    if (last !== undefined && isSame) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

const signed = ({ debit, credit }: Entry) => (credit === 0 ? plainNumber(debit) : `-${plainNumber(credit)}`)
const oneLine = (text: string) => text.replace(/[\r\n;|"\\]+/g, ' ').trim()

/** A journal of hledger: an account is below the name of its kind. */
function formatHledger(entries: readonly Entry[]): string {
  return groupTransactions(entries)
    .map((lines) => {
      const [first] = lines as [Entry]
      const postings = lines.map((line) => {
        const account = `${roots[line.root ?? ''] ?? 'Equity'}:${oneLine(line.account).replace(/\s+/g, ' ')}`
        const party = line.party === null ? '' : `  ; party: ${oneLine(line.party)}`
        return `    ${account}  ${signed(line)} ${line.currency}${party}\n`
      })
      return `${first.date} (${oneLine(first.document).replace(/[()]/g, ' ')}) ${oneLine(first.text)}\n${postings.join('')}\n`
    })
    .join('')
}

/** A ledger of beancount: every account is opened on the first day, under a name of letters, digits and dashes. */
function formatBeancount(entries: readonly Entry[]): string {
  const names = new Map<string, string>()
  const findAccountName = ({ account, root }: Entry): string => {
    const key = `${root} ${account}`
    const known = names.get(key)
    if (known !== undefined) return known
    const plain =
      account
        .normalize('NFKD')
        .replace(/[^A-Za-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'Account'
    const base = `${roots[root ?? ''] ?? 'Equity'}:${plain.charAt(0).toUpperCase()}${plain.slice(1)}`
    const taken = new Set(names.values())
    let name = base
    for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`
    names.set(key, name)
    return name
  }
  const transactions = groupTransactions(entries).map((lines) => {
    const [first] = lines as [Entry]
    const postings = lines.map((line) => `  ${findAccountName(line)}  ${signed(line)} ${line.currency}\n`)
    return `${first.date} * "${oneLine(first.document)}" "${oneLine(first.text)}"\n${postings.join('')}\n`
  })
  const first = entries[0]?.date
  const opened = first === undefined ? [] : [...names.values()].sort().map((name) => `${first} open ${name}\n`)
  return [...opened, '\n', ...transactions].join('')
}
