import type { Body, dunningOperations, PublicLocale } from '@matricula/contract'
import { messagesIn } from '@matricula/pages'
import { type RequestContext, recordChanges, requireMatch } from '../../../changes/index.ts'
import { lockRows, takeAdvisoryLock } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { findMany, findOne, readBack, type Versioned } from '../../../entities/index.ts'
import { notFoundProblem, Problem, referenceProblem } from '../../../errors/index.ts'
import { putOut } from '../../../mail/index.ts'
import { clockIn, momentAt, todayIn } from '../../../tenancy/index.ts'
import { isUuid } from '../../../values/index.ts'
import { insertPaymentPart } from '../../payments/index.ts'
import { type AccountRecord, accounts } from '../accounts/account-store.ts'
import { loadBillingSettings } from '../billing-settings.ts'
import { insertObligation } from '../obligations/charge.ts'
import { lockObligations } from '../obligations/lock-obligations.ts'
import { isAmong, type ObligationState } from '../obligations/obligation-rows.ts'
import { type DunningNoticeRecord, type DunningRunRecord, dunningRuns } from './dunning-store.ts'
import { type Overdue, type ProposedNotice, proposeNotice } from './levels.ts'
import { type LetterSettings, toLetter } from './notice-letter.ts'
import { loadOverdue } from './overdue.ts'
import { findQuietEnd } from './quiet-hours.ts'

type SendDunningBody = Body<(typeof dunningOperations)['sendDunningRun']>

/** What sending depends on. */
interface Sending extends LetterSettings {
  readonly today: string
}

/**
 * Sends notices of a run that wait, all of them by default. What is open is judged anew: what was paid, held or sent
 * meanwhile is left out, and a notice of which nothing is left is dropped.
 *
 * @throws Problem `resource_not_found` for the run, `reference_not_found` for a notice of another one, `state_conflict`
 * for one that was sent or dropped, `rule_violated` (`books_closed`) where a fee would be posted in closed books
 */
export async function sendDunningRun(
  tx: Transaction,
  context: RequestContext,
  id: string,
  { noticeIds }: SendDunningBody,
  sendsMail: boolean,
): Promise<Versioned<DunningRunRecord>> {
  if (!isUuid(id)) throw notFoundProblem(dunningRuns.noun)
  await takeAdvisoryLock(tx, 'dunning')
  await lockRows(tx, 'dunning_runs', [id.toLowerCase()])
  const found = await findOne(tx, dunningRuns, sql`d.id = ${id.toLowerCase()}`)
  if (found === null) throw notFoundProblem(dunningRuns.noun)
  requireMatch(context, found.entityTag)
  const wanted = chooseNotices(found.record, noticeIds)
  if (wanted.length === 0) return found
  const ids = wanted.flatMap(({ items }) => items.map(({ paymentId }) => paymentId))
  const obligations = new Map(
    (
      await lockObligations(
        tx,
        isAmong(ids),
        wanted.map(({ accountId }) => accountId),
      )
    ).map((each) => [each.paymentId, each]),
  )
  const today = todayIn(context.tenant.timeZone)
  const overdue = await loadOverdue((text) => tx.query(text), { tenantId: tx.tenantId, today }, isAmong(ids))
  const { dunning } = await loadBillingSettings(tx)
  const [tenant] = await tx.query<{ language: PublicLocale }>(
    sql`select language from tenants where id = ${tx.tenantId}`,
  )
  const institution = { name: context.tenant.name, language: tenant?.language ?? 'en' }
  const sending = { sendsMail, today, levels: dunning, institution }
  const payers = await findMany(tx, accounts, sql`a.id = any(${wanted.map(({ accountId }) => accountId)}::uuid[])`)
  for (const notice of wanted) {
    const account = payers.find((each) => each.id === notice.accountId) as AccountRecord
    await settle(tx, context, sending, { notice, account, overdue: overdue.get(account.id) ?? [], obligations })
  }
  await tx.query(sql`
    update dunning_runs set version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${found.record.id}`)
  const run = await readBack(tx, dunningRuns, found.record.id)
  recordChanges(
    tx,
    context,
    run.record.notices
      .filter(({ id: each, status }) => status === 'sent' && wanted.some((notice) => notice.id === each))
      .map((after) => ({
        type: 'dunning_notice.sent' as const,
        entityType: 'dunning_notice' as const,
        entityId: after.id,
        before: wanted.find((notice) => notice.id === after.id) ?? null,
        after,
      })),
  )
  return run
}

function chooseNotices({ notices }: DunningRunRecord, ids: readonly string[] | undefined): DunningNoticeRecord[] {
  if (ids === undefined) return notices.filter(({ status }) => status === 'proposed')
  return [...new Set(ids.map((id) => id.toLowerCase()))].map((id, index) => {
    const notice = notices.find((each) => each.id === id)
    if (notice === undefined) throw referenceProblem(`noticeIds/${index}`, 'dunning notice')
    if (notice.status === 'proposed') return notice
    const detail = `The notice ${id} is ${notice.status}. Only what is proposed can be sent.`
    throw new Problem('state_conflict', detail, { currentState: notice.status })
  })
}

interface Settled {
  readonly notice: DunningNoticeRecord
  readonly account: AccountRecord
  readonly overdue: readonly Overdue[]
  readonly obligations: ReadonlyMap<string, ObligationState>
}

/** Sends a notice, or drops it where nothing is left of it. */
async function settle(tx: Transaction, context: RequestContext, sending: Sending, settled: Settled): Promise<void> {
  const { notice, account, overdue, obligations } = settled
  const due = proposeNotice(sending.levels, overdue)
  if (due === null) {
    await tx.query(sql`
      update dunning_notices set status = 'dropped' where tenant_id = ${tx.tenantId} and id = ${notice.id}`)
    return
  }
  const items = due.items.map((item) => ({ ...item, obligation: obligations.get(item.paymentId) as ObligationState }))
  const { subject, text, channel, recipient } = toLetter(
    sending,
    { account, currency: notice.currency, due },
    items.map(({ amount, daysOverdue, obligation: { payment, dueOn, reference } }) => ({
      ...{ description: payment.description, amount, daysOverdue, dueOn, reference },
    })),
  )
  const feePaymentId = await chargeFee(tx, context, sending, account, due, items[0]?.obligation as ObligationState)
  await tx.query(sql`
    update dunning_notices
       set status = 'sent', level = ${due.level}, items = ${JSON.stringify(due.items)}::jsonb, amount = ${due.amount},
           fee = ${due.fee}, fee_payment_id = ${feePaymentId}, channel = ${channel},
           recipient = ${recipient}, subject = ${subject}, text = ${text}, sent_at = current_stamp(),
           sent_by = ${context.actor}
     where tenant_id = ${tx.tenantId} and id = ${notice.id}`)
  await tx.query(sql`
    update obligations o set dunning_level = i.level, dunning_sent_on = ${sending.today}
      from jsonb_to_recordset(${JSON.stringify(due.items)}::jsonb) as i ("paymentId" uuid, level integer)
     where o.tenant_id = ${tx.tenantId} and o.payment_id = i."paymentId"`)
  if (channel === 'mail') {
    const { timeZone } = context.tenant
    const quietEnd = findQuietEnd(clockIn(timeZone, new Date()))
    const mail = { kind: 'dunning_notice', entityId: notice.id, recipient, locale: account.language } as const
    putOut(tx, mail, quietEnd === null ? undefined : momentAt(sql`${quietEnd}::timestamp`, timeZone))
  }
}

/** Charges what a notice costs; returns the payment, null where it costs nothing. */
async function chargeFee(
  tx: Transaction,
  context: RequestContext,
  { today }: Sending,
  { id: accountId, language }: AccountRecord,
  { fee, level }: ProposedNotice,
  { payment: { id, ...oldest } }: ObligationState,
): Promise<string | null> {
  if (fee === 0) return null
  const description = messagesIn(language).mails.dunning.feeOf(level)
  const asked = { amount: fee, dueDate: `${today}T00:00:00.000Z`, status: 'pending' } as const
  const payment = await insertPaymentPart(tx, context, { id, ...oldest, description }, null, asked)
  await insertObligation(tx, context, { payment, accountId, postedOn: today, fee: null })
  return payment.id
}
