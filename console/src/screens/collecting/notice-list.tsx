import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type DunningRun, type Notice, noticePdf, readNotice, sendReminders } from '../../calls/fees/collecting-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { moneyText } from '../../records/money.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { sum } from '../fees/allocation.ts'
import { useOpenPdf } from '../fees/open-pdf.ts'
import { useIntention } from './intention.ts'
import { useCollectingMessages } from './use-collecting-messages.ts'

interface Props {
  readonly run: DunningRun
  readonly names: ReadonlyMap<string, string>
}

const tones = { proposed: 'wait', sent: 'good', dropped: '' } as const

/** The reminders of a run by level; those that wait are picked and sent. */
export function NoticeList({ run, names }: Props) {
  const own = useCollectingMessages()
  const { has } = useSession()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isAsking, setAsking] = useState(false)
  const waiting = has('billing:write') ? run.notices.filter(({ status }) => status === 'proposed') : []
  const picked = waiting.filter(({ id }) => !left.has(id))
  const levels = [...new Set(run.notices.map(({ level }) => level))].sort((one, other) => other - one)
  const pick = (id: string, isPicked: boolean) => {
    const next = new Set(left)
    if (isPicked) next.delete(id)
    else next.add(id)
    setLeft(next)
  }
  return (
    <>
      {levels.map((level) => (
        <section key={level} aria-label={own.level(level)}>
          <h3>{own.level(level)}</h3>
          <ul className="timeline notices-list">
            {run.notices
              .filter((notice) => notice.level === level)
              .map((notice) => (
                <NoticeItem
                  key={notice.id}
                  run={run.id}
                  notice={notice}
                  name={names.get(notice.accountId) ?? ''}
                  isPicked={waiting.includes(notice) ? !left.has(notice.id) : null}
                  onPick={(isPicked) => pick(notice.id, isPicked)}
                />
              ))}
          </ul>
        </section>
      ))}
      {waiting.length > 0 && (
        <div className="row">
          <Button kind="main" isBusy={picked.length === 0} onClick={() => setAsking(true)}>
            {own.send(picked.length)}
          </Button>
          {left.size > 0 && <Button onClick={() => setLeft(new Set())}>{own.all}</Button>}
        </div>
      )}
      {isAsking && <SendDialog run={run} picked={picked} onClose={() => setAsking(false)} />}
    </>
  )
}

interface ItemProps {
  readonly run: string
  readonly notice: Notice
  readonly name: string
  /** Null where it cannot be picked. */
  readonly isPicked: boolean | null
  readonly onPick: (isPicked: boolean) => void
}

function NoticeItem({ run, notice, name, isPicked, onPick }: ItemProps) {
  const { locale } = useMessages()
  const own = useCollectingMessages()
  const { id, accountId, items, amount, fee, currency, status, channel, recipient } = notice
  const [isShown, setShown] = useState(false)
  const oldest = Math.max(0, ...items.map(({ daysOverdue }) => daysOverdue))
  return (
    <li>
      <div className="row">
        {isPicked !== null && (
          <label className="check">
            <input type="checkbox" checked={isPicked} onChange={({ target }) => onPick(target.checked)} />
            <span className="unseen">{own.pick(name)}</span>
          </label>
        )}
        <Link className="file" to={addressOf.account(accountId)}>
          {name}
        </Link>
        <strong className="numbers">{moneyText(locale, amount, currency)}</strong>
        {fee > 0 && (
          <span>
            {own.fee} {moneyText(locale, fee, currency)}
          </span>
        )}
        <span className="quiet">{own.items(items.length, oldest)}</span>
        <span className={`badge ${tones[status]}`}>{own.states[status]}</span>
        {channel !== null && (
          <span className="quiet">{channel === 'mail' ? own.byMail(recipient ?? '') : own.byPrint}</span>
        )}
      </div>
      {status !== 'dropped' && (
        <details id={`text-${id}`} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
          <summary>
            {status === 'proposed' ? own.preview : own.showText}
            <span className="unseen"> {name}</span>
          </summary>
          {isShown && <NoticeText run={run} id={id} />}
        </details>
      )}
    </li>
  )
}

/** The letter of a notice as it would be sent now, or as it was, in the language of the payer. */
function NoticeText({ run, id }: { readonly run: string; readonly id: string }) {
  const own = useCollectingMessages()
  const print = useOpenPdf()
  const notice = useQuery({ queryKey: ['payment', 'notice', run, id], queryFn: () => readNotice(run, id) })
  if (notice.isPending) return <Waiting lines={4} />
  if (notice.isError) return <Failed error={notice.error} again={() => void notice.refetch()} />
  const { subject, text, channel, recipient } = notice.data
  if (text === null) return <p>{own.previewGone}</p>
  return (
    <>
      <p className="quiet">{channel === 'mail' ? own.byMail(recipient ?? '') : own.byPrint}</p>
      <p>
        <strong>{subject}</strong>
      </p>
      <pre>{text}</pre>
      <Button kind="plain" onClick={() => void print(() => noticePdf(run, id))}>
        {own.previewPdf}
      </Button>
    </>
  )
}

interface DialogProps {
  readonly run: DunningRun
  readonly picked: readonly Notice[]
  readonly onClose: () => void
}

function SendDialog({ run, picked, onClose }: DialogProps) {
  const { locale } = useMessages()
  const own = useCollectingMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const { isBusy, act } = useIntention()
  const total = sum(...picked.map(({ amount }) => amount))
  const send = () =>
    act(async (key) => {
      const ids = new Set(picked.map(({ id }) => id))
      const { notices } = await sendReminders(key, run.id, [...ids])
      const sent = notices.filter(({ id, status }) => ids.has(id) && status === 'sent')
      const mails = sent.filter(({ channel }) => channel === 'mail').length
      tell(own.sent(mails, sent.length - mails))
      onClose()
      void queries.invalidateQueries({ queryKey: ['payment'] })
    })
  return (
    <Dialog title={own.sendTitle} onClose={onClose}>
      <p>{own.sendText(picked.length, moneyText(locale, total, picked[0]?.currency ?? null))}</p>
      <div className="row">
        <Button kind="main" isBusy={isBusy} onClick={() => void send()}>
          {own.send(picked.length)}
        </Button>
      </div>
    </Dialog>
  )
}
