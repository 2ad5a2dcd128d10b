import type { RecordType } from '@matricula/contract/record-types'
import type { RecordList } from '../../changes/index.ts'
import { identifier, join, column as quoted, type Sql, sql } from '../../database/index.ts'
import type { Caller } from '../model/caller.ts'
import { shownTo } from '../model/hidden-fields.ts'
import { mayDo, requireRight } from '../model/permissions.ts'
import type { RecordDefinition, RecordIndex } from '../model/record-definition.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import { getRowRelation, type RecordRegistry } from '../model/record-registry.ts'
import { getTableFields } from '../model/record-tables.ts'
import { computedRelation } from './computed-relation.ts'
import type { FieldReference } from './filters/field-reference.ts'
import type { Condition } from './filters/operand.ts'
import { listedColumn } from './listed-column.ts'
import { isNote, noteColumn, seesNotes } from './note-columns.ts'
import { findColumn, getAllColumns, type QueryColumn, type QuerySource } from './query-column.ts'
import { ownershipCondition, readsOnlyItsOwn } from './visibility/ownership.ts'

const maxJoins = 20

/**
 * The sources of one statement: the records of a type, or the rows of a table field, and the joins that named fields
 * need. The constructor and `column` throw `PermissionError` for what the caller may not read.
 */
export class QuerySources {
  readonly #registry: RecordRegistry
  readonly #caller: Caller
  readonly #owner: RecordDefinition
  readonly #relation: Sql
  readonly #joins: Sql[] = []
  readonly #joined = new Map<string, QuerySource>()
  /** The table field whose rows are joined, which repeats a record for each. */
  #rowField: string | null = null
  /** Table fields whose rows are only tested by `exists`, with their alias there. */
  readonly #lookedAt = new Map<string, string>()
  /** Whether something other than a field of the type was named. */
  #looksBeyond = false
  readonly main: QuerySource

  /**
   * `parent` is the type whose rows are read, where `typeName` is a type of rows.
   *
   * @throws RecordError `DoesNotExistError` for a name that no type has, `PermissionError` where the caller may not
   * read.
   */
  constructor(registry: RecordRegistry, caller: Caller, typeName: string, parent: unknown) {
    this.#registry = registry
    this.#caller = caller
    const locations = registry.getParents(typeName)
    const location = locations.find(({ owner }) => owner.type.name === parent)
    if (locations.length > 0 && location === undefined) {
      const owners = [...new Set(locations.map(({ owner }) => owner.type.name))].join(', ')
      throw new RecordError('PermissionError', `Rows are read by their parent. Send parent as one of ${owners}.`)
    }
    this.#owner = location?.owner ?? registry.require(typeName)
    requireRight(caller, this.#owner.type, 'read')
    this.#relation =
      location === undefined ? this.#getRecords(this.#owner) : this.#rowsIn(location.owner, location.field)
    this.main = {
      ...getSource(this.#caller, this.#owner),
      alias: 'r',
      type: location?.rows ?? shownTo(caller, this.#owner.type),
      isJoined: false,
      ...(location !== undefined && { linksById: {} }),
      rows: location === undefined ? null : this.#findRows(location.field, () => this.#parent().alias),
    }
  }

  /** The tenant whose records are read. */
  get tenantId(): string {
    return this.#caller.tenant.id
  }

  /** The time zone in which moments are shown and compared. */
  get timeZone(): string {
    return this.#caller.tenant.timeZone
  }

  /** The definition of a type by name, or null. */
  findDefinition(name: string): RecordDefinition | null {
    return this.#registry.find(name)
  }

  /** The column of a field that a client named. Throws `DataError` for an unknown or unreadable one. */
  column(reference: FieldReference): QueryColumn {
    const column = this.find(reference)
    if (column === null) throw fieldNotPermitted(reference.text, this.main.type)
    return column
  }

  /** The same, or null for an unknown field. */
  find(reference: FieldReference): QueryColumn | null {
    const source = this.#findSource(reference)
    if (source === null) return null
    const declared = findColumn(source, reference.field)
    if (declared !== null || source !== this.main) return declared
    return this.#note(reference.field) ?? this.#listed(reference.field)
  }

  /** The column of what other records say about those of the type; null where the caller may not read these. */
  #listed(field: string): QueryColumn | null {
    const values = this.listedValues(field)
    const declared = this.#owner.type.listedBy?.[field]
    return values === null || declared === undefined ? null : listedColumn(this.main.type, field, declared, values)
  }

  /**
   * A query of (`name`, `value`) for a name of `listedBy`, as far as the caller sees the records that say it; null for
   * any other name, and without the right.
   */
  listedValues(field: string): Sql | null {
    const values = Object.hasOwn(this.#owner.listedBy, field) ? this.#owner.listedBy[field] : undefined
    const declared = this.#owner.type.listedBy?.[field]
    if (values === undefined || declared === undefined || this.main.rows !== null) return null
    this.#looksBeyond = true
    const said = this.#registry.require(declared.saidBy)
    if (!mayDo(this.#caller, said.type, 'read')) return null
    return values(this.tenantId, join([sql`true`, ...this.#ownership(said, 's')], ' and '))
  }

  /** The column of notes on the records, for callers who see them. */
  #note(field: string): QueryColumn | null {
    if (this.main.rows !== null || !isNote(field)) return null
    this.#looksBeyond = true
    if (!seesNotes(this.#caller, this.#owner)) return null
    return noteColumn(this.tenantId, this.main.type, field)
  }

  /** Whether naming a field would join the rows of a table field, and so repeat records. */
  wouldJoinRows(reference: FieldReference): boolean {
    const field = this.#findTableField(reference)
    return field !== null && field !== this.#rowField
  }

  /**
   * Registers the fields that filters name, before their conditions are built. The rows of at most one table field are
   * joined: those that `fields` requests, else those of the only table that filters name. Others are tested by
   * `exists`.
   */
  lookAt(references: readonly FieldReference[]): void {
    const named = new Set(references.map((reference) => this.#findTableField(reference)))
    const others = [...named].filter((field) => field !== null && field !== this.#rowField) as string[]
    if (this.#rowField === null && others.length === 1) return
    for (const field of others) this.#lookedAt.set(field, `t${this.#lookedAt.size + 1}`)
  }

  /** The table fields whose rows filters test by `exists`. */
  get fieldsLookedAt(): readonly string[] {
    return [...this.#lookedAt.keys()]
  }

  /** The table field whose rows a filter tests by `exists`, or null. */
  lookedAt(reference: FieldReference): string | null {
    const field = this.#findTableField(reference)
    return field !== null && this.#lookedAt.has(field) ? field : null
  }

  /**
   * The condition that a record has a row which meets all conditions. A record without rows counts as having one in
   * which nothing is set.
   */
  hasRow(field: string, conditions: readonly Condition[]): Sql {
    const alias = identifier(this.#lookedAt.get(field) as string)
    const rows = sql`select from ${this.#rowsIn(this.#owner, field)} ${alias}
                      where ${alias}.tenant_id = ${this.tenantId} and ${alias}.parent_id = r.id`
    const met = sql`exists (${rows} and ${join(
      conditions.map((condition) => condition.sql),
      ' and ',
    )})`
    return conditions.every(({ holdsForUnset }) => holdsForUnset) ? sql`(${met} or not exists (${rows}))` : met
  }

  /**
   * The rows of a table field of each record, for a subquery with an alias of its own; null where the field is not a
   * table.
   */
  rowsWithin(field: string): { readonly source: QuerySource; readonly relation: Sql } | null {
    const table =
      this.main.rows === null ? getTableFields(this.main.type).find((each) => each.field === field) : undefined
    if (table === undefined) return null
    this.#looksBeyond = true
    const rows = this.#findRows(field, () => this.main.alias)
    const source = {
      ...getSource(this.#caller, this.#owner),
      type: table.rows,
      linksById: {},
      rows,
      isJoined: false,
      alias: 'n',
    }
    return { source, relation: this.#rowsIn(this.#owner, field) }
  }

  /** The columns of `*`, which may be qualified by a table field. */
  allColumns(reference: FieldReference): QueryColumn[] {
    const source = this.#findSource(reference)
    if (source === null) throw fieldNotPermitted(reference.text, this.main.type)
    return getAllColumns(source)
  }

  /** The conditions of every statement: the tenant, and the caller's ownership. */
  conditions(): Sql[] {
    const isOfParent = this.main.rows !== null && readsOnlyItsOwn(this.#caller, this.#owner)
    const alias = isOfParent ? this.#parent().alias : this.main.alias
    return [sql`r.tenant_id = ${this.tenantId}`, ...this.#ownership(this.#owner, alias)]
  }

  /** The indexes of the type, once every field was named; none where something is joined. */
  indexes(): readonly RecordIndex[] {
    return this.areRecords() ? this.#owner.indexes : []
  }

  /** Whether only fields of a stored type were named so far, so that the statement is the same for every caller. */
  get readsOnlyType(): boolean {
    return !this.#looksBeyond && this.main.rows === null && this.#owner.computed === null
  }

  /** Whether each row is one stored record, identified by its id, once every field was named. */
  areRecords(): boolean {
    return this.main.rows === null && this.#joins.length === 0 && this.#owner.computed === null
  }

  /**
   * The list of the Client API with the same records and a stored count; null otherwise, or where something is joined.
   */
  countedList(): RecordList | null {
    const list = this.main.rows === null && this.#joins.length === 0 ? this.#owner.storage?.list : undefined
    return list?.isCountedByStatus === true ? list : null
  }

  /** The `from` clause, once every field was named. */
  from(): Sql {
    return join([sql`${this.#relation} r`, ...this.#joins], ' ')
  }

  /** The indexes of joined rows in their records, the last terms of an order. */
  joinedRowOrder(): Sql[] {
    return [...this.#joined.values()]
      .filter(({ rows }) => rows !== null)
      .map(({ alias }) => sql`${identifier(alias)}.idx`)
  }

  /** The relation of the records of a type. */
  #getRecords(definition: RecordDefinition): Sql {
    const { computed, type, relation } = definition
    if (computed === null) return identifier(relation)
    const records = computed({ registry: this.#registry, caller: this.#caller })
    const numbered = records.map((document, id) => ({ id, parentId: null, document }))
    return computedRelation(type, this.tenantId, numbered)
  }

  /** The relation of the rows of a table field. */
  #rowsIn(owner: RecordDefinition, field: string): Sql {
    const { computed, type } = owner
    const rows = getTableFields(type).find((table) => table.field === field)?.rows
    if (computed === null || rows === undefined) return identifier(getRowRelation(owner, field))
    const records = computed({ registry: this.#registry, caller: this.#caller })
    const all = records.flatMap((record, parentId) =>
      (record[field] as AnyDocument[]).map((document) => ({ parentId, document })),
    )
    const numbered = all.map((row, id) => ({ ...row, id }))
    return computedRelation(rows, this.tenantId, numbered)
  }

  #findSource({ qualifier }: FieldReference): QuerySource | null {
    if (qualifier === null) return this.main
    this.#looksBeyond = true
    const { type } = this.main
    if (qualifier.by === 'type') {
      if (qualifier.name === type.name) return this.main
      if (this.main.rows !== null && qualifier.name === this.#owner.type.name) return this.#parent()
      const table = getTableFields(type).find(({ rows }) => rows.name === qualifier.name)
      return table === undefined ? null : this.#rows(table.field, table.rows)
    }
    const field = Object.hasOwn(type.fields, qualifier.name) ? type.fields[qualifier.name] : undefined
    if (field?.type === 'Table') return this.#rows(qualifier.name, field.rows)
    return field?.type === 'Link' ? this.#linked(qualifier.name, field.target) : null
  }

  /** The table field whose rows a field belongs to, or null. */
  #findTableField({ qualifier }: FieldReference): string | null {
    if (qualifier === null) return null
    const table = getTableFields(this.main.type).find(({ field, rows }) => {
      return qualifier.name === (qualifier.by === 'type' ? rows.name : field)
    })
    return table?.field ?? null
  }

  #findRows(parentField: string, parentAlias: () => string): QuerySource['rows'] {
    return { parentType: this.#owner.type.name, parentField, parentAlias }
  }

  /** The records that the rows of the statement belong to. */
  #parent(): QuerySource {
    return this.#join('parent', { ...getSource(this.#caller, this.#owner), isJoined: false }, (alias) => {
      return sql`join ${this.#getRecords(this.#owner)} ${alias}
                   on ${alias}.tenant_id = ${this.tenantId} and ${alias}.id = r.parent_id`
    })
  }

  #rows(field: string, type: RecordType): QuerySource {
    const source = {
      ...getSource(this.#caller, this.#owner),
      type,
      linksById: {},
      rows: this.#findRows(field, () => this.main.alias),
      isJoined: true,
    }
    const alias = this.#lookedAt.get(field)
    if (alias !== undefined) return { ...source, alias }
    if (this.#rowField !== null && this.#rowField !== field) throw twoTables(this.#rowField, field)
    this.#rowField = field
    return this.#join(`rows ${field}`, source, (alias) => {
      return sql`left join ${this.#rowsIn(this.#owner, field)} ${alias}
                   on ${alias}.tenant_id = ${this.tenantId} and ${alias}.parent_id = r.id`
    })
  }

  #linked(field: string, target: string): QuerySource | null {
    const linked = this.#registry.find(target)
    if (linked === null) return null
    requireRight(this.#caller, linked.type, 'read')
    return this.#join(`link ${field}`, { ...getSource(this.#caller, linked), isJoined: true }, (alias, name) => {
      const named = sql`${alias}.tenant_id = ${this.tenantId} and ${alias}.name = r.${quoted(field)}`
      const on = join([named, ...this.#ownership(linked, name)], ' and ')
      return sql`left join ${this.#getRecords(linked)} ${alias} on ${on}`
    })
  }

  #ownership(definition: RecordDefinition, alias: string): Sql[] {
    const condition = ownershipCondition(this.#registry, this.#caller, definition, alias)
    return condition === null ? [] : [condition]
  }

  #join(key: string, source: Omit<QuerySource, 'alias'>, clause: (alias: Sql, name: string) => Sql): QuerySource {
    const known = this.#joined.get(key)
    if (known !== undefined) return known
    if (this.#joins.length >= maxJoins) {
      throw new RecordError('DataError', `A list takes fields of at most ${maxJoins} other records. Ask for fewer.`)
    }
    const alias = `j${this.#joins.length + 1}`
    const joined: QuerySource = { ...source, alias }
    this.#joined.set(key, joined)
    this.#joins.push(clause(identifier(alias), alias))
    return joined
  }
}

function twoTables(one: string, other: string): RecordError {
  const text = `The list asks for rows of ${one} and of ${other}: each row of one would stand beside each of the other.`
  return new RecordError('DataError', `${text} Ask for the rows of one table at a time, or read the records whole.`)
}

/** The records of a type as a source. */
function getSource(
  caller: Caller,
  { type, storage, computed }: RecordDefinition,
): Pick<QuerySource, 'type' | 'isRegular' | 'linksById' | 'rows'> {
  return {
    type: shownTo(caller, type),
    isRegular: storage === null && computed === null,
    linksById: storage?.linksById ?? {},
    rows: null,
  }
}

/** The error for a field that a type does not have, or that nobody may read. */
export function fieldNotPermitted(text: string, type: RecordType): RecordError {
  const way = `Name a field of ${type.name}, of a linked record as link.field, or of its rows as table.field.`
  return new RecordError('DataError', `Field not permitted in query: ${text.slice(0, 140)}. ${way}`)
}
