import type { RecordType } from '@matricula/contract/record-types'
import { useQuery } from '@tanstack/react-query'
import { type TimelineEntry, timeline } from '../../calls/console-api.ts'
import type { Document } from '../../calls/resource-api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { findField, rowsIn } from '../form/field-model.ts'
import { shownValue } from '../shown-value.ts'
import { useReader } from '../use-record-type.ts'

/** What was done with a record, newest first: who changed which field from what to what. */
export function RecordTimeline({ type, record }: { readonly type: RecordType; readonly record: Document }) {
  const { name } = record
  const { messages, named, locale } = useMessages()
  const reader = useReader(type, record)
  const entries = useQuery({ queryKey: ['timeline', type.name, name], queryFn: () => timeline(type.name, name) })
  if (entries.data === undefined || entries.data.length === 0) return null
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const shown = (field: string, value: unknown) => {
    if (field === 'docstatus') {
      const { draft, official, cancelled } = messages.record
      return [draft, official, cancelled][Number(value)] ?? messages.record.empty
    }
    if (Array.isArray(value)) return messages.record.rowsOf(rowsIn(value).length)
    if (typeof value === 'object' && value !== null) return '…'
    return shownValue(findField(type, field), value, reader) || messages.record.empty
  }
  /** What became of fields, as far as it can be seen. What a record was made with stands in the record. */
  const seen = ({ action, changes }: TimelineEntry) =>
    action.endsWith('.created') ? [] : changes.filter(({ field, from, to }) => shown(field, from) !== shown(field, to))
  const done = (action: string) => {
    const verb = action.slice(action.lastIndexOf('.') + 1)
    const known: Readonly<Record<string, string>> = messages.done
    return known[verb] ?? messages.done.other
  }
  return (
    <section className="card">
      <h2>{messages.record.timeline}</h2>
      <ol className="timeline">
        {entries.data.map((entry) => (
          <li key={entry.id}>
            <strong>{done(entry.action)}</strong>{' '}
            <span className="quiet">
              {when.format(new Date(entry.occurredAt))} {messages.record.by(entry.actor.name ?? entry.actor.type)}
            </span>
            {seen(entry).length > 0 && (
              <ul>
                {seen(entry).map(({ field, label, from, to }) => (
                  <li key={field}>
                    {named(findField(type, field)?.label || label)}: {shown(field, from)} → {shown(field, to)}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
