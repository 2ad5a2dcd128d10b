import { minorDigits } from '@matricula/contract/amounts'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { documentPdf, type Payer, type PayoutMethod, payOut } from '../../calls/fees/billing-api.ts'
import { isStoredRejection } from '../../calls/http.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { DecimalInput } from '../../records/form/decimal-input.tsx'
import { moneyText } from '../../records/money.ts'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useOpenPdf } from './open-pdf.ts'
import { readAmount } from './read-amount.ts'
import { useFeeMessages } from './use-fee-messages.ts'

/** The account whose credit is paid out. */
type Creditor = Pick<Payer, 'id' | 'name' | 'currency' | 'credit'>

const methods: readonly PayoutMethod[] = ['transfer', 'cash', 'card', 'cheque', 'other']

/** Pays out the credit of an account: a button for those who may, and what is asked then. */
export function PayOut({ account }: { readonly account: Creditor }) {
  const own = useFeeMessages()
  const { has } = useSession()
  const [isAsking, setAsking] = useState(false)
  if (account.credit <= 0 || !has('billing:write')) return null
  return (
    <>
      <Button kind="plain" onClick={() => setAsking(true)}>
        {own.payOut}
        <span className="unseen"> {account.name}</span>
      </Button>
      {isAsking && <PayOutDialog account={account} onClose={() => setAsking(false)} />}
    </>
  )
}

function PayOutDialog({ account, onClose }: { readonly account: Creditor; readonly onClose: () => void }) {
  const { messages, locale } = useMessages()
  const own = useFeeMessages()
  const tell = useNotify()
  const print = useOpenPdf()
  const queries = useQueryClient()
  const { tenant } = useSession()
  const { id, name, currency, credit } = account
  const digits = minorDigits(currency)
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: tenant.timeZone }).format(new Date())
  const [amountText, setAmountText] = useState(credit.toFixed(digits))
  const [method, setMethod] = useState<PayoutMethod>('transfer')
  const [paidOn, setPaidOn] = useState(today)
  const [reference, setReference] = useState('')
  const [reason, setReason] = useState('')
  const [isTold, setTold] = useState(false)
  const [isBusy, setBusy] = useState(false)
  // Told at once, because a second tap comes before anything is drawn.
  const isSending = useRef(false)
  // The key is that of the intention: a tap that is repeated because the answer was lost pays out once.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const amount = readAmount(amountText, digits)
  const isWrong = amount === null || amount <= 0 || amount > credit
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending.current) return
    setTold(isWrong)
    if (isWrong) return
    isSending.current = true
    setBusy(true)
    const sent = { accountId: id, paidOn, method, amount, reference: reference || null, reason: reason.trim() || null }
    try {
      const { payoutNumber } = await payOut(key, sent)
      tell(own.paidOut(moneyText(locale, amount, currency), payoutNumber))
      onClose()
      void print(() => documentPdf(id, payoutNumber))
    } catch (error) {
      if (isStoredRejection(error)) setKey(crypto.randomUUID())
      tell(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    } finally {
      isSending.current = false
      void queries.invalidateQueries({ queryKey: ['payment'] })
    }
  }
  const fault = isTold && isWrong ? own.wrongPart(moneyText(locale, credit, currency)) : undefined
  return (
    <Dialog title={own.payOutOf(name)} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void send(event)} noValidate>
        <p className="quiet">{own.payOutText(moneyText(locale, credit, currency))}</p>
        <Field id="payout-amount" label={`${own.payOutAmount} (${currency})`} isRequired fault={fault}>
          <DecimalInput
            id="payout-amount"
            className="input numbers"
            autoComplete="off"
            aria-required="true"
            aria-invalid={fault !== undefined}
            aria-describedby={fault === undefined ? undefined : 'payout-amount-fault'}
            value={amountText}
            onChange={setAmountText}
          />
        </Field>
        <Field id="payout-method" label={own.method}>
          <select
            id="payout-method"
            className="input"
            value={method}
            onChange={({ target }) => setMethod(target.value as PayoutMethod)}
          >
            {methods.map((each) => (
              <option key={each} value={each}>
                {own.methods[each]}
              </option>
            ))}
          </select>
        </Field>
        <Field id="payout-day" label={own.paidOn}>
          <input
            id="payout-day"
            type="date"
            className="input"
            required
            max={today}
            value={paidOn}
            onChange={({ target }) => setPaidOn(target.value || today)}
          />
        </Field>
        <Field id="payout-reference" label={own.reference}>
          <input
            id="payout-reference"
            className="input"
            autoComplete="off"
            maxLength={140}
            value={reference}
            onChange={({ target }) => setReference(target.value)}
          />
        </Field>
        <Field id="payout-reason" label={own.reason}>
          <textarea
            id="payout-reason"
            className="input"
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </Field>
        <Button type="submit" kind="main" isBusy={isBusy}>
          {own.payOutNow(moneyText(locale, amount ?? 0, currency))}
        </Button>
      </form>
    </Dialog>
  )
}
