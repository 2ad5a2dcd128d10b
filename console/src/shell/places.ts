import { navigation, withoutPlace } from '@matricula/contract/navigation'
import type { Session } from '../session/session.tsx'

/** A part of the navigation that has something for this person. */
export interface NavigationGroup {
  readonly id: (typeof navigation)[number]['id']
  /** Screens of the group that are no list of records. */
  readonly screens: readonly ScreenName[]
  readonly types: readonly string[]
}

/** Screens that are no list of records, each with the scope that it needs and the group that it stands in. */
const screens = {
  board: { scope: 'admissions:read', group: 'admissions' },
  review: { scope: 'vault:read', group: 'admissions' },
  requests: { scope: 'vault:read', group: 'admissions' },
  // Every role that imports something reads students; the screen says what.
  imports: { scope: 'students:read', group: 'setup' },
} as const

export type ScreenName = keyof typeof screens

/** Where somebody may go: by right, in the order of the navigation; what no group names comes with the set-up. */
export function getLocations({ rights, may, has }: Pick<Session, 'rights' | 'may' | 'has'>): NavigationGroup[] {
  const named = new Set([...navigation.flatMap(({ types }) => types), ...withoutPlace])
  const rest = rights.map(({ type }) => type).filter((type) => !named.has(type) && may(type, 'read'))
  return navigation
    .map(({ id, types }) => {
      const own = types.filter((type) => may(type, 'read'))
      const shown = Object.entries(screens).filter(([, { scope, group }]) => group === id && has(scope))
      return {
        id,
        screens: shown.map(([name]) => name as ScreenName),
        types: id === 'setup' ? [...own, ...rest.sort()] : own,
      }
    })
    .filter((group) => group.types.length + group.screens.length > 0)
}
