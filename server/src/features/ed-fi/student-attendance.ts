import { type Sql, sql } from '../../database/index.ts'
import { knownSchoolYears, schoolReference, schoolYear, selectStudents, studentReference } from './common-elements.ts'
import { toAttendanceCategory } from './descriptors.ts'
import type { InterchangePart } from './interchange-part.ts'
import { element, textElement } from './xml.ts'

interface AttendanceRow {
  readonly unique_id: string
  readonly date: string
  readonly status: string
  readonly is_excused: boolean
  readonly is_late: boolean
  readonly is_half_day: boolean
  readonly session: string
  readonly school_year: string
}

interface LessonRow extends AttendanceRow {
  readonly course: string
  readonly section: string
}

/** What a mark of attendance `a` says, with its code `k`. */
const facts = sql`
  a.status, a.half_day = 1 as is_half_day, a.excused = 1 or coalesce(k.counts_as, '') = 'Excused' as is_excused,
  a.minutes_late > 0 or coalesce(k.counts_as, '') = 'Late' as is_late`

/** Submitted marks with their students and codes, and the session `n` in which each was made. */
function selectMarks(tenantId: string, columns: Sql, condition: Sql): Sql {
  return sql`
    select a.date, s.unique_id, n.session, n.school_year, ${facts}, ${columns}
      from student_attendances a
      join (${selectStudents(tenantId)}) s on s.student_code = a.student
      join (${selectSessionDays(tenantId)}) n on n.day = a.date
      left join attendance_codes k on k.tenant_id = ${tenantId} and k.name = a.attendance_code
      left join course_schedules l on l.tenant_id = ${tenantId} and l.name = a.course_schedule
     where a.tenant_id = ${tenantId} and a.docstatus = 1 and ${condition}`
}

/** The days of academic years, each with the term that began last, or with the year where no term has it. */
function selectSessionDays(tenantId: string): Sql {
  return sql`
    select distinct on (d.day) d.day, coalesce(t.name, y.name) as session, y.school_year
      from (select y.name, y.year_start_date, y.year_end_date, ${schoolYear(sql`y.year_end_date`)} as school_year
              from academic_years y where y.tenant_id = ${tenantId}) y
      cross join lateral (
        select day::date from generate_series(greatest(y.year_start_date, y.year_end_date - 730), y.year_end_date,
                                              interval '1 day') day) d
      left join academic_terms t
        on t.tenant_id = ${tenantId} and t.academic_year = y.name and d.day between t.term_start_date and t.term_end_date
     where y.school_year ${knownSchoolYears}
     order by d.day, y.year_start_date desc, y.name, t.term_start_date desc nulls last, t.name`
}

/** The lesson has a course and a group, so that Ed-Fi knows it as a section. */
const isSection = sql`(l.course <> '' and l.student_group <> '')`

/** Marks of days, and of lessons that are no section. */
export const schoolAttendance: InterchangePart<AttendanceRow> = {
  name: 'StudentSchoolAttendanceEvent',
  select: (tenantId) => sql`
    select distinct m.* from (
      ${selectMarks(tenantId, sql`null as section`, sql`(${isSection}) is not true`)}) m
     order by m.date, m.unique_id`,
  toXml: (row, schoolId) =>
    element(
      'StudentSchoolAttendanceEvent',
      attendanceEvent(row),
      studentReference(row.unique_id),
      schoolReference(schoolId),
      sessionReference(row, schoolId),
    ),
}

/** Marks of lessons: the section is the group in the lesson's course. */
export const lessonAttendance: InterchangePart<LessonRow> = {
  name: 'StudentSectionAttendanceEvent',
  select: (tenantId) => sql`
    select distinct m.* from (
      ${selectMarks(tenantId, sql`l.course, l.student_group as section`, isSection)}) m
     order by m.date, m.unique_id, m.course, m.section`,
  toXml: (row, schoolId) =>
    element(
      'StudentSectionAttendanceEvent',
      attendanceEvent(row),
      studentReference(row.unique_id),
      element(
        'SectionReference',
        element(
          'SectionIdentity',
          textElement('SectionIdentifier', row.section),
          element(
            'CourseOfferingReference',
            element(
              'CourseOfferingIdentity',
              textElement('LocalCourseCode', row.course, 60),
              schoolReference(schoolId),
              sessionReference(row, schoolId),
            ),
          ),
        ),
      ),
    ),
}

function attendanceEvent(row: AttendanceRow): string {
  return element(
    'AttendanceEvent',
    textElement('EventDate', row.date),
    textElement('AttendanceEventCategory', toAttendanceCategory(row)),
  )
}

function sessionReference({ session, school_year }: AttendanceRow, schoolId: number): string {
  return element(
    'SessionReference',
    element(
      'SessionIdentity',
      textElement('SessionName', session, 60),
      textElement('SchoolYear', school_year),
      schoolReference(schoolId),
    ),
  )
}
