import { standardFields } from '@matricula/contract/record-type'
import type { Field, RecordType } from '@matricula/contract/record-types'
import { useId, useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field as FieldElement } from '../../elements/field.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { type AddressFilter, filterGroups, type Operator, withFilter } from '../../shell/list-address.ts'
import { listedFields } from '../form/field-model.ts'
import { ValueControl } from '../form/value-control.tsx'
import { operatorText } from './operator-text.ts'

interface Props {
  readonly type: RecordType
  readonly onClose: () => void
  readonly filters: readonly AddressFilter[]
  readonly textOf: (filter: AddressFilter) => string
  readonly onChange: (filters: readonly AddressFilter[]) => void
}

/** The operators that mean something for a field. */
function getOperators({ type }: Field): readonly Operator[] {
  if (type === 'Check') return ['=', '!=']
  if (['Select', 'Link', 'Dynamic Link'].includes(type)) return ['=', '!=', 'set', 'not set']
  if (['Date', 'Datetime', 'Time'].includes(type)) return ['=', '>=', '<=', '>', '<', 'set', 'not set']
  if (['Int', 'Float', 'Currency', 'Percent', 'Duration'].includes(type)) return ['=', '!=', '>=', '<=', '>', '<']
  return ['like', '=', '!=', 'set', 'not set']
}

/** Adds a filter on any field, which holds beside the others or as an alternative to one of them. */
export default function FilterDialog({ type, onClose, filters, textOf, onChange }: Props) {
  const { messages, named } = useMessages()
  const id = useId()
  const { name, creation, modified, owner } = standardFields
  const all: [string, Field][] = [...listedFields(type), ...Object.entries({ name, creation, modified, owner })]
  const [chosen, setChosen] = useState(all[0]?.[0] ?? 'name')
  const field = all.find(([each]) => each === chosen)?.[1] as Field
  const operators = getOperators(field)
  const [asked, setOperator] = useState<Operator | null>(null)
  const operator = asked ?? (operators[0] as Operator)
  const [value, setValue] = useState<unknown>('')
  const groups = filterGroups(filters)
  const [beside, setBeside] = useState(-1)
  const hasValue = operator !== 'set' && operator !== 'not set'
  return (
    <Dialog title={messages.list.filter} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          const empty = field.type === 'Check' ? '0' : ''
          const added = { field: chosen, operator, value: hasValue ? String(value === '' ? empty : value) : '' }
          onChange(withFilter(filters, added, groups[beside]?.[0] ?? null))
        }}
      >
        <FieldElement id={`${id}-field`} label={messages.list.field}>
          <select
            id={`${id}-field`}
            className="input"
            value={chosen}
            onChange={({ target }) => {
              setChosen(target.value)
              setOperator(null)
              setValue('')
            }}
          >
            {all.map(([each, { label }]) => (
              <option key={each} value={each}>
                {named(label)}
              </option>
            ))}
          </select>
        </FieldElement>
        <FieldElement id={`${id}-operator`} label={messages.list.condition}>
          <select
            id={`${id}-operator`}
            className="input"
            value={operator}
            onChange={({ target }) => setOperator(target.value as Operator)}
          >
            {operators.map((each) => (
              <option key={each} value={each}>
                {operatorText(messages, field, each)}
              </option>
            ))}
          </select>
        </FieldElement>
        {hasValue && (
          <FieldElement id={`${id}-value`} label={messages.list.value}>
            <ValueControl id={`${id}-value`} field={field} value={value} onChange={setValue} />
          </FieldElement>
        )}
        {groups.length > 0 && (
          <FieldElement id={`${id}-joined`} label={messages.list.joined}>
            <select
              id={`${id}-joined`}
              className="input"
              value={beside}
              onChange={({ target }) => setBeside(Number(target.value))}
            >
              <option value={-1}>{messages.list.and}</option>
              {groups.map((group, index) => (
                <option key={group.map(textOf).join()} value={index}>
                  {messages.list.orWith(group.map(textOf).join(` ${messages.list.or} `))}
                </option>
              ))}
            </select>
          </FieldElement>
        )}
        <Button type="submit" kind="main">
          {messages.list.apply}
        </Button>
      </form>
    </Dialog>
  )
}
