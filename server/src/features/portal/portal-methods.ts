import { student, user } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { RecordError, shownRecord } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { findCurrentEnrollment } from '../enrollment/index.ts'
import { groupsOfStudent } from '../groups/index.ts'
import { loadEducationSettings } from '../settings/index.ts'
import { listPortalEnrollments, loadPortalContext, requirePortalStudent, toProfile } from './whose-portal.ts'

const api = 'education.education.api'

const chosen = {
  type: 'string',
  about: 'The student, for a guardian of several; oneself, or the only one, without it.',
} as const

/** The first calls of the student portal: user and settings. */
export const portalMethods: readonly RecordMethod[] = [
  recordMethod({
    path: `${api}.get_user_info`,
    rights: 'own records',
    isForStudents: true,
    summary: 'Who calls.',
    result: {
      type: 'object',
      description: '`name`, `email`, `full_name`, `user_image`, `user_type`, `enabled` and `session_user`.',
    },
    parameters: {},
    run: async (work) => {
      const { user: name, fullName } = work.caller
      const known = await work.linked(user, name)
      return {
        name,
        email: known?.email ?? name,
        enabled: known?.enabled ?? 1,
        user_image: known?.user_image ?? null,
        full_name: known?.full_name ?? fullName,
        user_type: known?.user_type ?? 'System User',
        session_user: true,
      }
    },
  }),
  recordMethod({
    path: `${api}.get_student_info`,
    rights: 'own records',
    isForStudents: true,
    summary: 'The student who calls, with the current enrolment and the groups in its program.',
    result: {
      type: 'object',
      description: 'The fields of the Student, `current_program` and `student_groups`, a list of objects with `label`.',
    },
    parameters: {},
    run: async (work) => {
      const { user: name } = work.caller
      if (name === 'Administrator') return null
      const [found] = await work.select(student, sql`r."user" = ${name}`, sql`order by r.updated_at desc, r.id limit 1`)
      if (found === undefined) {
        throw new RecordError('ValidationError', `No student has the user ${name}. Set it in the student’s User ID.`)
      }
      const { doctype, guardians, siblings, ...fields } = shownRecord(work.caller, student, found, {
        nulls: true,
      }) as Record<string, unknown>
      const enrollment = await findCurrentEnrollment(work, found.name, null)
      if (enrollment === null) return fields
      const groups = await groupsOfStudent(work, found.name, enrollment.program)
      return { ...fields, current_program: enrollment, student_groups: groups.map((label) => ({ label })) }
    },
  }),
  recordMethod({
    path: `${api}.get_portal_context`,
    rights: 'own records',
    isForStudents: true,
    summary: 'Whom the portal is for: a student, or a guardian with the students to choose from.',
    result: {
      type: 'object',
      description:
        '`role`: `Student`, with `student`; or `Guardian`, with `guardian` and `students`, objects with `student`, `student_name`, `image` and `relation`; or null for others.',
    },
    parameters: {},
    run: (engine) => loadPortalContext(engine),
  }),
  recordMethod({
    path: `${api}.get_student_profile`,
    rights: 'own records',
    isForStudents: true,
    summary:
      'What the portal shows of a student: who it is, its submitted enrolments, and which program to begin with.',
    result: {
      type: 'object',
      description: '`student`, `programs` (the enrolments, the current one first) and `suggested_program`.',
    },
    parameters: { student: chosen },
    run: async (engine, { student: named }) => {
      const found = await requirePortalStudent(engine, named)
      const programs = await listPortalEnrollments(engine, found.name)
      return { student: toProfile(found), programs, suggested_program: programs[0]?.program ?? null }
    },
  }),
  recordMethod({
    path: `${api}.get_program_context`,
    rights: 'own records',
    isForStudents: true,
    summary: 'The enrolment of a student in a program, and the groups that the student is in there.',
    result: {
      type: 'object',
      description: '`enrollment`, null where there is none, and `student_groups`, a list of objects with `label`.',
    },
    parameters: { student: chosen, program: { type: 'string', about: 'Without one, the program to begin with.' } },
    run: async (engine, { student: named, program }) => {
      const { name } = await requirePortalStudent(engine, named)
      const programs = await listPortalEnrollments(engine, name)
      const enrollment = (program ? programs.find((each) => each.program === program) : programs[0]) ?? null
      const groups = enrollment === null ? [] : await groupsOfStudent(engine, name, enrollment.program)
      return { enrollment, student_groups: groups.map((label) => ({ label })) }
    },
  }),
  recordMethod({
    path: `${api}.get_school_abbr_logo`,
    rights: 'public',
    isForStudents: true,
    summary: 'The abbreviation and the logo of the institution.',
    result: { type: 'object', properties: { name: { type: ['string', 'null'] }, logo: { type: ['string', 'null'] } } },
    parameters: {},
    run: async (work) => {
      const settings = await loadEducationSettings(work)
      return {
        name: settings.school_college_name_abbreviation || null,
        logo: settings.school_college_logo || null,
      }
    },
  }),
]
