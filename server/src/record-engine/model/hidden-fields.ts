import type { Field, RecordType } from '@matricula/contract/record-types'
import { personalRoles } from '../query/visibility/ownership.ts'
import { type Caller, isManager } from './caller.ts'
import { emptyValue } from './field-values.ts'
import { grantingRoles } from './permissions.ts'
import type { AnyDocument } from './record-document.ts'

const nothing: readonly string[] = []

/** Cache of the fields of types that are hidden from some roles. */
const hideable = new WeakMap<RecordType, readonly (readonly [string, Field])[]>()

function getHideableFields(type: RecordType): readonly (readonly [string, Field])[] {
  const known = hideable.get(type)
  if (known !== undefined) return known
  const fields = Object.entries(type.fields).filter(([, field]) => field.hiddenFrom !== undefined)
  hideable.set(type, fields)
  return fields
}

/** The fields of a type that are hidden from a caller. */
function getHiddenFields(caller: Caller, type: RecordType): readonly string[] {
  const hidden = getHideableFields(type)
  if (hidden.length === 0 || isManager(caller)) return nothing
  const roles = grantingRoles(caller, type, 'read')
  const readers = roles.filter((role) => !personalRoles.has(role))
  // Own records are shown whole; without any right to read, the fields are hidden.
  if (readers.length === 0 && roles.length > 0) return nothing
  return hidden
    .filter(([, { hiddenFrom = [] }]) => readers.every((role) => hiddenFrom.includes(role)))
    .map(([field]) => field)
}

const shown = new WeakMap<RecordType, Map<string, RecordType>>()

/**
 * A type without the fields that are hidden from a caller, for lists, filters and descriptions. Cached per set of
 * hidden fields.
 */
export function shownTo(caller: Caller, type: RecordType): RecordType {
  const hidden = getHiddenFields(caller, type)
  if (hidden.length === 0) return type
  const known = shown.get(type) ?? new Map<string, RecordType>()
  shown.set(type, known)
  const key = hidden.join()
  const stored = known.get(key)
  if (stored !== undefined) return stored
  const fields = Object.fromEntries(Object.entries(type.fields).filter(([field]) => !hidden.includes(field)))
  const without = { ...type, fields }
  known.set(key, without)
  return without
}

/** Whether a field of a type is hidden from a caller. */
export function isHidden(caller: Caller, type: RecordType, field: string): boolean {
  return getHiddenFields(caller, type).includes(field)
}

/** A record with empty values in the fields that are hidden from a caller. */
export function withoutHidden(caller: Caller, type: RecordType, document: AnyDocument): AnyDocument {
  const hidden = getHiddenFields(caller, type)
  if (hidden.length === 0) return document
  const emptied = hidden.flatMap((field) => {
    const declared = type.fields[field]
    return declared === undefined ? [] : [[field, emptyValue(declared)] as const]
  })
  return { ...document, ...Object.fromEntries(emptied) }
}
