import type { Field, RecordType } from '@matricula/contract/record-types'
import type { RecordWork, SiteDefaults } from '../lifecycle/record-work.ts'
import { defineRecord, type RecordDefinition } from './record-definition.ts'
import { RecordError } from './record-error.ts'
import { getRowTable, getTable, getTableFields, getValueFields } from './record-tables.ts'
import { bindShownNames } from './shown-names.ts'

/** A field that links to records of a type. */
export interface LinkLocation {
  /** The linking type, or the type whose row links. */
  readonly owner: RecordDefinition
  /** The table field whose row links, or null. */
  readonly tableField: string | null
  readonly field: string
  /** The type field of a Dynamic Link; null for a Link. */
  readonly typeField: string | null
  /** The relation of the linking rows. */
  readonly table: string
}

/** A table field, which holds rows of a type. */
export interface RowLocation {
  readonly owner: RecordDefinition
  readonly field: string
  readonly rows: RecordType
}

/**
 * All declared record types, bound to the definitions of the features, with the links and rows that their declarations
 * imply. A type without a definition has no rules.
 */
export class RecordRegistry {
  readonly #definitions: ReadonlyMap<string, RecordDefinition>
  readonly #links = new Map<string, LinkLocation[]>()
  readonly #rowLocations = new Map<string, RowLocation[]>()
  readonly #dynamicLinks: LinkLocation[] = []
  /** Loads the defaults that the tenant has set. */
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
      this.#addRowLocations(definition)
      bindShownNames(definition.type, (name) => this.find(name))
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

  /**
   * The types that have rows of a type, with the table fields that hold them; none for a type that is not one of rows.
   */
  getParents(rowType: string): readonly RowLocation[] {
    return this.#rowLocations.get(rowType) ?? []
  }

  /** Every Link field to a type. */
  linksTo(type: string): readonly LinkLocation[] {
    return this.#links.get(type) ?? []
  }

  /** Every Dynamic Link field. */
  dynamicLinks(): readonly LinkLocation[] {
    return this.#dynamicLinks
  }

  /** The Dynamic Links of records that depend on the one that they name. */
  dependents(): readonly LinkLocation[] {
    return this.#dynamicLinks.filter(({ owner, tableField, field }) => tableField === null && owner.goesWith === field)
  }

  #addRowLocations(owner: RecordDefinition): void {
    for (const { field, rows } of getTableFields(owner.type)) {
      this.#rowLocations.set(rows.name, [...this.getParents(rows.name), { owner, field, rows }])
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
      if (declared.isUnchecked === true) return
      this.#links.set(declared.target, [...this.linksTo(declared.target), { ...location, typeField: null }])
    } else if (declared.type === 'Dynamic Link') {
      this.#dynamicLinks.push({ ...location, typeField: declared.typeField })
    }
  }
}

/** Clients take a 404 without `exc` for a missing record; this one must raise an error. */
function noSuchType(name: string): RecordError {
  return new RecordError('DoesNotExistError', `There is no record type ${JSON.stringify(name.slice(0, 140))}.`, {
    includesException: true,
  })
}

/** Where the rows of a table field are read from. */
export function getRowRelation({ storage, type }: RecordDefinition, field: string): string {
  return storage?.rowRelations?.[field] ?? getRowTable(getTable(type), field)
}
