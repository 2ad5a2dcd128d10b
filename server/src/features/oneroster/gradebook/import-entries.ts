import type { ChangeContext } from '../../../changes/index.ts'
import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import { OneRosterError } from '../protocol/oneroster-error.ts'
import type { RosterClass } from '../roster/roster-class.ts'
import type { RosterContext } from '../roster/roster-context.ts'
import { gradebookClasses } from './gradebook-classes.ts'
import type { GradebookKind } from './gradebook-kinds.ts'
import type { SentEntry } from './parse-entry.ts'
import {
  checkedReferences,
  type Known,
  type Outcome,
  recordTables,
  requireWritable,
  saveEntry,
} from './write-entries.ts'

/** What a reference leads to: of a class or student its record, of a line item its class. */
interface Referenced {
  readonly id: string | null
  readonly classId: string | null
  readonly isOwn: boolean
}

const maxRemembered = 200_000

/**
 * Stores the gradebook of a bundle, many objects by a few statements, in a transaction that has the institution for itself. What the
 * objects refer to is looked up once.
 */
export class EntryImport {
  readonly #tx: Transaction
  readonly #change: ChangeContext
  readonly #context: RosterContext
  readonly #referenced = new Map<string, Referenced>()

  constructor(tx: Transaction, change: ChangeContext, context: RosterContext) {
    this.#tx = tx
    this.#change = change
    this.#context = context
  }

  /**
   * Stores objects of a class in their order: what became of each, or why it was refused, `invaliddata` for a reference to nothing and
   * `forbidden` for a result of a line item of ours. An object that is a record of ours stays.
   */
  async save(kind: GradebookKind, sent: readonly SentEntry[]): Promise<(Outcome | OneRosterError)[]> {
    const ids = sent.map(({ sourcedId }) => sourcedId)
    const [stored, own] = [await this.#findStored(kind, ids), await this.#findOwn(kind, ids)]
    await this.#findReferenced(kind, sent)
    const outcomes = sent.map((each) => {
      if (own.has(each.sourcedId)) return 'unchanged'
      try {
        const known = this.#toKnown(kind, each, stored.get(each.sourcedId))
        requireWritable(kind, known)
        const { outcome, id } = saveEntry(this.#tx, this.#change, kind, each, known)
        if (each.isGone) stored.delete(each.sourcedId)
        else stored.set(each.sourcedId, { id, content: each.content })
        return outcome
      } catch (error) {
        if (error instanceof OneRosterError) return error
        throw error
      }
    })
    this.#tx.send(sql`
      update gradebook_entries set is_from_bundle = true
       where tenant_id = ${this.#tx.tenantId} and kind = ${kind.name} and sourced_id = any (${[...stored.keys()]}::text[])
         and not is_from_bundle`)
    return outcomes
  }

  async #findStored(
    kind: GradebookKind,
    ids: readonly string[],
  ): Promise<Map<string, { readonly id: string; readonly content: object }>> {
    const rows = await this.#tx.query<{ id: string; sourced_id: string; content: object }>(sql`
      select id, sourced_id, content from gradebook_entries
       where tenant_id = ${this.#tx.tenantId} and kind = ${kind.name} and sourced_id = any (${ids}::text[])`)
    return new Map(rows.map(({ sourced_id: sourcedId, ...row }) => [sourcedId, row]))
  }

  /** Which of the sourcedIds are those of records of ours. */
  async #findOwn(kind: GradebookKind, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#tx.query<{ sourced_id: string }>(sql`
      select o.sourced_id from (${gradebookClasses[kind.name].source(this.#context)}) o
       where o.entry_id is null and o.sourced_id = any (${ids}::text[])`)
    return new Set(rows.map(({ sourced_id: sourcedId }) => sourcedId))
  }

  #toKnown(
    kind: GradebookKind,
    { content }: SentEntry,
    stored: { readonly id: string; readonly content: object } | undefined,
  ): Known {
    const find = (name: string) => this.#referenced.get(`${name} ${content[name]}`)
    const lineItem = kind.name === 'result' ? find('lineItem') : undefined
    return {
      id: stored?.id ?? null,
      content: stored?.content ?? null,
      is_own: false,
      class_id: find('class')?.id ?? null,
      student_id: find('student')?.id ?? null,
      line_item_class_id: lineItem?.classId ?? null,
      is_own_line_item: lineItem?.isOwn ?? false,
      missing: namesOfReferences(kind, content).filter((name) => find(name) === undefined),
    }
  }

  /** Looks up what is referred to and not known yet. */
  async #findReferenced(kind: GradebookKind, sent: readonly SentEntry[]): Promise<void> {
    if (this.#referenced.size > maxRemembered) this.#referenced.clear()
    const unknown = new Map<string, Set<string>>()
    for (const { content } of sent) {
      for (const name of namesOfReferences(kind, content)) {
        if (this.#referenced.has(`${name} ${content[name]}`)) continue
        const ids = unknown.get(name) ?? new Set()
        unknown.set(name, ids.add(content[name] as string))
      }
    }
    for (const [name, ids] of unknown) {
      const found = await this.#readReferenced(name, [...ids])
      for (const id of ids) {
        // Ids that no bundle has chosen are those of records, whatever their case.
        const referenced = found.get(id) ?? found.get(id.toLowerCase())
        if (referenced !== undefined) this.#referenced.set(`${name} ${id}`, referenced)
      }
    }
  }

  async #readReferenced(name: string, ids: readonly string[]): Promise<ReadonlyMap<string, Referenced>> {
    const of = checkedReferences[name] as RosterClass
    const sourcedId = of.fields(this.#context).sourcedId?.value as Sql
    const isEntry = Object.values(gradebookClasses).includes(of)
    const columns = isEntry
      ? sql`null::uuid as id, o.class_id as "classId", o.entry_id is null as "isOwn"`
      : sql`o.id, null::uuid as "classId", false as "isOwn"`
    const rows = await this.#tx.query<Referenced & { sourced_id: string }>(sql`
      select ${sourcedId} as sourced_id, ${columns} from (${of.source(this.#context)}) o
       where ${sourcedId} = any (${[...ids, ...ids.map((id) => id.toLowerCase())]}::text[])`)
    const records = await this.#findRecords(
      name,
      rows.map(({ id }) => id),
    )
    return new Map(
      rows.flatMap(({ sourced_id: id, ...found }) =>
        records === null || records.has(found.id) ? [[id, found] as const] : [],
      ),
    )
  }

  /** Which classes or students are records still: what was deleted is read for a while, and nothing new belongs to it. Null for others. */
  async #findRecords(name: string, ids: readonly (string | null)[]): Promise<ReadonlySet<string | null> | null> {
    const table = recordTables[name]
    if (table === undefined) return null
    const rows = await this.#tx.query<{ id: string }>(
      sql`select id from ${table} where tenant_id = ${this.#tx.tenantId} and id = any (${ids}::uuid[])`,
    )
    return new Set(rows.map(({ id }) => id))
  }
}

function namesOfReferences(kind: GradebookKind, content: SentEntry['content']): string[] {
  return Object.keys(kind.members).filter((name) => name in checkedReferences && typeof content[name] === 'string')
}
