import { assessmentPlan, studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../../database/index.ts'
import { type RecordEngine, RecordError, requireOwn } from '../../../record-engine/index.ts'

/** A line item that a platform has put, with the plan that was made of it. */
export interface PutLineItem {
  readonly id: string
  readonly sourced_id: string
  readonly title: string
  readonly category: string | null
  readonly due_day: string
  readonly maximum: number | null
  readonly content: Readonly<Record<string, unknown>>
  readonly student_group: string
  readonly course: string | null
  readonly assessment_plan: string | null
  readonly plan_docstatus: number | null
  readonly taken_content: Readonly<Record<string, unknown>> | null
  readonly taken_on: string | null
}

/** What a result says of a student: a score, that the student is exempt, or neither. */
export interface PutMark {
  readonly student_id: string
  readonly student: string
  readonly score: number | null
  readonly score_status: string | null
}

/** A difference between what was taken over and what is there now. */
export interface ResultDifference {
  readonly student: string
  readonly taken: Pick<PutMark, 'score' | 'score_status'> | null
  readonly now: Pick<PutMark, 'score' | 'score_status'> | null
}

/** The line items that platforms have put for a group, or the one with a sourcedId. */
export async function listLineItems(
  { tx }: RecordEngine,
  by: { readonly group: string } | { readonly sourcedId: string },
): Promise<PutLineItem[]> {
  return tx.query<PutLineItem & Record<string, unknown>>(sql`
    select e.id, e.sourced_id, e.content ->> 'title' as title, c.content ->> 'title' as category,
           left(e.content ->> 'dueDate', 10) as due_day, (e.content ->> 'resultValueMax')::float8 as maximum, e.content,
           g.name as student_group, g.course, p.name as assessment_plan, p.docstatus as plan_docstatus,
           t.content as taken_content, stamp_text(t.taken_at) as taken_on
      from gradebook_entries e
      join student_groups g on g.tenant_id = ${tx.tenantId} and g.id = e.class_id
      left join gradebook_entries c
        on c.tenant_id = ${tx.tenantId} and c.kind = 'category' and c.sourced_id = e.content ->> 'category'
      left join taken_line_items t on t.tenant_id = ${tx.tenantId} and t.id = e.id
      left join assessment_plans p on p.tenant_id = ${tx.tenantId} and p.id = t.plan_id and p.docstatus < 2
     where e.tenant_id = ${tx.tenantId} and e.kind = 'lineItem'
       and ${'group' in by ? sql`g.name = ${by.group}` : sql`e.sourced_id = ${by.sourcedId}`}
     order by due_day, e.sourced_id`)
}

/** The line item with a sourcedId. Throws `DoesNotExistError`, and `PermissionError` for one of another's group. */
export async function requireLineItem(engine: RecordEngine, sourcedId: string): Promise<PutLineItem> {
  const [item] = await listLineItems(engine, { sourcedId })
  if (item === undefined) {
    throw new RecordError('DoesNotExistError', `No learning platform has put a line item ${sourcedId.slice(0, 255)}.`)
  }
  await requireOwn(engine, studentGroup, item.student_group)
  if (item.assessment_plan !== null) await requireOwn(engine, assessmentPlan, item.assessment_plan)
  return item
}

/** The results of a line item, one of each student: the one that was put last. */
export async function listMarks({ tx }: RecordEngine, { sourced_id: sourcedId }: PutLineItem): Promise<PutMark[]> {
  return tx.query<PutMark & Record<string, unknown>>(sql`
    select distinct on (s.student_code) s.id as student_id, s.student_code as student,
           (e.content ->> 'score')::float8 as score, e.content ->> 'scoreStatus' as score_status
      from gradebook_entries e
      join students s on s.tenant_id = ${tx.tenantId} and s.id = e.student_id
     where e.tenant_id = ${tx.tenantId} and e.kind = 'result' and e.parent = ${sourcedId}
     order by s.student_code, e.updated_at desc, e.id`)
}

/** Which results of a line item are others than those that were taken over. */
export async function listDifferences(engine: RecordEngine, item: PutLineItem): Promise<ResultDifference[]> {
  const { tx } = engine
  const taken = await tx.query<PutMark & Record<string, unknown>>(sql`
    select r.student_id, s.student_code as student, r.score::float8 as score, r.score_status
      from taken_results r
      join students s on s.tenant_id = ${tx.tenantId} and s.id = r.student_id
     where r.tenant_id = ${tx.tenantId} and r.line_item_id = ${item.id}`)
  const before = new Map(taken.map((mark) => [mark.student, mark]))
  const after = new Map((await listMarks(engine, item)).map((mark) => [mark.student, mark]))
  const told = (mark: PutMark | undefined) =>
    mark === undefined ? null : { score: mark.score, score_status: mark.score_status }
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((student) => {
    const [one, other] = [told(before.get(student)), told(after.get(student))]
    const isSame = one?.score === other?.score && one?.score_status === other?.score_status
    return isSame ? [] : [{ student, taken: one, now: other }]
  })
}

/** The members of a line item that are others than when it was taken over. */
export function listChangedMembers({ content, taken_content: taken }: PutLineItem): string[] {
  if (taken === null) return []
  const names = new Set([...Object.keys(content), ...Object.keys(taken)])
  return [...names].filter((name) => JSON.stringify(content[name]) !== JSON.stringify(taken[name])).sort()
}
