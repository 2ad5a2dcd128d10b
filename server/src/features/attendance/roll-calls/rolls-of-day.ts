import type { RollCallDay, Static } from '@matricula/contract'
import { courseSchedule, studentAttendance, studentGroup } from '@matricula/contract/record-types'
import { type Sql, sql } from '../../../database/index.ts'
import { ownershipCondition, type RecordEngine } from '../../../record-engine/index.ts'
import { instructorsOfCaller } from '../../instructors/index.ts'
import { isMemberOn } from '../../membership/index.ts'
import { loadEducationSettings } from '../../settings/index.ts'
import { findHolidays } from '../holidays.ts'

type Day = Static<typeof RollCallDay>
type Roll = Day['rolls'][number]
type FoundRoll = Omit<Roll, 'isExpected' | 'students' | 'marked'> & { readonly basedOn: string | null }

/** Which rolls of a day are asked for. */
interface RollSelection {
  readonly date: string
  /** Those that the caller teaches, or those that are expected and not wholly marked. */
  readonly only: 'mine' | 'open' | null
}

/**
 * The lessons of a day by their time, and the groups of the year by name, of those that the caller reaches, with how many students
 * of each are marked.
 *
 * @throws RecordError `PermissionError`.
 */
export async function readRollsOfDay(engine: RecordEngine, { date, only }: RollSelection): Promise<Day> {
  engine.require(studentAttendance, 'read')
  engine.require(studentGroup, 'read')
  const found = [...(await findLessons(engine, date)), ...(await findGroups(engine, date))]
  const counted = await countMarks(engine, date, found)
  const isExpected = await expectation(engine, found)
  const rolls = found
    .map(({ basedOn: _, ...roll }): Roll => {
      const { students = 0, marks = {} } = counted.get(roll.studentGroup) ?? {}
      const marked = marks[roll.kind === 'lesson' ? roll.of : ''] ?? 0
      return { ...roll, isExpected: isExpected(roll), students, marked }
    })
    .filter((roll) => roll.students > 0 && (roll.kind === 'lesson' || roll.isExpected || roll.marked > 0))
  const { attendance_freeze_date: frozenUntil } = await loadEducationSettings(engine)
  const isHoliday = (await findHolidays(engine)).has(date)
  const isClosed = isHoliday || (frozenUntil !== null && date <= frozenUntil)
  const isWanted = (roll: Roll) =>
    (only !== 'mine' || roll.isMine) &&
    (only !== 'open' || (!isClosed && roll.isExpected && roll.marked < roll.students))
  return {
    date,
    now: engine.now.slice(11, 16),
    today: engine.today,
    isHoliday,
    frozenUntil,
    rolls: rolls.filter(isWanted),
  }
}

const reached = ({ registry, caller }: RecordEngine, type: typeof courseSchedule | typeof studentGroup): Sql =>
  ownershipCondition(registry, caller, registry.require(type.name), 'r', 'read') ?? sql`true`

function findLessons(engine: RecordEngine, date: string): Promise<FoundRoll[]> {
  engine.require(courseSchedule, 'read')
  return engine.tx.query<FoundRoll>(sql`
    select r.name as of, 'lesson' as kind, r.schedule_date as date, r.student_group as "studentGroup", r.course,
           coalesce(room.room_name, r.room) as room, coalesce(i.instructor_name, r.instructor) as instructor,
           left(r.from_time::text, 5) as "from", left(r.to_time::text, 5) as "to",
           r.instructor in (${instructorsOfCaller(engine)}) as "isMine", null as "basedOn"
      from course_schedules r
      left join rooms room on room.tenant_id = r.tenant_id and room.name = r.room
      left join instructors i on i.tenant_id = r.tenant_id and i.name = r.instructor
     where r.tenant_id = ${engine.tx.tenantId} and r.schedule_date = ${date} and ${reached(engine, courseSchedule)}
     order by r.from_time, r.student_group, r.name`)
}

function findGroups(engine: RecordEngine, date: string): Promise<FoundRoll[]> {
  return engine.tx.query<FoundRoll>(sql`
    select r.name as of, 'group' as kind, ${date}::date as date, r.name as "studentGroup", null as course, null as room,
           null as instructor, null as "from", null as "to", r.group_based_on as "basedOn",
           exists (select from student_groups_instructors t
                    where t.tenant_id = r.tenant_id and t.parent_id = r.id
                      and t.instructor in (${instructorsOfCaller(engine)})) as "isMine"
      from student_groups r
      left join academic_years y on y.tenant_id = r.tenant_id and y.name = r.academic_year
      left join academic_terms t on t.tenant_id = r.tenant_id and t.name = r.academic_term
     where r.tenant_id = ${engine.tx.tenantId} and r.disabled = 0
       and coalesce(y.year_start_date <= ${date}, true) and coalesce(y.year_end_date >= ${date}, true)
       and coalesce(t.term_start_date <= ${date}, true) and coalesce(t.term_end_date >= ${date}, true)
       and ${reached(engine, studentGroup)}
     order by r.name`)
}

interface Counted {
  readonly studentGroup: string
  readonly students: number
  /** How many of the students are marked, by lesson; by the empty text for the daily roll. */
  readonly marks: Readonly<Record<string, number>>
}

async function countMarks(
  engine: RecordEngine,
  date: string,
  found: readonly FoundRoll[],
): Promise<ReadonlyMap<string, Counted>> {
  const groups = [...new Set(found.map(({ studentGroup }) => studentGroup))]
  if (groups.length === 0) return new Map()
  const { tenantId } = engine.tx
  const counted = await engine.tx.query<Counted>(sql`
    with members as materialized (
      select distinct g.name as student_group, m.student
        from student_groups g
        join student_groups_students m on m.tenant_id = g.tenant_id and m.parent_id = g.id
       where g.tenant_id = ${tenantId} and g.name = any(${groups}::text[]) and ${isMemberOn(engine, sql`${date}::date`)}
    ), marks as (
      select a.student_group, coalesce(a.course_schedule, '') as lesson, count(distinct a.student)::integer as marked
        from members m
        join student_attendances a on a.tenant_id = ${tenantId} and a.student = m.student and a.date = ${date}
                                  and a.student_group = m.student_group and a.docstatus < 2
       group by a.student_group, coalesce(a.course_schedule, '')
    )
    select m.student_group as "studentGroup", count(*)::integer as students,
           coalesce((select jsonb_object_agg(k.lesson, k.marked) from marks k
                      where k.student_group = m.student_group), '{}') as marks
      from members m
     group by m.student_group`)
  return new Map(counted.map((each) => [each.studentGroup, each]))
}

/**
 * Which rolls the institution keeps attendance by: every lesson, the first one of a group, or the daily roll of each group that is
 * of no single course.
 */
async function expectation(
  engine: RecordEngine,
  found: readonly FoundRoll[],
): Promise<(roll: Pick<FoundRoll, 'of' | 'kind' | 'studentGroup'>) => boolean> {
  const settings = await loadEducationSettings(engine)
  const rule = settings.attendance_total_based_on ?? ''
  const byLesson = settings.attendance_based_on_course_schedule === 1 || rule.endsWith('Lesson')
  if (!byLesson) {
    const daily = new Set(found.filter(({ basedOn }) => basedOn !== 'Course').map(({ of }) => of))
    return ({ kind, of }) => kind === 'group' && daily.has(of)
  }
  if (rule !== 'First Lesson') return ({ kind }) => kind === 'lesson'
  const first = new Map<string, string>()
  for (const { kind, of, studentGroup } of found) {
    if (kind === 'lesson' && !first.has(studentGroup)) first.set(studentGroup, of)
  }
  return ({ of, studentGroup }) => first.get(studentGroup) === of
}
