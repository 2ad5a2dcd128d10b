import type { Json } from '@matricula/contract'
import type { RecordType } from '@matricula/contract/record-types'
import { undoneByFailure } from '../../../concurrency/index.ts'
import { identifier, sql, TransactionRestart } from '../../../database/index.ts'
import {
  type AnyDocument,
  createRecord,
  type RecordEngine,
  RecordError,
  updateRecord,
} from '../../../record-engine/index.ts'
import { isUuid, sameJson } from '../../../values/index.ts'
import type { FieldError } from '../row-errors.ts'
import type { FieldConflict, ImportRow, ImportSession, KindWriter, RowOutcome } from './import-kind.ts'
import {
  digestRow,
  findCorrections,
  findNamedStates,
  findVersions,
  type LeftState,
  type RecordState,
  storeStates,
} from './record-states.ts'
import { missingReference, type Reference, References } from './references.ts'
import { toFieldErrors } from './row-problems.ts'

type Values = Record<string, Json>

/** How the rows of a kind become records of the Resource API. */
export interface RecordKind {
  readonly kind: string
  readonly type: RecordType
  /** The table of the records. */
  readonly table: string
  /** The column of a record's name. */
  readonly nameColumn: string
  readonly references: readonly Reference[]
  /** Whether a row may name a record that one before it makes. */
  readonly isNested?: true
  /** The fields of the record that a row says, given what is stored; they are compared and written as they come. */
  toFields(engine: RecordEngine, values: Readonly<Values>, stored: AnyDocument | null): Promise<Values>
  /** Does what else a row says, once its record is there. Returns whether it changed something. */
  finish?(session: ImportSession, engine: RecordEngine, name: string, values: Readonly<Values>): Promise<boolean>
}

/** Brings rows in by the record engine: its rules, audit and events. */
export class RecordWriter implements KindWriter {
  readonly #kind: RecordKind
  readonly #session: ImportSession
  readonly #references: References

  constructor(kind: RecordKind, session: ImportSession) {
    this.#kind = kind
    this.#session = session
    this.#references = new References(session.tx)
  }

  async write(rows: readonly ImportRow[]): Promise<readonly RowOutcome[]> {
    if (this.#kind.isNested !== true) return this.#writeBatch(rows)
    const outcomes: RowOutcome[] = []
    for (const row of rows) outcomes.push(...(await this.#writeBatch([row])))
    return outcomes
  }

  async #writeBatch(rows: readonly ImportRow[]): Promise<readonly RowOutcome[]> {
    const { kind, table } = this.#kind
    const { tx } = this.#session
    const outcomes: (RowOutcome | null)[] = rows.map(() => null)
    const values = await this.#resolve(rows, outcomes)
    const states = await this.#findStates(values, outcomes)
    const corrections = await findCorrections(
      tx,
      states.filter((state) => state !== null),
    )
    const left: LeftState[] = []
    const engine = this.#session.makeEngine()
    for (const [index, row] of rows.entries()) {
      if (outcomes[index] !== null) continue
      const own = values[index] as Values
      const state = states[index] ?? null
      const digest = digestRow(own)
      const { imported = null } = state ?? {}
      if (imported?.digest === digest && imported.version === state?.version && imported.corrected.length === 0) {
        outcomes[index] = { outcome: 'unchanged', conflicts: [] }
        continue
      }
      try {
        const corrected = state === null ? new Set<string>() : (corrections.get(state.id) ?? new Set<string>())
        const written = await undoneByFailure(tx, () => this.#write(engine, row, own, state, corrected))
        outcomes[index] = written.outcome
        left.push({ ...written.left, digest, corrected: [...corrected] })
      } catch (error) {
        if (error instanceof TransactionRestart) throw error
        outcomes[index] = { errors: this.#placed(error) }
      }
    }
    const versions = await findVersions(
      tx,
      table,
      left.map(({ id }) => id),
    )
    storeStates(
      this.#session,
      kind,
      left.map((each) => ({ ...each, version: versions.get(each.id) ?? each.version })),
    )
    return outcomes as RowOutcome[]
  }

  async #resolve(rows: readonly ImportRow[], outcomes: (RowOutcome | null)[]): Promise<Values[]> {
    const values = rows.map((row): Values => ({ ...row.values }))
    for (const reference of this.#kind.references) {
      const { column, field } = reference
      const keys = values.map((each) => toText(each[column]))
      const found = await this.#references.find(
        reference,
        keys.filter((key) => key !== null),
      )
      for (const [index, each] of values.entries()) {
        const key = keys[index] ?? null
        if (key === null) {
          if (column !== field) delete each[column]
          continue
        }
        const target = found.get(key)
        if (target === undefined) outcomes[index] ??= { errors: [missingReference(reference, key)] }
        else {
          if (column !== field) delete each[column]
          each[field] = target
        }
      }
    }
    return values
  }

  async #findStates(values: readonly Values[], outcomes: (RowOutcome | null)[]): Promise<(RecordState | null)[]> {
    const { kind, table, type } = this.#kind
    const { tx } = this.#session
    const ids = values.flatMap(({ id }) => (typeof id === 'string' && isUuid(id) ? [id] : []))
    const keys = values.flatMap(({ id, externalId }) => (toText(id) === null ? (toText(externalId) ?? []) : []))
    const byId = new Map(
      (await findNamedStates(tx, kind, table, { column: 'id', values: ids })).map((each) => [each.id, each]),
    )
    const byKey = new Map(
      (await findNamedStates(tx, kind, table, { column: 'external_id', values: keys })).map((each) => [
        each.externalId,
        each,
      ]),
    )
    return values.map((each, index) => {
      const id = toText(each.id)
      const found = (id === null ? byKey.get(toText(each.externalId)) : byId.get(id.toLowerCase())) ?? null
      if (id !== null && found === null) {
        const detail = `names no ${type.name}: ${JSON.stringify(id.slice(0, 160))}`
        outcomes[index] ??= { errors: [{ field: 'id', code: 'reference_not_found', detail }] }
      }
      return found
    })
  }

  async #write(
    engine: RecordEngine,
    row: ImportRow,
    values: Values,
    state: RecordState | null,
    corrected: Set<string>,
  ): Promise<{ readonly outcome: RowOutcome; readonly left: Omit<LeftState, 'digest' | 'corrected'> }> {
    const { type, nameColumn, table, toFields, finish } = this.#kind
    const { tx } = this.#session
    const { id: _, externalId, ...said } = values
    const key = toText(externalId)
    if (state === null) {
      requireUnsuspected(row)
      const created = await createRecord(engine, type.name, await toFields(engine, said, null))
      const [made] = await tx.query<{ id: string }>(sql`
        select id from ${identifier(table)}
         where tenant_id = ${tx.tenantId} and ${identifier(nameColumn)} = ${created.name}`)
      await finish?.(this.#session, engine, created.name, said)
      const { id } = made as { id: string }
      const left = { id, externalId: key, version: 1, isMade: true, before: null }
      return { outcome: { outcome: 'created', conflicts: [] }, left }
    }
    const [known] = await tx.query<{ name: string }>(sql`
      select ${identifier(nameColumn)} as name from ${identifier(table)}
       where tenant_id = ${tx.tenantId} and id = ${state.id}`)
    const { name } = known as { name: string }
    const stored = await engine.get(type, name)
    const fields = await toFields(engine, said, stored as AnyDocument)
    const conflicts = this.#retainDecided(fields, stored as AnyDocument, corrected)
    const differing = Object.keys(fields).filter((field) => !sameField(fields[field], (stored as AnyDocument)[field]))
    if (differing.length > 0) requireUnsuspected(row)
    const before = Object.fromEntries(differing.map((field) => [field, (stored as AnyDocument)[field] as Json]))
    const saved = differing.length === 0 ? null : await updateRecord(engine, type.name, name, pick(fields, differing))
    const isFurther = (await finish?.(this.#session, engine, name, said)) ?? false
    const isChanged = (saved !== null && saved.modified !== stored.modified) || isFurther
    return {
      outcome: { outcome: isChanged ? 'updated' : 'unchanged', conflicts },
      left: {
        id: state.id,
        externalId: key,
        version: state.version,
        isMade: false,
        before: isChanged ? { values: before, version: state.version } : null,
      },
    }
  }

  /** Takes out what a person has corrected, and everything where the record is submitted: an import undoes no decision. */
  #retainDecided(fields: Values, stored: AnyDocument, corrected: Set<string>): FieldConflict[] {
    const conflicts: FieldConflict[] = []
    for (const field of Object.keys(fields)) {
      const isSame = sameField(fields[field], stored[field])
      if (isSame) corrected.delete(field)
      else if (stored.docstatus !== 0 && field !== 'docstatus') {
        conflicts.push({ field, detail: 'belongs to a record that is submitted or cancelled' })
        delete fields[field]
      } else if (stored.docstatus === 1 && field === 'docstatus') {
        delete fields[field]
      } else if (corrected.has(field)) {
        if (this.#session.overwrites(field)) corrected.delete(field)
        else {
          conflicts.push({ field, detail: 'was corrected by a person since the last import' })
          delete fields[field]
        }
      }
    }
    return conflicts
  }

  /** The faults of a refusal, at the field that its text names. */
  #placed(error: unknown): FieldError[] {
    if (error instanceof SuspectedText) return error.errors
    const { fields } = this.#kind.type
    return toFieldErrors(error).map((each) => {
      if (each.field !== null || !(error instanceof RecordError)) return each
      const named = Object.entries(fields).find(([, { label }]) => label !== undefined && each.detail.includes(label))
      return { ...each, field: named?.[0] ?? null }
    })
  }
}

class SuspectedText extends Error {
  readonly errors: FieldError[]

  constructor(errors: FieldError[]) {
    super('the text is of another encoding')
    this.errors = errors
  }
}

function requireUnsuspected({ suspects }: ImportRow): void {
  if (suspects.size === 0) return
  throw new SuspectedText(
    [...suspects].map(([field, meant]) => {
      const detail = `is text in another encoding: it seems to mean ${JSON.stringify(meant.slice(0, 100))}`
      return { field, code: 'mojibake', detail }
    }),
  )
}

/** Whether a field says what is stored: nothing and the empty text are the same, and rows are compared by what is said of them. */
function sameField(said: Json | undefined, stored: unknown): boolean {
  if (Array.isArray(said) && Array.isArray(stored)) {
    return said.length === stored.length && said.every((row, index) => sameRow(row as Values, stored[index]))
  }
  const [one, other] = [said ?? null, stored ?? null]
  return sameJson(one === '' ? null : one, other === '' ? null : other)
}

function sameRow(said: Values, stored: Values): boolean {
  return Object.keys(said).every((field) => sameField(said[field], stored[field]))
}

function pick(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(fields.map((field) => [field, values[field] as Json]))
}

function toText(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
