import type { Field, RecordType } from '@matricula/contract/record-types'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { emptyValue, isNumber } from '../model/field-values.ts'
import type { RecordDefinition } from '../model/record-definition.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { getCustomFields, getTable } from '../model/record-tables.ts'

/**
 * Writes what changed in the custom fields of a record that the transaction has made or locked. What did not change stays, also
 * what stands beside them; what is empty is taken away. `before` is null for a new record.
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
  const isKept = ([name]: readonly [string, Field]) => document[name] !== null && document[name] !== ''
  const stored = Object.fromEntries(changed.filter(isKept).map(([name]) => [name, document[name]]))
  const names = changed.map(([name]) => name)
  tx.send(sql`
    update ${identifier(storage?.table ?? getTable(type))}
       set custom_fields = (coalesce(custom_fields, '{}') - ${names}::text[]) || ${JSON.stringify(stored)}::jsonb
     where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Reads the custom fields of a record, as they are stored, into a document. What is of another type counts as not set. */
export function readCustomValues(type: RecordType, stored: unknown, document: AnyDocument): void {
  const values = (stored ?? {}) as Readonly<Record<string, unknown>>
  for (const [name, field] of getCustomFields(type)) {
    const value = Object.hasOwn(values, name) ? values[name] : null
    document[name] = typeof value === typeOfStored(field) ? value : emptyValue(field)
  }
}

/** What JSON keeps the values of a field as. */
export function typeOfStored(field: Pick<Field, 'type'>): 'number' | 'string' {
  return isNumber(field) || field.type === 'Duration' ? 'number' : 'string'
}

/** Whether a field has a number that somebody says, and not a yes or no. */
export function isNumeric(field: Pick<Field, 'type'>): boolean {
  return field.type !== 'Check' && typeOfStored(field) === 'number'
}
