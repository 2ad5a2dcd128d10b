import { navigation, withoutPlace } from '@matricula/contract/navigation'
import type { Session } from '../session/session.tsx'

/** A part of the navigation that has something for this person. */
export interface NavigationGroup {
  readonly id: (typeof navigation)[number]['id']
  /** Screens of the group that are no list of records. */
  readonly screens: readonly ScreenName[]
  readonly types: readonly string[]
}

/** Screens that are no list of records, each with the scope, the type to read or the role that it needs and the group that it stands in. */
const screens = {
  board: { scope: 'admissions:read', group: 'admissions' },
  review: { scope: 'vault:read', group: 'admissions' },
  requests: { scope: 'vault:read', group: 'admissions' },
  feeDesk: { scope: 'billing:read', group: 'fees' },
  payments: { scope: 'payments:read', group: 'fees' },
  outstanding: { scope: 'billing:read', group: 'fees' },
  reminders: { scope: 'billing:read', group: 'fees' },
  bank: { scope: 'billing:read', group: 'fees' },
  debits: { scope: 'billing:read', group: 'fees' },
  timetable: { type: 'Course Schedule', group: 'teaching' },
  users: { role: 'System Manager', group: 'setup' },
  tokens: { role: 'System Manager', group: 'setup' },
  webhooks: { scope: 'webhooks:read', group: 'setup' },
  audit: { scope: 'audit:read', group: 'setup' },
  state: { role: 'System Manager', group: 'setup' },
} as const satisfies Record<
  string,
  ({ readonly scope: string } | { readonly type: string } | { readonly role: string }) & { readonly group: string }
>

export type ScreenName = keyof typeof screens

/** Where somebody may go: by right, in the order of the navigation; what no group names comes with the set-up. */
export function getLocations({
  rights,
  may,
  has,
  user,
}: Pick<Session, 'rights' | 'may' | 'has' | 'user'>): NavigationGroup[] {
  const isOpen = (screen: (typeof screens)[ScreenName]) =>
    'scope' in screen
      ? has(screen.scope)
      : 'type' in screen
        ? may(screen.type, 'read')
        : user.roles.includes(screen.role)
  const named = new Set([...navigation.flatMap(({ types }) => types), ...withoutPlace])
  const rest = rights.map(({ type }) => type).filter((type) => !named.has(type) && may(type, 'read'))
  return navigation
    .map(({ id, types }) => {
      const own = types.filter((type) => may(type, 'read'))
      const shown = Object.entries(screens).filter(([, screen]) => screen.group === id && isOpen(screen))
      return {
        id,
        screens: shown.map(([name]) => name as ScreenName),
        types: id === 'setup' ? [...own, ...rest.sort()] : own,
      }
    })
    .filter((group) => group.types.length + group.screens.length > 0)
}
