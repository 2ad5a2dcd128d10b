import type { Field, RecordType } from '@matricula/contract/record-types'
import { useEffect, useId, useState } from 'react'
import { exportCsv } from '../calls/export-csv.ts'
import type { ListQuestion } from '../calls/resource-api.ts'
import { Button } from '../elements/button.tsx'
import { Dialog } from '../elements/dialog.tsx'
import { Field as FieldElement } from '../elements/field.tsx'
import { Icon } from '../elements/icon.tsx'
import { Menu } from '../elements/menu.tsx'
import { useTell } from '../elements/notices.tsx'
import { tellingOf } from '../session/failed.tsx'
import type { AddressFilter, ListAddress } from '../shell/list-address.ts'
import { useWords } from '../words/words.tsx'
import { fieldOf, isListed, viewOf } from './field-model.ts'
import { FilterDialog } from './filter-dialog.tsx'
import { columnsOf } from './list-question.ts'
import { SavedViews, SaveViewDialog } from './saved-views.tsx'
import { shownValue } from './shown-value.ts'
import { useReader } from './use-record-type.ts'
import { ValueControl } from './value-control.tsx'

interface Props {
  readonly type: RecordType
  readonly address: ListAddress
  readonly question: ListQuestion
  readonly onChange: (change: Partial<ListAddress>) => void
}

/** What narrows a list and arranges it: search, the type's usual filters, any other filter, columns, order, export. */
export function ListTools({ type, address, question, onChange }: Props) {
  const { words, named } = useWords()
  const tell = useTell()
  const id = useId()
  const [open, setOpen] = useState<'filter' | 'columns' | 'view' | null>(null)
  const quick = viewOf(type).quickFilters
  const setQuick = (name: string, value: unknown) => {
    const others = address.filters.filter(({ field, operator }) => field !== name || operator !== '=')
    const chosen = value === '' || value === null ? [] : [{ field: name, operator: '=' as const, value: String(value) }]
    onChange({ filters: [...others, ...chosen] })
  }
  const save = async () => {
    try {
      await exportCsv(type.name, question, named(type.name))
    } catch (error) {
      tell(tellingOf(error, words), { isBad: true })
    }
  }
  return (
    <>
      <search className="tools">
        <SearchField q={address.q} onSearch={(q) => onChange({ q })} />
        {quick.map((name) => {
          const field = fieldOf(type, name) as Field
          const value = address.filters.find((each) => each.field === name && each.operator === '=')?.value ?? ''
          return (
            <FieldElement key={name} id={`${id}-${name}`} label={named(field.label)}>
              <QuickFilter id={`${id}-${name}`} field={field} value={value} onChange={(next) => setQuick(name, next)} />
            </FieldElement>
          )
        })}
        <Button onClick={() => setOpen('filter')}>
          <Icon of="filter" />
          {words.list.filter}
        </Button>
        <Menu
          label={words.list.more}
          isIcon
          items={[
            { label: words.list.columns, onChoose: () => setOpen('columns') },
            { label: words.list.newest, onChoose: () => onChange({ sort: '-modified' }) },
            { label: words.list.saveView, onChoose: () => setOpen('view') },
            { label: words.list.exported, onChoose: () => void save() },
          ]}
        >
          <Icon of="more" />
        </Menu>
      </search>
      <SavedViews type={type.name} address={address} />
      <Chips type={type} address={address} onChange={onChange} />
      {open === 'filter' && (
        <FilterDialog
          type={type}
          onClose={() => setOpen(null)}
          onAdd={(filter) => onChange({ filters: [...address.filters, filter] })}
        />
      )}
      {open === 'view' && <SaveViewDialog type={type.name} address={address} onClose={() => setOpen(null)} />}
      {open === 'columns' && (
        <ColumnsDialog type={type} address={address} onClose={() => setOpen(null)} onChange={onChange} />
      )}
    </>
  )
}

/** Searches a moment after the last key, so that a word is one question. */
function SearchField({ q, onSearch }: { readonly q: string; readonly onSearch: (q: string) => void }) {
  const { words } = useWords()
  const [typed, setTyped] = useState(q)
  useEffect(() => setTyped(q), [q])
  useEffect(() => {
    if (typed === q) return
    const soon = setTimeout(() => onSearch(typed), 250)
    return () => clearTimeout(soon)
  })
  return (
    <FieldElement id="list-search" label={words.list.search}>
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
  const { words, named } = useWords()
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
      <option value="">{words.list.any}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
}

function Chips({ type, address, onChange }: Omit<Props, 'question'>) {
  const { words, named } = useWords()
  const reader = useReader()
  if (address.filters.length === 0 && address.q === '') return null
  const textOf = ({ field: name, operator, value }: AddressFilter) => {
    const field = fieldOf(type, name)
    const shown = operator === 'set' || operator === 'not set' ? '' : ` ${shownValue(field, value, reader)}`
    return `${named(field?.label ?? name)} ${words.operators[operator]}${shown}`
  }
  return (
    <div className="chips">
      {address.filters.map((filter) => (
        <button
          key={`${filter.field} ${filter.operator} ${filter.value}`}
          type="button"
          className="chip"
          aria-label={words.list.removeFilter(textOf(filter))}
          onClick={() => onChange({ filters: address.filters.filter((each) => each !== filter) })}
        >
          {textOf(filter)} <span aria-hidden="true">×</span>
        </button>
      ))}
      <button type="button" className="chip" onClick={() => onChange({ filters: [], q: '' })}>
        {words.list.clear}
      </button>
    </div>
  )
}

function ColumnsDialog({ type, address, onClose, onChange }: Omit<Props, 'question'> & { onClose: () => void }) {
  const { words, named } = useWords()
  const [columns, setColumns] = useState(() => columnsOf(type, address))
  const fields = Object.entries(type.fields).filter(([, field]) => isListed(field))
  const toggle = (name: string) =>
    setColumns(columns.includes(name) ? columns.filter((each) => each !== name) : [...columns, name])
  return (
    <Dialog title={words.list.columns} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          onChange({ columns, page: address.page })
        }}
      >
        <div>
          {fields.map(([name, field]) => (
            <label key={name} className="check">
              <input type="checkbox" checked={columns.includes(name)} onChange={() => toggle(name)} />
              {named(field.label)}
            </label>
          ))}
        </div>
        <Button type="submit" kind="main">
          {words.list.apply}
        </Button>
      </form>
    </Dialog>
  )
}
