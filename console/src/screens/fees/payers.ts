import type { Family, OpenObligation, Payer } from '../../calls/fees/billing-api.ts'
import { sum } from './allocation.ts'

/** For whom a payment is: one account, or all accounts of a currency together. */
export interface PayerChoice {
  readonly key: string
  readonly name: string
  readonly currency: string
  readonly accounts: readonly Payer[]
  readonly open: readonly OpenObligation[]
  /** What is due by today; where nothing is, what is open. */
  readonly due: number
  readonly credit: number
}

/**
 * For whom a family can pay, the likeliest first: by the account that it was found by, else for all, because brothers and sisters have
 * accounts of their own; where several others than students pay, each pays for itself.
 */
export function payersOf(family: Family, found: string | null, everybody: string): PayerChoice[] {
  const { accounts, obligations, today } = family
  const choose = (key: string, name: string, of: readonly Payer[]): PayerChoice => {
    const ids = new Set(of.map(({ id }) => id))
    const open = obligations.filter(({ accountId }) => ids.has(accountId))
    const dueOnes = open.filter(({ dueDate }) => dueDate.slice(0, 10) <= today)
    return {
      key,
      name,
      currency: of[0]?.currency ?? '',
      accounts: of,
      open,
      due: sum(...(dueOnes.length > 0 ? dueOnes : open).map(({ openAmount }) => openAmount)),
      credit: sum(...of.map(({ credit }) => credit)),
    }
  }
  const single = accounts.map((account) => choose(account.id, `${account.name} (${account.accountNumber})`, [account]))
  const currencies = [...new Set(accounts.map(({ currency }) => currency))]
  const joint = currencies.flatMap((currency) => {
    const of = accounts.filter((account) => account.currency === currency)
    const name = currencies.length === 1 ? everybody : `${everybody} (${currency})`
    return of.length > 1 ? [choose(`all ${currency}`, name, of)] : []
  })
  const others = accounts.filter(({ kind }) => kind !== 'student')
  const own = single.filter(({ key }) => key === found)
  const first = own.length > 0 ? own : others.length > 1 ? single.filter(({ key }) => key === others[0]?.id) : []
  // Where a family account pays, what students have by themselves is mostly empty.
  const rest = [...joint, ...single.sort((one, other) => other.due - one.due)].filter(
    (choice) => !first.includes(choice),
  )
  return [...first, ...rest]
}
