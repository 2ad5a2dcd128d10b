import type { Disclosed, OneRosterCollection } from '@matricula/contract'

/** What each collection discloses of people; one that is not here has nothing about any. */
export const disclosedByCollection: Readonly<
  Partial<Record<OneRosterCollection, Pick<Disclosed, 'recordType' | 'fieldGroup'>>>
> = {
  users: { recordType: 'user', fieldGroup: 'contact' },
  students: { recordType: 'student', fieldGroup: 'contact' },
  teachers: { recordType: 'instructor', fieldGroup: 'contact' },
  enrollments: { recordType: 'student_group', fieldGroup: 'academic' },
  demographics: { recordType: 'student', fieldGroup: 'identity' },
  results: { recordType: 'assessment_result', fieldGroup: 'academic' },
  assessmentResults: { recordType: 'assessment_result', fieldGroup: 'academic' },
}
