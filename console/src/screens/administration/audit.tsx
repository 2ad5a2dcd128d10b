import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type AuditEntry, type AuditQuery, auditPart } from '../../calls/administration-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { csvOf, saveFile } from '../../records/csv.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { getErrorText } from '../../session/telling.ts'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, useQueryText } from '../../shell/router.tsx'
import { useMoment } from './moments.ts'
import { useAdministrationMessages } from './use-administration-messages.ts'
import './administration.css'

/** Entries that a file has at most. */
const maxExported = 20_000

const whatOf = ({ action, operation }: AuditEntry) => action ?? operation ?? ''
const recordOf = ({ entityType, recordType, entityId, ids }: AuditEntry) =>
  [entityType ?? recordType, entityId ?? ids?.join(' ')].filter(Boolean).join(' ')
const moreOf = ({ changed, fieldGroup, surface }: AuditEntry) =>
  changed === undefined ? [fieldGroup, surface].filter(Boolean).join(' · ') : changed.join(', ')

/** Who changed what, and who read records about people: what is exported is what is asked for. */
export default function Audit() {
  const { messages } = useMessages()
  const own = useAdministrationMessages()
  const { has } = useSession()
  const tell = useNotify()
  const showMoment = useMoment()
  const [isExporting, setExporting] = useState(false)
  const asked = new URLSearchParams(useQueryText())
  const get = (name: string) => asked.get(name) ?? ''
  const query: AuditQuery = {
    of: get('of') === 'disclosures' ? 'disclosures' : 'audit',
    action: get('action'),
    entityType: get('entityType'),
    entityId: get('entityId'),
    since: get('since'),
    until: get('until'),
  }
  const isOpen = has('audit:read')
  const found = useInfiniteQuery({
    queryKey: ['audit', query],
    queryFn: ({ pageParam }) => auditPart(query, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: isOpen,
  })
  useEffect(() => {
    document.title = messages.screens.audit
  }, [messages])
  if (!isOpen) return <NoPage />
  const show = (name: string, value: string) => {
    // Whoever asks for another kind means all records of it.
    if (name === 'entityType') asked.delete('entityId')
    if (value === '') asked.delete(name)
    else asked.set(name, value)
    go(`${addressOf.audit}?${asked}`, { replace: true })
  }
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? []
  const save = async () => {
    setExporting(true)
    try {
      const all: AuditEntry[] = []
      for (let next: string | null | undefined; next !== null && all.length < maxExported; ) {
        const part = await auditPart(query, next ?? null)
        all.push(...part.entries)
        next = part.next
      }
      const head = [own.when, own.who, own.what, own.record, own.changed, own.where]
      const rows = all.map((entry) => [
        entry.occurredAt,
        entry.actor.name,
        whatOf(entry),
        recordOf(entry),
        moreOf(entry),
        entry.address ?? '',
      ])
      saveFile(new Blob([csvOf([head, ...rows])], { type: 'text/csv' }), `${query.of}.csv`)
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
    } finally {
      setExporting(false)
    }
  }
  const text = (name: 'action' | 'entityType', label: string) => (
    <Field id={`audit-${name}`} label={label}>
      <input
        id={`audit-${name}`}
        className="input"
        autoComplete="off"
        defaultValue={query[name]}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && show(name, currentTarget.value.trim())}
        onBlur={({ target }) => target.value.trim() !== query[name] && show(name, target.value.trim())}
      />
    </Field>
  )
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.audit}</h1>
        {entries.length > 0 && (
          <Button isBusy={isExporting} onClick={() => void save()}>
            {own.export}
          </Button>
        )}
      </div>
      <div className="tools">
        <Field id="audit-of" label={own.kind}>
          <select
            id="audit-of"
            className="input"
            value={query.of}
            onChange={({ target }) => show('of', target.value === 'audit' ? '' : target.value)}
          >
            <option value="audit">{own.changes}</option>
            <option value="disclosures">{own.reads}</option>
          </select>
        </Field>
        {query.of === 'audit' && text('action', own.action)}
        {text('entityType', own.entity)}
        {(['since', 'until'] as const).map((end) => (
          <Field key={end} id={`audit-${end}`} label={end === 'since' ? own.since : own.before}>
            <input
              id={`audit-${end}`}
              type="date"
              className="input"
              value={query[end]}
              onChange={({ target }) => show(end, target.value)}
            />
          </Field>
        ))}
      </div>
      {found.isPending && <Waiting lines={8} />}
      {found.isError && <Failed error={found.error} again={() => void found.refetch()} />}
      {found.data !== undefined && entries.length === 0 && <Empty title={own.nothingDone} text={own.nothingDoneText} />}
      {entries.length > 0 && (
        <ul className="card entries" aria-label={messages.screens.audit}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <div>
                <strong>{whatOf(entry)}</strong> <span>{entry.actor.name}</span>{' '}
                <span className="quiet">{showMoment(entry.occurredAt)}</span>
                <p className="quiet small">
                  {[recordOf(entry), moreOf(entry), entry.address].filter(Boolean).join(' · ')}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {found.hasNextPage && (
        <p className="pager">
          <Button isBusy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {own.more}
          </Button>
        </p>
      )}
    </>
  )
}
