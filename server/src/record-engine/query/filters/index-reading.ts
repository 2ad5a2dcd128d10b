import type { RecordIndex } from '../../model/record-definition.ts'
import type { Term } from '../ordering.ts'
import type { Filter } from './filters.ts'
import type { Condition } from './operand.ts'

/** A filter with its SQL condition. */
export interface Narrowing {
  readonly filter: Filter
  readonly condition: Condition
}

/** Whether filters select at most one record, by the index of names. */
export function isOfOneName(indexes: readonly RecordIndex[], narrowings: readonly Narrowing[]): boolean {
  return indexes.some(([first]) => first === 'name') && narrowings.some((each) => fixes(each, 'name'))
}

/**
 * Whether an index contains exactly the filtered records in the requested order: then the first page costs the same
 * however many records there are.
 */
export function isInIndexOrder(
  indexes: readonly RecordIndex[],
  narrowings: readonly Narrowing[],
  order: readonly Term[],
): boolean {
  const [term, ...others] = order
  const ordered = term === undefined ? 'r.name' : term.id
  // An index has nulls at the other end.
  if (others.length > 0 || term?.isNullable) return false
  return indexes.some((index) => {
    const given = index.slice(0, -1)
    const last = index.at(-1) as string
    return (
      ordered === `r.${last}` &&
      given.every((field) => narrowings.some((each) => fixes(each, field))) &&
      narrowings.every((each) => given.some((field) => fixes(each, field)) || bounds(each, last))
    )
  })
}

/** Whether a filter is an equality on a field. */
function fixes({ filter, condition }: Narrowing, field: string): boolean {
  return filter.operator === '=' && isOfOwn(filter, field) && !condition.holdsForUnset
}

const ranges: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>=', 'between'])

/** Whether a filter is an equality or a range on a field. */
function bounds({ filter, condition }: Narrowing, field: string): boolean {
  return ranges.has(filter.operator) && isOfOwn(filter, field) && !condition.holdsForUnset
}

function isOfOwn({ reference }: Filter, field: string): boolean {
  return reference.qualifier === null && reference.field === field
}
