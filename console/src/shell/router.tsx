import { type ComponentProps, type MouseEvent, useSyncExternalStore } from 'react'
import { consolePath } from '../calls/place.ts'
import { getSearchText, type ListAddress } from './list-address.ts'
import { getSlug } from './type-address.ts'

/** The addresses of screens, below the console's own. */
export const addressOf = {
  home: '/',
  board: '/admissions/board',
  review: '/admissions/review',
  application: (id: string) => `/admissions/applications/${id}`,
  requests: '/admissions/requests',
  imports: '/imports',
  askFamilies: '/admissions/requests/new',
  /** Asking those whom a list picked, by what they are. */
  askPicked: (of: 'student' | 'application', picked: object) =>
    `/admissions/requests/new?of=${of}&picked=${encodeURIComponent(JSON.stringify(picked))}`,
  list: (type: string, shown: Partial<ListAddress> = {}) => `/records/${getSlug(type)}${getSearchText(shown)}`,
  newRecord: (type: string) => `/records/${getSlug(type)}/new`,
  feeDesk: '/fees/desk',
  familyAtDesk: (of: 'account' | 'student' | 'guardian', id: string) => `/fees/desk?of=${of}&id=${id}`,
  account: (id: string) => `/fees/accounts/${id}`,
  payments: '/fees/payments',
  attendance: '/attendance',
  ownTimetable: '/timetable/mine',
  ownWeek: (day: string) => `/timetable/mine?day=${day}`,
  attendanceDay: (date: string) => `/attendance/day?date=${date}`,
  roll: (of: string, date: string) => `/attendance/rolls/${date}/${encodeURIComponent(of)}`,
  reportCards: (group: string, term?: string) =>
    `/report-cards/${encodeURIComponent(group)}${term === undefined ? '' : `?term=${encodeURIComponent(term)}`}`,
  outstanding: '/fees/outstanding',
  reminders: '/fees/reminders',
  bank: '/fees/bank',
  debits: '/fees/direct-debits',
  timetable: '/teaching/timetable',
  group: (name: string) => `/groups/${encodeURIComponent(name)}`,
  /** Adding those whom a list picked to a group. */
  addPicked: (selection: object) => `/groups?selected=${encodeURIComponent(JSON.stringify(selection))}`,
  promotion: (name: string) => `/promotions/${encodeURIComponent(name)}`,
  users: '/administration/users',
  tokens: '/administration/tokens',
  webhooks: '/administration/webhooks',
  audit: '/administration/audit',
  state: '/administration/state',
  settings: '/administration/settings',
  rollover: '/administration/rollover',
  gradeSheet: (plan: string) => `/grades/${encodeURIComponent(plan)}`,
  profile: (student: string) => `/students/${encodeURIComponent(student)}`,
  record: (type: string, name: string) => `/records/${getSlug(type)}/named/${encodeURIComponent(name)}`,
} as const

const moved = new EventTarget()

function subscribe(changed: () => void): () => void {
  addEventListener('popstate', changed)
  moved.addEventListener('moved', changed)
  return () => {
    removeEventListener('popstate', changed)
    moved.removeEventListener('moved', changed)
  }
}

/** The path below the console that the browser shows now, as it is encoded. */
export function pathNow(): string {
  return location.pathname.slice(consolePath.length) || '/'
}

/** That path, and each one after it. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, pathNow)
}

/** The query of the address that the browser shows now, with its `?`. */
export function useQueryText(): string {
  return useSyncExternalStore(subscribe, () => location.search)
}

/** Goes to a screen; in place of the one that is shown where going back should not lead to it. */
export function go(to: string, { replace = false } = {}): void {
  const isSameScreen = location.pathname === consolePath + to.split('?')[0]
  history[replace ? 'replaceState' : 'pushState'](null, '', consolePath + to)
  if (!isSameScreen) scrollTo(0, 0)
  moved.dispatchEvent(new Event('moved'))
}

/** A link to a screen, which opens in a window of its own as any link does. */
export function Link({ to, onClick, ...more }: ComponentProps<'a'> & { readonly to: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isOwnWindow = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || isOwnWindow) return
    event.preventDefault()
    go(to)
  }
  return <a {...more} href={consolePath + to} onClick={follow} />
}
