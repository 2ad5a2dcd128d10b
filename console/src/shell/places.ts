import { navigation, withoutPlace } from '@matricula/contract/navigation'
import type { Session } from '../session/session.tsx'

/** A part of the navigation that has something for this person. */
export interface NavigationGroup {
  readonly id: (typeof navigation)[number]['id']
  /** Screens of the group that are no list of records. */
  readonly screens: readonly ScreenName[]
  readonly types: readonly string[]
}

type Person = Pick<Session, 'user' | 'rights' | 'may' | 'has'>

const isSystemManager = ({ user }: Person) => user.roles.includes('System Manager')

/** Screens that are no list of records, each with who sees it and the group that it stands in. */
const screens = {
  board: { group: 'admissions', isFor: ({ has }: Person) => has('admissions:read') },
  review: { group: 'admissions', isFor: ({ has }: Person) => has('vault:read') },
  requests: { group: 'admissions', isFor: ({ has }: Person) => has('vault:read') },
  // Every role that imports something reads students; the screen says what.
  imports: { group: 'setup', isFor: ({ has }: Person) => has('students:read') },
  feeDesk: { group: 'fees', isFor: ({ has }: Person) => has('billing:read') },
  payments: { group: 'fees', isFor: ({ has }: Person) => has('payments:read') },
  attendance: {
    group: 'attendance',
    isFor: ({ may }: Person) =>
      ['Student Attendance', 'Student Group', 'Course Schedule'].every((type) => may(type, 'read')),
  },
  ownTimetable: {
    group: 'attendance',
    isFor: ({ user, may }: Person) => user.roles.includes('Instructor') && may('Course Schedule', 'read'),
  },
  outstanding: { group: 'fees', isFor: ({ has }: Person) => has('billing:read') },
  reminders: { group: 'fees', isFor: ({ has }: Person) => has('billing:read') },
  bank: { group: 'fees', isFor: ({ has }: Person) => has('billing:read') },
  debits: { group: 'fees', isFor: ({ has }: Person) => has('billing:read') },
  timetable: { group: 'teaching', isFor: ({ may }: Person) => may('Course Schedule', 'read') },
  users: { group: 'setup', isFor: isSystemManager },
  tokens: { group: 'setup', isFor: isSystemManager },
  webhooks: { group: 'setup', isFor: ({ has }: Person) => has('webhooks:read') },
  audit: { group: 'setup', isFor: ({ has }: Person) => has('audit:read') },
  state: { group: 'setup', isFor: isSystemManager },
  settings: { group: 'setup', isFor: isSystemManager },
  rollover: { group: 'setup', isFor: ({ may }: Person) => may('Academic Year', 'create') },
} as const

export type ScreenName = keyof typeof screens

/** Where somebody may go: by right, in the order of the navigation; what no group names comes with the set-up. */
export function getLocations(person: Person): NavigationGroup[] {
  const { rights, may } = person
  const named = new Set([...navigation.flatMap(({ types }) => types), ...withoutPlace])
  const rest = rights.map(({ type }) => type).filter((type) => !named.has(type) && may(type, 'read'))
  return navigation
    .map(({ id, types }) => {
      const own = types.filter((type) => may(type, 'read'))
      const shown = Object.entries(screens).filter(([, { group, isFor }]) => group === id && isFor(person))
      return {
        id,
        screens: shown.map(([name]) => name as ScreenName),
        types: id === 'setup' ? [...own, ...rest.sort()] : own,
      }
    })
    .filter((group) => group.types.length + group.screens.length > 0)
}
