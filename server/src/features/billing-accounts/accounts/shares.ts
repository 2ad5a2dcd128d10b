import type { Body, billingAccountOperations } from '@matricula/contract'
import { type ChangeContext, recordChanges } from '../../../changes/index.ts'
import { lockRows } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { findMany } from '../../../entities/index.ts'
import { notFoundProblem, Problem, referenceProblem, validationProblem } from '../../../errors/index.ts'
import { sumExactly } from '../../../money/index.ts'
import { addDays } from '../../../record-engine/index.ts'
import { isUuid, newId, sameJson } from '../../../values/index.ts'
import { accounts, type ShareRecord, sharesAsJson } from './account-store.ts'

type SharesOfStudent = Body<(typeof billingAccountOperations)['replaceStudentShares']>['shares']
type SharesOfAccount = NonNullable<Body<(typeof billingAccountOperations)['updateBillingAccount']>['shares']>

/** A share before it is stored. */
type NewShare = Omit<ShareRecord, 'id'>

/**
 * Replaces who pays the fees of a student.
 *
 * @throws Problem `resource_not_found` for the student, `reference_not_found` for an account, `rule_violated` where the
 * percentages are neither 100 nor 0 on some day
 */
export async function replaceStudentShares(
  tx: Transaction,
  context: ChangeContext,
  studentId: string,
  sent: SharesOfStudent,
): Promise<{ shares: ShareRecord[] }> {
  await lockStudents(tx, [studentId], () => notFoundProblem('student'))
  const before = await loadShares(tx, [studentId])
  const wanted = sent.map((share, index) => toShare({ ...share, studentId }, index))
  const named = [...new Set(wanted.map(({ accountId }) => accountId))]
  const touched = [...new Set([...named, ...before.map(({ accountId }) => accountId)])]
  await lockRows(tx, 'billing_accounts', touched)
  await requireAccounts(tx, named)
  if (isSame(before, wanted)) return { shares: before }
  const was = await findMany(tx, accounts, sql`a.id = any(${touched}::uuid[])`)
  await tx.query(sql`delete from billing_shares where tenant_id = ${tx.tenantId} and student_id = ${studentId}`)
  await insertShares(tx, wanted)
  await requireWhole(tx, [studentId])
  await touchAccounts(tx, touched)
  const is = new Map((await findMany(tx, accounts, sql`a.id = any(${touched}::uuid[])`)).map((each) => [each.id, each]))
  recordChanges(
    tx,
    context,
    was
      .filter(({ id, shares }) => !sameJson(shares, is.get(id)?.shares))
      .map(({ id, externalId, shares }) => ({
        type: 'billing_account.updated' as const,
        list: accounts,
        entityId: id,
        externalId,
        before: { shares },
        after: { shares: is.get(id)?.shares ?? [] },
      })),
  )
  return { shares: await loadShares(tx, [studentId]) }
}

/**
 * Replaces what an account pays, which is locked; whether anything changed. The caller records the change.
 *
 * @param touches Whether the account counts as changed by this alone
 * @throws Problem as `replaceStudentShares`
 */
export async function replaceAccountShares(
  tx: Transaction,
  _context: ChangeContext,
  accountId: string,
  sent: SharesOfAccount,
  touches = false,
): Promise<boolean> {
  const before = await loadAccountShares(tx, accountId)
  const wanted = sent.map((share, index) => toShare({ ...share, accountId }, index))
  if (isSame(before, wanted)) return false
  const students = [...new Set([...wanted, ...before].map(({ studentId }) => studentId))]
  await lockStudents(tx, students, () => referenceProblem('shares', 'student'))
  await tx.query(sql`delete from billing_shares where tenant_id = ${tx.tenantId} and account_id = ${accountId}`)
  await insertShares(tx, wanted)
  await requireWhole(tx, students)
  if (touches) await touchAccounts(tx, [accountId])
  return true
}

function toShare(
  share: Pick<NewShare, 'accountId' | 'studentId' | 'percent'> & Partial<NewShare>,
  index: number,
): NewShare {
  const { accountId, studentId, percent, categories = null, validFrom = null, validTo = null } = share
  if (validFrom !== null && validTo !== null && validTo < validFrom) {
    const pointer = `#/shares/${index}/validTo`
    throw validationProblem([{ in: 'body', pointer, code: 'inconsistent', detail: 'must not be before validFrom' }])
  }
  return {
    accountId: accountId.toLowerCase(),
    studentId: studentId.toLowerCase(),
    categories: categories === null ? null : [...new Set(categories)].sort(),
    percent,
    validFrom,
    validTo,
  }
}

function isSame(before: readonly ShareRecord[], wanted: readonly NewShare[]): boolean {
  const key = (share: NewShare) =>
    JSON.stringify([share.accountId, share.studentId, share.categories, share.percent, share.validFrom, share.validTo])
  return sameJson(before.map(key).sort(), wanted.map(key).sort())
}

async function lockStudents(tx: Transaction, ids: readonly string[], unknown: () => Problem): Promise<void> {
  const wanted = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))]
  await lockRows(tx, 'students', wanted)
  const found = await tx.query(
    sql`select id from students where tenant_id = ${tx.tenantId} and id = any(${wanted}::uuid[])`,
  )
  if (wanted.length < new Set(ids).size || found.length < wanted.length) throw unknown()
}

async function requireAccounts(tx: Transaction, ids: readonly string[]): Promise<void> {
  const found = await tx.query(
    sql`select id from billing_accounts where tenant_id = ${tx.tenantId} and id = any(${[...ids]}::uuid[])`,
  )
  if (found.length < ids.length) throw referenceProblem('shares', 'billing account')
}

async function insertShares(tx: Transaction, shares: readonly NewShare[]): Promise<void> {
  if (shares.length === 0) return
  const rows = JSON.stringify(shares.map((share) => ({ id: newId(), ...share })))
  await tx.query(sql`
    insert into billing_shares (tenant_id, id, account_id, student_id, categories, percent, valid_from, valid_to)
    select ${tx.tenantId}, h.id, h."accountId", h."studentId",
           case when h.categories is null then null else array(select jsonb_array_elements_text(h.categories)) end,
           h.percent, h."validFrom", h."validTo"
      from jsonb_to_recordset(${rows}::jsonb) as h (
             id uuid, "accountId" uuid, "studentId" uuid, categories jsonb, percent numeric, "validFrom" date,
             "validTo" date)`)
}

/** Lets accounts count as changed. */
async function touchAccounts(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query(sql`
    update billing_accounts set version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = any(${[...ids]}::uuid[])`)
}

/** The shares of students, by student. */
async function loadShares(tx: Transaction, students: readonly string[]): Promise<ShareRecord[]> {
  const [row] = await tx.query<{ shares: ShareRecord[] }>(sql`
    select ${sharesAsJson} as shares from billing_shares h
     where h.tenant_id = ${tx.tenantId} and h.student_id = any(${[...students]}::uuid[])`)
  return row?.shares ?? []
}

async function loadAccountShares(tx: Transaction, accountId: string): Promise<ShareRecord[]> {
  const [row] = await tx.query<{ shares: ShareRecord[] }>(sql`
    select ${sharesAsJson} as shares from billing_shares h
     where h.tenant_id = ${tx.tenantId} and h.account_id = ${accountId}`)
  return row?.shares ?? []
}

/** Whether a share holds on a day. */
export function isValidOn({ validFrom, validTo }: NewShare, day: string): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo)
}

/**
 * Throws `rule_violated` (`shares_must_sum_to_100`) where the shares of a student for a category, or for all that is not
 * named, are together neither 100 nor 0 percent on some day.
 */
async function requireWhole(tx: Transaction, students: readonly string[]): Promise<void> {
  const all = await loadShares(tx, students)
  for (const student of students) {
    const own = all.filter(({ studentId }) => studentId === student)
    const categories: (string | null)[] = [null, ...new Set(own.flatMap((share) => share.categories ?? []))]
    for (const category of categories) {
      const set = own.filter((share) =>
        category === null ? share.categories === null : share.categories?.includes(category),
      )
      const day = findUnevenDay(set)
      if (day === null) continue
      const what = category === null ? 'the shares without categories' : `the shares of ${category}`
      const detail = `On ${day}, ${what} do not sum to 100 percent. Replace all shares of the student at once.`
      throw new Problem('rule_violated', detail, { rule: 'shares_must_sum_to_100' })
    }
  }
}

/** The first day on which shares are together neither 100 nor 0 percent; null where there is none. */
function findUnevenDay(shares: readonly ShareRecord[]): string | null {
  const days = new Set<string>(['0001-01-01'])
  for (const { validFrom, validTo } of shares) {
    if (validFrom !== null) days.add(validFrom)
    if (validTo !== null && validTo < '9999-12-31') days.add(addDays(validTo, 1))
  }
  const uneven = [...days].sort().find((day) => {
    const percent = sumExactly(...shares.filter((share) => isValidOn(share, day)).map((share) => share.percent))
    return percent !== 100 && percent !== 0
  })
  return uneven ?? null
}
