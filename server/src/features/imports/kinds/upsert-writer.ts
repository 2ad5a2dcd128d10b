import type { Json, Operation } from '@matricula/contract'
import { atOnce, BatchConflict, hasKey, undoneByFailure } from '../../../concurrency/index.ts'
import { TransactionRestart } from '../../../database/index.ts'
import {
  createOrChange,
  leavesUnchanged,
  lockAll,
  lockKeyed,
  readLocked,
  type Upsert,
  type Upserted,
  type Upserting,
  type Versioned,
  versioned,
} from '../../../entities/index.ts'
import { Problem } from '../../../errors/index.ts'
import { getValidator } from '../../../http/index.ts'
import { isUuid, readOnlyError, sameJson } from '../../../values/index.ts'
import type { FieldError } from '../row-errors.ts'
import type { FieldConflict, ImportRow, ImportSession, KindWriter, RowOutcome } from './import-kind.ts'
import {
  digestRow,
  findCorrections,
  findStates,
  findVersions,
  type LeftState,
  type RecordState,
  storeStates,
} from './record-states.ts'
import { missingReference, type Reference, References } from './references.ts'
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

type Values = Record<string, Json>

/** A row on its way into the database. */
interface Item<Body> {
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
}

const chunkSize = 50

/** Brings rows in by the upserts of the Client API: its validation, rules, audit and events. */
export class UpsertWriter<Row extends object, Record_ extends { readonly id: string }, Body> implements KindWriter {
  readonly #kind: UpsertKind<Row, Record_, Body>
  readonly #session: ImportSession
  readonly #references: References
  readonly #validate: ReturnType<typeof getValidator>

  constructor(kind: UpsertKind<Row, Record_, Body>, session: ImportSession) {
    this.#kind = kind
    this.#session = session
    this.#references = new References(session.tx)
    this.#validate = getValidator(kind.operation)
  }

  async write(rows: readonly ImportRow[]): Promise<readonly RowOutcome[]> {
    const { kind, upserting } = this.#kind
    const { tx } = this.#session
    const items = await this.#prepare(rows)
    await this.#findStates(items)
    const open = () => items.filter(({ outcome }) => outcome === null)
    for (const item of open()) if (isAsImported(item)) item.outcome = { outcome: 'unchanged', conflicts: [] }
    for (const item of open()) this.#validateRow(item)
    await this.#settleUnchanged(open().filter(({ state }) => state !== null))
    for (const item of open()) {
      const errors = suspectErrors(item.row)
      if (errors.length > 0) item.outcome = { errors }
    }
    const rest = open()
    if (rest.length > 0) {
      const isWritten = await this.#writeTogether(rest)
      if (!isWritten) {
        for (const item of rest) {
          item.outcome = null
          await this.#writeAlone(item)
        }
      }
    }
    const changed = items.flatMap(({ left }) => (left?.before == null ? [] : [left.id]))
    const versions = await findVersions(tx, upserting.definition.table, changed)
    storeStates(
      this.#session,
      kind,
      items.flatMap(({ left }) => (left === null ? [] : [{ ...left, version: versions.get(left.id) ?? left.version }])),
    )
    return items.map(({ outcome }) => outcome as RowOutcome)
  }

  /** Puts what references stand for in the place of their columns. */
  async #prepare(rows: readonly ImportRow[]): Promise<Item<Body>[]> {
    const values = rows.map((row): Values => ({ ...row.values }))
    const errors = rows.map((): FieldError[] => [])
    for (const reference of this.#kind.references) {
      const { column, field } = reference
      const named = values.map((each) => (each[field] === undefined ? toText(each[column]) : null))
      const keys = named.filter((key) => key !== null)
      const found = keys.length === 0 ? null : await this.#references.find(reference, keys)
      for (const [index, each] of values.entries()) {
        const key = named[index] ?? null
        if (key === null) {
          // A column that only names the record elsewhere is no field of it.
          if (!this.#isField(column)) {
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

  #isField(name: string): boolean {
    return Object.hasOwn(this.#kind.operation.body?.properties ?? {}, name)
  }

  async #findStates(items: readonly Item<Body>[]): Promise<void> {
    const { kind, upserting } = this.#kind
    const { table } = upserting.definition
    const { tx } = this.#session
    const ids = items.flatMap(({ id, outcome }) => (id !== null && isUuid(id) && outcome === null ? [id] : []))
    const keys = items.flatMap(({ id, externalId, outcome }) =>
      id === null && externalId !== null && outcome === null ? [externalId] : [],
    )
    const byId = new Map(
      (await findStates(tx, kind, table, { column: 'id', values: ids })).map((each) => [each.id, each]),
    )
    const byKey = new Map(
      (await findStates(tx, kind, table, { column: 'external_id', values: keys })).map((each) => [
        each.externalId,
        each,
      ]),
    )
    for (const item of items) {
      if (item.outcome !== null) continue
      item.state = (item.id === null ? byKey.get(item.externalId) : byId.get(item.id.toLowerCase())) ?? null
      if (item.id === null || item.state !== null) continue
      const detail = `names no ${upserting.definition.noun}: ${JSON.stringify(item.id.slice(0, 160))}`
      const remedy = 'Remove the id, or the column, to create the record by its externalId.'
      item.outcome = { errors: [{ field: 'id', code: 'reference_not_found', detail, remedy }] }
    }
  }

  #validateRow(item: Item<Body>, values: Readonly<Record<string, Json>> = item.row.values): void {
    const { context } = this.#session
    const { externalId, ...rest } = values
    const body: Values = rest
    const isById = item.id !== null
    const key = item.externalId ?? item.state?.externalId ?? item.id ?? ''
    if (isById && externalId !== undefined && this.#isWritable('externalId')) body.externalId = externalId
    if (item.state !== null) for (const field of this.#kind.decidedOnce) delete body[field]
    try {
      const valid = this.#validate({ params: { externalId: key }, query: {}, body })
      const asked = { ...context, ifMatch: null, readOnlyFields: valid.readOnlyFields }
      item.upsert = { externalId: key, body: valid.body as Body, context: asked }
    } catch (error) {
      item.outcome = { errors: toFieldErrors(error) }
    }
  }

  #isWritable(field: string): boolean {
    const schema = this.#kind.operation.body?.properties?.[field] as { readOnly?: boolean } | undefined
    return schema !== undefined && schema.readOnly !== true
  }

  /** Settles the rows that say what their records say already, and takes out of the others what people have corrected. */
  async #settleUnchanged(items: readonly Item<Body>[]): Promise<void> {
    const { upserting } = this.#kind
    const { definition } = upserting
    const { tx } = this.#session
    if (items.length === 0) return
    const states = items.map(({ state }) => state as RecordState)
    const ids = states.map(({ id }) => id)
    const rows = await tx.query<Row>(definition.select(tx.tenantId, hasKey(definition.alias, 'id', ids)))
    const records = new Map(rows.map((row) => [(row as { id: string }).id, versioned(definition, row)]))
    const corrections = await findCorrections(tx, states)
    for (const item of items) {
      const state = item.state as RecordState
      const current = records.get(state.id)
      if (current === undefined || item.upsert === null) continue
      item.corrected = corrections.get(state.id) ?? new Set()
      this.#keepCorrections(item, current.record)
      if (item.upsert === null || !(await leavesUnchanged(upserting, current, item.upsert))) continue
      this.#finish(item, { ...current, outcome: 'unchanged' }, current)
    }
  }

  /** Takes out of a row the fields that a person has corrected; where the two agree, the file leads again. */
  #keepCorrections(item: Item<Body>, record: object): void {
    const stored = record as Values
    const kept = new Set<string>()
    for (const field of item.corrected) {
      const wanted = item.row.values[field]
      if (wanted === undefined) continue
      if (sameJson(wanted, stored[field] ?? null)) item.corrected.delete(field)
      else if (!this.#session.overwrites(field)) kept.add(field)
      else item.corrected.delete(field)
    }
    if (kept.size === 0) return
    item.conflicts = [...kept].map((field) => ({ field, detail: 'was corrected by a person since the last import' }))
    const values = Object.fromEntries(Object.entries(item.row.values).filter(([field]) => !kept.has(field)))
    item.upsert = null
    this.#validateRow(item, values)
  }

  /** Writes rows with their statements sent at once. False where one of them is refused: then nothing is written. */
  async #writeTogether(items: readonly Item<Body>[]): Promise<boolean> {
    const { upserting } = this.#kind
    const { tx } = this.#session
    const known = items.filter(({ state }) => state !== null)
    if (known.some(({ id }) => id !== null)) return false
    const fresh = items.filter(({ state }) => state === null)
    try {
      await undoneByFailure(tx, async () => {
        if (fresh.length > 0) {
          const names = await this.#takeNames(fresh)
          const creations = fresh.map((item, index) => this.#asCreation(item, names[index]))
          const made = await upserting.insertMany?.(tx, creations)
          for (const [index, item] of fresh.entries()) {
            const created = made?.get((creations[index] as Upsert<Body>).externalId)
            if (created === undefined) await this.#create(item, names[index])
            else this.#finishCreation(item, created)
          }
        }
        const locked = await lockAll(
          upserting,
          tx,
          known.map(({ upsert }) => (upsert as Upsert<Body>).externalId),
        )
        for (let from = 0; from < known.length; from += chunkSize) {
          const part = known.slice(from, from + chunkSize)
          const keys = part.map(({ upsert }) => (upsert as Upsert<Body>).externalId)
          const current = await readLocked(upserting.definition, tx, locked, keys)
          const results = await atOnce(
            tx,
            part.map((item) => () => this.#change(item, current.get((item.upsert as Upsert<Body>).externalId))),
          )
          for (const result of results) if (result.status === 'rejected') throw result.reason
        }
      })
      return true
    } catch (error) {
      for (const item of items) item.left = null
      if (error instanceof BatchConflict || isRowProblem(error)) return false
      throw error
    }
  }

  async #writeAlone(item: Item<Body>): Promise<void> {
    const { tx } = this.#session
    try {
      await undoneByFailure(tx, async () => {
        if (item.state === null) {
          const [name] = await this.#takeNames([item])
          await this.#create(item, name)
        } else {
          const { definition } = this.#kind.upserting
          const { lock } = this.#kind.upserting
          const key = { column: 'id', value: item.state.id } as const
          const current = lock === undefined ? await lockKeyed(tx, definition, key) : await lock(tx, key)
          await this.#change(item, current ?? undefined)
        }
      })
    } catch (error) {
      if (error instanceof TransactionRestart) throw error
      item.left = null
      item.outcome = { errors: toRowErrors(error) }
    }
  }

  /** The upsert that makes a record: fields that cannot be written are compared afterwards. */
  #asCreation(item: Item<Body>, name: string | undefined): Upsert<Body> {
    const { upserting } = this.#kind
    const upsert = item.upsert as Upsert<Body>
    const context = upserting.getContext({ ...upsert.context, readOnlyFields: {} }, upsert.externalId, upsert.body)
    return { ...upsert, context, name }
  }

  /** The names of new records, from the series of those that need one. Throws what a new one is refused for. */
  async #takeNames(items: readonly Item<Body>[]): Promise<(string | undefined)[]> {
    const { upserting } = this.#kind
    const series = items.map((item) => upserting.findSeries((item.upsert as Upsert<Body>).context, bodyOf(item)))
    const [wanted] = series.filter((each) => each !== null)
    if (wanted === undefined) return items.map(() => undefined)
    const taken = await this.#session.takeNames(wanted, series.filter((each) => each !== null).length)
    return series.map((each) => (each === null ? undefined : taken.shift()))
  }

  async #create(item: Item<Body>, name: string | undefined): Promise<void> {
    const { upserting } = this.#kind
    const upsert = this.#asCreation(item, name)
    this.#finishCreation(item, await createOrChange(upserting, this.#session.tx, upsert, null, name))
  }

  #finishCreation(item: Item<Body>, created: Versioned<Record_>): void {
    const { readOnlyFields } = (item.upsert as Upsert<Body>).context
    const errors = Object.keys(readOnlyFields).flatMap((field) => {
      const stored = (created.record as unknown as Values)[field] ?? null
      const sent = readOnlyFields[field] ?? null
      return sameJson(sent, stored) || sent === null || sent === '' ? [] : [readOnlyError(`#/${field}`)]
    })
    if (errors.length > 0) throw new Problem('validation_failed', 'A field cannot be written.', { errors })
    this.#finish(item, { ...created, outcome: 'created' }, null)
  }

  async #change(item: Item<Body>, current: Versioned<Record_> | undefined): Promise<void> {
    if (current === undefined) throw new BatchConflict()
    const { upserting } = this.#kind
    const upsert = item.upsert as Upsert<Body>
    const context = upserting.getContext(upsert.context, upsert.externalId, upsert.body)
    const changed = await upserting.change(this.#session.tx, context, current, upsert.body)
    const outcome = changed === current ? 'unchanged' : 'updated'
    this.#finish(item, { ...changed, outcome }, current)
  }

  #finish(item: Item<Body>, written: Upserted<Record_>, before: Versioned<Record_> | null): void {
    const { outcome, record } = written
    const version = getVersion(written)
    item.outcome = { outcome, conflicts: item.conflicts }
    item.left = {
      id: record.id,
      externalId: null,
      digest: item.digest,
      version,
      corrected: [...item.corrected],
      isMade: outcome === 'created',
      before: outcome === 'updated' && before !== null ? toBefore(before, record) : null,
    }
  }
}

function isAsImported<Body>({ state, digest }: Item<Body>): boolean {
  const { imported, version } = state ?? { imported: null, version: 0 }
  return (
    imported !== null && imported.version === version && imported.digest === digest && imported.corrected.length === 0
  )
}

function bodyOf<Body>({ upsert }: Item<Body>): Body {
  return (upsert as Upsert<Body>).body
}

function suspectErrors({ suspects }: ImportRow): FieldError[] {
  return [...suspects].map(([field, meant]) => {
    const detail = `is text in another encoding: it seems to mean ${JSON.stringify(meant.slice(0, 100))}`
    return { field, code: 'mojibake', detail }
  })
}

/** The version of a record's own row, from its entity tag. */
function getVersion({ entityTag }: Versioned<unknown>): number {
  return Number((entityTag ?? '""').slice(1, -1).split('.')[0])
}

/** The fields that a change has changed, as they were. */
function toBefore(before: Versioned<object>, after: object): LeftState['before'] {
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
function isRowProblem(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return error instanceof Problem || (typeof code === 'string' && /^2[23]/.test(code))
}

function toRowErrors(error: unknown): FieldError[] {
  if (error instanceof Problem || !isRowProblem(error)) return toFieldErrors(error)
  return [{ field: null, code: 'inconsistent', detail: 'conflicts with another record' }]
}
