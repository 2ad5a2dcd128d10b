import type { Field, RecordType } from '@matricula/contract/record-types'
import {
  getNoun,
  getRowName,
  getRowTable,
  getTable,
  getTableFields,
  getValueFields,
} from '@matricula/server/record-engine/index'
import type { CopyValue, Load, Row } from '../copy.ts'
import type { Plan } from '../plan.ts'
import { stamp } from '../records/calendar.ts'

type Value = string | number | null

/** The fields of a record that are set; the others get their defaults. */
export type FieldsOf<Type extends RecordType> = {
  readonly [Name in keyof Type['fields']]?: Type['fields'][Name] extends { type: 'Table'; rows: infer Rows }
    ? Rows extends RecordType
      ? readonly FieldsOf<Rows>[]
      : never
    : Value
}

/** A record that is to be made. */
export interface NewRecord<Type extends RecordType = RecordType> {
  /** When it came into being. */
  readonly moment: number
  /** Where the type's naming is by rule. */
  readonly name?: string
  readonly fields: FieldsOf<Type>
}

/** A record that was made. */
export interface MadeRecord {
  readonly id: string
  readonly name: string
}

type AnyFields = Readonly<Record<string, Value | readonly Readonly<Record<string, Value>>[] | undefined>>

/**
 * Loads records of the Resource and Method API as declared, with names as their types give them: submitted where they can be
 * submitted, with the defaults that a new record gets, and with their rows.
 */
export class RecordLoader {
  readonly #plan: Plan
  readonly #load: Load
  readonly #year: Intl.DateTimeFormat
  readonly #counters = new Map<string, number>()
  readonly #made = new Map<string, number>()

  constructor(plan: Plan, load: Load) {
    this.#plan = plan
    this.#load = load
    this.#year = new Intl.DateTimeFormat('en', { timeZone: plan.timeZone, year: 'numeric' })
  }

  /** Makes records in their order, and returns what they are called. */
  async add<const Type extends RecordType>(type: Type, records: Iterable<NewRecord<Type>>): Promise<MadeRecord[]> {
    const own: Row<string>[] = []
    const tables = getTableFields(type)
    const rows = tables.map((): Row<string>[] => [])
    const docstatus = type.kind === 'submittable' ? 1 : 0
    for (const record of records) {
      const fields = record.fields as AnyFields
      const name = record.name ?? this.#getName(type, fields, record.moment)
      const id = this.#getId(getNoun(type), record.moment)
      const at = stamp(record.moment)
      own.push({ id, name, docstatus, ...getColumns(type, fields), created_at: at, updated_at: at })
      for (const [position, { field, rows: rowType }] of tables.entries()) {
        const kind = `${getNoun(type)} ${field}`
        const given = (fields[field] ?? []) as readonly AnyFields[]
        for (const [index, row] of given.entries()) {
          const rowId = this.#getId(kind, record.moment)
          rows[position]?.push({
            id: rowId,
            parent_id: id,
            name: getRowName(rowId),
            idx: index + 1,
            docstatus,
            ...getColumns(rowType, row),
            created_at: at,
            updated_at: at,
          })
        }
      }
    }
    await this.#put(getTable(type), Object.keys(own[0] ?? {}), own)
    for (const [position, { field }] of tables.entries()) {
      const made = rows[position] as Row<string>[]
      await this.#put(getRowTable(getTable(type), field), Object.keys(made[0] ?? {}), made)
    }
    this.#made.set(type.name, this.getMade(type) + own.length)
    return own.map(({ id, name }) => ({ id: id as string, name: name as string }))
  }

  /** Makes rows of records that are there already, such as the topics of a course. */
  async addRows<const Type extends RecordType>(
    table: string,
    type: Type,
    moment: number,
    rows: readonly { readonly parentId: string; readonly idx: number; readonly fields: FieldsOf<Type> }[],
  ): Promise<void> {
    const at = stamp(moment)
    const made = rows.map(({ parentId, idx, fields }) => {
      const id = this.#getId(table, moment)
      const columns = getColumns(type, fields as AnyFields)
      return { id, parent_id: parentId, name: getRowName(id), idx, ...columns, created_at: at, updated_at: at }
    })
    await this.#put(table, Object.keys(made[0] ?? {}), made)
  }

  /** How many records of a type were made. */
  getMade(type: Pick<RecordType, 'name'>): number {
    return this.#made.get(type.name) ?? 0
  }

  /** The last number of each series that names were taken from, by the text before it. */
  lastNumbers(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#counters].filter(([key]) => key.startsWith('#')).map(([key, last]) => [key.slice(1), last]),
    )
  }

  async #put(name: string, columns: readonly string[], rows: readonly Row<string>[]): Promise<void> {
    if (rows.length > 0) await this.#load({ name, columns }, rows)
  }

  #getId(kind: string, moment: number): string {
    return this.#plan.ids.of(`record ${kind}`, this.#next(kind), moment)
  }

  #getName({ name, naming }: RecordType, fields: AnyFields, moment: number): string {
    if (naming.by === 'type') return name
    if (naming.by === 'field') return String(fields[naming.field])
    if (naming.by === 'hash')
      return getRowName(this.#plan.ids.of(`name ${name}`, this.#next(`name ${name}`), moment)).slice(-10)
    if (naming.by === 'rule') throw new Error(`a ${name} is named by a rule, so that its name must be given`)
    const pattern = naming.by === 'series' ? naming.series.replaceAll('.', '') : naming.format.replace(/[{}]/g, '')
    const head = pattern.replace('YYYY', this.#year.format(moment)).replace(/(?<!#)#+$/, '')
    // All formats share the counter of the empty text, as the service has it.
    const number = this.#next(`#${naming.by === 'series' ? head : ''}`) + 1
    return head + String(number).padStart(5, '0')
  }

  /** How often it was asked before for this key. */
  #next(key: string): number {
    const count = this.#counters.get(key) ?? 0
    this.#counters.set(key, count + 1)
    return count
  }
}

function getColumns(type: RecordType, fields: AnyFields): Record<string, CopyValue> {
  return Object.fromEntries(
    getValueFields(type).map(([name, field]) => {
      const value = fields[name]
      return [name, value === undefined ? getDefault(field) : (value as CopyValue)]
    }),
  )
}

const numberTypes: readonly string[] = ['Check', 'Int', 'Float', 'Currency', 'Percent']

function getDefault(field: Field): CopyValue {
  if (field.default !== undefined && field.default !== 'Today' && field.default !== 'Now') return field.default
  if (numberTypes.includes(field.type)) return 0
  return field.type === 'Select' ? (field.options[0] ?? null) : null
}
