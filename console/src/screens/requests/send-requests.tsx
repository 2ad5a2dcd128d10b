import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../calls/admissions/requests-api.ts'
import { isStoredRejection } from '../../calls/http.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { addressOf, Link } from '../../shell/router.tsx'
import { forgetSending, isKnown, type Sending, storeSending } from './sending.ts'
import { useRequestMessages } from './use-request-messages.ts'

interface Props {
  readonly sending: Sending
  readonly onChange: () => void
}

/** What became of asking one: the address of the page where it was done, why not where it was refused. */
interface Outcome {
  readonly publicUrl?: string | null
  readonly fault?: string
  /** How often it was refused with a reason, which a key is answered with again: another try has another one. */
  readonly refusals: number
}

/** Who gets what; then asks one after the other and says for each what became of it. */
export function SendRequests({ sending, onChange }: Props) {
  const { key, asked, asking, message, people, preview } = sending
  const { messages, language } = useMessages()
  const own = useRequestMessages()
  const tell = useNotify()
  const queries = useQueryClient()
  const { user } = useSession()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const done = [...outcomes.values()].filter(({ fault: validationError }) => validationError === undefined).length
  const left = people.filter(({ entityId }) => outcomes.get(entityId)?.fault !== undefined || !outcomes.has(entityId))
  const send = async () => {
    if (!isKnown(sending)) return onChange()
    setBusy(true)
    await storeSending(user.name, sending)
    let failed = 0
    for (const { entityId, notify } of left) {
      const body = { ...asking, entityType: asked, entityId, notify, ...(message !== '' && { message }) }
      const { refusals: rejections = 0 } = outcomes.get(entityId) ?? {}
      const outcome = await ask(`${key}-${entityId}${rejections === 0 ? '' : `-${rejections}`}`, body).then(
        ({ publicUrl }): Outcome => ({ publicUrl, refusals: rejections }),
        (error: unknown): Outcome => ({
          fault: getErrorText(error, messages),
          refusals: isStoredRejection(error) ? rejections + 1 : rejections,
        }),
      )
      if (outcome.fault !== undefined) failed += 1
      setOutcomes((before) => new Map([...before, [entityId, outcome]]))
    }
    if (failed === 0) await forgetSending(user.name, key)
    setBusy(false)
    void queries.invalidateQueries({ queryKey: ['vault_request'] })
  }
  const copy = (address: string) =>
    navigator.clipboard.writeText(address).then(
      () => tell(own.copied),
      () => tell(address),
    )
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const getName = (locale: string) => names.of(locale) ?? locale
  const spoken = [...new Set(preview.asked.map(({ locale }) => getName(locale)))]
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{own.look}</h1>
          {spoken.length === 1 && <p className="quiet">{own.mailIn(spoken[0] as string)}</p>}
        </div>
      </div>
      <ul className="stack">
        {preview.asked.map(({ entityId, entityLabel, recipientName, recipientEmail, locale, asks }) => {
          const isLeftOut = people.every((person) => person.entityId !== entityId)
          const outcome = outcomes.get(entityId)
          const address = outcome?.publicUrl
          return (
            <li key={entityId} className="card section">
              <h2>{entityLabel}</h2>
              {asks.length === 0 ? (
                <p className="quiet">{own.complete}</p>
              ) : (
                <>
                  <p>
                    {own.to}: {recipientName} {recipientEmail ?? <span className="badge wait">{own.noAddress}</span>}
                    {recipientEmail !== null && spoken.length > 1 && <> · {getName(locale)}</>}
                  </p>
                  <p className="quiet">
                    {own.asks}: {asks.join(', ')}
                  </p>
                  {isLeftOut && <p className="badge wait">{own.already}</p>}
                </>
              )}
              {outcome?.fault !== undefined && <p className="fault">{outcome.fault}</p>}
              {outcome !== undefined && outcome.fault === undefined && (
                <p className="row">
                  {recipientEmail !== null && <span className="badge good">{own.asked}</span>}
                  {address != null && <Button onClick={() => void copy(address)}>{own.copy}</Button>}
                </p>
              )}
            </li>
          )
        })}
      </ul>
      <div className="picked">
        <span role="status">{own.sent(done, people.length)}</span>
        {left.length > 0 && (
          <Button kind="main" isBusy={isBusy} onClick={() => void send()}>
            {outcomes.size > 0 && !isBusy ? own.sendRest(left.length) : own.send(people.length)}
          </Button>
        )}
        {outcomes.size === 0 && !isBusy && <Button onClick={onChange}>{own.change}</Button>}
        {done > 0 && !isBusy && <Link to={addressOf.requests}>{own.see}</Link>}
      </div>
    </>
  )
}
