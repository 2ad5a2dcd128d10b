import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { claim, getFile, judge, type ReviewItem, release, reviewQueue } from '../../calls/admissions/admissions-api.ts'
import { CallError } from '../../calls/http.ts'
import { Preview } from '../../documents/preview.tsx'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useUndo } from '../../session/use-undo.ts'
import { useKeys } from '../../shell/keys.ts'
import { addressOf, Link } from '../../shell/router.tsx'

const queryKey = ['vault_document', 'review-queue']
const getKey = ({ document }: ReviewItem) => `${document.id} ${document.currentVersion?.id}`

/** Papers that families handed in, the oldest first, one at a time: looked at, approved or sent back with a reason. */
export default function ReviewQueue() {
  const { messages } = useMessages()
  const all = useSession().badges.documentsToReview ?? 0
  const queue = useQuery({ queryKey, queryFn: reviewQueue })
  const [done, setDone] = useState<ReadonlySet<string>>(new Set())
  const [passed, setPassed] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    document.title = messages.screens.review
  }, [messages])
  if (queue.isPending) return <Waiting />
  if (queue.isError) return <Failed error={queue.error} again={() => void queue.refetch()} />
  const waiting = queue.data.items.filter((item) => !done.has(getKey(item)))
  const free = waiting.filter((item) => item.claim === null || item.claim.isMine)
  const item = free.find((each) => !passed.has(getKey(each))) ?? free[0]
  const next = free.find((each) => each !== item && !passed.has(getKey(each)))
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{messages.screens.review}</h1>
          <p className="quiet" role="status">
            {messages.frame.waiting(queue.data.hasMore ? Math.max(waiting.length, all) : waiting.length)}
          </p>
        </div>
      </div>
      {item === undefined ? (
        <Empty title={messages.review.empty} text={messages.review.emptyHow} />
      ) : (
        <div className="record">
          {/* The next one is there when it is gone to. */}
          {[item, ...(next === undefined ? [] : [next])].map((each) => (
            <div key={getKey(each)} className="card section preview" hidden={each !== item}>
              {each.document.currentVersion !== null && (
                <Preview
                  file={getFile(each.document.id, each.document.currentVersion)}
                  title={each.document.documentType.name}
                  isAhead={each !== item}
                />
              )}
            </div>
          ))}
          <Judgement
            key={getKey(item)}
            item={item}
            onDone={() => setDone((before) => new Set([...before, getKey(item)]))}
            onUndone={() => setDone((before) => new Set([...before].filter((key) => key !== getKey(item))))}
            onPass={() => setPassed((before) => new Set([...before, getKey(item)]))}
          />
        </div>
      )}
    </>
  )
}

interface JudgementProps {
  readonly item: ReviewItem
  readonly onDone: () => void
  readonly onUndone: () => void
  readonly onPass: () => void
}

/** What is known of a paper, and what it is judged by. */
function Judgement({ item, onDone, onUndone, onPass }: JudgementProps) {
  const { messages, locale } = useMessages()
  const { has } = useSession()
  const queries = useQueryClient()
  const tell = useNotify()
  const undoBy = useUndo()
  const [isRejecting, setRejecting] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { document, requirement, request } = item
  const version = document.currentVersion
  const mayJudge = has('vault:write')
  const onNotMine = useEffectEvent((error: unknown) => {
    // Somebody else was faster: it is theirs, and the next one is shown.
    if (error instanceof CallError && error.status === 409) onPass()
    else tell(getErrorText(error, messages), { isBad: true })
  })
  const versionId = version?.id
  useEffect(() => {
    if (mayJudge && versionId !== undefined) claim(document.id, versionId).catch(onNotMine)
  }, [mayJudge, document.id, versionId])
  const pass = () => {
    // A claim that cannot be left is over by itself in minutes.
    if (mayJudge) release(document.id).catch(() => {})
    onPass()
  }
  const send = async (judgement: Parameters<typeof judge>[2]) => {
    if (isBusy) return
    setBusy(true)
    try {
      const judged = await judge(document.id, item.entityTag, judgement)
      const undo = undoBy(
        () => judge(document.id, judged, { status: 'in_review' }),
        () => {
          onUndone()
          void queries.invalidateQueries({ queryKey })
        },
      )
      // A family that was told of a rejection cannot be untold.
      if (judgement.status === 'approved') tell(messages.review.approved, { undo })
      else tell(messages.review.rejected)
      onDone()
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    } finally {
      void queries.invalidateQueries({ queryKey })
    }
  }
  useKeys({
    a: () => mayJudge && void send({ status: 'approved' }),
    r: () => mayJudge && setRejecting(true),
    n: pass,
  })
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <>
      <aside className="aside">
        <section className="card">
          <h2>{document.documentType.name}</h2>
          <dl className="stack small">
            {document.links.map(({ entityType, entityId, entityLabel }) => (
              <div key={entityId}>
                <dt className="quiet">{messages.review[entityType]}</dt>
                <dd>
                  <Link to={entityType === 'student' ? addressOf.profile(entityId) : addressOf.application(entityId)}>
                    {entityLabel}
                  </Link>
                </dd>
              </div>
            ))}
            <div>
              <dt className="quiet">{messages.review.title}</dt>
              <dd>{document.title}</dd>
            </div>
            {requirement !== null && (
              <div>
                <dt className="quiet">{messages.review.askedFor}</dt>
                <dd>
                  {requirement.label} {requirement.instructions}
                </dd>
              </div>
            )}
            {request !== null && (
              <div>
                <dt className="quiet">{messages.review.request}</dt>
                <dd>{request.title}</dd>
              </div>
            )}
            <div>
              <dt className="quiet">{messages.record.createdOn}</dt>
              <dd>{when.format(new Date(document.createdAt))}</dd>
            </div>
          </dl>
        </section>
        <div className="saving">
          {mayJudge && (
            <>
              <Button kind="main" isBusy={isBusy} keys="a" onClick={() => void send({ status: 'approved' })}>
                {messages.review.approve}
              </Button>
              <Button kind="danger" keys="r" onClick={() => setRejecting(true)}>
                {messages.review.reject}
              </Button>
            </>
          )}
          <Button keys="n" onClick={pass}>
            {messages.list.next}
          </Button>
        </div>
      </aside>
      {isRejecting && (
        <RejectDialog
          locale={request?.locale ?? null}
          onClose={() => setRejecting(false)}
          onReject={(rejectionReason) => void send({ status: 'rejected', rejectionReason })}
        />
      )}
    </>
  )
}

interface RejectProps {
  /** The language in which the family reads the reason, where it is known. */
  readonly locale: string | null
  readonly onClose: () => void
  readonly onReject: (reason: string) => void
}

/** Asks why, because the family reads it; ready reasons are in the family's language where there are some. */
function RejectDialog({ locale, onClose, onReject }: RejectProps) {
  const { messages, language } = useMessages()
  const family = Object.keys(reasons).find((tag) => locale?.startsWith(tag)) ?? language
  const ready = reasons[family as keyof typeof reasons]
  const [reason, setReason] = useState<string>(ready[0] ?? '')
  const send = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    onReject(reason)
  }
  return (
    <Dialog title={messages.review.reject} onClose={onClose}>
      <form onSubmit={send}>
        <p className="quiet">{messages.review.rejectText}</p>
        <fieldset className="stack">
          <legend className="label">{messages.review.ready}</legend>
          <div className="chips" lang={family}>
            {ready.map((each) => (
              <button key={each} type="button" className="chip" onClick={() => setReason(each)}>
                {each}
              </button>
            ))}
          </div>
        </fieldset>
        <Field id="reason" label={messages.review.reason}>
          <textarea
            id="reason"
            className="input"
            lang={family}
            required
            maxLength={2000}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </Field>
        <Button type="submit" kind="danger">
          {messages.review.reject}
        </Button>
      </form>
    </Dialog>
  )
}

/** Reasons that come up often, in the languages in which families read them. */
const reasons = {
  en: ['The file is not legible.', 'A page is missing.', 'The document has expired.', 'This is another document.'],
  es: ['El archivo no se lee bien.', 'Falta una página.', 'El documento está vencido.', 'Este es otro documento.'],
  pt: ['O arquivo não está legível.', 'Falta uma página.', 'O documento está vencido.', 'Este é outro documento.'],
} as const
