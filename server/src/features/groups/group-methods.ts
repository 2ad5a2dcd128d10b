import { programEnrollment, student, studentGroup } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { type EnrollmentSelection, enrolledStudents, searchParameters, searchStudents } from '../enrollment/index.ts'
import { groupMembers, readGroupMembers, requireOwnGroup } from './group-members.ts'
import { moveStudent } from './move-student.ts'

/** Clients send numbers, also as text; whatever else says something says yes. */
const saysYes = (value: unknown) => Boolean(value) && value !== '0'

/** What clients ask of groups. */
export const groupMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'education.education.api.get_student_group_students',
    rights: [{ type: studentGroup, right: 'read' }],
    summary: 'The students of a group by roll number: those who are there today or on a day, or all of them.',
    parameters: {
      student_group: { type: 'string', required: true },
      include_inactive: { type: 'any' },
      date: { type: 'date', about: 'The day, today unless it is sent.' },
    },
    result: {
      type: 'array',
      items: {
        type: 'object',
        properties: { student: { type: 'string' }, student_name: { type: ['string', 'null'] } },
        required: ['student', 'student_name'],
        additionalProperties: false,
      },
    },
    run: async (engine, { student_group, include_inactive, date }) => {
      const selection = saysYes(include_inactive) ? { withInactive: true } : { day: date || engine.today }
      const members = await readGroupMembers(engine, student_group, selection)
      return members.map((member) => ({ student: member.student, student_name: member.student_name }))
    },
  }),
  recordMethod({
    path: 'education.education.api.move_student',
    rights: [{ type: studentGroup, right: 'write' }],
    summary: 'Moves a student from one group to another of the same year; the day is the first in the other group.',
    verbs: ['POST', 'PUT'],
    parameters: {
      student: { type: 'string', required: true },
      from_group: { type: 'string', required: true },
      to_group: { type: 'string', required: true },
      date: { type: 'date', required: true },
    },
    result: { type: 'object', description: '`student`, `from_group`, `to_group` and `date`.' },
    run: (engine, { student, from_group, to_group, date }) =>
      moveStudent(engine, { student, from_group, to_group, date }),
  }),
  recordMethod({
    path: 'education.education.api.get_instructors',
    rights: [{ type: studentGroup, right: 'read' }],
    summary: 'The names of the instructors of a group.',
    result: { type: 'array', items: { type: 'string' } },
    parameters: { student_group: { type: 'string', required: true } },
    run: async (engine, { student_group }) => {
      await requireOwnGroup(engine, student_group)
      const { tx } = engine
      const rows = await tx.query<{ instructor: string }>(sql`
        select i.instructor
          from student_groups g
          join student_groups_instructors i on i.tenant_id = g.tenant_id and i.parent_id = g.id
         where g.tenant_id = ${tx.tenantId} and g.name = ${student_group}
         order by i.idx`)
      return rows.map(({ instructor }) => instructor)
    },
  }),
  recordMethod({
    path: 'education.education.doctype.student_group.student_group.get_students',
    rights: [
      { type: student, right: 'read', all: true },
      { type: programEnrollment, right: 'read', all: true },
    ],
    summary: 'The students who are enrolled in what a group is to be based on, by name.',
    result: { type: 'array', description: 'Objects with `student`, `student_name` and `active`.' },
    parameters: {
      academic_year: { type: 'string', required: true },
      group_based_on: { type: 'string' },
      academic_term: { type: 'string' },
      program: { type: 'string' },
      batch: { type: 'string' },
      student_category: { type: 'string' },
      course: { type: 'string' },
    },
    run: async (engine, selection) => {
      const students = await enrolledStudents(engine, selection)
      if (students.length === 0) engine.messages.push({ message: 'No students found.' })
      return students
    },
  }),
  recordMethod({
    path: 'education.education.doctype.student_group.student_group.fetch_students',
    rights: [
      { type: student, right: 'read', all: true },
      { type: studentGroup, right: 'read' },
    ],
    summary: 'The students who may join a group and have what was typed, as rows.',
    result: { type: 'array', description: 'Rows, as arrays of texts.' },
    parameters: searchParameters,
    run: async (engine, { filters, ...search }) => {
      const selection = (filters ?? {}) as Readonly<Record<string, unknown>>
      if (selection.group_based_on === 'Activity') return searchStudents(engine, search, sql`true`)
      const texts = Object.fromEntries(Object.entries(selection).filter(([, value]) => typeof value === 'string'))
      const enrolled = await enrolledStudents(engine, { academic_year: null, ...texts } as EnrollmentSelection)
      const group = texts.student_group
      const members = typeof group === 'string' ? await groupMembers(engine, group) : []
      const present = new Set(members.map((each) => each.student))
      const free = enrolled.map((each) => each.student).filter((name) => !present.has(name))
      return searchStudents(engine, search, sql`r.name = any(${free}::text[])`)
    },
  }),
]
