import { call } from '../http.ts'

/** What is known of a student in a criterion. */
export interface Score {
  readonly criterion: string
  readonly outcome: 'Assessed' | 'Not Assessed' | 'Excused'
  readonly score: number | null
  readonly grade: string | null
}

/** A student of a grade sheet. */
export interface SheetStudent {
  readonly student: string
  readonly studentName: string
  readonly result: string | null
  readonly status: 'open' | 'draft' | 'submitted'
  readonly total: number | null
  readonly maximum: number | null
  readonly grade: string | null
  readonly scores: readonly Score[]
}

/** The scores of a group in an assessment. */
export interface GradeSheet {
  readonly plan: string
  readonly title: string
  readonly course: string
  readonly studentGroup: string
  readonly mayEnter: boolean
  readonly maySubmit: boolean
  readonly criteria: readonly { readonly criterion: string; readonly maximum: number; readonly allowsBonus: boolean }[]
  readonly students: readonly SheetStudent[]
}

/** A cell to enter, with what it had when it was read. */
export interface Cell {
  readonly student: string
  readonly criterion: string
  readonly outcome: Score['outcome']
  readonly score: number | null
  readonly was?: number | string | null
}

/** Why a cell was not entered. */
export interface RefusedCell {
  readonly student: string
  readonly criterion: string
  readonly code: 'unknown_student' | 'unknown_criterion' | 'out_of_range' | 'submitted' | 'changed_meanwhile'
  readonly detail: string
}

const addressOf = (plan: string) => `/console/v1/grade-sheets/${encodeURIComponent(plan)}`

/** The scores of a plan's group. Throws `CallError`. */
export async function readGradeSheet(plan: string): Promise<GradeSheet> {
  return (await call('GET', addressOf(plan))).body.data
}

/** Enters cells, at most 1000; each is entered or refused by itself. Throws `CallError`. */
export async function enterCells(
  plan: string,
  cells: readonly Cell[],
): Promise<{ readonly students: readonly SheetStudent[]; readonly refused: readonly RefusedCell[] }> {
  return (await call('PATCH', addressOf(plan), { body: { cells } })).body.data
}

/** Makes every draft of the sheet official; the key is that of the intention. Throws `CallError`. */
export async function submitScores(plan: string, key: string): Promise<{ readonly submitted: number }> {
  return (await call('POST', `${addressOf(plan)}/submit`, { headers: { 'idempotency-key': key } })).body.data
}
