import type { Json, Operation } from '@matricula/contract'
import type { Transaction } from '../../../database/index.ts'
import type { Upsert, Upserting, Versioned } from '../../../entities/index.ts'
import { Problem } from '../../../errors/index.ts'
import { isUuid, sameJson } from '../../../values/index.ts'
import type { FieldError } from '../row-errors.ts'
import type { FieldConflict, ImportRow, RowOutcome } from './import-kind.ts'
import { digestRow, findStates, type LeftState, type RecordState } from './record-states.ts'
import { missingReference, type Reference, type References } from './references.ts'
import { toFieldErrors } from './row-problems.ts'

/** How the rows of a kind become upserts of the Client API. */
export interface UpsertKind<Row extends object, Item extends { readonly id: string }, Body> {
  readonly kind: string
  readonly upserting: Upserting<Row, Item, Body>
  /** The upsert that validates the rows. */
  readonly operation: Operation
  readonly references: readonly Reference[]
  /** Fields that the row decides which makes the record, and no other. */
  readonly decidedOnce: readonly string[]
}

export type Values = Record<string, Json>

/** A row on its way into the database. */
export interface Item<Body> {
  readonly row: ImportRow
  readonly id: string | null
  readonly externalId: string | null
  readonly digest: string
  upsert: Upsert<Body> | null
  state: RecordState | null
  corrected: Set<string>
  conflicts: FieldConflict[]
  outcome: RowOutcome | null
  left: LeftState | null
  /** The name that was taken from the series for it before its turn. */
  name?: string | undefined
}

/** Puts what references stand for in the place of their columns. */
export async function prepareItems<Body>(
  { references, operation }: Pick<UpsertKind<never, never, Body>, 'references' | 'operation'>,
  lookup: References,
  rows: readonly ImportRow[],
): Promise<Item<Body>[]> {
  const values = rows.map((row): Values => ({ ...row.values }))
  const errors = rows.map((): FieldError[] => [])
  for (const reference of references) {
    const { column, field } = reference
    const named = values.map((each) => (each[field] === undefined ? toText(each[column]) : null))
    const keys = named.filter((key) => key !== null)
    const found = keys.length === 0 ? null : await lookup.find(reference, keys)
    for (const [index, each] of values.entries()) {
      const key = named[index] ?? null
      if (key === null) {
        // A column that only names the record elsewhere is no field of it.
        if (!Object.hasOwn(operation.body?.properties ?? {}, column)) {
          if (each[column] === null && each[field] === undefined) each[field] = null
          delete each[column]
        }
        continue
      }
      const target = found?.get(key)
      if (target === undefined) errors[index]?.push(missingReference(reference, key))
      else {
        each[field] = target
        delete each[column]
      }
    }
  }
  return rows.map((row, index) => {
    const own = values[index] as Values
    const id = toText(own.id)
    const externalId = toText(own.externalId)
    const rowErrors = errors[index] ?? []
    return {
      row: { ...row, values: own },
      id,
      externalId,
      digest: digestRow(own),
      upsert: null,
      state: null,
      corrected: new Set(),
      conflicts: [],
      outcome: rowErrors.length === 0 ? null : { errors: rowErrors },
      left: null,
    }
  })
}

/** Finds the records that rows name, and what earlier imports left of them; an id that names none is a fault. */
export async function findItemStates<Body>(
  tx: Transaction,
  { kind, table, noun }: { readonly kind: string; readonly table: string; readonly noun: string },
  items: readonly Item<Body>[],
): Promise<void> {
  const ids = items.flatMap(({ id, outcome }) => (id !== null && isUuid(id) && outcome === null ? [id] : []))
  const keys = items.flatMap(({ id, externalId, outcome }) =>
    id === null && externalId !== null && outcome === null ? [externalId] : [],
  )
  const byId = new Map(
    (await findStates(tx, kind, table, { column: 'id', values: ids })).map((each) => [each.id, each]),
  )
  const byKey = new Map(
    (await findStates(tx, kind, table, { column: 'external_id', values: keys })).map((each) => [each.externalId, each]),
  )
  for (const item of items) {
    if (item.outcome !== null) continue
    item.state = (item.id === null ? byKey.get(item.externalId) : byId.get(item.id.toLowerCase())) ?? null
    if (item.id === null || item.state !== null) continue
    const detail = `names no ${noun}: ${JSON.stringify(item.id.slice(0, 160))}`
    const remedy = 'Remove the id, or the column, to create the record by its externalId.'
    item.outcome = { errors: [{ field: 'id', code: 'reference_not_found', detail, remedy }] }
  }
}

export function isAsImported<Body>({ state, digest }: Item<Body>): boolean {
  const { imported, version } = state ?? { imported: null, version: 0 }
  return (
    imported !== null && imported.version === version && imported.digest === digest && imported.corrected.length === 0
  )
}

export function bodyOf<Body>({ upsert }: Item<Body>): Body {
  return (upsert as Upsert<Body>).body
}

export function suspectErrors({ suspects }: ImportRow): FieldError[] {
  return [...suspects].map(([field, meant]) => {
    const detail = `is text in another encoding: it seems to mean ${JSON.stringify(meant.slice(0, 100))}`
    return { field, code: 'mojibake', detail }
  })
}

/** The version of a record's own row, from its entity tag. */
export function getVersion({ entityTag }: Versioned<unknown>): number {
  return Number((entityTag ?? '""').slice(1, -1).split('.')[0])
}

/** The fields that a change has changed, as they were. */
export function toBefore(before: Versioned<object>, after: object): LeftState['before'] {
  const old = before.record as Values
  const now = after as Values
  const changed = Object.keys(old).filter((field) => field !== 'updatedAt' && !sameJson(old[field], now[field]))
  const values = Object.fromEntries(changed.map((field) => [field, old[field] ?? null]))
  return { values, version: getVersion(before) }
}

function toText(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Whether an error is about a row, and not about the database. */
export function isRowProblem(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return error instanceof Problem || (typeof code === 'string' && /^2[23]/.test(code))
}

export function toRowErrors(error: unknown): FieldError[] {
  if (error instanceof Problem || !isRowProblem(error)) return toFieldErrors(error)
  return [{ field: null, code: 'inconsistent', detail: 'conflicts with another record' }]
}
