import type { Field, RecordType } from '@matricula/contract/record-types'
import { takesCustomFields } from '../../custom-fields/tenant-records.ts'
import { isNumber } from '../field-values.ts'
import type { RecordDefinition } from '../record-definition.ts'
import type { RecordRegistry } from '../record-registry.ts'
import { getRowTable, getTable, getTableFields, getValueFields, stampColumns } from '../record-tables.ts'

/** A table that the declaration of a record type implies. */
export interface DeclaredTable {
  readonly name: string
  /** The definition of each column: its type and constraints. */
  readonly columns: readonly DeclaredColumn[]
  /** Table constraints, as SQL. */
  readonly constraints: readonly DeclaredConstraint[]
  readonly indexes: readonly DeclaredIndex[]
  /** The columns that hold the name of a record of one type. */
  readonly links: readonly DeclaredLink[]
}

export interface DeclaredColumn {
  readonly name: string
  readonly type: string
  readonly rest: string
}

export interface DeclaredConstraint {
  readonly name: string
  /** The columns of the key, beginning with the tenant's. */
  readonly columns: readonly string[]
  readonly text: string
}

export interface DeclaredIndex {
  readonly name: string
  readonly isUnique: boolean
  readonly columns: readonly string[]
  readonly condition: string | null
}

export interface DeclaredLink {
  readonly name: string
  readonly column: string
  readonly target: string
  readonly targetColumn: string
  /** Whether records are found by what they link to. */
  readonly isIndexed: boolean
}

/**
 * The tables of the declared types and their rows, in the order in which they can be created. Types that the Client API
 * shares have tables of their features; the tables of their rows are here all the same.
 */
export function declaredTables(registry: RecordRegistry): DeclaredTable[] {
  return registry.all().flatMap((definition) => {
    const { type, storage } = definition
    if (definition.isPlatformTable) return []
    const own = storage === null ? [recordTable(registry, definition)] : []
    const rows = getTableFields(type)
      .filter(({ field }) => storage?.rowRelations?.[field] === undefined && !storage?.computedTables?.includes(field))
      .map(({ field, rows }) => rowTable(registry, definition, field, rows))
    return [...own, ...rows]
  })
}

const stamps: readonly DeclaredColumn[] = ['created_at', 'updated_at'].map((name) => ({
  name,
  type: 'timestamp(3) with time zone',
  rest: 'not null default current_stamp()',
}))

const authors: readonly DeclaredColumn[] = ['owner', 'modified_by'].map((name) => ({
  name,
  type: 'text',
  rest: `not null default 'Administrator'`,
}))

function recordTable(registry: RecordRegistry, definition: RecordDefinition): DeclaredTable {
  const { type } = definition
  const name = getTable(type)
  const links = getLinks(registry, definition, name, type)
  return {
    name,
    columns: [
      { name: 'tenant_id', type: 'uuid', rest: 'not null references tenants (id)' },
      { name: 'id', type: 'uuid', rest: 'not null' },
      { name: 'name', type: 'text', rest: 'not null' },
      ...authors,
      {
        name: 'docstatus',
        type: 'smallint',
        rest: `not null default 0 constraint ${name}_docstatus_check check (docstatus in (0, 1, 2))`,
      },
      ...valueColumns(type),
      ...(takesCustomFields(definition) ? [{ name: 'custom_fields', type: 'jsonb', rest: '' }] : []),
      { name: 'version', type: 'integer', rest: 'not null default 1' },
      ...stamps,
    ],
    constraints: [
      key(`${name}_pkey`, 'primary key', ['tenant_id', 'id']),
      key(`${name}_name_key`, 'unique', ['tenant_id', 'name']),
    ],
    indexes: [
      index(`${name}_any_case_key`, ['tenant_id', 'name collate any_case'], { isUnique: true }),
      ...listIndexes(name, definition),
      ...linkIndexes(name, links),
    ],
    links,
  }
}

function rowTable(registry: RecordRegistry, owner: RecordDefinition, field: string, rows: RecordType): DeclaredTable {
  const name = getRowTable(getTable(owner.type), field)
  const parent = owner.storage?.table ?? getTable(owner.type)
  const columns = ['tenant_id', 'parent_id']
  const links = getLinks(registry, owner, name, rows)
  return {
    name,
    columns: [
      ...['tenant_id', 'id', 'parent_id'].map((column) => ({ name: column, type: 'uuid', rest: 'not null' })),
      { name: 'name', type: 'text', rest: 'not null' },
      { name: 'idx', type: 'integer', rest: 'not null' },
      ...authors,
      { name: 'docstatus', type: 'smallint', rest: 'not null default 0' },
      ...valueColumns(rows),
      ...stamps,
    ],
    constraints: [
      key(`${name}_pkey`, 'primary key', ['tenant_id', 'id']),
      {
        name: `${name}_parent_fkey`,
        columns,
        text: `foreign key (tenant_id, parent_id) references ${parent} (tenant_id, id) on delete cascade`,
      },
    ],
    indexes: [
      index(`${name}_parent_idx`, [...columns, 'idx']),
      index(`${name}_name_key`, ['tenant_id', 'name'], { isUnique: true }),
      ...linkIndexes(name, links),
    ],
    links,
  }
}

function key(name: string, kind: 'primary key' | 'unique', columns: readonly string[]): DeclaredConstraint {
  return { name, columns, text: `${kind} (${columns.join(', ')})` }
}

function index(
  name: string,
  columns: readonly string[],
  { isUnique = false, condition = null }: Partial<Pick<DeclaredIndex, 'isUnique' | 'condition'>> = {},
): DeclaredIndex {
  return { name, isUnique, columns, condition }
}

function valueColumns(type: RecordType): DeclaredColumn[] {
  return getValueFields(type).map(([name, field]) => ({ name, ...getColumn(field) }))
}

/** The column type of a field. A number is never null, unless it is required and 0 would be a value. */
function getColumn(field: Field): { type: string; rest: string } {
  return { type: columnType(field), rest: isNumber(field) && field.required !== true ? 'not null default 0' : '' }
}

function columnType(field: Field): string {
  switch (field.type) {
    case 'Date':
      return 'date'
    case 'Datetime':
      return 'timestamp without time zone'
    case 'Time':
      return 'time without time zone'
    case 'Check':
      return 'smallint'
    case 'Int':
      return 'integer'
    default:
      return isNumber(field) || field.type === 'Duration' ? 'numeric' : 'text'
  }
}

/**
 * The foreign keys of a type or of its rows; none of a form, whose links may be deleted all the same, and none to a
 * computed type, which has no table.
 */
function getLinks(registry: RecordRegistry, owner: RecordDefinition, table: string, type: RecordType): DeclaredLink[] {
  if (owner.isForm) return []
  return getValueFields(type).flatMap(([column, field]) => {
    const isChecked = field.type === 'Link' && field.isUnchecked !== true
    const target = isChecked ? registry.find(field.target) : null
    if (target === null || target.computed !== null) return []
    return [
      {
        name: `${table}_${column}_fkey`,
        column,
        target: target.storage?.table ?? getTable(target.type),
        targetColumn: target.storage?.nameColumn ?? 'name',
        isIndexed: target.type.isCatalogue !== true && owner.type.kind !== 'single',
      },
    ]
  })
}

/** The indexes of lists; the unique key by name is one already. */
function listIndexes(table: string, { indexes }: RecordDefinition): DeclaredIndex[] {
  const others = indexes.filter((fields) => fields.at(-1) !== 'name')
  return others.map((fields) => {
    const columns = fields.map((field) => stampColumns[field] ?? field)
    return index(`${table}_${columns.join('_')}_idx`, ['tenant_id', ...columns, 'id'])
  })
}

function linkIndexes(table: string, links: readonly DeclaredLink[]): DeclaredIndex[] {
  return links
    .filter(({ isIndexed }) => isIndexed)
    .map(({ column }) => index(`${table}_${column}_idx`, ['tenant_id', column], { condition: `${column} is not null` }))
}
