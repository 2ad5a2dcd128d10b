import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import {
  accountNames,
  collect,
  type DirectDebit,
  debitFile,
  directDebits,
  returnDebit,
} from '../../calls/fees/collecting-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { saveFile } from '../../records/csv.ts'
import { moneyText } from '../../records/money.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { NoPage } from '../../shell/no-page.tsx'
import { useDay } from '../fees/days.ts'
import { useIntention } from './intention.ts'
import { useCollectingMessages } from './use-collecting-messages.ts'
import './collecting.css'

/** Runs of direct debits: what is due is collected, the file goes to the bank, and what it gives back is returned. */
export default function Debits() {
  const { messages } = useMessages()
  const own = useCollectingMessages()
  const { has } = useSession()
  const isOpen = has('billing:read')
  const runs = useQuery({ queryKey: ['payment', 'debits'], queryFn: directDebits, enabled: isOpen })
  const ids = [...new Set(runs.data?.flatMap(({ debits }) => debits.map(({ accountId }) => accountId)) ?? [])]
  const names = useQuery({
    queryKey: ['payment', 'names', ...ids],
    queryFn: () => accountNames(ids),
    enabled: ids.length > 0,
  })
  useEffect(() => {
    document.title = messages.screens.debits
  }, [messages])
  if (!isOpen) return <NoPage />
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.debits}</h1>
      </div>
      {has('billing:write') && <CollectForm />}
      {runs.isPending && <Waiting lines={3} />}
      {runs.isError && <Failed error={runs.error} again={() => void runs.refetch()} />}
      {runs.data?.length === 0 && <p className="quiet">{own.noDebits}</p>}
      {runs.data?.map((run) => (
        <RunCard key={run.id} run={run} names={names.data ?? new Map()} />
      ))}
    </>
  )
}

function CollectForm() {
  const own = useCollectingMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const showDay = useDay()
  const { isBusy, act } = useIntention()
  const [collectionDate, setDate] = useState('')
  const [dueTo, setDueTo] = useState('')
  const [isAsking, setAsking] = useState(false)
  const ask = (event: FormEvent) => {
    event.preventDefault()
    setAsking(true)
  }
  const send = async () => {
    await act(async (key) => {
      const { debits } = await collect(key, collectionDate, dueTo)
      tell(own.collected(debits.length))
      void queries.invalidateQueries({ queryKey: ['payment'] })
    })
    setAsking(false)
  }
  return (
    <form className="card section" onSubmit={ask} aria-label={own.collect}>
      <h2>{own.collect}</h2>
      <p className="quiet">{own.collectText}</p>
      <div className="tools">
        <Field id="collection-date" label={own.collectionDate}>
          <input
            id="collection-date"
            type="date"
            className="input"
            required
            value={collectionDate}
            onChange={({ target }) => setDate(target.value)}
          />
        </Field>
        <Field id="due-to" label={own.dueTo}>
          <input
            id="due-to"
            type="date"
            className="input"
            required
            value={dueTo}
            onChange={({ target }) => setDueTo(target.value)}
          />
        </Field>
        <Button type="submit">{own.collectButton}</Button>
      </div>
      {isAsking && (
        <Dialog title={own.collectTitle(showDay(collectionDate))} onClose={() => setAsking(false)}>
          <p>{own.collectSure(showDay(dueTo))}</p>
          <div className="row">
            <Button kind="main" isBusy={isBusy} onClick={() => void send()}>
              {own.collect}
            </Button>
          </div>
        </Dialog>
      )}
    </form>
  )
}

const tones = { collected: 'good', partially_returned: 'wait', returned: 'bad' } as const

function RunCard({ run, names }: { readonly run: DirectDebit; readonly names: ReadonlyMap<string, string> }) {
  const { messages, locale } = useMessages()
  const own = useCollectingMessages()
  const { has } = useSession()
  const tell = useNotify()
  const { tenant } = useSession()
  const showDay = useDay()
  const [returning, setReturning] = useState<DirectDebit['debits'][number] | null>(null)
  const save = async () => {
    try {
      saveFile(await debitFile(run.id), `direct-debits-${run.collectionDate}.xml`)
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
    }
  }
  return (
    <section className="card section" aria-label={showDay(run.collectionDate)}>
      <div className="page-head">
        <h2>
          {showDay(run.collectionDate)}{' '}
          <span className={`badge ${tones[run.status]}`}>{own.debitStates[run.status]}</span>
        </h2>
        {run.debits.length > 0 && <Button onClick={() => void save()}>{own.bankFile}</Button>}
      </div>
      <p className="quiet">{own.collected(run.debits.length)}</p>
      <ul className="timeline">
        {run.debits.map((debit) => (
          <li key={debit.endToEndId} className="row">
            <strong className="numbers">{moneyText(locale, debit.amount, tenant.currency)}</strong>
            <span>{names.get(debit.accountId)}</span>
            <span className="quiet">{debit.mandateId}</span>
            {debit.status === 'returned' && (
              <span className="badge bad">
                {own.debitStates.returned} {debit.reasonCode}
              </span>
            )}
            {debit.status === 'collected' && has('billing:write') && (
              <Button kind="plain" onClick={() => setReturning(debit)}>
                {own.returnDebit}
                <span className="unseen"> {names.get(debit.accountId)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {returning !== null && <ReturnDialog run={run} debit={returning} onClose={() => setReturning(null)} />}
    </section>
  )
}

interface DialogProps {
  readonly run: DirectDebit
  readonly debit: DirectDebit['debits'][number]
  readonly onClose: () => void
}

function ReturnDialog({ run, debit, onClose }: DialogProps) {
  const own = useCollectingMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const { tenant } = useSession()
  const { isBusy, act } = useIntention()
  const [reasonCode, setReason] = useState('')
  // The Swedish form of a day is that of ISO 8601.
  const [returnedOn, setDay] = useState(() =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: tenant.timeZone }).format(new Date()),
  )
  const send = (event: FormEvent) => {
    event.preventDefault()
    void act(async (key) => {
      await returnDebit(key, run.id, { endToEndId: debit.endToEndId, reasonCode: reasonCode.trim(), returnedOn })
      tell(own.returned)
      onClose()
      void queries.invalidateQueries({ queryKey: ['payment'] })
    })
  }
  return (
    <Dialog title={own.returnTitle} onClose={onClose}>
      <form className="stack" onSubmit={send}>
        <Field id="reason-code" label={own.reasonCode}>
          <input
            id="reason-code"
            className="input"
            required
            maxLength={35}
            autoComplete="off"
            value={reasonCode}
            onChange={({ target }) => setReason(target.value)}
          />
        </Field>
        <Field id="returned-on" label={own.asOf}>
          <input
            id="returned-on"
            type="date"
            className="input"
            required
            min={run.collectionDate}
            value={returnedOn}
            onChange={({ target }) => setDay(target.value)}
          />
        </Field>
        <Button type="submit" kind="danger" isBusy={isBusy}>
          {own.returnDebit}
        </Button>
      </form>
    </Dialog>
  )
}
