import { useQuery } from '@tanstack/react-query'
import { countBy, type Filter, type ListQuestion, type ValueCount } from '../../calls/resource-api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import type { AddressFilter, ListAddress } from '../../shell/list-address.ts'
import { findField, type ShownType } from '../form/field-model.ts'
import { shownValue } from '../shown-value.ts'
import { useReader } from '../use-record-type.ts'

interface Props {
  readonly type: ShownType
  readonly address: ListAddress
  readonly question: ListQuestion
  readonly onChange: (change: Partial<ListAddress>) => void
}

/** How many records of a list have each value of a field, such as the students of each group; a press lists those. */
export default function ListCounts({ type, address, question, onChange }: Props) {
  const { messages, named } = useMessages()
  const reader = useReader(type)
  const { by } = address
  const field = findField(type, by)
  const isOfField = ({ field: name, either }: AddressFilter) => name === by && either === undefined
  const chosen = address.filters.find(isOfField)
  const others = address.filters.filter((each) => !isOfField(each))
  // The other values stay in view beside the chosen one.
  const filters = question.filters.filter(([name]) => name !== by) as readonly Filter[]
  const { orFilters } = question
  const counts = useQuery({
    queryKey: ['count', type.name, 'by', by, filters, orFilters],
    queryFn: () => countBy(type.name, by, { filters, orFilters }),
    placeholderData: (before) => before,
    enabled: field !== undefined,
  })
  if (field === undefined) return null
  if (counts.isError) return <Failed error={counts.error} again={() => void counts.refetch()} />
  const isUnset = ({ name }: ValueCount) => name === null || name === ''
  const isChosen = (value: ValueCount) =>
    chosen !== undefined && (isUnset(value) ? chosen.operator === 'not set' : chosen.value === String(value.name))
  const choose = (value: ValueCount) => {
    const filter: AddressFilter = isUnset(value)
      ? { field: by, operator: 'not set', value: '' }
      : { field: by, operator: '=', value: String(value.name) }
    onChange({ filters: isChosen(value) ? others : [...others, filter] })
  }
  const textOf = (value: ValueCount) =>
    isUnset(value) ? messages.record.empty : (value.title ?? shownValue(field, value.name, reader))
  return (
    <section className="card section" aria-label={named(field.label)}>
      <ul className="counts">
        {(counts.data ?? []).map((value) => (
          <li key={String(value.name)}>
            <button type="button" className="chip" aria-pressed={isChosen(value)} onClick={() => choose(value)}>
              {textOf(value)}{' '}
              <span className="quiet numbers">{shownValue({ type: 'Int', label: '' }, value.count, reader)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
