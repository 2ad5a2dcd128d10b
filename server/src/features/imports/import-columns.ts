import type { ImportKindName } from '@matricula/contract'
import { getImportKind } from './kinds/index.ts'

/** The names of the fields that a file of a kind may have, in their order. */
export function importColumns(kind: ImportKindName): string[] {
  return getImportKind(kind).fields.map(({ name }) => name)
}
