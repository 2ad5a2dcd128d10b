import type { RecordType } from '@matricula/contract/record-types'
import { useSyncExternalStore } from 'react'
import type { Document } from '../../calls/resource-api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { findField, findTitleField } from '../form/field-model.ts'
import { StateBadge, ValueText } from '../value-text.tsx'

interface Props {
  readonly type: RecordType
  readonly rows: readonly Document[]
  readonly columns: readonly string[]
  readonly sort: string
  readonly onSort: (sort: string) => void
  readonly picked: ReadonlySet<string>
  readonly onPick: (name: string) => void
  readonly onPickPage: (isPicked: boolean) => void
}

const narrow = matchMedia('(max-width: 52rem)')
const watchWidth = (changed: () => void) => {
  narrow.addEventListener('change', changed)
  return () => narrow.removeEventListener('change', changed)
}

/** The rows of a list: a table on a desk, cards on a phone. */
export function ListTable(props: Props) {
  const isNarrow = useSyncExternalStore(watchWidth, () => narrow.matches)
  return isNarrow ? <Cards {...props} /> : <Sheet {...props} />
}

function Sheet({ type, rows, columns, sort, onSort, picked, onPick, onPickPage }: Props) {
  const { messages, named } = useMessages()
  const title = findTitleField(type)
  const isAllPicked = rows.every(({ name }) => picked.has(name))
  const shown = columns.filter((column) => column !== title)
  const heads = [title ?? 'name', ...shown]
  const numeric = (name: string) => ['Int', 'Float', 'Currency', 'Percent'].includes(findField(type, name)?.type ?? '')
  return (
    <div className="sheet">
      <table>
        <thead>
          <tr>
            <th className="pick">
              <label className="target">
                <input
                  type="checkbox"
                  aria-label={messages.list.pickPage}
                  checked={isAllPicked}
                  onChange={() => onPickPage(!isAllPicked)}
                />
              </label>
            </th>
            {heads.map((name) => {
              const label = named(findField(type, name)?.label ?? name)
              const [isUp, isDown] = [sort === name, sort === `-${name}`]
              return (
                <th
                  key={name}
                  scope="col"
                  className={numeric(name) ? 'number' : undefined}
                  aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
                >
                  <button
                    type="button"
                    title={messages.list.sortBy(label)}
                    onClick={() => onSort(isUp ? `-${name}` : name)}
                  >
                    {label}
                    <span aria-hidden="true">{isUp ? ' ↑' : isDown ? ' ↓' : ''}</span>
                  </button>
                </th>
              )
            })}
            {type.kind === 'submittable' && <th scope="col">{named('Status')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} data-row aria-selected={picked.has(row.name) || undefined}>
              <td className="pick">
                <PickRow name={row.name} isPicked={picked.has(row.name)} onPick={onPick} />
              </td>
              <td className="name">
                <Link to={addressOf.record(type.name, row.name)}>
                  {title === undefined ? row.name : String(row[title] ?? row.name)}
                </Link>{' '}
                {title !== undefined && row[title] !== row.name && <span className="quiet small">{row.name}</span>}
              </td>
              {shown.map((name) => (
                <td key={name} className={numeric(name) ? 'number' : undefined}>
                  <ValueText type={type} name={name} row={row} />
                </td>
              ))}
              {type.kind === 'submittable' && (
                <td>
                  <StateBadge docstatus={Number(row.docstatus ?? 0)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cards({ type, rows, columns, picked, onPick }: Props) {
  const title = findTitleField(type)
  const shown = columns.filter((column) => column !== title).slice(0, 3)
  return (
    <ul className="cards">
      {rows.map((row) => (
        <li key={row.name} data-row>
          <PickRow name={row.name} isPicked={picked.has(row.name)} onPick={onPick} />
          <Link to={addressOf.record(type.name, row.name)}>
            <strong>{title === undefined ? row.name : String(row[title] ?? row.name)}</strong>
            {title !== undefined && row[title] !== row.name && <span className="quiet small">{row.name}</span>}
            <span className="small">
              {shown
                .filter((name) => row[name] !== undefined && row[name] !== null && row[name] !== '')
                .map((name, index) => (
                  <span key={name}>
                    {index > 0 && ' · '}
                    <ValueText type={type} name={name} row={row} />
                  </span>
                ))}
            </span>
          </Link>
          {type.kind === 'submittable' && <StateBadge docstatus={Number(row.docstatus ?? 0)} />}
        </li>
      ))}
    </ul>
  )
}

function PickRow({ name, isPicked, onPick }: { name: string; isPicked: boolean; onPick: (name: string) => void }) {
  const { messages } = useMessages()
  return (
    <label className="target">
      <input
        type="checkbox"
        aria-label={messages.list.pickRow(name)}
        checked={isPicked}
        onChange={() => onPick(name)}
      />
    </label>
  )
}
