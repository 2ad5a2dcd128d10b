import type { OpenObligation, PaymentPart } from '../../calls/fees/billing-api.ts'

/** Amounts have this many digits after the decimal mark at most, so that sums of them are exact in steps of it. */
const steps = 10 ** 6

/** A sum of amounts without the errors of binary fractions. */
export function sum(...amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + Math.round(amount * steps), 0) / steps
}

/** What an amount pays of what is open, the oldest first, beside the parts that somebody typed: by payment. */
export function allocate(
  amount: number,
  open: readonly Pick<OpenObligation, 'paymentId' | 'openAmount'>[],
  typed: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const parts = new Map<string, number>()
  let rest = sum(amount, ...open.map(({ paymentId }) => -(typed.get(paymentId) ?? 0)))
  for (const { paymentId, openAmount } of open) {
    const own = typed.get(paymentId)
    const part = own ?? Math.max(0, Math.min(rest, openAmount))
    if (own === undefined) rest = sum(rest, -part)
    parts.set(paymentId, part)
  }
  return parts
}

/**
 * A part for each account that pays something. What is more than the parts becomes credit of the first of them, or of the first account
 * where nothing is paid.
 */
export function toParts(
  amount: number,
  accounts: readonly { readonly id: string }[],
  open: readonly Pick<OpenObligation, 'paymentId' | 'accountId'>[],
  allocated: ReadonlyMap<string, number>,
): PaymentPart[] {
  const parts = accounts.flatMap(({ id: accountId }): PaymentPart[] => {
    const allocations = open.flatMap(({ paymentId, accountId: owner }) => {
      const part = allocated.get(paymentId) ?? 0
      return owner === accountId && part > 0 ? [{ paymentId, amount: part }] : []
    })
    return allocations.length === 0
      ? []
      : [{ accountId, amount: sum(...allocations.map((part) => part.amount)), allocations }]
  })
  const over = sum(amount, ...parts.map((part) => -part.amount))
  const [first, ...others] = parts
  if (over <= 0) return parts
  if (first !== undefined) return [{ ...first, amount: sum(first.amount, over) }, ...others]
  const [account] = accounts
  return account === undefined ? [] : [{ accountId: account.id, amount: over, allocations: [] }]
}
