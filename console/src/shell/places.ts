import { navigation, withoutPlace } from '@matricula/contract/navigation'
import type { Session } from '../session/session.tsx'

/** A part of the navigation that has something for this person. */
export interface NavigationGroup {
  readonly id: (typeof navigation)[number]['id']
  /** Screens of the group that are no list of records. */
  readonly screens: readonly ScreenName[]
  readonly types: readonly string[]
}

/** Screens that are no list of records, each with what it needs and the group that it stands in. */
const screens = {
  board: { scope: 'admissions:read', reads: [], role: null, group: 'admissions' },
  review: { scope: 'vault:read', reads: [], role: null, group: 'admissions' },
  requests: { scope: 'vault:read', reads: [], role: null, group: 'admissions' },
  attendance: {
    scope: null,
    reads: ['Student Attendance', 'Student Group', 'Course Schedule'],
    role: null,
    group: 'attendance',
  },
  ownTimetable: { scope: null, reads: ['Course Schedule'], role: 'Instructor', group: 'attendance' },
} as const

export type ScreenName = keyof typeof screens

/** Where somebody may go: by right, in the order of the navigation; what no group names comes with the set-up. */
export function getLocations({
  rights,
  may,
  has,
  user,
}: Pick<Session, 'rights' | 'may' | 'has' | 'user'>): NavigationGroup[] {
  const named = new Set([...navigation.flatMap(({ types }) => types), ...withoutPlace])
  const rest = rights.map(({ type }) => type).filter((type) => !named.has(type) && may(type, 'read'))
  return navigation
    .map(({ id, types }) => {
      const own = types.filter((type) => may(type, 'read'))
      const shown = Object.entries(screens).filter(
        ([, { scope, reads, role, group }]) =>
          group === id &&
          (scope === null || has(scope)) &&
          (role === null || user.roles.includes(role)) &&
          reads.every((type) => may(type, 'read')),
      )
      return {
        id,
        screens: shown.map(([name]) => name as ScreenName),
        types: id === 'setup' ? [...own, ...rest.sort()] : own,
      }
    })
    .filter((group) => group.types.length + group.screens.length > 0)
}
