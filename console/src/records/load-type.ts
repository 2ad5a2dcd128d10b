import { declaredTypes } from 'virtual:declared-types'
import { read } from '../calls/resource-api.ts'
import { addNames } from '../messages/messages.tsx'
import { typeAt } from '../shell/type-address.ts'
import { type ShownType, withCustomFields } from './form/field-model.ts'

/** What is declared of a type, with the fields that the institution has added to it; null where there is no such type. */
export async function loadType(name: string, customFieldTypes: readonly string[]): Promise<ShownType | null> {
  if (!Object.hasOwn(declaredTypes, name)) return null
  const [declared, described] = await Promise.all([
    declaredTypes[name]?.(),
    customFieldTypes.includes(name) ? read('DocType', name) : null,
  ])
  if (declared === undefined) return null
  addNames(declared.names)
  return described === null ? declared.default : withCustomFields(declared.default, described.fields)
}

/** Begins to load what an address will need, before it is known who is there. */
export function beginToLoadType(slug: string): void {
  const name = typeAt(slug, Object.keys(declaredTypes))
  // Whoever needs it asks again, and says what is wrong.
  if (name !== null) void declaredTypes[name]?.().catch(() => {})
}
