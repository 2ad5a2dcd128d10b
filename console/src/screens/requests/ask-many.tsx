import { useState } from 'react'
import { beginRequests } from '../../calls/admissions/requests-api.ts'
import type { BulkJob } from '../../calls/bulk-jobs.ts'
import { Button } from '../../elements/button.tsx'
import { ErrorSummary } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { type Many, type Sending, unreachedAmong } from './sending.ts'
import { useRequestMessages } from './use-request-messages.ts'
import { WithoutAddress } from './without-address.tsx'

interface Props {
  readonly many: Many
  readonly onChange: () => void
  readonly onBegun: (job: BulkJob) => Promise<void>
  /** Those without an address, who are asked here so that their links are told. */
  readonly onLinks: (sending: Sending) => void
}

/** How many get what, exactly, and the first of them; the service then asks them by itself, also when this page is closed. */
export function AskMany({ many, onChange, onBegun, onLinks }: Props) {
  const { key, asked, whom, asking, message, preview } = many
  const { messages, language } = useMessages()
  const own = useRequestMessages()
  const [isBusy, setBusy] = useState(false)
  const [validationError, setError] = useState<string | null>(null)
  const begin = async () => {
    setBusy(true)
    setError(null)
    try {
      await onBegun(await beginRequests(key, asked, whom, asking, message, preview.total))
    } catch (error) {
      setError(getErrorText(error, messages))
      setBusy(false)
    }
  }
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const getName = (locale: string) => names.of(locale) ?? locale
  const { matched, total, complete, alreadyAsked, unreached, first } = preview
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{own.look}</h1>
          {asking.locale !== undefined && <p className="quiet">{own.mailIn(getName(asking.locale))}</p>}
        </div>
      </div>
      {validationError !== null && <ErrorSummary title={validationError} />}
      <div className="card section" role="status">
        <h2>{own.people(matched)}</h2>
        <p>{own.byMail(total)}</p>
        {complete > 0 && <p className="quiet">{own.completeOf(complete)}</p>}
        {alreadyAsked > 0 && <p className="quiet">{own.alreadyOf(alreadyAsked)}</p>}
        {unreached > 0 && <p className="quiet">{own.unreachedOf(unreached)}</p>}
      </div>
      <ul className="stack">
        {first.map(({ entityId, entityLabel, recipientName, recipientEmail, locale, asks }) => (
          <li key={entityId} className="card section">
            <h2>{entityLabel}</h2>
            <p>
              {own.to}: {recipientName} {recipientEmail} · {getName(locale)}
            </p>
            <p className="quiet">
              {own.asks}: {asks.join(', ')}
            </p>
          </li>
        ))}
      </ul>
      {total > first.length && <p className="quiet">{own.further(total - first.length)}</p>}
      <div className="picked">
        {total > 0 && (
          <Button kind="main" isBusy={isBusy} onClick={() => void begin()}>
            {own.send(total)}
          </Button>
        )}
        <WithoutAddress unreached={unreachedAmong(many)} onLinks={onLinks} />
        <Button onClick={onChange}>{own.change}</Button>
      </div>
    </>
  )
}
