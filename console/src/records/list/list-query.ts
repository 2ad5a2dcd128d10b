import type { RecordType } from '@matricula/contract/record-types'
import type { Filter, ListQuestion } from '../../calls/resource-api.ts'
import { filterGroups, getFilter, type ListAddress } from '../../shell/list-address.ts'
import { findField, findTitleField, getView, isListed, searchedFields } from '../form/field-model.ts'
import { findCurrencyField } from '../money.ts'

/** How many records a page of a list has. */
export const pageLength = 25

/** The fields that a list shows beside the name: of what was chosen, first by its address, those that there are; else the type's own. */
export function getColumns(type: RecordType, ...chosen: readonly (readonly string[])[]): string[] {
  const isThere = (name: string) => {
    const field = findField(type, name)
    return field !== undefined && isListed(field)
  }
  const asked = chosen.map((columns) => columns.filter(isThere)).find((columns) => columns.length > 0)
  return asked ?? [...getView(type).columns]
}

/** What is asked of the service for what an address shows. */
export function getQuestion(type: RecordType, address: ListAddress, columns: readonly string[]): ListQuestion {
  const title = findTitleField(type)
  const currency = columns.some((name) => findField(type, name)?.type === 'Currency') ? findCurrencyField(type) : null
  const beside = [title, currency].filter((name) => name !== undefined && name !== null)
  const fields = ['name', ...beside, ...columns, 'docstatus', 'modified']
  const typed = getFilter({ field: 'name', operator: 'like', value: address.q.trim() })[2]
  const found: Filter[] =
    address.q.trim() === '' ? [] : searchedFields(type).map((field) => [field, 'like', typed] as const)
  // A filter by a field that is not there any more is sent too, so that it is refused: without it everything would match.
  const groups = filterGroups(address.filters)
  const alternatives = groups.filter((group) => group.length > 1).map((group) => group.map(getFilter))
  if (found.length > 0) alternatives.push(found)
  return {
    fields: [...new Set(fields)],
    filters: groups.flatMap((group) => (group.length > 1 ? [] : group.map(getFilter))),
    orFilters: alternatives.length > 1 ? alternatives : (alternatives[0] ?? []),
    order: getOrder(type, address.sort),
    start: (address.page - 1) * pageLength,
    length: pageLength,
  }
}

/** The name comes last, so that records of one value keep their order from page to page. */
function getOrder(type: RecordType, sort: string): string {
  const field = sort.replace('-', '')
  if (field !== '' && findField(type, field) !== undefined) {
    return `${field} ${sort.startsWith('-') ? 'desc' : 'asc'}${field === 'name' ? '' : ', name asc'}`
  }
  const { sort: own } = type
  if (own !== undefined) return `${own.field} ${own.order}`
  return 'modified desc, name asc'
}
