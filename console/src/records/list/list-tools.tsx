import type { Field, RecordType } from '@matricula/contract/record-types'
import { lazy, Suspense, useEffect, useId, useState } from 'react'
import { type ExportFormat, exportList } from '../../calls/export-list.ts'
import type { ListQuestion } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field as FieldElement } from '../../elements/field.tsx'
import { Icon } from '../../elements/icon.tsx'
import { Menu } from '../../elements/menu.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { usePreferences } from '../../session/preferences.ts'
import { getErrorText } from '../../session/telling.ts'
import { type AddressFilter, filterGroups, type ListAddress } from '../../shell/list-address.ts'
import { countedFields, findField, findTitleField, getView } from '../form/field-model.ts'
import { ValueControl } from '../form/value-control.tsx'
import { shownValue } from '../shown-value.ts'
import { useReader } from '../use-record-type.ts'
import { operatorText } from './operator-text.ts'
import { SavedViews } from './saved-views.tsx'

const ListCounts = lazy(() => import('./list-counts.tsx'))
const FilterDialog = lazy(() => import('./filter-dialog.tsx'))
const ColumnsDialog = lazy(() => import('./columns-dialog.tsx'))
const SaveViewDialog = lazy(() => import('./save-view-dialog.tsx'))

interface Props {
  readonly type: RecordType
  readonly address: ListAddress
  readonly question: ListQuestion
  readonly columns: readonly string[]
  readonly onChange: (change: Partial<ListAddress>) => void
  readonly onColumns: (columns: readonly string[]) => void
}

/** What narrows a list and arranges it: search, the type's usual filters, any other filter, columns, order, export. */
export function ListTools({ type, address, question, columns, onChange, onColumns }: Props) {
  const { preferences, prefer } = usePreferences()
  const { messages, named } = useMessages()
  const tell = useNotify()
  const id = useId()
  const [open, setOpen] = useState<'filter' | 'columns' | 'view' | null>(null)
  const textOf = useFilterText(type)
  const quick = getView(type).quickFilters
  const counted = countedFields(type)
  const setQuick = (name: string, value: unknown) => {
    const others = address.filters.filter((each) => !isQuick(each, name))
    const chosen = value === '' || value === null ? [] : [{ field: name, operator: '=' as const, value: String(value) }]
    onChange({ filters: [...others, ...chosen] })
  }
  const save = async (format: ExportFormat) => {
    try {
      const state = type.kind === 'submittable' ? ['docstatus'] : []
      const title = findTitleField(type)
      const seen = [...new Set(['name', ...(title === undefined ? [] : [title]), ...columns, ...state])]
      await exportList(type.name, { ...question, fields: seen }, format, named(type.name))
    } catch (error) {
      tell(getErrorText(error, messages), { isBad: true })
    }
  }
  return (
    <>
      <search className="tools">
        <SearchField q={address.q} onSearch={(q) => onChange({ q })} />
        {quick.map((name) => {
          const field = findField(type, name) as Field
          const value = address.filters.find((each) => isQuick(each, name))?.value ?? ''
          return (
            <FieldElement key={name} id={`${id}-${name}`} label={named(field.label)}>
              <QuickFilter id={`${id}-${name}`} field={field} value={value} onChange={(next) => setQuick(name, next)} />
            </FieldElement>
          )
        })}
        {counted.length > 0 && (
          <FieldElement id={`${id}-by`} label={messages.list.by}>
            <select
              id={`${id}-by`}
              className="input"
              value={address.by}
              onChange={({ target }) => onChange({ by: target.value, page: address.page })}
            >
              <option value="">{messages.list.byNothing}</option>
              {counted.map(([name, field]) => (
                <option key={name} value={name}>
                  {named(field.label)}
                </option>
              ))}
            </select>
          </FieldElement>
        )}
        <Button onClick={() => setOpen('filter')}>
          <Icon of="filter" />
          {messages.list.filter}
        </Button>
        <Menu
          label={messages.list.more}
          isIcon
          items={[
            { label: messages.list.columns, onChoose: () => setOpen('columns') },
            {
              label: preferences.density === 'compact' ? messages.list.comfortable : messages.list.compact,
              onChoose: () => prefer({ density: preferences.density === 'compact' ? 'comfortable' : 'compact' }),
            },
            { label: messages.list.newest, onChoose: () => onChange({ sort: '-modified' }) },
            { label: messages.list.saveView, onChoose: () => setOpen('view') },
            { label: messages.list.exported, onChoose: () => void save('CSV') },
            { label: messages.list.exportedXlsx, onChoose: () => void save('Excel') },
          ]}
        >
          <Icon of="more" />
        </Menu>
      </search>
      <SavedViews type={type.name} address={address} />
      <Chips type={type} address={address} onChange={onChange} />
      {address.by !== '' && (
        <Suspense>
          <ListCounts type={type} address={address} question={question} onChange={onChange} />
        </Suspense>
      )}
      <Suspense>
        {open === 'filter' && (
          <FilterDialog
            type={type}
            filters={address.filters}
            textOf={textOf}
            onClose={() => setOpen(null)}
            onChange={(filters) => onChange({ filters })}
          />
        )}
        {open === 'view' && <SaveViewDialog type={type.name} address={address} onClose={() => setOpen(null)} />}
        {open === 'columns' && (
          <ColumnsDialog type={type} shown={columns} onClose={() => setOpen(null)} onChoose={onColumns} />
        )}
      </Suspense>
    </>
  )
}

/** Whether a filter is that which stands in the row of a list's usual filters. */
function isQuick({ field, operator, either }: AddressFilter, name: string): boolean {
  return field === name && operator === '=' && either === undefined
}

/** Searches a moment after the last key, so that a word is one question. */
function SearchField({ q, onSearch }: { readonly q: string; readonly onSearch: (q: string) => void }) {
  const { messages } = useMessages()
  const [typed, setTyped] = useState(q)
  useEffect(() => setTyped(q), [q])
  useEffect(() => {
    if (typed === q) return
    const soon = setTimeout(() => onSearch(typed), 250)
    return () => clearTimeout(soon)
  })
  return (
    <FieldElement id="list-search" label={messages.list.search}>
      <input
        id="list-search"
        className="input"
        type="search"
        aria-keyshortcuts="/"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </FieldElement>
  )
}

interface QuickProps {
  readonly id: string
  readonly field: Field
  readonly value: string
  readonly onChange: (value: unknown) => void
}

function QuickFilter({ id, field, value, onChange }: QuickProps) {
  const { messages, named } = useMessages()
  if (field.type !== 'Select' && field.type !== 'Check') {
    return <ValueControl id={id} field={field} value={value} onChange={onChange} />
  }
  const options: (readonly [string, string])[] =
    field.type === 'Select'
      ? field.options.filter(Boolean).map((each) => [each, named(each)] as const)
      : [
          ['1', '✓'],
          ['0', '–'],
        ]
  return (
    <select id={id} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{messages.list.any}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
}

function Chips({ type, address, onChange }: Pick<Props, 'type' | 'address' | 'onChange'>) {
  const { messages } = useMessages()
  const textOf = useFilterText(type)
  if (address.filters.length === 0 && address.q === '') return null
  const chip = (filter: AddressFilter) => (
    <button
      key={JSON.stringify(filter)}
      type="button"
      className="chip"
      aria-label={messages.list.removeFilter(textOf(filter))}
      onClick={() => onChange({ filters: address.filters.filter((each) => each !== filter) })}
    >
      {textOf(filter)} <span aria-hidden="true">×</span>
    </button>
  )
  return (
    <div className="chips">
      {filterGroups(address.filters).map((group) =>
        group.length === 1 ? (
          chip(group[0])
        ) : (
          <fieldset key={JSON.stringify(group[0])} className="either" aria-label={messages.list.either}>
            {group.map((filter, index) => (
              <span key={JSON.stringify(filter)}>
                {index > 0 && <span className="quiet small"> {messages.list.or} </span>}
                {chip(filter)}
              </span>
            ))}
          </fieldset>
        ),
      )}
      <button type="button" className="chip" onClick={() => onChange({ filters: [], q: '' })}>
        {messages.list.clear}
      </button>
    </div>
  )
}

/** What a filter says, in words. */
function useFilterText(type: RecordType): (filter: AddressFilter) => string {
  const { messages, named } = useMessages()
  const reader = useReader(type)
  return ({ field: name, operator, value }) => {
    const field = findField(type, name)
    const shown = operator === 'set' || operator === 'not set' ? '' : ` ${shownValue(field, value, reader)}`
    return `${named(field?.label ?? name)} ${operatorText(messages, field, operator)}${shown}`
  }
}
