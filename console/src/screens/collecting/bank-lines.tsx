import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  accountNames,
  type BankLine,
  bankLines,
  type Match,
  matchLine,
  unmatchLine,
} from '../../calls/fees/collecting-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { moneyText } from '../../records/money.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { useKeys } from '../../shell/keys.ts'
import { useDay } from '../fees/days.ts'
import { useIntention } from './intention.ts'
import { PayerField } from './payer-field.tsx'
import { useCollectingMessages } from './use-collecting-messages.ts'

/** The lines of a statement: one key accepts what is proposed of a line, and goes on to the next. */
export function BankLines({ statement }: { readonly statement: string }) {
  const own = useCollectingMessages()
  const { locale } = useMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const { isBusy, act } = useIntention()
  const [isOpenOnly, setOpenOnly] = useState(true)
  const list = useRef<HTMLDivElement>(null)
  const status = isOpenOnly ? 'open' : ''
  const lines = useQuery({
    queryKey: ['payment', 'lines', statement, status],
    queryFn: () => bankLines(statement, status),
    placeholderData: (before) => before,
  })
  const ids = [...new Set(lines.data?.flatMap(({ proposals }) => proposals.map(({ accountId }) => accountId)) ?? [])]
  const names = useQuery({
    queryKey: ['payment', 'names', ...ids],
    queryFn: () => accountNames(ids),
    enabled: ids.length > 0,
    placeholderData: (before) => before,
  })
  const places = () => [...(list.current?.querySelectorAll<HTMLElement>('.bank-line') ?? [])]
  const current = () => places().findIndex((place) => place.contains(document.activeElement))
  const move = (step: number) => {
    const all = places()
    all[Math.max(0, Math.min(all.length - 1, current() + step))]?.focus()
  }
  const book = async (line: BankLine, match: Match) => {
    const at = current()
    const isDone = await act(async () => {
      await matchLine(statement, line.id, match)
      tell(own.booked(moneyText(locale, line.amount, line.currency)))
    })
    await queries.invalidateQueries({ queryKey: ['payment'] })
    // The next line has taken its place, unless the person works elsewhere already.
    const hasLeft = () => document.activeElement !== null && document.activeElement !== document.body
    if (isDone) requestAnimationFrame(() => hasLeft() || (places()[at] ?? places().at(-1))?.focus())
  }
  const acceptFirst = () => {
    const line = lines.data?.[Math.max(0, current())]
    const proposal = line?.proposals[0]
    if (line?.status === 'open' && proposal !== undefined && !isBusy) void book(line, toMatch(proposal))
  }
  useKeys({ j: () => move(1), k: () => move(-1), a: acceptFirst })
  if (lines.isPending) return <Waiting lines={6} />
  if (lines.isError) return <Failed error={lines.error} again={() => void lines.refetch()} />
  return (
    <section className="card section" aria-label={own.lines}>
      <div className="page-head">
        <div>
          <h2>{own.lines}</h2>
          <p className="quiet small">{own.acceptHint}</p>
        </div>
        <label className="check">
          <input type="checkbox" checked={isOpenOnly} onChange={({ target }) => setOpenOnly(target.checked)} />
          {own.onlyOpen}
        </label>
      </div>
      {lines.data.length === 0 && <p className="quiet">{own.noLines}</p>}
      <div ref={list}>
        {lines.data.map((line) => (
          <Line
            key={line.id}
            statement={statement}
            line={line}
            names={names.data ?? new Map()}
            isBusy={isBusy}
            onBook={(match) => void book(line, match)}
          />
        ))}
      </div>
    </section>
  )
}

function toMatch({ accountId, paymentId, amount }: BankLine['proposals'][number]): Match {
  return { accountId, allocations: [{ paymentId, amount }] }
}

interface Props {
  readonly statement: string
  readonly line: BankLine
  readonly names: ReadonlyMap<string, string>
  readonly isBusy: boolean
  readonly onBook: (match: Match) => void
}

const tones = { open: 'wait', booked: 'good', ignored: '' } as const

function Line({ statement, line, names, isBusy, onBook }: Props) {
  const { locale } = useMessages()
  const own = useCollectingMessages()
  const { has } = useSession()
  const showDay = useDay()
  const [isAsking, setAsking] = useState(false)
  const { amount, currency, bookedOn, name, text, reference, status, proposals, receiptIds } = line
  const money = (value: number) => moneyText(locale, value, currency)
  const mayBook = has('billing:write')
  return (
    <section className="bank-line" tabIndex={-1} aria-label={`${name ?? text ?? ''} ${money(amount)}`}>
      <p className="row">
        <span className="amount">{money(amount)}</span>
        <span>{name}</span>
        <span className="quiet">{[showDay(bookedOn), text, reference].filter(Boolean).join(' · ')}</span>
        <span className={`badge ${tones[status]}`}>{own.lineStates[status]}</span>
      </p>
      {status === 'open' && mayBook && (
        <>
          {proposals.map((proposal) => {
            const payer = names.get(proposal.accountId) ?? ''
            return (
              <p className="row" key={proposal.paymentId}>
                <span>{own.pays(money(proposal.amount), money(amount), payer)}</span>
                <Button
                  keys={proposal === proposals[0] ? 'a' : ''}
                  isBusy={isBusy}
                  onClick={() => onBook(toMatch(proposal))}
                >
                  {own.accept}
                  <span className="unseen"> {own.acceptOf(money(proposal.amount), payer)}</span>
                </Button>
              </p>
            )
          })}
          {proposals.length === 0 && amount > 0 && <p className="quiet">{own.noProposal}</p>}
          {amount > 0 && (
            <PayerField
              id={`payer-${line.id}`}
              label={own.findPayer(money(amount))}
              onChoose={(accountId) => onBook({ accountId })}
            />
          )}
        </>
      )}
      {status === 'booked' && mayBook && receiptIds.length > 0 && (
        <p>
          <Button kind="plain" onClick={() => setAsking(true)}>
            {own.unmatch}
            <span className="unseen"> {`${name ?? ''} ${money(amount)}`}</span>
          </Button>
        </p>
      )}
      {isAsking && <UnmatchDialog statement={statement} line={line} onClose={() => setAsking(false)} />}
    </section>
  )
}

interface DialogProps {
  readonly statement: string
  readonly line: BankLine
  readonly onClose: () => void
}

function UnmatchDialog({ statement, line, onClose }: DialogProps) {
  const own = useCollectingMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const { isBusy, act } = useIntention()
  const send = () =>
    act(async () => {
      await unmatchLine(statement, line.id)
      tell(own.takenBack)
      onClose()
      void queries.invalidateQueries({ queryKey: ['payment'] })
    })
  return (
    <Dialog title={own.unmatchTitle} onClose={onClose}>
      <p>{own.unmatchText}</p>
      <div className="row">
        <Button kind="danger" isBusy={isBusy} onClick={() => void send()}>
          {own.unmatch}
        </Button>
      </div>
    </Dialog>
  )
}
