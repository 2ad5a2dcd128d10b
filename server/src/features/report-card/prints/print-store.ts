import type { ReportCardPrint, Static } from '@matricula/contract'
import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import { notFoundProblem } from '../../../errors/index.ts'
import { type Caller, isManager } from '../../../record-engine/index.ts'

export type PrintRecord = Static<typeof ReportCardPrint>

/** The row of a print. */
export interface PrintRow {
  readonly id: string
  readonly student_group: string
  readonly academic_year: string
  readonly academic_term: string | null
  /** The codes of those whose cards it has, from when its work begins. */
  readonly students: readonly string[]
  readonly shows_marks: boolean
  readonly only_complete: boolean
  readonly status: PrintRecord['status']
  readonly total: number
  readonly done: number
  readonly fault: string | null
  readonly user_id: string
  readonly user_name: string
  readonly address: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly finished_at: string | null
}

export function toPrint(row: PrintRow): PrintRecord {
  return {
    id: row.id,
    studentGroup: row.student_group,
    academicYear: row.academic_year,
    academicTerm: row.academic_term,
    showMarks: row.shows_marks,
    onlyComplete: row.only_complete,
    status: row.status,
    total: row.total,
    done: row.done,
    fault: row.fault,
    by: row.user_name,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  }
}

/** Selects prints by a condition on `p`. */
export function selectPrints(tenantId: string, condition: Sql): Sql {
  return sql`select p.* from report_card_prints p where p.tenant_id = ${tenantId} and ${condition}`
}

/** A print that a caller asked for, or any for a manager. Throws `resource_not_found`. */
export async function requirePrint(tx: Transaction, caller: Caller, id: string): Promise<PrintRow> {
  const isTheirs = isManager(caller) ? sql`true` : sql`p.user_id = ${caller.actor.id}`
  const [row] = await tx.query<PrintRow>(selectPrints(tx.tenantId, sql`p.id = ${id} and ${isTheirs}`))
  if (row === undefined) throw notFoundProblem('print')
  return row
}
