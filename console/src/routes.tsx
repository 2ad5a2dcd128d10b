import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { Waiting } from './elements/states.tsx'
import { beginToLoadType } from './records/load-type.ts'
import { Failed } from './session/failed.tsx'
import { NoPage } from './shell/no-page.tsx'
import { usePath } from './shell/router.tsx'

/** What an address names, by the groups of its pattern. */
interface Named {
  readonly type: string
  readonly name: string
  readonly date: string
}

interface Route {
  readonly pattern: RegExp
  readonly load: () => Promise<{ readonly default: ComponentType<Named> }>
}

const route = (pattern: RegExp, load: Route['load']): Route => ({ pattern, load })

/** One of the screens that are loaded together. */
const from =
  <Name extends string>(load: () => Promise<Readonly<Record<Name, ComponentType<Named>>>>, name: Name) =>
  async () => ({ default: (await load())[name] })

const fees = () => import('./screens/fees/screens.ts')
const collecting = () => import('./screens/collecting/screens.ts')
const groups = () => import('./screens/groups/screens.ts')
const administration = () => import('./screens/administration/screens.ts')

/** Every screen with its address; each is loaded when it is first gone to. */
const routes: readonly Route[] = [
  route(/^\/$/, () => import('./screens/home/home.tsx')),
  route(/^\/admissions\/board$/, () => import('./screens/admissions/board.tsx')),
  route(/^\/admissions\/applications\/(?<name>[^/]+)$/, () => import('./screens/admissions/application.tsx')),
  route(/^\/admissions\/review$/, () => import('./screens/review/review-queue.tsx')),
  route(/^\/admissions\/requests$/, () => import('./screens/requests/requests.tsx')),
  route(/^\/admissions\/requests\/new$/, () => import('./screens/requests/ask-families.tsx')),
  route(/^\/imports\/?(?<name>[^/]*)$/, () => import('./screens/imports/imports.tsx')),
  route(/^\/students\/(?<name>[^/]+)$/, () => import('./screens/students/student-profile.tsx')),
  route(/^\/fees\/desk$/, from(fees, 'FeeDesk')),
  route(/^\/fees\/payments$/, from(fees, 'Payments')),
  route(/^\/fees\/accounts\/(?<name>[^/]+)$/, from(fees, 'Account')),
  route(/^\/fees\/outstanding$/, from(collecting, 'Outstanding')),
  route(/^\/fees\/reminders$/, from(collecting, 'Reminders')),
  route(/^\/fees\/bank$/, from(collecting, 'Bank')),
  route(/^\/fees\/direct-debits$/, from(collecting, 'Debits')),
  route(/^\/teaching\/timetable$/, () => import('./screens/timetable/timetable.tsx')),
  route(/^\/groups$/, from(groups, 'AddSelected')),
  route(/^\/groups\/(?<name>[^/]+)$/, from(groups, 'Group')),
  route(/^\/promotions\/(?<name>[^/]+)$/, from(groups, 'Promotion')),
  route(/^\/administration\/users$/, from(administration, 'Users')),
  route(/^\/administration\/tokens$/, from(administration, 'Tokens')),
  route(/^\/administration\/webhooks$/, from(administration, 'Webhooks')),
  route(/^\/administration\/audit$/, from(administration, 'Audit')),
  route(/^\/administration\/state$/, from(administration, 'State')),
  route(/^\/administration\/settings$/, () => import('./screens/settings/settings.tsx')),
  route(/^\/administration\/rollover$/, () => import('./screens/settings/rollover.tsx')),
  route(/^\/timetable\/mine$/, () => import('./screens/attendance/own-timetable.tsx')),
  route(/^\/attendance$/, () => import('./screens/attendance/attendance.tsx')),
  route(/^\/attendance\/day$/, () => import('./screens/attendance/day.tsx')),
  route(
    /^\/attendance\/rolls\/(?<date>\d{4}-\d{2}-\d{2})\/(?<name>[^/]+)$/,
    () => import('./screens/attendance/roll.tsx'),
  ),
  route(/^\/report-cards\/(?<name>[^/]+)$/, () => import('./screens/report-cards/report-cards.tsx')),
  route(/^\/grades\/(?<name>[^/]+)$/, () => import('./screens/grades/grade-sheet.tsx')),
  route(/^\/records\/(?<type>[\w-]+)$/, () => import('./records/list/record-list.tsx')),
  route(/^\/records\/(?<type>[\w-]+)\/new$/, () => import('./records/form/new-record.tsx')),
  route(/^\/records\/(?<type>[\w-]+)\/named\/(?<name>[^/]+)$/, () => import('./records/page/record-page.tsx')),
]

const screenQuery = ({ pattern, load }: Route) => ({
  queryKey: ['screen', pattern.source],
  queryFn: load,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** The screen at an address, with what the address names; null where there is none. */
function placeAt(path: string): { readonly route: Route; readonly named: Named } | null {
  for (const route of routes) {
    const found = route.pattern.exec(path)
    if (found === null) continue
    const { type = '', name = '', date = '' } = found.groups ?? {}
    return { route, named: { type, name: decoded(name), date } }
  }
  return null
}

/** Begins to load the screen of an address, while it is still asked who is there. */
export function beginToLoad(queries: QueryClient, path: string): void {
  const location = placeAt(path)
  if (location === null) return
  void queries.prefetchQuery(screenQuery(location.route))
  if (location.named.type !== '') beginToLoadType(location.named.type)
}

/** The screen of the address that is shown. */
export function Screen() {
  const location = placeAt(usePath())
  return location === null ? <NoPage /> : <ScreenOf {...location} />
}

// Kept as what is read is, not by `lazy`: React shows what waits for that for 300 ms at least, also where it is there already.
function ScreenOf({ route, named }: { readonly route: Route; readonly named: Named }) {
  const { data, error } = useQuery(screenQuery(route))
  if (data !== undefined) return <data.default {...named} />
  // A browser may keep that a file could not be loaded for as long as the page is there.
  return error === null ? <Waiting lines={8} /> : <Failed error={error} again={() => location.reload()} />
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
