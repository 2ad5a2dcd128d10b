import type { Field, RecordType } from '@matricula/contract/record-types'
import type { AnyDocument } from './record-document.ts'
import { tableFieldsOf } from './record-tables.ts'
import { safeMarkup } from './safe-markup.ts'

/**
 * Takes out of a record's texts, and those of its rows, what a page that shows them as HTML would run. What is stored already
 * stays as it is: another surface may keep texts there that are no HTML. Answers whether a text was changed.
 */
export function makeTextsSafe(type: RecordType, document: AnyDocument, before: AnyDocument | null): boolean {
  let isChanged = makeFieldsSafe(type, document, before)
  for (const { field, rows } of tableFieldsOf(type)) {
    const stored = new Map(((before?.[field] as AnyDocument[]) ?? []).map((row) => [row.name, row]))
    for (const row of document[field] as AnyDocument[]) {
      isChanged = makeFieldsSafe(rows, row, stored.get(row.name) ?? null) || isChanged
    }
  }
  return isChanged
}

function makeFieldsSafe(type: RecordType, document: AnyDocument, before: AnyDocument | null): boolean {
  let isChanged = false
  for (const [name, field] of Object.entries(type.fields)) {
    const value = document[name]
    if (typeof value !== 'string' || value === before?.[name] || !mayHaveMarkup(field)) continue
    document[name] = safeMarkup(value)
    isChanged ||= document[name] !== value
  }
  return isChanged
}

/** Secrets, addresses of files and e-mail addresses are kept as they were sent; nobody shows them as HTML. */
function mayHaveMarkup(field: Field): boolean {
  if (field.type === 'Data') return field.format !== 'Email'
  return field.type !== 'Password' && field.type !== 'Attach' && field.type !== 'Attach Image'
}
