import { guardian, programEnrollment, student } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import {
  isPerson,
  peopleOfCaller,
  type RecordEngine,
  RecordError,
  type RecordOf,
  requireMoreThanGroups,
  requireOwn,
} from '../../record-engine/index.ts'
import { loadEducationSettings } from '../settings/index.ts'

/** A student to choose in the portal. `relation` is the caller's relation to the student. */
interface OfferedStudent {
  readonly student: string
  readonly student_name: string | null
  readonly image: string | null
  readonly relation: string | null
}

/**
 * The user of the portal: a student, a guardian with the students to choose from, or neither. A caller who is both
 * chooses among all of them, oneself first.
 */
export async function loadPortalContext(engine: RecordEngine): Promise<object> {
  const { caller } = engine
  const offered = await offeredStudents(engine)
  const self = offered.find(({ relation }) => relation === 'Self') ?? null
  const isGuardian = caller.roles.has('Guardian') && (self === null || offered.length > 1)
  if (isGuardian) return { role: 'Guardian', guardian: await callingGuardian(engine), students: offered }
  if (self === null && !caller.roles.has('Student')) return { role: null }
  return { role: 'Student', student: self }
}

async function offeredStudents(engine: RecordEngine): Promise<OfferedStudent[]> {
  const names = await peopleOfCaller(engine, student)
  if (names.length === 0) return []
  const { user } = engine.caller
  const relations = await engine.tx.query<{ student: string; relation: string | null }>(sql`
    select s.name as student, l.relation
      from guardian_records g
      join student_guardian_rows l on l.tenant_id = g.tenant_id and l.guardian = g.name
      join student_records s on s.tenant_id = l.tenant_id and s.id = l.parent_id
     where g.tenant_id = ${engine.tx.tenantId} and g."user" = ${user}`)
  const relationOf = new Map(relations.map(({ student: name, relation }) => [name, relation]))
  const found = await engine.select(
    student,
    sql`r.name = any(${names}::text[])`,
    sql`order by (r."user" is not distinct from ${user}) desc, r.student_name, r.name`,
  )
  return found.map(({ name, student_name, image, user: own }) => ({
    student: name,
    student_name,
    image,
    relation: own === user ? 'Self' : (relationOf.get(name) ?? null),
  }))
}

async function callingGuardian(engine: RecordEngine): Promise<object> {
  const [found] = await engine.select(
    guardian,
    sql`r."user" = ${engine.caller.user}`,
    sql`order by r.updated_at desc, r.id desc limit 1`,
  )
  if (found === undefined) return {}
  const { name, guardian_name, email_address, mobile_number, image } = found
  return { name, guardian_name, email_address, mobile_number, image }
}

/**
 * The student of a portal page: the given one, else the caller, else the caller's only ward. Staff who may read
 * students must name one.
 *
 * @throws RecordError `ValidationError` when it is ambiguous, `PermissionError` for another's student.
 */
export async function requirePortalStudent(
  engine: RecordEngine,
  named: string | null,
): Promise<RecordOf<typeof student>> {
  if (named) {
    if (!(await isPerson(engine, student, named, 'itself or its guardian'))) {
      engine.require(student, 'read')
      await requireOwn(engine, student, named)
      await requireMoreThanGroups(engine, student, student, named)
    }
    return engine.get(student, named)
  }
  const offered = await offeredStudents(engine)
  const one = offered.find(({ relation }) => relation === 'Self') ?? (offered.length === 1 ? offered[0] : undefined)
  if (one !== undefined) return engine.get(student, one.student)
  throw new RecordError(
    'ValidationError',
    offered.length === 0
      ? `No student belongs to ${engine.caller.user}. Ask the institution to link one.`
      : 'The argument student is missing: name one of the students whom you answer for.',
  )
}

/** The members of a student that the portal shows. */
export function toProfile(found: RecordOf<typeof student>): object {
  const { name, student_name, first_name, middle_name, last_name, image, joining_date, date_of_birth } = found
  const { student_email_id, student_mobile_number, gender, blood_group, nationality } = found
  const { address_line_1, address_line_2, city, state, pincode, country } = found
  return {
    ...{ name, student_name, first_name, middle_name, last_name, image, joining_date, date_of_birth },
    ...{ student_email_id, student_mobile_number, gender, blood_group, nationality },
    ...{ address_line_1, address_line_2, city, state, pincode, country },
  }
}

/** The submitted enrolments of a student, newest first, the institution's current year before others. */
export async function listPortalEnrollments(engine: RecordEngine, studentName: string) {
  const { current_academic_year: current } = await loadEducationSettings(engine)
  const found = await engine.select(
    programEnrollment,
    sql`r.student = ${studentName} and r.docstatus = 1`,
    sql`order by (r.academic_year is not distinct from ${current}) desc, r.enrollment_date desc nulls last,
                 r.created_at desc, r.id desc`,
  )
  return found.map((enrollment) => {
    const { name, student_name, program, academic_year, academic_term, enrollment_date } = enrollment
    const { student_batch_name, student_category } = enrollment
    return {
      ...{ name, program_enrollment: name, student_name, program, academic_year, academic_term, enrollment_date },
      ...{ student_batch_name, student_batch: student_batch_name, student_category },
    }
  })
}
