import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type FamilyRequest, familyRequests, remind, restore, revoke } from '../../calls/admissions/requests-api.ts'
import { isStoredRejection } from '../../calls/http.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { LongText } from '../../elements/long-text.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { OperationList, operationPageLength } from '../../records/list/operation-list.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { useUndo } from '../../session/use-undo.ts'
import { addressOf, Link, useQueryText } from '../../shell/router.tsx'
import { useRequestMessages } from './use-request-messages.ts'

/** Begins the key of what every list of requests is; the feed of events has them read again. */
const queryKey = ['vault_request']
const isOpen = ({ status }: FamilyRequest) => status === 'open' || status === 'partially_completed'

/** Which families were asked for which papers, and what of it is there: it changes by itself when a family hands something in. */
export default function Requests() {
  const { messages } = useMessages()
  const own = useRequestMessages()
  const { has } = useSession()
  const asked = new URLSearchParams(useQueryText())
  const ofName = asked.has('application') ? 'application' : 'student'
  const mayAsk = has('vault:write')
  return (
    <OperationList<FamilyRequest>
      title={messages.screens.requests}
      path={addressOf.requests}
      queryKey={[...queryKey, ofName]}
      read={async ({ status, of, page }) => {
        const ids = ofName === 'student' ? { studentId: of } : { applicationId: of }
        const { requests, total } = await familyRequests({ status, page, limit: operationPageLength, ...ids })
        return { items: requests, total }
      }}
      statusLabel={own.status}
      statuses={own.statuses}
      any={own.any}
      ofName={ofName}
      all={own.all}
      none={{ title: own.empty, text: own.emptyHow }}
      actions={
        mayAsk && (
          <Link className="button main" to={addressOf.askFamilies}>
            {own.ask}
          </Link>
        )
      }
      tools={(requests) => mayAsk && <RemindAll requests={requests.filter(isOpen)} />}
    >
      {(requests) => (
        <ul className="cards-of-requests">
          {requests.map((request) => (
            <RequestCard key={request.id} request={request} mayChange={mayAsk} />
          ))}
        </ul>
      )}
    </OperationList>
  )
}

const toneOf = { pending: 'wait', uploaded: '', accepted: 'good', rejected: 'bad' } as const

function RequestCard({ request, mayChange }: { readonly request: FamilyRequest; readonly mayChange: boolean }) {
  const { messages, locale } = useMessages()
  const own = useRequestMessages()
  const tell = useNotify()
  const queries = useQueryClient()
  const [isRevoking, setRevoking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  // The key is that of the intention: a tap that is repeated because the answer was lost reminds once.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const { items, recipient, entityLabel } = request
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(request.expiresAt))
  const accepted = items.filter(({ status }) => status === 'accepted').length
  const send = async () => {
    setBusy(true)
    try {
      await remind(key, request.id)
      setKey(crypto.randomUUID())
      tell(own.reminded(entityLabel))
    } catch (error) {
      if (isStoredRejection(error)) setKey(crypto.randomUUID())
      tell(`${entityLabel}: ${getErrorText(error, messages)}`, { isBad: true })
    } finally {
      setBusy(false)
      void queries.invalidateQueries({ queryKey })
    }
  }
  return (
    <li className="section">
      <h2>{entityLabel}</h2>
      <p className="row">
        <span className={`badge ${request.status === 'completed' ? 'good' : isOpen(request) ? 'wait' : ''}`}>
          {own.statuses[request.status]}
        </span>
        <span>{request.title}</span>
        <span className="quiet">
          {[recipient.name, recipient.email, own.until(day), own.of(accepted, items.length)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </p>
      <p className="quiet small">
        {request.submittedAt !== null ? own.handedIn : request.firstViewedAt !== null ? own.opened : own.unopened}
      </p>
      <ul className="timeline">
        {items.map((item) => (
          <li key={item.id}>
            {item.label} <span className={`badge ${toneOf[item.status]}`}>{own.items[item.status]}</span>{' '}
            {item.rejectionReason !== null && <span className="quiet">{item.rejectionReason}</span>}
          </li>
        ))}
      </ul>
      {mayChange && request.status !== 'revoked' && (
        <div className="row">
          {isOpen(request) && recipient.email !== null && (
            <Button isBusy={isBusy} onClick={() => void send()}>
              {own.remind}
              <span className="unseen"> {entityLabel}</span>
            </Button>
          )}
          <Button kind="plain" onClick={() => setRevoking(true)}>
            {own.revoke}
            <span className="unseen"> {entityLabel}</span>
          </Button>
        </div>
      )}
      {isRevoking && <RevokeDialog request={request} onClose={() => setRevoking(false)} />}
    </li>
  )
}

function RevokeDialog({ request, onClose }: { readonly request: FamilyRequest; readonly onClose: () => void }) {
  const { messages } = useMessages()
  const own = useRequestMessages()
  const tell = useNotify()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const undo = useUndo()(
    () => restore(request.id),
    () => void queries.invalidateQueries({ queryKey }),
  )
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    try {
      await revoke(request.id, reason)
      tell(`${request.entityLabel}: ${own.revoked}`, { undo })
      onClose()
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
      setBusy(false)
    } finally {
      void queries.invalidateQueries({ queryKey })
    }
  }
  return (
    <Dialog title={own.revokeOf(request.entityLabel)} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void send(event)}>
        <p className="quiet">{own.revokeText}</p>
        <LongText id="revoke-reason" label={own.reason} most={2000} value={reason} onChange={setReason} />
        <Button type="submit" kind="danger" isBusy={isBusy}>
          {own.revoke}
        </Button>
      </form>
    </Dialog>
  )
}

/** Reminds of those that are open, and of no others; says first how many. */
function RemindAll({ requests }: { readonly requests: readonly FamilyRequest[] }) {
  const { messages } = useMessages()
  const own = useRequestMessages()
  const tell = useNotify()
  const queries = useQueryClient()
  const [keys, setKeys] = useState<ReadonlyMap<string, string> | null>(null)
  const [isBusy, setBusy] = useState(false)
  const reached = requests.filter(({ recipient }) => recipient.email !== null)
  if (reached.length === 0) return null
  const send = async () => {
    if (keys === null) return
    setBusy(true)
    const left = new Map(keys)
    let last: unknown = null
    for (const [id, key] of keys) {
      try {
        await remind(key, id)
        left.delete(id)
      } catch (error) {
        if (isStoredRejection(error)) left.set(id, crypto.randomUUID())
        last = error
      }
    }
    const reported = own.remindedAll(keys.size - left.size, keys.size)
    tell(last === null ? reported : `${reported}. ${getErrorText(last, messages)}`, { isBad: last !== null })
    setBusy(false)
    // Those that failed keep their keys, so that none is reminded twice.
    setKeys(left.size === 0 ? null : left)
    void queries.invalidateQueries({ queryKey })
  }
  return (
    <>
      <Button onClick={() => setKeys(new Map(reached.map(({ id }) => [id, crypto.randomUUID()])))}>
        {own.remindAll(reached.length)}
      </Button>
      {keys !== null && (
        <Dialog title={own.remindTitle} onClose={() => setKeys(null)}>
          <p>{own.remindText(keys.size, requests.length - reached.length)}</p>
          <Button kind="main" isBusy={isBusy} onClick={() => void send()}>
            {own.remind}
          </Button>
        </Dialog>
      )}
    </>
  )
}
