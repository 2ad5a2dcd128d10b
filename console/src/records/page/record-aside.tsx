import { standardFields } from '@matricula/contract/record-type'
import type { RecordType } from '@matricula/contract/record-types'
import { useQuery } from '@tanstack/react-query'
import { count, type Document } from '../../calls/resource-api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { getView } from '../form/field-model.ts'
import { shownValue } from '../shown-value.ts'
import { useReader } from '../use-record-type.ts'
import { AttachedFiles } from './attached-files.tsx'
import { RecordTimeline } from './record-timeline.tsx'

/** What stands beside a record: what names it, its files, who made and changed it. */
export default function RecordAside({ type, record }: { readonly type: RecordType; readonly record: Document }) {
  const { messages } = useMessages()
  const { may } = useSession()
  const reader = useReader()
  const related = getView(type).related.filter((each) => may(each.type, 'read'))
  const at = (value: unknown) => shownValue(standardFields.modified, value, reader)
  return (
    <aside className="aside">
      {related.length > 0 && (
        <section className="card">
          <h2>{messages.record.related}</h2>
          <ul className="all-places">
            {related.map(({ type: other, field }) => (
              <li key={other}>
                <Related type={other} field={field} name={record.name} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {may('File', 'read') && <AttachedFiles type={type} record={record} />}
      {type.kind !== 'single' && <RecordTimeline type={type} record={record} />}
      <section className="card">
        <h2>{messages.record.facts}</h2>
        <dl className="small stack">
          <div>
            <dt className="quiet">{messages.record.createdOn}</dt>
            <dd>
              {at(record.creation)} {messages.record.by(String(record.owner ?? ''))}
            </dd>
          </div>
          <div>
            <dt className="quiet">{messages.record.changedOn}</dt>
            <dd>
              {at(record.modified)} {messages.record.by(String(record.modified_by ?? ''))}
            </dd>
          </div>
        </dl>
      </section>
    </aside>
  )
}

function Related({ type, field, name }: { readonly type: string; readonly field: string; readonly name: string }) {
  const { named } = useMessages()
  const filters = [[field, '=', name] as const]
  const total = useQuery({
    queryKey: ['count', type, filters, []],
    queryFn: () => count(type, { filters, orFilters: [] }),
  })
  return (
    <Link to={addressOf.list(type, { filters: [{ field, operator: '=', value: name }] })}>
      {named(type)}
      <span className="badge numbers">{total.data ?? '…'}</span>
    </Link>
  )
}
