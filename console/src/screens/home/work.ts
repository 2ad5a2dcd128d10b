import { familyRequests } from '../../calls/admissions/requests-api.ts'
import { payments } from '../../calls/fees/billing-api.ts'
import { count, type Filter } from '../../calls/resource-api.ts'
import type { Session } from '../../session/session.tsx'
import type { AddressFilter } from '../../shell/list-address.ts'
import { addressOf } from '../../shell/router.tsx'

type ListKey = 'lessons' | 'ownLessons' | 'absent' | 'drafts' | 'tasks' | 'offers' | 'leave'

/** A piece of today's work: how much there is of it, and the list that has exactly that. */
export interface Work {
  readonly key: ListKey | 'review' | 'requests' | 'overdue' | 'pending'
  readonly queryKey: readonly unknown[]
  readonly count: () => Promise<number>
  readonly to: string
}

/** Work that is a list of records: counted by the very filters of the list. */
function listed(key: ListKey, type: string, filters: readonly AddressFilter[]): Work {
  const asked = filters.map(({ field, operator, value }): Filter => [field, operator, value])
  return {
    key,
    queryKey: ['count', type, asked],
    count: () => count(type, { filters: asked, orFilters: [] }),
    to: addressOf.list(type, { filters }),
  }
}

/** What somebody has to do today, the most pressing first, by what the person may read. */
export function workOf({ may, has, user, tenant, rights, badges }: Session): Work[] {
  // The Swedish form of a day is that of ISO 8601.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: tenant.timeZone }).format(new Date())
  const isOwn = (name: string) => rights.some(({ type, ownOnly }) => type === name && ownOnly)
  const is = (field: string, value: string): AddressFilter => ({ field, operator: '=', value })
  const work: (Work | false)[] = [
    may('Course Schedule', 'read') &&
      listed(isOwn('Course Schedule') ? 'ownLessons' : 'lessons', 'Course Schedule', [is('schedule_date', today)]),
    may('Student Attendance', 'read') &&
      listed('absent', 'Student Attendance', [is('date', today), is('status', 'Absent'), is('docstatus', '1')]),
    has('vault:read') && {
      key: 'review',
      queryKey: ['boot', 'review', badges.documentsToReview],
      count: async () => badges.documentsToReview ?? 0,
      to: addressOf.review,
    },
    has('vault:read') && {
      key: 'requests',
      queryKey: ['vault_request', 'count'],
      count: async () =>
        (await familyRequests({ status: 'open', page: 1, limit: 1, studentId: '', applicationId: '' })).total,
      to: `${addressOf.requests}?status=open`,
    },
    ...(['overdue', 'pending'] as const).map(
      (status): Work | false =>
        has('payments:read') && {
          key: status,
          queryKey: ['payment', 'count', status],
          count: async () => (await payments({ status, studentId: '', page: 1, limit: 1 })).total,
          to: `${addressOf.payments}?status=${status}`,
        },
    ),
    may('Waiting List Entry', 'read') && listed('offers', 'Waiting List Entry', [is('status', 'Offered')]),
    may('Student Leave Application', 'submit') && listed('leave', 'Student Leave Application', [is('docstatus', '0')]),
    may('Assessment Result', 'read') && listed('drafts', 'Assessment Result', [is('docstatus', '0')]),
    may('ToDo', 'read') && listed('tasks', 'ToDo', [is('status', 'Open'), is('allocated_to', user.name)]),
  ]
  return work.filter((each) => each !== false)
}
