import { sql } from '../../database/index.ts'
import {
  electronicMail,
  knownSchoolYears,
  schoolReference,
  schoolYear,
  selectStudents,
  studentReference,
  telephone,
} from './common-elements.ts'
import { mobilePhone, schoolMail, toEntryType, toExitType, toGradeLevel, toSex } from './descriptors.ts'
import type { InterchangePart } from './interchange-part.ts'
import { element, textElement } from './xml.ts'

interface EnrollmentRow {
  readonly unique_id: string
  readonly program: string
  readonly school_year: string | null
  readonly entry_date: string
  readonly entry_code: string | null
  readonly exit_date: string | null
  readonly exit_code: string | null
}

/**
 * When a student entered and left, by the enrolment history; of submitted enrolments without one, by their date. Ed-Fi knows
 * one entry of a student at a school on a day: of several programs the first one.
 */
export const enrollments: InterchangePart<EnrollmentRow> = {
  name: 'StudentSchoolAssociation',
  select: (tenantId) => sql`
    select distinct on (s.unique_id, e.entry_date) s.unique_id, e.program, e.entry_date, e.entry_code, e.exit_date,
           e.exit_code,
           (select y.label
              from (select ${schoolYear(sql`coalesce(y.year_end_date, y.year_start_date + 364)`)} as label
                      from academic_years y
                     where y.tenant_id = ${tenantId}
                       and (y.name = e.academic_year or e.academic_year is null
                            and e.entry_date between y.year_start_date and y.year_end_date)
                     order by y.year_start_date limit 1) y
             where y.label ${knownSchoolYears}) as school_year
      from (select h.id, h.student, h.program, h.entry_date, h.entry_code, h.exit_date, h.exit_code, p.academic_year
              from enrollment_history h
              left join program_enrollments p on p.tenant_id = ${tenantId} and p.name = h.program_enrollment
             where h.tenant_id = ${tenantId}
            union all
            select p.id, p.student, p.program, p.enrollment_date, null, null, null, p.academic_year
              from program_enrollments p
             where p.tenant_id = ${tenantId} and p.docstatus = 1
               and not exists (select from enrollment_history h
                                where h.tenant_id = ${tenantId} and h.student = p.student and h.program = p.program)) e
      join (${selectStudents(tenantId)}) s on s.student_code = e.student
     where e.entry_date is not null
     order by s.unique_id, e.entry_date, e.exit_date desc nulls first, e.id`,
  toXml: (row, schoolId) =>
    element(
      'StudentSchoolAssociation',
      studentReference(row.unique_id),
      schoolReference(schoolId),
      textElement('SchoolYear', row.school_year),
      textElement('EntryDate', row.entry_date),
      textElement('EntryGradeLevel', toGradeLevel(row.program)),
      textElement('EntryType', toEntryType(row.entry_code)),
      textElement('ExitWithdrawDate', row.exit_date),
      textElement('ExitWithdrawType', toExitType(row.exit_code)),
    ),
}

interface StudentAtSchoolRow {
  readonly unique_id: string
  readonly gender: string | null
  readonly email: string | null
  readonly phone: string | null
}

/** What the school knows of a student beside the names: sex, telephone, e-mail address. */
export const studentsAtSchool: InterchangePart<StudentAtSchoolRow> = {
  name: 'StudentEducationOrganizationAssociation',
  select: (tenantId) => sql`
    select s.unique_id, s.gender, s.email, s.phone from (${selectStudents(tenantId)}) s order by s.created_at, s.id`,
  toXml: (row, schoolId) =>
    element(
      'StudentEducationOrganizationAssociation',
      studentReference(row.unique_id),
      element(
        'EducationOrganizationReference',
        element('EducationOrganizationIdentity', textElement('EducationOrganizationId', schoolId)),
      ),
      textElement('Sex', toSex(row.gender)),
      telephone(row.phone, mobilePhone),
      electronicMail(row.email, schoolMail),
    ),
}
