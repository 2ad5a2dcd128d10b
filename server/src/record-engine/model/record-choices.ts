import type { Field } from '@matricula/contract/record-types'
import { getRowRelation, type RecordRegistry } from './record-registry.ts'
import { getTableFields, getValueFields } from './record-tables.ts'

/** The columns of record tables with values from a list. */
export interface RecordChoices {
  /** The type of the records of a table. */
  readonly types: ReadonlyMap<string, string>
  /** The columns of a table, or of a table of rows, whose values are chosen and not free text. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
}

/** Derives from the declarations which columns hold choices and not free text. */
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
