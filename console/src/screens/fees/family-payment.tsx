import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Family, FamilyPayment as Payment, Receipt } from '../../calls/fees/billing-api.ts'
import { jointReceiptPdf, receiptPdf, takePayment } from '../../calls/fees/billing-api.ts'
import { CallError, isStoredRejection } from '../../calls/http.ts'
import { Button } from '../../elements/button.tsx'
import { ErrorSummary } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { moneyText } from '../../records/money.ts'
import { getErrorText } from '../../session/telling.ts'
import { sum } from './allocation.ts'
import { useOpenPdf } from './open-pdf.ts'
import { PaymentForm } from './payment-form.tsx'
import { useFeeMessages } from './use-fee-messages.ts'

/** What was sent, with the key of its intention. */
interface Sent {
  readonly key: string
  readonly payment: Payment
}

interface Props {
  readonly family: Family
  /** The account by which the family was found. */
  readonly found: string | null
}

/** Takes money of a family: what was sent and not answered is sent again as it was, so that it is taken once. */
export function FamilyPayment({ family, found }: Props) {
  const { messages } = useMessages()
  const own = useFeeMessages()
  const queries = useQueryClient()
  const [taken, setTaken] = useState<readonly Receipt[] | null>(null)
  const [unconfirmed, setUnconfirmed] = useState<Sent | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [times, setTimes] = useState(0)
  // Told at once, because a second tap comes before anything is drawn.
  const isSending = useRef(false)
  const send = async (sent: Sent) => {
    if (isSending.current) return
    isSending.current = true
    setBusy(true)
    setRefused(null)
    try {
      const receipts = await takePayment(sent.key, sent.payment)
      setUnconfirmed(null)
      setTaken(receipts)
      setTimes(times + 1)
    } catch (error) {
      const isJudged = isStoredRejection(error) || (error instanceof CallError && [400, 403].includes(error.status))
      setUnconfirmed(isJudged ? null : sent)
      setRefused(getErrorText(error, messages))
    } finally {
      isSending.current = false
      setBusy(false)
      void queries.invalidateQueries({ queryKey: ['payment'] })
    }
  }
  if (unconfirmed !== null) {
    return (
      <section className="card section stack" aria-label={own.atDesk}>
        <ErrorSummary title={own.unconfirmed}>
          <p>
            {refused} {own.unconfirmedText}
          </p>
        </ErrorSummary>
        <p className="row">
          <Button kind="main" isBusy={isBusy} onClick={() => void send(unconfirmed)}>
            {own.again}
          </Button>
        </p>
      </section>
    )
  }
  return (
    <>
      {taken !== null && <Taken receipts={taken} />}
      <PaymentForm
        key={times}
        family={family}
        found={found}
        isFirst={taken === null}
        isBusy={isBusy}
        refused={refused}
        onSend={(payment) => void send({ key: crypto.randomUUID(), payment })}
      />
    </>
  )
}

/** What was taken just now, with the receipts to be printed: the first of them has the focus. */
function Taken({ receipts }: { readonly receipts: readonly Receipt[] }) {
  const { locale } = useMessages()
  const own = useFeeMessages()
  const print = useOpenPdf()
  const section = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever other receipts are shown
  useEffect(() => section.current?.querySelector('button')?.focus(), [receipts])
  const total = sum(...receipts.map(({ amount }) => amount))
  return (
    <section className="card section taken" ref={section} aria-label={own.receipts}>
      <p role="status">
        <strong>{own.taken(moneyText(locale, total, receipts[0]?.currency ?? null))}</strong>
      </p>
      <p className="row">
        {receipts.length > 1 && (
          <Button kind="main" onClick={() => void print(() => jointReceiptPdf(receipts.map(({ id }) => id)))}>
            {own.printAll}
          </Button>
        )}
        {receipts.map(({ id, receiptNumber }) => (
          <Button
            key={id}
            {...(receipts.length === 1 && { kind: 'main' })}
            onClick={() => void print(() => receiptPdf(id))}
          >
            {own.print(receiptNumber)}
          </Button>
        ))}
      </p>
    </section>
  )
}
