import { type fees, salesInvoice } from '@matricula/contract/record-types'
import {
  type RecordEngine,
  RecordError,
  type RecordOf,
  readRecord,
  readsOnlyItsOwn,
} from '../../record-engine/index.ts'
import { findInvoiceOfFee } from '../billing-accounts/index.ts'
import { readPayableFee } from '../fees/index.ts'
import { isOpen, loadFeePayments } from '../payments/index.ts'

/** An invoice that can be paid by card: a fee, or of a shared fee the part of an account. */
export interface PayableInvoice {
  /** The number by which it is paid. */
  readonly name: string
  readonly fee: RecordOf<typeof fees>
  /** What is open of it. */
  readonly outstanding: number
  /** Whether it asks for money. */
  readonly isOwed: boolean
}

/**
 * An invoice for whoever may pay the fee that it is of. Throws `DoesNotExistError`, and `PermissionError` for others.
 *
 * @param name The name of a fee, or of a fee that accounts share the number of one of its invoices
 */
export async function readPayableInvoice(engine: RecordEngine, name: string): Promise<PayableInvoice> {
  const part = await findInvoiceOfFee(engine.tx, name)
  if (part !== null) {
    // Who may pay the fee does not see what others owe of it.
    if (readsOnlyItsOwn(engine.caller, { type: salesInvoice })) await readRecord(engine, salesInvoice.name, name)
    const { fee } = await readPayableFee(engine, part.fee)
    const isOwed = fee.docstatus === 1 && part.outstanding > 0 && part.statuses.every((status) => isOpen({ status }))
    return { name, fee, outstanding: part.outstanding, isOwed }
  }
  const { fee } = await readPayableFee(engine, name)
  const payments = await loadFeePayments(engine.tx, fee.name)
  const isOwed = fee.docstatus === 1 && fee.outstanding_amount > 0 && payments.some(isOpen)
  return { name: fee.name, fee, outstanding: fee.outstanding_amount, isOwed }
}

/** Throws `ValidationError` where nothing is owed. */
export function requireOwed({ name, isOwed }: PayableInvoice): void {
  if (!isOwed) throw new RecordError('ValidationError', `Nothing is owed for ${name}.`)
}
