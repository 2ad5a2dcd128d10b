import { minorDigits } from '@matricula/contract/amounts'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Family, FamilyPayment as Payment, ReceiptMethod } from '../../calls/fees/billing-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { ErrorSummary } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { DecimalInput } from '../../records/form/decimal-input.tsx'
import { moneyText } from '../../records/money.ts'
import { allocate, sum, toParts } from './allocation.ts'
import { OpenTable } from './open-table.tsx'
import { payersOf } from './payers.ts'
import { readAmount } from './read-amount.ts'
import { useFeeMessages } from './use-fee-messages.ts'

interface Props {
  readonly family: Family
  readonly found: string | null
  /** Whether nothing was taken of this family yet, so that the amount has the focus. */
  readonly isFirst: boolean
  readonly isBusy: boolean
  readonly refused: string | null
  readonly onSend: (payment: Payment) => void
}

/** How money is paid at the desk; direct debits have a run of their own. */
const methods: readonly ReceiptMethod[] = ['cash', 'card', 'transfer', 'cheque', 'credit', 'other']

/** The amount, how it was paid, and what it pays: the oldest first, unless somebody types it. */
export function PaymentForm({ family, found, isFirst, isBusy, refused, onSend }: Props) {
  const { locale } = useMessages()
  const own = useFeeMessages()
  const payers = useMemo(() => payersOf(family, found, own.everybody), [family, found, own])
  const [chosen, setChosen] = useState(payers[0]?.key)
  const payer = payers.find(({ key }) => key === chosen) ?? payers[0]
  const [typedAmount, setAmount] = useState<string | null>(null)
  const [typedParts, setParts] = useState<ReadonlyMap<string, string>>(new Map())
  const [method, setMethod] = useState<ReceiptMethod>('cash')
  const [receivedOn, setReceivedOn] = useState(family.today)
  const [reference, setReference] = useState('')
  const [isTold, setTold] = useState(false)
  const amountField = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isFirst) amountField.current?.querySelector('input')?.select()
  }, [isFirst])
  if (payer === undefined) return null
  const { currency, accounts, open, due, credit } = payer
  const digits = minorDigits(currency)
  const money = (value: number) => moneyText(locale, value, currency)
  const amountText = typedAmount ?? (due > 0 ? due.toFixed(digits) : '')
  const amount = readAmount(amountText, digits)
  const wrong = new Set<string>()
  const typed = new Map<string, number>()
  for (const { paymentId, openAmount } of open) {
    const text = typedParts.get(paymentId)
    if (text === undefined) continue
    const part = text === '' ? 0 : readAmount(text, digits)
    if (part === null || part > openAmount) wrong.add(paymentId)
    else typed.set(paymentId, part)
  }
  const allocated = allocate(amount ?? 0, open, typed)
  const over = sum(amount ?? 0, ...[...allocated.values()].map((part) => -part))
  const isCredit = method === 'credit'
  const amountFault = amount === null || amount <= 0 ? own.wrongAmount(digits) : undefined
  const creditFault = isCredit && ((amount ?? 0) > credit || over !== 0 || accounts.length > 1)
  const isWrong = amountFault !== undefined || wrong.size > 0 || over < 0 || creditFault
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTold(isWrong)
    if (isWrong || isBusy || amount === null) return
    const parts = toParts(amount, accounts, open, allocated)
    onSend({ receivedOn, method, reference: reference.trim() === '' ? null : reference.trim(), parts })
  }
  const rest = sum(...open.map(({ openAmount }) => openAmount), ...[...allocated.values()].map((part) => -part))
  const firstPaid = accounts.find(({ id }) =>
    open.some((each) => each.accountId === id && (allocated.get(each.paymentId) ?? 0) > 0),
  )
  return (
    <form className="card section stack" onSubmit={submit} aria-label={own.atDesk} noValidate>
      {refused !== null && <ErrorSummary title={refused} />}
      <div className="fields">
        {payers.length > 1 && (
          <Field id="payer" label={own.payer}>
            <select
              id="payer"
              className="input"
              value={payer.key}
              onChange={({ target }) => {
                setChosen(target.value)
                setParts(new Map())
                setAmount(null)
              }}
            >
              {payers.map(({ key, name }) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        )}
        <div ref={amountField}>
          <Field
            id="amount"
            label={`${own.amount} (${currency})`}
            isRequired
            fault={isTold && amountFault !== undefined ? amountFault : undefined}
          >
            <DecimalInput
              id="amount"
              className="input numbers"
              autoComplete="off"
              aria-required="true"
              aria-invalid={isTold && amountFault !== undefined}
              aria-describedby={isTold && amountFault !== undefined ? 'amount-fault amount-said' : 'amount-said'}
              value={amountText}
              onChange={setAmount}
            />
          </Field>
        </div>
        <Field id="method" label={own.method}>
          <select
            id="method"
            className="input"
            value={method}
            onChange={({ target }) => setMethod(target.value as ReceiptMethod)}
          >
            {methods
              .filter((each) => each !== 'credit' || (credit > 0 && accounts.length === 1))
              .map((each) => (
                <option key={each} value={each}>
                  {own.methods[each]}
                </option>
              ))}
          </select>
        </Field>
        <Field id="received" label={own.received}>
          <input
            id="received"
            type="date"
            className="input"
            required
            max={family.today}
            value={receivedOn}
            onChange={({ target }) => setReceivedOn(target.value || family.today)}
          />
        </Field>
        <Field id="reference" label={own.reference}>
          <input
            id="reference"
            className="input"
            autoComplete="off"
            maxLength={140}
            value={reference}
            onChange={({ target }) => setReference(target.value)}
          />
        </Field>
      </div>
      {open.length === 0 ? (
        <p className="quiet">{own.nothingOpen}</p>
      ) : (
        <OpenTable
          open={open}
          digits={digits}
          allocated={allocated}
          typed={typedParts}
          wrong={wrong}
          payers={accounts}
          onType={(paymentId, text) => setParts(new Map(typedParts).set(paymentId, text))}
        />
      )}
      <p id="amount-said" role="status" className={over < 0 || creditFault ? 'fault' : 'quiet'}>
        {over < 0
          ? own.tooMuch(money(-over))
          : creditFault
            ? own.creditOnly(money(credit))
            : over > 0
              ? own.over(money(over), (firstPaid ?? accounts[0])?.name ?? '')
              : rest > 0
                ? own.left(money(rest))
                : open.length > 0 && own.settled}
      </p>
      <div className="row">
        <Button type="submit" kind="main" isBusy={isBusy}>
          {own.take(money(amount ?? 0))}
        </Button>
        {typedParts.size > 0 && <Button onClick={() => setParts(new Map())}>{own.oldest}</Button>}
      </div>
    </form>
  )
}
