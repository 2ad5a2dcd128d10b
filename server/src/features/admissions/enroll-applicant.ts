import { country, gender, programEnrollment, student, studentApplicant } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { type RecordOf, type RecordWork, shownRecord } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { copyLinks } from '../contacts/index.ts'

type Applicant = RecordOf<typeof studentApplicant>
type Student = RecordOf<typeof student>

/** The fields that student and applicant both have, but those that are nobody else's and the guardians, which are copied as links. */
const sharedFields = Object.entries(student.fields).flatMap(([field, declared]) =>
  field in studentApplicant.fields && !('noCopy' in declared) && declared.type !== 'Table' ? [field] : [],
)

/** The fields that the institution has added to both under one name. */
function sharedCustomFields(work: RecordWork): string[] {
  const ofApplicants = work.findRecordLocation(studentApplicant.name)?.type.fields ?? {}
  return Object.entries(work.findRecordLocation(student.name)?.type.fields ?? {}).flatMap(([field, declared]) => {
    const isShared = declared.customId !== undefined && ofApplicants[field]?.type === declared.type
    return isShared && declared.noCopy !== true ? [field] : []
  })
}

/**
 * Makes a student of an applicant, on both surfaces: the applicant is admitted and names the student, whoever was linked to
 * the application is linked to the student in the same role, and a draft of the enrolment is there.
 *
 * @throws RecordError as the rules of students, applicants and enrolments do.
 */
export async function enrollApplicant(work: RecordWork, name: string): Promise<RecordOf<typeof programEnrollment>> {
  const applicant = await work.get(studentApplicant, name)
  const siblings = applicant.siblings.map(({ name: _name, ...sibling }) => sibling)
  const names = [...sharedFields, ...sharedCustomFields(work)]
  const shared = Object.fromEntries(names.map((field) => [field, applicant[field as keyof Applicant]]))
  const unknown = await unknownPlaces(work, applicant)
  const known = Object.fromEntries(Object.keys(unknown).map((field) => [field, null]))
  const made = await work.insert(student, { ...shared, ...known, siblings, student_applicant: applicant.name })
  if (Object.keys(unknown).length > 0) await work.put(student, made.name, unknown)
  await work.touch(student, [made.name], () => takeOver(work, applicant.name, made.name))
  return work.insert(programEnrollment, {
    student: made.name,
    student_name: made.student_name,
    student_category: applicant.student_category,
    program: applicant.program,
    academic_year: applicant.academic_year,
  })
}

/** What the Client API wrote as text where this surface names a record: it is kept as it is. */
async function unknownPlaces(work: RecordWork, applicant: Applicant): Promise<Partial<Student>> {
  const { gender: sex, country: land } = applicant
  const isUnknownGender = sex !== null && (await work.linked(gender, sex)) === null
  const isUnknownCountry = land !== null && (await work.linked(country, land)) === null
  return { ...(isUnknownGender && { gender: sex }), ...(isUnknownCountry && { country: land }) }
}

/** What the Client API shows of a student beside the record's own fields: the program, the year, and who is linked. */
async function takeOver({ tx }: RecordWork, applicant: string, made: string): Promise<void> {
  const [ids] = await tx.query<{ application: string; student: string }>(sql`
    update students s
       set program_id = a.program_id, program = a.program, academic_year = a.academic_year,
           academic_period = a.academic_period
      from admission_applications a
     where a.tenant_id = ${tx.tenantId} and a.application_code = ${applicant}
       and s.tenant_id = a.tenant_id and s.student_code = ${made}
    returning a.id as application, s.id as student`)
  if (ids !== undefined) await copyLinks(tx, ids.application, ids.student)
}

/** What clients ask about applications. */
export const admissionMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'education.education.api.enroll_student',
    rights: [
      { type: studentApplicant, right: 'read' },
      { type: student, right: 'create' },
      { type: programEnrollment, right: 'create' },
    ],
    summary: 'Makes a student of an applicant, and a draft of the enrolment in the program.',
    result: { type: 'object', description: 'The Program Enrollment, a draft.' },
    parameters: { source_name: { type: 'string', required: true } },
    run: async (work, { source_name }) => {
      return shownRecord(work.caller, programEnrollment, await enrollApplicant(work, source_name), { nulls: false })
    },
  }),
]
