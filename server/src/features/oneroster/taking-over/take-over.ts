import { assessmentCriteria, assessmentPlan, assessmentResult } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../../concurrency/index.ts'
import { sql } from '../../../database/index.ts'
import { Problem } from '../../../errors/index.ts'
import { type RecordEngine, RecordError, type RecordOf } from '../../../record-engine/index.ts'
import { loadResult, rootAssessmentGroup } from '../../assessment/index.ts'
import { listMarks, type PutLineItem, type PutMark, requireLineItem } from './put-line-items.ts'

type Plan = RecordOf<typeof assessmentPlan>

/** How a line item becomes an Assessment Plan; what is null follows from the line item and its group. */
export interface TakingOver {
  readonly lineItem: string
  readonly course: string | null
  readonly assessmentGroup: string | null
  readonly gradingScale: string | null
  /** The one criterion of the plan; the title of the line item by default. */
  readonly criterion: string | null
  readonly maximum: number | null
}

/** What came of it. */
export interface TakenOver {
  readonly assessment_plan: string
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Results that stay as they are, and why. */
  readonly refused: readonly { readonly student: string; readonly reason: string }[]
}

/** What a plan without a number is marked from. */
const usualMaximum = 100

/**
 * Takes a line item over into an Assessment Plan, with its results as drafts that the staff submits; the same line item again
 * brings what has changed since. A result that was submitted stays.
 *
 * @throws RecordError `DoesNotExistError`, `PermissionError`, and `ValidationError` by the rules of plans.
 */
export async function takeOverLineItem(engine: RecordEngine, asked: TakingOver): Promise<TakenOver> {
  const { tx } = engine
  await takeAdvisoryLock(tx, `taking over line item ${asked.lineItem}`)
  const item = await requireLineItem(engine, asked.lineItem)
  engine.require(assessmentResult, 'create')
  engine.require(assessmentResult, 'write')
  const plan =
    item.assessment_plan === null
      ? await makePlan(engine, item, asked)
      : await engine.get(assessmentPlan, item.assessment_plan)
  tx.send(sql`
    insert into taken_line_items (tenant_id, id, plan_id, content)
    select ${tx.tenantId}::uuid, ${item.id}::uuid, p.id, ${JSON.stringify(item.content)}::jsonb
      from assessment_plans p where p.tenant_id = ${tx.tenantId} and p.name = ${plan.name}
    on conflict (tenant_id, id) do update
      set plan_id = excluded.plan_id, content = excluded.content, taken_at = greatest(current_stamp(), taken_line_items.taken_at)`)
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const refused: { student: string; reason: string }[] = []
  for (const mark of await listMarks(engine, item)) {
    await tx.query(sql`savepoint taken_result`)
    try {
      const outcome = await takeMark(engine, plan, mark)
      if (outcome !== 'none') counts[outcome] += 1
      rememberMark(engine, item, mark)
    } catch (error) {
      if (!(error instanceof RecordError) && !(error instanceof Problem)) throw error
      await tx.query(sql`rollback to savepoint taken_result`)
      refused.push({ student: mark.student, reason: error.message })
    }
  }
  return { assessment_plan: plan.name, ...counts, refused }
}

function rememberMark({ tx }: RecordEngine, item: PutLineItem, { student_id: student, score, score_status }: PutMark) {
  tx.send(sql`
    insert into taken_results (tenant_id, line_item_id, student_id, score, score_status)
    values (${tx.tenantId}, ${item.id}, ${student}, ${score}::numeric, ${score_status})
    on conflict (tenant_id, line_item_id, student_id) do update
      set score = excluded.score, score_status = excluded.score_status`)
}

async function makePlan(engine: RecordEngine, item: PutLineItem, asked: TakingOver): Promise<Plan> {
  engine.require(assessmentPlan, 'create')
  engine.require(assessmentPlan, 'submit')
  const criterion = asked.criterion ?? item.title.slice(0, 140)
  if ((await engine.find(assessmentCriteria, criterion)) === null) {
    engine.require(assessmentCriteria, 'create')
    await engine.insert(assessmentCriteria, { assessment_criteria: criterion })
  }
  const maximum = asked.maximum ?? (item.maximum !== null && item.maximum > 0 ? item.maximum : usualMaximum)
  return engine.insert(assessmentPlan, {
    student_group: item.student_group,
    assessment_name: item.title.slice(0, 140),
    assessment_group: asked.assessmentGroup ?? rootAssessmentGroup,
    ...(asked.gradingScale !== null && { grading_scale: asked.gradingScale }),
    ...(asked.course !== null && { course: asked.course }),
    schedule_date: item.due_day,
    ...(await findTimes(engine, item.due_day)),
    maximum_assessment_score: maximum,
    assessment_criteria: [{ assessment_criteria: criterion, maximum_score: maximum, allow_bonus: 1 }],
    docstatus: 1,
  })
}

/** A second of the night in which nothing else is planned: what is handed in takes nobody's time. */
async function findTimes({ tx }: RecordEngine, day: string) {
  await takeAdvisoryLock(tx, `taking over on ${day}`)
  const [found] = await tx.query<{ from_time: string; to_time: string }>(sql`
    select f.at::text as from_time, (f.at + interval '1 second')::text as to_time
      from (select coalesce(max(p.to_time), '00:00:00'::time) as at from assessment_plans p
             where p.tenant_id = ${tx.tenantId} and p.schedule_date = ${day}::date and p.to_time < '05:00:00'::time
               and p.docstatus < 2) f`)
  return { from_time: found?.from_time ?? '00:00:00', to_time: found?.to_time ?? '00:00:01' }
}

/** Brings a student's result into a plan as a draft; a result without a score brings nothing. */
async function takeMark(
  engine: RecordEngine,
  { name: plan, assessment_criteria: [row] }: Plan,
  { student, score, score_status: status }: PutMark,
): Promise<'created' | 'updated' | 'unchanged' | 'none'> {
  const outcome = status === 'exempt' ? 'Excused' : score === null ? null : 'Assessed'
  const stored = await loadResult(engine, student, plan)
  if (outcome === null && stored === null) return 'none'
  const detail = {
    assessment_criteria: row?.assessment_criteria ?? '',
    score: outcome === 'Assessed' ? (score ?? 0) : 0,
    outcome: outcome ?? 'Not Assessed',
  } as const
  if (stored === null) {
    await engine.insert(assessmentResult, { student, assessment_plan: plan, details: [detail] })
    return 'created'
  }
  const [current] = stored.details
  if (current?.score === detail.score && (current.outcome ?? 'Assessed') === detail.outcome) return 'unchanged'
  if (stored.docstatus === 1) {
    const reason = `The result ${stored.name} is submitted with ${stored.total_score}. Correct it, or cancel and amend it.`
    throw new RecordError('ValidationError', reason)
  }
  await engine.change(assessmentResult, stored.name, (result) => {
    Object.assign(result.details[0] as object, detail)
  })
  return 'updated'
}
