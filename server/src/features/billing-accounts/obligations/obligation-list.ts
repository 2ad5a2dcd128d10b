import { type Obligation, pageBounds, type Static } from '@matricula/contract'
import { type Database, empty, type Sql, sql } from '../../../database/index.ts'
import { notFoundProblem, validationProblem } from '../../../errors/index.ts'
import { getCursor, type Page, parseCursor } from '../../../listing/index.ts'
import { isUuid } from '../../../values/index.ts'

export type ObligationRecord = Static<typeof Obligation>

/** The members of an obligation `o` with its payment `p` and its student `s`. */
const members = sql`
  o.payment_id as "paymentId", p.external_id as "externalId", p.student_id as "studentId", s.full_name as "studentName",
  p.description, o.fee, p.due_date as "dueDate", p.amount, p.currency, p.status, o.paid_amount as "paidAmount",
  o.open_amount as "openAmount", o.adjusted_amount as "adjustedAmount", o.reference as "paymentReference"`

/** The obligations of a tenant that meet a condition. */
export function selectObligations(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${members}
      from obligations o
      join payments p on p.tenant_id = ${tenantId} and p.id = o.payment_id
      join students s on s.tenant_id = ${tenantId} and s.id = p.student_id
     where o.tenant_id = ${tenantId} and ${condition}`
}

/** The obligations of some payments. */
export function readObligations(
  database: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ObligationRecord[]> {
  return database.read<ObligationRecord>(
    tenantId,
    selectObligations(tenantId, sql`o.payment_id = any(${[...ids]}::uuid[])`),
  )
}

interface ObligationsQuery {
  readonly page?: number
  readonly limit?: number
  readonly status?: string
  readonly dueTo?: string
  readonly updatedSince?: string
  readonly cursor?: string
}

/**
 * A page of what an account owes: what is open first, by due date, then what is settled. Throws `resource_not_found`
 * for the account.
 */
export async function listObligations(
  database: Database,
  tenantId: string,
  accountId: string,
  query: ObligationsQuery,
): Promise<Page<ObligationRecord>> {
  const { limit = pageBounds.limit.default, status, dueTo, updatedSince } = query
  if (query.cursor !== undefined && query.page !== undefined) {
    const detail = 'cannot be used together with page'
    throw validationProblem([{ in: 'query', name: 'cursor', code: 'inconsistent', detail }])
  }
  const cursor = query.cursor === undefined ? null : parseCursor(query.cursor)
  const page = cursor?.page ?? query.page ?? 1
  if (!isUuid(accountId)) throw notFoundProblem('billing account')
  const condition = sql`o.account_id = ${accountId}
    ${status === undefined ? empty : sql`and p.status = ${status}`}
    ${dueTo === undefined ? empty : sql`and o.due_on <= ${dueTo.slice(0, 10)}`}
    ${updatedSince === undefined ? empty : sql`and greatest(o.updated_at, p.updated_at) >= ${updatedSince}`}`
  const offset = (page - 1) * limit
  const [row] = await database.read<{ exists: boolean; total: number; records: ObligationRecord[] }>(
    tenantId,
    sql`
      with found as materialized (
        select o.payment_id, o.open_amount = 0 as settled, o.due_on, p.created_at
          from obligations o join payments p on p.tenant_id = o.tenant_id and p.id = o.payment_id
         where o.tenant_id = ${tenantId} and ${condition}
      ), page as materialized (
        select * from found order by settled, due_on, created_at, payment_id
         limit ${limit} offset ${offset}
      )
      select exists (select from billing_accounts where tenant_id = ${tenantId} and id = ${accountId}) as exists,
             (select count(*) from found)::integer as total,
             (select coalesce(array_agg(payment_id order by settled, due_on, created_at, payment_id), '{}')
                from page) as ids`,
  )
  if (row?.exists !== true) throw notFoundProblem('billing account')
  const { ids, total } = row as unknown as { ids: string[]; total: number }
  const records = await database.read<ObligationRecord>(
    tenantId,
    selectObligations(tenantId, sql`o.payment_id = any(${ids}::uuid[])`),
  )
  const byId = new Map(records.map((record) => [record.paymentId, record]))
  const last = ids.at(-1)
  const next = getCursor(page + 1, 0, last ?? null, total)
  return {
    records: ids.flatMap((id) => byId.get(id) ?? []),
    page,
    limit,
    total: cursor?.total ?? total,
    nextCursor: cursor !== null && last !== undefined && offset + limit < total ? next : null,
  }
}
