import { company, currency, type fees, type paymentRecord, role, toDo } from '@matricula/contract/record-types'
import { recordChanges } from '../../changes/index.ts'
import { amountText } from '../../money/index.ts'
import type { RecordOf, RecordWork } from '../../record-engine/index.ts'
import { getDay } from '../../tenancy/index.ts'
import { post } from '../ledger/index.ts'
import { loadSuspenseAccount } from '../organisation/index.ts'
import { loadFeePayments, payments } from '../payments/index.ts'

/**
 * Posts money that cannot be applied to its fee to the account of unapplied payments, until staff refund or use it.
 * Creates a task for staff and the event `payment.unapplied`.
 *
 * @param record What the card processor reported of the payment.
 * @param paidAt The time of payment.
 */
export async function bookUnapplied(
  work: RecordWork,
  fee: RecordOf<typeof fees>,
  record: RecordOf<typeof paymentRecord>,
  paidAt: string,
): Promise<void> {
  const owner = await work.get(company, fee.company ?? '')
  const suspense = await loadSuspenseAccount(work, owner)
  const bank = owner.default_bank_account ?? owner.default_cash_account ?? fee.receivable_account ?? suspense
  const unit = record.currency ?? ''
  if ((await work.linked(currency, unit)) === null) await work.insert(currency, { currency_name: unit })
  const shared = { costCenter: null, debit: 0, credit: 0, party: null, fee: null }
  await post(
    work.tx,
    work.caller,
    {
      type: 'Payment Record',
      name: record.name,
      company: owner.name,
      currency: unit,
      postingDate: getDay(paidAt, work.caller.tenant.timeZone),
      remarks: `Unapplied card payment ${record.payment_id} for ${fee.name}`,
    },
    [
      { ...shared, account: bank, debit: record.amount, against: suspense },
      { ...shared, account: suspense, credit: record.amount, against: fee.student ?? '', party: fee.student },
    ],
  )
  await work.insert(toDo, {
    description: `${unit} ${amountText(record.amount, unit)} were paid by card for ${fee.name} (payment ${record.payment_id}), which does not ask for them. They are on the account ${suspense}. Give them back at the card gateway or use them for something else, then close this task.`,
    priority: 'High',
    role: (await work.linked(role, 'Accounts Manager'))?.name ?? null,
    reference_type: 'Payment Record',
    reference_name: record.name,
  })
  const [payment] = await loadFeePayments(work.tx, fee.name)
  if (payment === undefined) return
  const { amount, payment_id: processorPaymentIntentId, name: paymentRecordName } = record
  recordChanges(work.tx, work.caller, [
    {
      type: 'payment.unapplied',
      list: payments,
      entityId: payment.id,
      externalId: payment.externalId,
      before: payment,
      after: { ...payment, unapplied: { amount, currency: unit, processorPaymentIntentId, paymentRecordName } },
    },
  ])
}
