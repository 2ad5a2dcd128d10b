import type { BankStatementProposal } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'
import { subtract } from '../../../money/index.ts'
import { areNamesAlike, isUuid } from '../../../values/index.ts'
import type { EntryPart } from './formats/statement.ts'
import type { LineRow } from './line-store.ts'
import { findReferences } from './references.ts'

/** An open obligation that a transaction may pay. */
interface Candidate {
  readonly accountId: string
  readonly accountNumber: string
  readonly accountName: string | null
  readonly paymentId: string
  readonly externalId: string | null
  readonly studentName: string
  readonly fee: string | null
  readonly reference: string
  readonly invoiceNumber: string
  readonly open: number
  readonly currency: string
}

/** What a line may pay, and whether that is certain. */
export interface Proposed {
  readonly proposals: readonly BankStatementProposal[]
  /** For each transaction of the line the obligation whose valid reference it has, with the amount that is open. */
  readonly exact: readonly BankStatementProposal[] | null
}

/** At most so many proposals of a line, and so many candidates of one amount. */
const maxProposals = 20
const maxCandidates = 2000

/** Runs a statement for a tenant. */
type Query = <Row extends object>(statement: Sql) => Promise<Row[]>

/**
 * What open lines may pay, by line: by structured reference or own number, by end-to-end id, then by amount and name; among
 * equals by due date, then payment. The same lines and obligations always give the same proposals.
 */
export async function propose(
  query: Query,
  tenantId: string,
  lines: readonly LineRow[],
): Promise<Map<string, Proposed>> {
  const open = lines.filter(({ status, amount }) => status === 'open' && amount > 0)
  if (open.length === 0) return new Map()
  const parts = open.flatMap(partsOf).filter(({ amount }) => amount > 0)
  const candidates = await loadCandidates(query, tenantId, parts)
  return new Map(open.map((line) => [line.id, proposeLine(line, candidates)]))
}

/** The transactions of a line: those of a batch, else itself. */
export function partsOf({
  details,
  ...line
}: EntryPart & { readonly details: readonly EntryPart[] }): readonly EntryPart[] {
  return details.length > 0 ? details : [line]
}

async function loadCandidates(query: Query, tenantId: string, parts: readonly EntryPart[]): Promise<Candidate[]> {
  const found = parts.map(findReferences)
  const creditor = [...new Set(found.flatMap((each) => each.creditor))]
  const own = [...new Set(found.flatMap((each) => each.own))]
  const ids = [...new Set(parts.flatMap(({ endToEndId }) => endToEndId ?? []))]
  const amounts = [...new Set(parts.flatMap(({ amount, name }) => (name === null ? [] : [amount])))]
  return query<Candidate>(sql`
    with named as (
      select o.payment_id from obligations o
       where o.tenant_id = ${tenantId} and o.open_amount <> 0
         and (o.reference = any(${creditor}::text[]) or o.invoice_number = any(${own}::text[])
              or o.fee = any(${own}::text[]) or o.invoice_number = any(${ids}::text[]))
      union
      select o.payment_id from obligations o
        join billing_accounts a on a.tenant_id = ${tenantId} and a.id = o.account_id
       where o.tenant_id = ${tenantId} and o.open_amount <> 0 and a.account_number = any(${own}::text[])
      union
      select o.payment_id from payments p
        join obligations o on o.tenant_id = ${tenantId} and o.payment_id = p.id and o.open_amount <> 0
       where p.tenant_id = ${tenantId} and (p.external_id = any(${ids}::text[]) or p.id = any(${ids.filter(isUuid)}::uuid[]))
      union
      select alike.payment_id
        from unnest(${amounts}::numeric[]) as sent (amount)
       cross join lateral (
         select o.payment_id from obligations o
          where o.tenant_id = ${tenantId} and o.open_amount = sent.amount
          order by o.due_on, o.payment_id limit ${maxCandidates}) as alike)
    select o.account_id as "accountId", a.account_number as "accountNumber", a.name as "accountName",
           o.payment_id as "paymentId", p.external_id as "externalId", s.full_name as "studentName", o.fee,
           o.reference, o.invoice_number as "invoiceNumber", o.open_amount as open, p.currency
      from named n
      join obligations o on o.tenant_id = ${tenantId} and o.payment_id = n.payment_id
      join payments p on p.tenant_id = ${tenantId} and p.id = o.payment_id
      join students s on s.tenant_id = ${tenantId} and s.id = p.student_id
      join billing_accounts a on a.tenant_id = ${tenantId} and a.id = o.account_id
     order by o.due_on, o.payment_id`)
}

function proposeLine(line: LineRow, candidates: readonly Candidate[]): Proposed {
  const parts = partsOf(line)
  const ofCurrency = candidates.filter(({ currency }) => currency === line.currency)
  const found = parts.map((part) => proposePart(part, ofCurrency))
  const all = found.flatMap(({ proposals }) => proposals)
  const distinct = [...new Map(all.map((each) => [each.paymentId, each])).values()]
  const exact = found.flatMap((each) => each.exact ?? [])
  const isExact =
    exact.length === parts.length && new Set(exact.map(({ paymentId }) => paymentId)).size === parts.length
  return { proposals: distinct.slice(0, maxProposals), exact: isExact ? exact : null }
}

function proposePart(
  part: EntryPart,
  candidates: readonly Candidate[],
): { readonly proposals: BankStatementProposal[]; readonly exact: BankStatementProposal | null } {
  if (part.amount <= 0) return { proposals: [], exact: null }
  const { creditor, own } = findReferences(part)
  const byReference = candidates.filter(({ reference }) => creditor.includes(reference))
  const byNumber = candidates.filter((each) =>
    [each.invoiceNumber, each.fee, each.accountNumber].some((word) => word !== null && own.includes(word)),
  )
  const byId = candidates.filter(({ paymentId, externalId, invoiceNumber }) =>
    [paymentId, externalId, invoiceNumber].some((id) => id !== null && id === part.endToEndId),
  )
  const { name } = part
  const byName = candidates.filter(
    (each) => each.open === part.amount && name !== null && isNamed(name, [each.accountName, each.studentName]),
  )
  const referred = [...new Set([...byReference, ...byNumber, ...byId])]
  const alike = byName.map(({ accountId, paymentId }) => ({ accountId, paymentId, amount: part.amount }))
  const [first] = byReference
  const isExact = byReference.length === 1 && first !== undefined && first.open === part.amount
  return {
    // Those of the same amount and name are alternatives, where nothing is referred to.
    proposals: referred.length > 0 ? allot(part.amount, referred) : alike,
    exact: isExact ? { accountId: first.accountId, paymentId: first.paymentId, amount: part.amount } : null,
  }
}

function isNamed(name: string, names: readonly (string | null)[]): boolean {
  return names.some((each) => each !== null && areNamesAlike(name, each))
}

/** What is paid of each in turn, as long as something is left. */
function allot(amount: number, candidates: readonly Candidate[]): BankStatementProposal[] {
  const proposals: BankStatementProposal[] = []
  let rest = amount
  for (const { accountId, paymentId, open } of candidates) {
    if (rest <= 0) break
    const part = Math.min(rest, open)
    proposals.push({ accountId, paymentId, amount: part })
    rest = subtract(rest, part)
  }
  return proposals
}
