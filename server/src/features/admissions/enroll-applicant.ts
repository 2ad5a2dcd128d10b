import { country, gender, programEnrollment, student, studentApplicant } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { type RecordOf, type RecordWork, shownRecord } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { findDayInYear, findTerm } from '../calendar/index.ts'
import { copyLinks } from '../contacts/index.ts'

type Applicant = RecordOf<typeof studentApplicant>
type Student = RecordOf<typeof student>

/** The fields that students and applicants share, without unique ones and guardians, which are copied as links. */
const sharedFields = Object.entries(student.fields).flatMap(([field, declared]) =>
  field in studentApplicant.fields && !('noCopy' in declared) && declared.type !== 'Table' ? [field] : [],
)

/** The custom fields that students and applicants share. */
function sharedCustomFields(work: RecordWork): string[] {
  const applicantFields = work.findRecordLocation(studentApplicant.name)?.type.fields ?? {}
  return Object.entries(work.findRecordLocation(student.name)?.type.fields ?? {}).flatMap(([field, declared]) => {
    const isShared = declared.customId !== undefined && applicantFields[field]?.type === declared.type
    return isShared && declared.noCopy !== true ? [field] : []
  })
}

/**
 * Enrols an applicant, for both APIs: creates the student, admits the applicant, links the applicant's contacts to the
 * student in the same roles, and creates a draft enrolment for the applicant's year and term, dated today or on the nearest
 * day of the year. Returns the enrolment.
 *
 * @throws RecordError by the rules of students, applicants and enrolments.
 */
export async function enrollApplicant(work: RecordWork, name: string): Promise<RecordOf<typeof programEnrollment>> {
  const applicant = await work.get(studentApplicant, name)
  const siblings = applicant.siblings.map(({ name: _name, ...sibling }) => sibling)
  const names = [...sharedFields, ...sharedCustomFields(work)]
  const shared = Object.fromEntries(names.map((field) => [field, applicant[field as keyof Applicant]]))
  const unknown = await findUnknownLinks(work, applicant)
  const known = Object.fromEntries(Object.keys(unknown).map((field) => [field, null]))
  const newStudent = await work.insert(student, { ...shared, ...known, siblings, student_applicant: applicant.name })
  if (Object.keys(unknown).length > 0) await work.put(student, newStudent.name, unknown)
  await work.touch(student, [newStudent.name], () => copyAdmissionFields(work, applicant.name, newStudent.name))
  return work.insert(programEnrollment, {
    student: newStudent.name,
    student_name: newStudent.student_name,
    student_category: applicant.student_category,
    program: applicant.program,
    academic_year: applicant.academic_year,
    academic_term: await findTerm(work, applicant.academic_term, applicant.academic_year),
    enrollment_date: await findDayInYear(work, work.today, applicant.academic_year),
  })
}

/** Texts that the Client API wrote into link fields without such a record: they stay as they are. */
async function findUnknownLinks(work: RecordWork, applicant: Applicant): Promise<Partial<Student>> {
  const { gender: genderName, country: countryName } = applicant
  const isUnknownGender = genderName !== null && (await work.linked(gender, genderName)) === null
  const isUnknownCountry = countryName !== null && (await work.linked(country, countryName)) === null
  return { ...(isUnknownGender && { gender: genderName }), ...(isUnknownCountry && { country: countryName }) }
}

/** Copies what the Client API shows of a student beside the record's own fields: program, year and contacts. */
async function copyAdmissionFields({ tx }: RecordWork, applicant: string, studentCode: string): Promise<void> {
  const [ids] = await tx.query<{ application: string; student: string }>(sql`
    update students s
       set program_id = a.program_id, program = a.program, academic_year = a.academic_year,
           academic_period = a.academic_period
      from admission_applications a
     where a.tenant_id = ${tx.tenantId} and a.application_code = ${applicant}
       and s.tenant_id = a.tenant_id and s.student_code = ${studentCode}
    returning a.id as application, s.id as student`)
  if (ids !== undefined) await copyLinks(tx, ids.application, ids.student)
}

/** The methods of applications. */
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
