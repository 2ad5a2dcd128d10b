import type { RecordType } from '@matricula/contract/record-types'
import type { RecordDefinition } from './record-definition.ts'
import { RecordError } from './record-error.ts'
import { rowTableOf, tableFieldsOf, tableOf, valueFieldsOf } from './record-tables.ts'
import type { RecordWork, SiteDefaults } from './record-work.ts'

/** Where records of one type are named by records of another. */
export interface LinkPlace {
  /** The type that stands by itself: the linking one, or the one whose row links. */
  readonly owner: RecordDefinition
  /** The table field whose row links, or null. */
  readonly tableField: string | null
  readonly field: string
  /** Where the linking rows are kept. */
  readonly table: string
}

/** All record types of the service, with what their declarations imply. */
export class RecordRegistry {
  readonly #definitions: ReadonlyMap<string, RecordDefinition>
  readonly #links = new Map<string, LinkPlace[]>()
  /** What the tenant of a piece of work has set. */
  readonly siteDefaults: (work: RecordWork) => Promise<SiteDefaults>

  constructor(definitions: readonly RecordDefinition[], siteDefaults: (work: RecordWork) => Promise<SiteDefaults>) {
    this.#definitions = new Map(definitions.map((definition) => [definition.type.name, definition]))
    this.siteDefaults = siteDefaults
    for (const definition of definitions) this.#addLinks(definition)
  }

  all(): RecordDefinition[] {
    return [...this.#definitions.values()]
  }

  find(name: string): RecordDefinition | null {
    return this.#definitions.get(name) ?? null
  }

  /** The definition of a type. Throws `DoesNotExistError` for a name that no type has. */
  require(name: string): RecordDefinition {
    const definition = this.#definitions.get(name)
    if (definition !== undefined) return definition
    throw new RecordError('DoesNotExistError', `There is no record type ${JSON.stringify(name.slice(0, 140))}.`)
  }

  /** Whether a name is that of a type of rows, and the types that have such rows. */
  parentsOf(rowType: string): { owner: RecordDefinition; field: string; rows: RecordType }[] {
    return this.all().flatMap((owner) =>
      tableFieldsOf(owner.type)
        .filter(({ rows }) => rows.name === rowType)
        .map(({ field, rows }) => ({ owner, field, rows })),
    )
  }

  /** Every place that may name a record of a type. */
  linksTo(type: string): readonly LinkPlace[] {
    return this.#links.get(type) ?? []
  }

  #addLinks(owner: RecordDefinition): void {
    const add = (target: string, place: LinkPlace) => {
      this.#links.set(target, [...(this.#links.get(target) ?? []), place])
    }
    for (const [field, { type, ...rest }] of valueFieldsOf(owner.type)) {
      if (type === 'Link')
        add((rest as { target: string }).target, { owner, tableField: null, field, table: owner.relation })
    }
    for (const { field: tableField, rows } of tableFieldsOf(owner.type)) {
      if (owner.storage?.computedTables?.includes(tableField)) continue
      const table = rowRelationOf(owner, tableField)
      for (const [field, linked] of valueFieldsOf(rows)) {
        if (linked.type === 'Link') add(linked.target, { owner, tableField, field, table })
      }
    }
  }
}

/** Where the rows of a table field are read from. */
export function rowRelationOf({ storage, type }: RecordDefinition, field: string): string {
  return storage?.rowRelations?.[field] ?? rowTableOf(tableOf(type), field)
}
