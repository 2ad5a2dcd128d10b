import type { OneRosterCollection } from '@matricula/contract'
import type { RosterKind } from './roster-context.ts'

/** The kinds whose sourcedIds may be externalIds, by the collections that show them. */
const kindsOf: Readonly<Partial<Record<OneRosterCollection, readonly RosterKind[]>>> = {
  users: ['user'],
  students: ['user'],
  teachers: ['user'],
  enrollments: ['user'],
  demographics: ['user'],
  results: ['user'],
  assessmentResults: ['user'],
  courses: ['course'],
  classes: ['course'],
  scoreScales: ['course'],
}

/** The kinds of which a collection shows sourcedIds that may change with the settings. */
export const getKindsOf = (collection: OneRosterCollection): readonly RosterKind[] => kindsOf[collection] ?? []
