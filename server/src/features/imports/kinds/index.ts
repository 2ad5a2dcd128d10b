import { type AnyImportKind, importKinds } from '@matricula/contract'
import { clientKinds } from './client-kinds.ts'
import type { ImportKind } from './import-kind.ts'
import { recordKinds } from './record-kinds.ts'
import { setupRecordKinds } from './setup-kinds.ts'

const kinds = new Map([...clientKinds, ...recordKinds, ...setupRecordKinds].map((kind) => [kind.name, kind]))

/** The kind of this name. */
export function getImportKind(name: AnyImportKind): ImportKind {
  return kinds.get(name) as ImportKind
}

/** Every kind, in the order of the contract. */
export const allImportKinds: readonly ImportKind[] = importKinds.map(getImportKind)

export type { ImportKind, ImportRow, ImportSession, KindWriter, RowOutcome } from './import-kind.ts'
