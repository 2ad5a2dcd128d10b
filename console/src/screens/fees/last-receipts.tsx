import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Payer, type Receipt, receiptPdf, reverseReceipt } from '../../calls/fees/billing-api.ts'
import { isStoredRejection } from '../../calls/http.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { LongText } from '../../elements/long-text.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { moneyText } from '../../records/money.ts'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useDay } from './days.ts'
import { useOpenPdf } from './open-pdf.ts'
import { useFeeMessages } from './use-fee-messages.ts'

interface Props {
  readonly receipts: readonly Receipt[]
  readonly accounts: readonly Pick<Payer, 'id' | 'name'>[]
}

/** What was received last, each printed again or reversed. */
export function LastReceipts({ receipts, accounts }: Props) {
  const { locale } = useMessages()
  const own = useFeeMessages()
  const { has } = useSession()
  const showDay = useDay()
  const print = useOpenPdf()
  const [reversing, setReversing] = useState<Receipt | null>(null)
  return (
    <section className="card section" aria-label={own.receipts}>
      <h2>{own.receipts}</h2>
      {receipts.length === 0 && <p className="quiet">{own.noReceipts}</p>}
      <ul className="timeline">
        {receipts.map((receipt) => (
          <li key={receipt.id} className="row">
            <strong>{receipt.receiptNumber}</strong>
            <span>{moneyText(locale, receipt.amount, receipt.currency)}</span>
            <span className="quiet">
              {[
                showDay(receipt.receivedOn),
                own.methods[receipt.method],
                accounts.find(({ id }) => id === receipt.accountId)?.name,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            {receipt.status === 'reversed' && <span className="badge bad">{own.statusReversed}</span>}
            <Button kind="plain" onClick={() => void print(() => receiptPdf(receipt.id))}>
              {own.print(receipt.receiptNumber)}
            </Button>
            {receipt.status === 'posted' && has('billing:write') && (
              <Button kind="plain" onClick={() => setReversing(receipt)}>
                {own.reverse}
                <span className="unseen"> {receipt.receiptNumber}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {reversing !== null && <ReverseDialog receipt={reversing} onClose={() => setReversing(null)} />}
    </section>
  )
}

function ReverseDialog({ receipt, onClose }: { readonly receipt: Receipt; readonly onClose: () => void }) {
  const { messages } = useMessages()
  const own = useFeeMessages()
  const tell = useNotify()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isLacking, setLacking] = useState(false)
  // The key is that of the intention: a tap that is repeated because the answer was lost reverses once.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setLacking(reason.trim() === '')
    if (reason.trim() === '') return
    setBusy(true)
    try {
      await reverseReceipt(key, receipt.id, reason.trim())
      tell(own.reversed(receipt.receiptNumber))
      onClose()
    } catch (error) {
      if (isStoredRejection(error)) setKey(crypto.randomUUID())
      tell(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    } finally {
      void queries.invalidateQueries({ queryKey: ['payment'] })
    }
  }
  return (
    <Dialog title={own.reverseOf(receipt.receiptNumber)} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void send(event)} noValidate>
        <p className="quiet">{own.reverseText}</p>
        <LongText id="reverse-reason" label={own.reason} most={500} value={reason} onChange={setReason} />
        {isLacking && (
          <p role="alert" className="fault">
            {own.needsReason}
          </p>
        )}
        <Button type="submit" kind="danger" isBusy={isBusy}>
          {own.reverse}
        </Button>
      </form>
    </Dialog>
  )
}
