import type { Field, RecordType } from '@matricula/contract/record-types'
import { column, identifier, type Sql, sql } from '../../database/index.ts'
import type { RecordDefinition } from './record-definition.ts'

/** Where the name of a linked record is read. */
interface NameSource {
  readonly relation: string
  /** The field with the name. */
  readonly name: string
  /** The field that links to the record. */
  readonly link: string
}

/** The sources by the declared field; a tenant's types have the same declarations. */
const sources = new WeakMap<Field, NameSource>()

/**
 * Notes the fields of a type, or of its rows, that fetch the title of the record they name, such as `student_name`. They are
 * read from that record, so that a corrected name is shown and found everywhere at once; the stored copy is what was
 * fetched when the record was saved.
 */
export function bindShownNames(type: RecordType, find: (name: string) => RecordDefinition | null): void {
  for (const field of Object.values(type.fields)) {
    if (field.type === 'Table') bindShownNames(field.rows, find)
    if (field.fetchFrom === undefined || field.fetchIfEmpty === true) continue
    const [link = '', name = ''] = field.fetchFrom.split('.')
    const linked = type.fields[link]
    const definition = linked?.type === 'Link' ? find(linked.target) : null
    if (definition === null || definition.computed !== null || definition.type.titleField !== name) continue
    sources.set(field, { relation: definition.relation, name, link })
  }
}

/** Whether a field shows the name of another record as it is there now. */
export function showsName(field: Field): boolean {
  return sources.has(field)
}

/** The value of a field of a record under an alias: the linked record's name where it shows one, else the column. */
export function readShown(field: Field, alias: Sql, stored: Sql): Sql {
  const source = sources.get(field)
  if (source === undefined) return stored
  return sql`coalesce((
    select named.${column(source.name)} from ${identifier(source.relation)} named
     where named.tenant_id = ${alias}.tenant_id and named.name = ${alias}.${column(source.link)}), ${stored})`
}
