import {
  courseSchedule,
  studentAttendance,
  studentGroup,
  studentLeaveApplication,
  student as studentType,
} from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import {
  mayDo,
  openList,
  parseListRequest,
  RecordError,
  requireOwn,
  requireReadableOf,
} from '../../record-engine/index.ts'
import { type AnyMethod, readingMethod, recordMethod } from '../../resource-api/index.ts'
import { groupsOfStudent, readGroupMembers, requireOwnGroup } from '../groups/index.ts'
import { applyLeave } from './apply-leave.ts'
import type { MarkDetails } from './listed-students.ts'
import { markAttendance } from './mark-attendance.ts'

const context = {
  course_schedule: { type: 'string' },
  student_group: { type: 'string' },
  date: { type: 'date' },
} as const

/** The fields of a mark that say something: clients of upstream know the status alone. */
const withoutEmpty = (mark: object) => Object.fromEntries(Object.entries(mark).filter(([, value]) => Boolean(value)))

/** The methods of attendance. */
export const attendanceMethods: readonly AnyMethod[] = [
  readingMethod({
    path: 'education.education.api.check_attendance_records_exist',
    rights: [{ type: studentAttendance, right: 'read' }],
    summary: 'The attendance records of a lesson, or of a group on a day.',
    result: { type: 'array', description: 'Objects with `name`.' },
    parameters: context,
    read: async ({ caller, registry, reader }, { course_schedule, student_group, date }) => {
      const filters = course_schedule ? { course_schedule } : { student_group: student_group ?? '', date: date ?? '' }
      const asked = { fields: ['name'], filters, order_by: 'name asc', limit_page_length: 0 }
      return openList(reader, parseListRequest(registry, caller, studentAttendance.name, asked))
    },
  }),
  recordMethod({
    path: 'education.education.api.mark_attendance',
    rights: [
      { type: studentAttendance, right: 'create' },
      { type: studentAttendance, right: 'submit' },
    ],
    summary: 'Makes and submits the attendance of those who were present and those who were absent.',
    parameters: {
      students_present: {
        type: 'json',
        required: true,
        about:
          'Objects with `student` and, where it is said, `attendance_code`, `minutes_late`, `excused` and `half_day`.',
      },
      students_absent: { type: 'json', required: true, about: 'The same.' },
      ...context,
    },
    run: (engine, { students_present, students_absent, ...where }) =>
      markAttendance(engine, students_present, students_absent, where),
  }),
  recordMethod({
    path: 'education.education.api.apply_leave',
    rights: [{ type: studentLeaveApplication, right: 'create' }],
    isForStudents: true,
    summary: 'Makes the leave application of a student with its reason, and marks the student as away on its days.',
    verbs: ['POST', 'PUT'],
    result: { type: 'string', description: 'The name of the Student Leave Application.' },
    parameters: {
      leave_data: {
        type: 'json',
        required: true,
        about: '`student`, `from_date`, `to_date`, `reason` and, for half of one day, `half_day` 1.',
      },
      program_name: { type: 'string', required: true },
    },
    run: (engine, { leave_data, program_name }) => applyLeave(engine, leave_data, program_name),
  }),
  recordMethod({
    path: 'education.education.api.get_student_attendance',
    rights: [{ type: studentAttendance, right: 'read' }],
    isForStudents: true,
    summary: 'The submitted attendance of a student in a group, the last changed first.',
    result: { type: 'array', description: 'Objects with `date`, `status` and `name`.' },
    parameters: { student: { type: 'string', required: true }, student_group: { type: 'string', required: true } },
    run: async (engine, { student, student_group }) => {
      await requireReadableOf(engine, studentAttendance.name, student)
      // Students and guardians read no groups; the list above is restricted to their own.
      if (mayDo(engine.caller, studentGroup, 'read')) await requireOwnGroup(engine, student_group)
      return engine.tx.query(sql`
        select date, status, name from student_attendances
         where tenant_id = ${engine.tx.tenantId} and student = ${student} and student_group = ${student_group}
           and docstatus = 1
         order by updated_at desc, id desc`)
    },
  }),
  recordMethod({
    path: 'education.education.doctype.student_leave_application.student_leave_application.get_student_groups',
    rights: [
      { type: studentType, right: 'read' },
      { type: studentGroup, right: 'read' },
    ],
    summary: 'The groups that a student is in.',
    result: { type: 'array', items: { type: 'string' } },
    parameters: { student: { type: 'string', required: true } },
    run: async (engine, { student }) => {
      await requireOwn(engine, studentType, student)
      return groupsOfStudent(engine, student)
    },
  }),
  recordMethod({
    path: 'education.education.doctype.student_attendance_tool.student_attendance_tool.get_student_attendance_records',
    rights: [
      { type: studentAttendance, right: 'read' },
      { type: studentGroup, right: 'read' },
    ],
    summary: 'The students who are in a group on the day, or in a lesson, with what is marked of them.',
    result: {
      type: 'array',
      description:
        'Objects with `student`, `student_name`, `group_roll_number` and, where it is marked, `status` and what else the mark says.',
    },
    parameters: { based_on: { type: 'string', required: true }, ...context },
    run: async (engine, { based_on, course_schedule, student_group, date }) => {
      const lesson = based_on === 'Course Schedule' ? await engine.linked(courseSchedule, course_schedule) : null
      const group = lesson?.student_group ?? student_group
      if (!group) {
        throw new RecordError('FrappeTypeError', 'Name the student_group, or the course_schedule of a lesson.')
      }
      const day = lesson?.schedule_date ?? (date || engine.today)
      const members = await readGroupMembers(engine, group, { day })
      const condition = course_schedule
        ? sql`course_schedule = ${course_schedule}`
        : sql`student_group = ${group} and date = ${date} and coalesce(course_schedule, '') = ''`
      const marked = await engine.tx.query<MarkDetails & { student: string; status: string }>(sql`
        select student, status, attendance_code, minutes_late, excused, half_day from student_attendances
         where tenant_id = ${engine.tx.tenantId} and docstatus < 2 and ${condition} order by name`)
      const byStudent = new Map(marked.map(({ student, ...mark }) => [student, withoutEmpty(mark)]))
      return members.map((member) => ({ ...member, ...byStudent.get(member.student) }))
    },
  }),
  recordMethod({
    path: 'education.education.report.student_monthly_attendance_sheet.student_monthly_attendance_sheet.get_year_list',
    rights: [{ type: studentAttendance, right: 'read' }],
    summary: 'The years in which attendance was kept, the last first, one per line.',
    result: { type: 'string' },
    parameters: {},
    run: async ({ tx, today }) => {
      const years = await tx.query<{ year: number }>(sql`
        select distinct extract(year from date)::integer as year from student_attendances
         where tenant_id = ${tx.tenantId} and date is not null order by year desc`)
      return years.length === 0 ? today.slice(0, 4) : years.map(({ year }) => String(year)).join('\n')
    },
  }),
]
