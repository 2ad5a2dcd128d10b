import type { Database } from '../../../database/index.ts'
import { readOne } from '../../../entities/index.ts'
import { notFoundProblem, Problem } from '../../../errors/index.ts'
import { getDay, todayIn } from '../../../tenancy/index.ts'
import { accounts } from '../accounts/account-store.ts'
import { readBillingOfTenant } from '../billing-settings.ts'
import type { PrintedNotice } from '../letters/print-letters.ts'
import { type ObligationRecord, readObligations } from '../obligations/obligation-list.ts'
import { isAmong } from '../obligations/obligation-rows.ts'
import { type DunningNoticeRecord, dunningRuns } from './dunning-store.ts'
import { proposeNotice } from './levels.ts'
import { toLetter } from './notice-letter.ts'
import { loadOverdue } from './overdue.ts'

interface TenantOfNotice {
  readonly id: string
  readonly name: string
  readonly timeZone: string
}

/**
 * A notice with its payer and what is overdue: one that waits as it would be sent now, `dropped` where nothing is left of
 * it; any other as it is stored. Throws `resource_not_found` for the run and the notice.
 */
export async function previewNotice(
  database: Database,
  tenant: TenantOfNotice,
  { id, noticeId }: { readonly id: string; readonly noticeId: string },
  sendsMail: boolean,
): Promise<PrintedNotice> {
  const { record: run } = await readOne(database, tenant.id, dunningRuns, id)
  const stored = run.notices.find((each) => each.id === noticeId.toLowerCase())
  if (stored === undefined) throw notFoundProblem('dunning notice')
  const { record: account } = await readOne(database, tenant.id, accounts, stored.accountId)
  const ids = stored.items.map(({ paymentId }) => paymentId)
  const items = await readObligations(database, tenant.id, ids)
  if (stored.status !== 'proposed') return { notice: stored, account, items }
  const { settings, language } = await readBillingOfTenant(database, tenant.id)
  const when = { tenantId: tenant.id, today: todayIn(tenant.timeZone) }
  const overdue = await loadOverdue((text) => database.read(tenant.id, text), when, isAmong(ids))
  const due = proposeNotice(settings.dunning, overdue.get(account.id) ?? [])
  if (due === null) return { notice: { ...stored, status: 'dropped' }, account, items }
  const byId = new Map(items.map((each) => [each.paymentId, each]))
  const letter = toLetter(
    { institution: { name: tenant.name, language }, levels: settings.dunning, sendsMail },
    { account, currency: stored.currency, due },
    due.items.map(({ paymentId, amount, daysOverdue }) => {
      const { description, dueDate, paymentReference } = byId.get(paymentId) as ObligationRecord
      return { description, amount, daysOverdue, dueOn: getDay(dueDate, tenant.timeZone), reference: paymentReference }
    }),
  )
  const { level, amount, fee } = due
  return { notice: { ...stored, level, amount, fee, items: due.items, ...letter }, account, items }
}

/** Throws `state_conflict` for a notice that has no letter, because nothing is left to remind of. */
export function requireText({ text, status }: DunningNoticeRecord): void {
  if (text !== null) return
  const detail = 'There is no letter: nothing is left to remind of. Propose reminders again.'
  throw new Problem('state_conflict', detail, { currentState: status })
}
