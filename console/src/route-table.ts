import type { ComponentType } from 'react'
import type { Named, Prefetch } from './shell/screen.ts'

/** A screen: the file that has it, and under which name. The build finds the path of the file in the text of `load`. */
export interface Route {
  readonly pattern: RegExp
  readonly load: () => Promise<Readonly<Record<string, ComponentType<Named>>> & { readonly prefetch?: Prefetch }>
  readonly name: string
}

function route<Name extends string>(
  pattern: RegExp,
  load: () => Promise<Readonly<Record<Name, ComponentType<Named>>>>,
  name: Name,
): Route {
  return { pattern, load: load as Route['load'], name }
}

const fees = () => import('./screens/fees/screens.ts')
const collecting = () => import('./screens/collecting/screens.ts')
const groups = () => import('./screens/groups/screens.ts')
const administration = () => import('./screens/administration/screens.ts')

/** Every screen with its address; each is loaded when it is first gone to. */
export const routes: readonly Route[] = [
  route(/^\/$/, () => import('./screens/home/home.tsx'), 'default'),
  route(/^\/admissions\/board$/, () => import('./screens/admissions/board.tsx'), 'default'),
  route(
    /^\/admissions\/applications\/(?<name>[^/]+)$/,
    () => import('./screens/admissions/application.tsx'),
    'default',
  ),
  route(/^\/admissions\/review$/, () => import('./screens/review/review-queue.tsx'), 'default'),
  route(/^\/admissions\/requests$/, () => import('./screens/requests/requests.tsx'), 'default'),
  route(/^\/admissions\/requests\/new$/, () => import('./screens/requests/ask-families.tsx'), 'default'),
  route(/^\/imports\/?(?<name>[^/]*)$/, () => import('./screens/imports/imports.tsx'), 'default'),
  route(/^\/students\/(?<name>[^/]+)$/, () => import('./screens/students/student-profile.tsx'), 'default'),
  route(/^\/fees\/desk$/, fees, 'FeeDesk'),
  route(/^\/fees\/payments$/, fees, 'Payments'),
  route(/^\/fees\/accounts\/(?<name>[^/]+)$/, fees, 'Account'),
  route(/^\/fees\/outstanding$/, collecting, 'Outstanding'),
  route(/^\/fees\/reminders$/, collecting, 'Reminders'),
  route(/^\/fees\/bank$/, collecting, 'Bank'),
  route(/^\/fees\/direct-debits$/, collecting, 'Debits'),
  route(/^\/teaching\/timetable$/, () => import('./screens/timetable/timetable.tsx'), 'default'),
  route(/^\/groups$/, groups, 'AddSelected'),
  route(/^\/groups\/(?<name>[^/]+)$/, groups, 'Group'),
  route(/^\/promotions\/(?<name>[^/]+)$/, groups, 'Promotion'),
  route(/^\/administration\/users$/, administration, 'Users'),
  route(/^\/administration\/tokens$/, administration, 'Tokens'),
  route(/^\/administration\/webhooks$/, administration, 'Webhooks'),
  route(/^\/administration\/audit$/, administration, 'Audit'),
  route(/^\/administration\/state$/, administration, 'State'),
  route(/^\/administration\/settings$/, () => import('./screens/settings/settings.tsx'), 'default'),
  route(/^\/administration\/rollover$/, () => import('./screens/settings/rollover.tsx'), 'default'),
  route(/^\/timetable\/mine$/, () => import('./screens/attendance/own-timetable.tsx'), 'default'),
  route(/^\/attendance$/, () => import('./screens/attendance/attendance.tsx'), 'default'),
  route(/^\/attendance\/day$/, () => import('./screens/attendance/day.tsx'), 'default'),
  route(
    /^\/attendance\/rolls\/(?<date>\d{4}-\d{2}-\d{2})\/(?<name>[^/]+)$/,
    () => import('./screens/attendance/roll.tsx'),
    'default',
  ),
  route(/^\/report-cards\/(?<name>[^/]+)$/, () => import('./screens/report-cards/report-cards.tsx'), 'default'),
  route(/^\/grades\/(?<name>[^/]+)$/, () => import('./screens/grades/grade-sheet.tsx'), 'default'),
  route(/^\/records\/(?<type>[\w-]+)$/, () => import('./records/list/record-list.tsx'), 'default'),
  route(/^\/records\/(?<type>[\w-]+)\/new$/, () => import('./records/form/new-record.tsx'), 'default'),
  route(
    /^\/records\/(?<type>[\w-]+)\/named\/(?<name>[^/]+)$/,
    () => import('./records/page/record-page.tsx'),
    'default',
  ),
]
