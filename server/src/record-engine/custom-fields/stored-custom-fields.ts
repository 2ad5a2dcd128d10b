import type { Field, RecordType } from '@matricula/contract/record-types'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { emptyValue, isNumber } from '../model/field-values.ts'
import type { RecordDefinition } from '../model/record-definition.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { getCustomFields, getTable } from '../model/record-tables.ts'

/**
 * Writes the changed custom fields of a record that the transaction has inserted or locked. Empty values are removed;
 * other members stay. `before` is null for a new record.
 */
export function storeCustomFields(
  tx: Transaction,
  { type, storage }: Pick<RecordDefinition, 'type' | 'storage'>,
  id: string,
  document: AnyDocument,
  before: AnyDocument | null,
): void {
  const changed = getCustomFields(type).filter(([name, field]) => {
    return document[name] !== (before === null ? emptyValue(field) : before[name])
  })
  if (changed.length === 0) return
  const isSet = ([name]: readonly [string, Field]) => document[name] !== null && document[name] !== ''
  const stored = Object.fromEntries(changed.filter(isSet).map(([name]) => [name, document[name]]))
  const names = changed.map(([name]) => name)
  tx.send(sql`
    update ${identifier(storage?.table ?? getTable(type))}
       set custom_fields = (coalesce(custom_fields, '{}') - ${names}::text[]) || ${JSON.stringify(stored)}::jsonb
     where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Reads the stored custom fields of a record into a document. A value of another type counts as not set. */
export function readCustomValues(type: RecordType, stored: unknown, document: AnyDocument): void {
  const values = (stored ?? {}) as Readonly<Record<string, unknown>>
  for (const [name, field] of getCustomFields(type)) {
    const value = Object.hasOwn(values, name) ? values[name] : null
    document[name] = typeof value === typeOfStored(field) ? value : emptyValue(field)
  }
}

/** The JSON type of the stored values of a field. */
export function typeOfStored(field: Pick<Field, 'type'>): 'number' | 'string' {
  return isNumber(field) || field.type === 'Duration' ? 'number' : 'string'
}

/** Whether a field holds a number other than a Check's 0 or 1. */
export function isNumeric(field: Pick<Field, 'type'>): boolean {
  return field.type !== 'Check' && typeOfStored(field) === 'number'
}
