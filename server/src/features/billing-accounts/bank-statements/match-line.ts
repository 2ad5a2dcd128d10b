import type { BankStatementLine, Body, bankStatementOperations, Static } from '@matricula/contract'
import type { RequestContext } from '../../../changes/index.ts'
import { lockRows } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { notFoundProblem, Problem, validationProblem } from '../../../errors/index.ts'
import { sumExactly } from '../../../money/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { isUuid } from '../../../values/index.ts'
import { allocate, requireAccount } from '../receipts/allocate.ts'
import { reverseReceipt } from '../receipts/reverse-receipt.ts'
import { requireMinorUnits, ruleProblem } from '../receipts/rules.ts'
import { type Booked, postPart, setBooked } from './book-line.ts'
import { unclearCollections } from './clear-collections.ts'
import { type LineRow, selectLines } from './line-store.ts'
import { propose } from './proposals.ts'

type MatchBody = Body<(typeof bankStatementOperations)['matchBankStatementLine']>
type MatchPart = NonNullable<MatchBody['parts']>[number]
type LineRecord = Static<typeof BankStatementLine>

/** The line of a statement, locked. Throws `resource_not_found`. */
async function lockLine(tx: Transaction, statementId: string, lineId: string): Promise<LineRow> {
  if (!isUuid(statementId) || !isUuid(lineId)) throw notFoundProblem('line')
  const [listed] = await tx.query<{ id: string }>(sql`
    select e.line_id as id from bank_statement_entries e
     where e.tenant_id = ${tx.tenantId} and e.statement_id = ${statementId} and e.line_id = ${lineId}`)
  if (listed === undefined) throw notFoundProblem('line')
  await lockRows(tx, 'bank_statement_lines', [listed.id])
  return readLine(tx, listed.id)
}

async function readLine(tx: Transaction, id: string): Promise<LineRow> {
  const [line] = await tx.query<LineRow>(selectLines(tx.tenantId, sql`l.id = ${id}`))
  return line ?? Promise.reject(notFoundProblem('line'))
}

/**
 * Books a line: a receipt for its account, or one for each part. Throws `resource_not_found`, `state_conflict` for one that
 * is booked, `rule_violated` for a debit and for more than came in, and as receipts do.
 */
export async function matchLine(
  tx: Transaction,
  context: RequestContext,
  { id, lineId }: { readonly id: string; readonly lineId: string },
  body: MatchBody,
): Promise<LineRecord> {
  const asked = readAsked(body)
  const line = await lockLine(tx, id, lineId)
  if (line.amount <= 0) throw ruleProblem('line_is_debit', 'Nothing came in with this line, so that it pays nothing.')
  if (line.status === 'booked') {
    throw new Problem('state_conflict', 'The line is booked. Take that back by unmatch first.', {
      currentState: 'booked',
    })
  }
  const amounts =
    body.parts === undefined ? [line.amount] : asked.map((part, index) => findAmount(line, part, index, asked.length))
  const sum = sumExactly(...amounts)
  if (sum > line.amount) {
    throw ruleProblem('match_exceeds_line', `The parts are ${sum} together, and ${line.amount} came in.`)
  }
  requireMinorUnits(line.currency, amounts)
  const receiptIds: string[] = []
  // One after the other, so that each sees what those before it have paid.
  for (const [index, part] of asked.entries()) {
    const booked = await toBooked(tx, line, part, amounts[index] as number)
    receiptIds.push(await postPart(tx, context, line, booked))
  }
  await setBooked(tx, line.id, 'booked', receiptIds)
  return { ...(await readLine(tx, line.id)), proposals: [] }
}

/** The parts of a body, or itself as the only one. Throws `validation_failed`. */
function readAsked({ parts, ...whole }: MatchBody): readonly MatchPart[] {
  const { accountId } = whole
  if (parts !== undefined && Object.keys(whole).length > 0) {
    throw validationProblem([
      { in: 'body', pointer: '#/parts', code: 'inconsistent', detail: 'stands by itself: each part has its account' },
    ])
  }
  if (parts !== undefined) return parts
  if (accountId !== undefined) return [{ ...whole, accountId }]
  throw validationProblem([
    { in: 'body', pointer: '#/accountId', code: 'required', detail: 'is required, or parts of a batch' },
  ])
}

/** The amount of a part: what it says, the sum of its allocations, the whole line, or the transaction at its place. */
function findAmount(line: LineRow, { amount, allocations }: MatchPart, index: number, count: number): number {
  if (amount !== undefined) return amount
  if (allocations !== undefined && allocations.length > 0) {
    return sumExactly(...allocations.map((allocation) => allocation.amount))
  }
  if (count === 1) return line.amount
  const detail = line.details.length === count ? line.details[index] : undefined
  if (detail !== undefined && detail.amount > 0) return detail.amount
  throw validationProblem([
    {
      in: 'body',
      pointer: `#/parts/${index}/amount`,
      code: 'required',
      detail: 'is required: the line has other parts',
    },
  ])
}

async function toBooked(tx: Transaction, line: LineRow, part: MatchPart, amount: number): Promise<Booked> {
  const accountId = part.accountId.toLowerCase()
  const account = await requireAccount(tx, accountId)
  if (account.currency !== line.currency) {
    throw ruleProblem('currency_mismatch', `The account is in ${account.currency}, and the line in ${line.currency}.`)
  }
  requireMinorUnits(
    line.currency,
    (part.allocations ?? []).map((each) => each.amount),
  )
  return { accountId, amount, parts: await allocate(tx, accountId, amount, part) }
}

/**
 * Takes back the booking of a line: its receipts are reversed. Throws `resource_not_found`, and `state_conflict` for a line
 * that is not booked, that is a returned debit, and where credit of it was used meanwhile.
 */
export async function unmatchLine(
  tx: Transaction,
  context: RequestContext,
  { id, lineId }: { readonly id: string; readonly lineId: string },
): Promise<LineRecord> {
  const line = await lockLine(tx, id, lineId)
  if (line.status !== 'booked' || line.amount <= 0) {
    const detail = line.status === 'booked' ? 'A returned debit cannot be taken back.' : 'The line is not booked.'
    throw new Problem('state_conflict', detail, { currentState: line.status })
  }
  const posted = await tx.query<{ id: string; receivedOn: string }>(sql`
    select id, received_on as "receivedOn" from billing_receipts
     where tenant_id = ${tx.tenantId} and id = any(${line.receiptIds}::uuid[]) and status = 'posted' order by id`)
  const today = todayIn(context.tenant.timeZone)
  for (const { id: receiptId, receivedOn } of posted) {
    const on = today < receivedOn ? receivedOn : today
    await reverseReceipt(tx, context, receiptId, { reason: 'The bank line was matched otherwise.', on })
  }
  await unclearCollections(tx, context, line)
  await setBooked(tx, line.id, 'open', [])
  const open = await readLine(tx, line.id)
  const proposed = await propose((statement) => tx.query(statement), tx.tenantId, [open])
  return { ...open, proposals: [...(proposed.get(open.id)?.proposals ?? [])] }
}
