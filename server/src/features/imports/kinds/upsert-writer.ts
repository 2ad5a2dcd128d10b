import { setImmediate } from 'node:timers/promises'
import type { Json } from '@matricula/contract'
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
  type Versioned,
  versioned,
} from '../../../entities/index.ts'
import { Problem } from '../../../errors/index.ts'
import { getValidator } from '../../../http/index.ts'
import { inChunks, readOnlyError, sameJson } from '../../../values/index.ts'
import type { ImportRow, ImportSession, KindWriter, RowOutcome } from './import-kind.ts'
import { findCorrections, findVersions, type RecordState, storeStates } from './record-states.ts'
import { References } from './references.ts'
import { toFieldErrors } from './row-problems.ts'
import {
  bodyOf,
  findItemStates,
  getVersion,
  type Item,
  isAsImported,
  isRowProblem,
  prepareItems,
  suspectErrors,
  toBefore,
  toRowErrors,
  type UpsertKind,
  type Values,
} from './upsert-items.ts'

/** How many records are changed by statements that are sent at once. */
const chunkSize = 50

/** How many records are made by one statement, while the rows of the next are put together. */
const insertSize = 250

/** Brings rows in by the upserts of the Client API: its validation, rules, audit and events. */
export class UpsertWriter<Row extends object, Record_ extends { readonly id: string }, Body> implements KindWriter {
  readonly #kind: UpsertKind<Row, Record_, Body>
  readonly #session: ImportSession
  readonly #references: References
  readonly #validate: ReturnType<typeof getValidator>
  /** What has been looked up before its turn. */
  #lookedUp: ReadonlyMap<ImportRow, Item<Body>> = new Map()

  constructor(kind: UpsertKind<Row, Record_, Body>, session: ImportSession) {
    this.#kind = kind
    this.#session = session
    this.#references = new References(session.tx)
    this.#validate = getValidator(kind.operation)
  }

  async lookAhead(rows: readonly ImportRow[]): Promise<void> {
    // Where rows name records by their ids, one before may change the record of another.
    if (this.#kind.upserting.insertMany === undefined || rows.some(({ values }) => 'id' in values)) return
    try {
      const items = await this.#lookUp(rows)
      const fresh = items.filter(
        ({ outcome, state, row }) => outcome === null && state === null && row.suspects.size === 0,
      )
      for (const [index, name] of (await this.#takeNames(fresh)).entries()) (fresh[index] as Item<Body>).name = name
      this.#lookedUp = new Map(rows.map((row, index) => [row, items[index] as Item<Body>]))
    } catch {
      // What is written meanwhile has failed, and is undone first.
    }
  }

  async write(rows: readonly ImportRow[]): Promise<readonly RowOutcome[]> {
    const { kind, upserting } = this.#kind
    const { tx } = this.#session
    const items = this.#takeLookedUp(rows) ?? (await this.#lookUp(rows))
    const open = () => items.filter(({ outcome }) => outcome === null)
    await this.#settleUnchanged(open().filter(({ state }) => state !== null))
    for (const item of open()) {
      const errors = suspectErrors(item.row)
      if (errors.length > 0) item.outcome = { errors }
    }
    await this.#writeItems(open())
    const changed = items.flatMap(({ left }) => (left?.before == null ? [] : [left.id]))
    const versions = await findVersions(tx, upserting.definition.table, changed)
    storeStates(
      this.#session,
      kind,
      items.flatMap(({ left }) => (left === null ? [] : [{ ...left, version: versions.get(left.id) ?? left.version }])),
    )
    return items.map(({ outcome }) => outcome as RowOutcome)
  }

  /** The rows with what is stored of each, validated. */
  async #lookUp(rows: readonly ImportRow[]): Promise<readonly Item<Body>[]> {
    const { kind, upserting } = this.#kind
    const items = await prepareItems<Body>(this.#kind as never, this.#references, rows)
    const { table, noun } = upserting.definition
    await findItemStates(this.#session.tx, { kind, table, noun }, items)
    for (const item of items) {
      if (item.outcome !== null) continue
      if (isAsImported(item)) item.outcome = { outcome: 'unchanged', conflicts: [] }
      else this.#validateRow(item)
    }
    return items
  }

  /** What was looked up of rows before their turn; null where not all of them were. */
  #takeLookedUp(rows: readonly ImportRow[]): readonly Item<Body>[] | null {
    const items = rows.flatMap((row) => this.#lookedUp.get(row) ?? [])
    this.#lookedUp = new Map()
    return items.length === rows.length ? items : null
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
    const retained = new Set<string>()
    for (const field of item.corrected) {
      const wanted = item.row.values[field]
      if (wanted === undefined) continue
      if (sameJson(wanted, stored[field] ?? null)) item.corrected.delete(field)
      else if (!this.#session.overwrites(field)) retained.add(field)
      else item.corrected.delete(field)
    }
    if (retained.size === 0) return
    item.conflicts = [...retained].map((field) => ({
      field,
      detail: 'was corrected by a person since the last import',
    }))
    const values = Object.fromEntries(Object.entries(item.row.values).filter(([field]) => !retained.has(field)))
    item.upsert = null
    this.#validateRow(item, values)
  }

  /** Writes rows at once; where one of them is refused, those beside it in parts, and those of its part one by one. */
  async #writeItems(items: readonly Item<Body>[]): Promise<void> {
    if (items.length === 0 || (await this.#writeBatch(items))) return
    for (const item of items) item.outcome = null
    if (items.length > insertSize) {
      for (const part of inChunks(items, insertSize)) await this.#writeItems(part)
    } else {
      for (const item of items) await this.#writeAlone(item)
    }
  }

  /** Writes rows with their statements sent at once. False where one of them is refused: then nothing is written. */
  async #writeBatch(items: readonly Item<Body>[]): Promise<boolean> {
    const { upserting } = this.#kind
    const { tx } = this.#session
    const known = items.filter(({ state }) => state !== null)
    if (known.some(({ id }) => id !== null)) return false
    const fresh = items.filter(({ state }) => state === null)
    try {
      await undoneByFailure(tx, async () => {
        await this.#createAll(fresh)
        const locked = await lockAll(
          upserting,
          tx,
          known.map(({ upsert }) => (upsert as Upsert<Body>).externalId),
        )
        for (const part of inChunks(known, chunkSize)) {
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

  /**
   * Makes records. Where they have nothing in common the next statement is with the database before the answer to the one before it is
   * looked at.
   */
  async #createAll(items: readonly Item<Body>[]): Promise<void> {
    if (items.length === 0) return
    const { insertMany, isPipelined = false } = this.#kind.upserting
    const names = await this.#takeNames(items)
    const creations = items.map((item, index) => ({
      item,
      name: names[index],
      upsert: this.#asCreation(item, names[index]),
    }))
    const sent: Promise<Map<string, Versioned<Record_>> | undefined>[] = []
    const parts = inChunks(creations, insertSize)
    const send = async (part: typeof creations) => {
      const making =
        insertMany?.(
          this.#session.tx,
          part.map(({ upsert }) => upsert),
        ) ?? Promise.resolve(undefined)
      making.catch(() => {}) // told in its turn
      sent.push(making)
      await setImmediate() // it leaves by itself
    }
    try {
      for (const [index, part] of parts.entries()) {
        if (sent.length === index) await send(part)
        const next = parts[index + 1]
        if (isPipelined && next !== undefined) await send(next)
        const made = await sent[index]
        for (const { item, name, upsert } of part) {
          const created = made?.get(upsert.externalId)
          if (created === undefined) await this.#create(item, name)
          else this.#finishCreation(item, created)
        }
      }
    } finally {
      await Promise.allSettled(sent)
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
    const series = items.map((item) =>
      item.name === undefined ? upserting.findSeries((item.upsert as Upsert<Body>).context, bodyOf(item)) : null,
    )
    const [wanted] = series.filter((each) => each !== null)
    const count = series.filter((each) => each !== null).length
    const taken = wanted === undefined ? [] : await this.#session.takeNames(wanted, count)
    return items.map(({ name }, index) => (series[index] === null ? name : taken.shift()))
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
