import type { ListQuery } from './list-query.ts'
import { OneRosterError } from './oneroster-error.ts'

/** The fields of a resource (OneRoster 1.2, Resources, 4.3). There are none of these objects, and lists are asked for all the same. */
const resourceFields: ReadonlySet<string> = new Set([
  ...['sourcedId', 'status', 'dateLastModified', 'metadata', 'title', 'roles', 'importance'],
  ...['vendorResourceId', 'vendorId', 'applicationId'],
])

/** Throws `invalid_filter_field` and `invalid_selection_field` where a list of resources names what they do not have. */
export function requireResourceFields({ filter, fields }: Pick<ListQuery, 'filter' | 'fields'>): void {
  const filtered = filter?.conditions.find(({ field }) => !resourceFields.has(field))
  if (filtered !== undefined) throw unknownField('invalid_filter_field', filtered.field)
  const selected = fields?.find((name) => !resourceFields.has(name))
  if (selected !== undefined) throw unknownField('invalid_selection_field', selected)
}

function unknownField(code: 'invalid_filter_field' | 'invalid_selection_field', name: string): OneRosterError {
  return new OneRosterError(code, `${name} is no field of these objects.`)
}
