import type { Field } from '@matricula/contract/record-types'
import { getRowRelation, type RecordRegistry } from './record-registry.ts'
import { getTableFields, getValueFields } from './record-tables.ts'

/** What the declarations say of the tables of records. */
export interface RecordChoices {
  /** The type of the records of a table. */
  readonly types: ReadonlyMap<string, string>
  /** The columns of a table, those of rows too, whose values are chosen from others and are nobody's own words. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
}

/** Reads off the declarations which columns hold what was chosen, and not what somebody wrote. */
export function recordChoices(registry: RecordRegistry): RecordChoices {
  const types = new Map<string, string>()
  const columns = new Map<string, ReadonlySet<string>>()
  const chosen = (fields: readonly (readonly [string, Field])[]) =>
    new Set(
      fields.flatMap(([name, { type }]) => (['Select', 'Link', 'Dynamic Link', 'Color'].includes(type) ? name : [])),
    )
  for (const definition of registry.all()) {
    types.set(definition.relation, definition.type.name)
    columns.set(definition.relation, chosen(getValueFields(definition.type)))
    for (const { field, rows } of getTableFields(definition.type)) {
      columns.set(getRowRelation(definition, field), chosen(getValueFields(rows)))
    }
  }
  return { types, columns }
}
