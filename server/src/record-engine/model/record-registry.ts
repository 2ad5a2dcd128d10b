import type { Field, RecordType } from '@matricula/contract/record-types'
import type { RecordWork, SiteDefaults } from '../lifecycle/record-work.ts'
import { defineRecord, type RecordDefinition } from './record-definition.ts'
import { RecordError } from './record-error.ts'
import { getRowTable, getTable, getTableFields, getValueFields } from './record-tables.ts'

/** Where records of one type are named by records of another. */
export interface LinkLocation {
  /** The type that stands by itself: the linking one, or the one whose row links. */
  readonly owner: RecordDefinition
  /** The table field whose row links, or null. */
  readonly tableField: string | null
  readonly field: string
  /** For a link to records of several types, the field that says of which. */
  readonly typeField: string | null
  /** Where the linking rows are kept. */
  readonly table: string
}

/** A table field, which holds rows of a type. */
export interface RowLocation {
  readonly owner: RecordDefinition
  readonly field: string
  readonly rows: RecordType
}

/**
 * All declared record types, bound to what the features do about them, with what their declarations imply. A type that no
 * feature says anything about has no rules.
 */
export class RecordRegistry {
  readonly #definitions: ReadonlyMap<string, RecordDefinition>
  readonly #links = new Map<string, LinkLocation[]>()
  readonly #rowPlaces = new Map<string, RowLocation[]>()
  readonly #dynamicLinks: LinkLocation[] = []
  /** What the tenant of a piece of work has set. */
  readonly siteDefaults: (work: RecordWork) => Promise<SiteDefaults>

  constructor(
    types: readonly RecordType[],
    bound: readonly RecordDefinition[],
    siteDefaults: (work: RecordWork) => Promise<SiteDefaults>,
  ) {
    const definitionOf = new Map(bound.map((definition) => [definition.type, definition]))
    if (definitionOf.size !== bound.length) throw new Error('a record type is bound twice')
    this.#definitions = new Map(types.map((type) => [type.name, definitionOf.get(type) ?? defineRecord(type)]))
    this.siteDefaults = siteDefaults
    for (const definition of this.#definitions.values()) {
      if (definition.computed === null) this.#addLinks(definition)
      this.#addRowPlaces(definition)
    }
  }

  /** The types whose records are stored. */
  all(): RecordDefinition[] {
    return this.declared().filter(({ computed }) => computed === null)
  }

  /** Every type that stands by itself. */
  declared(): RecordDefinition[] {
    return [...this.#definitions.values()]
  }

  find(name: string): RecordDefinition | null {
    return this.#definitions.get(name) ?? null
  }

  /** The definition of a type. Throws `DoesNotExistError` for a name that no type has. */
  require(name: string): RecordDefinition {
    const definition = this.#definitions.get(name)
    if (definition !== undefined) return definition
    throw noSuchType(name)
  }

  /** A type by its name, also one of rows. Throws `DoesNotExistError` for a name that no type has. */
  getType(name: string): RecordType {
    const type = this.find(name)?.type ?? this.getParents(name)[0]?.rows
    if (type !== undefined) return type
    throw noSuchType(name)
  }

  /** The types that have rows of a type, with the table fields that hold them; none for a type that is not one of rows. */
  getParents(rowType: string): readonly RowLocation[] {
    return this.#rowPlaces.get(rowType) ?? []
  }

  /** Every place that may name a record of a type by a link to records of that type alone. */
  linksTo(type: string): readonly LinkLocation[] {
    return this.#links.get(type) ?? []
  }

  /** Every place that may name a record of any type, with the type beside it. */
  dynamicLinks(): readonly LinkLocation[] {
    return this.#dynamicLinks
  }

  /** The places of records that go with the one that they name, of any type. */
  dependents(): readonly LinkLocation[] {
    return this.#dynamicLinks.filter(({ owner, tableField, field }) => tableField === null && owner.goesWith === field)
  }

  #addRowPlaces(owner: RecordDefinition): void {
    for (const { field, rows } of getTableFields(owner.type)) {
      this.#rowPlaces.set(rows.name, [...this.getParents(rows.name), { owner, field, rows }])
    }
  }

  #addLinks(owner: RecordDefinition): void {
    const getFields = (type: RecordType, tableField: string | null, table: string) => {
      for (const [field, declared] of getValueFields(type)) this.#addLink(declared, { owner, tableField, field, table })
    }
    getFields(owner.type, null, owner.relation)
    for (const { field, rows } of getTableFields(owner.type)) {
      if (!owner.storage?.computedTables?.includes(field)) getFields(rows, field, getRowRelation(owner, field))
    }
  }

  #addLink(declared: Field, location: Omit<LinkLocation, 'typeField'>): void {
    if (declared.type === 'Link') {
      this.#links.set(declared.target, [...this.linksTo(declared.target), { ...location, typeField: null }])
    } else if (declared.type === 'Dynamic Link') {
      this.#dynamicLinks.push({ ...location, typeField: declared.typeField })
    }
  }
}

/** Clients take a 404 without a word for a record that is not there; this one they must hear of. */
function noSuchType(name: string): RecordError {
  return new RecordError('DoesNotExistError', `There is no record type ${JSON.stringify(name.slice(0, 140))}.`, {
    isToldByAll: true,
  })
}

/** Where the rows of a table field are read from. */
export function getRowRelation({ storage, type }: RecordDefinition, field: string): string {
  return storage?.rowRelations?.[field] ?? getRowTable(getTable(type), field)
}
