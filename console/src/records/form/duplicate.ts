import type { RecordType } from '@matricula/contract/record-types'
import { rowsIn, type Values } from './field-model.ts'

let stored: { readonly type: string; readonly values: Values } | null = null

/** What a copy of a record begins with: everything that is not its own alone. */
export function getCopy(type: RecordType, values: Values): Values {
  return Object.fromEntries(
    Object.entries(type.fields).map(([name, field]) => {
      if (field.noCopy || field.unique || field.type === 'Password') return [name, '']
      if (field.type !== 'Table') return [name, values[name]]
      return [name, rowsIn(values[name]).map((row) => getCopy(field.rows, row))]
    }),
  )
}

/** Keeps what the next form of a new record begins with. */
export function storeForNew(type: string, values: Values): void {
  stored = { type, values }
}

/** What was kept for a new record of a type, once. */
export function duplicated(type: string): Values | null {
  const found = stored?.type === type ? stored.values : null
  return found
}

/** Forgets what was kept, once a form has it. */
export function forgetForNew(): void {
  stored = null
}
