import type { Sql } from '../../../database/index.ts'
import { sql } from '../../../database/index.ts'
import { type ReferencedType, type RosterContext, type RosterKind, reference } from './roster-context.ts'

/** A value of an object by which lists are filtered and sorted. */
export interface Field {
  /** An expression over the alias `o` of the source; of the type `texts` an array. */
  readonly value: Sql
  readonly type: 'text' | 'texts' | 'moment' | 'day' | 'number'
  /** The condition that it equals a text, where an index finds it faster than the value itself would. */
  readonly equals?: (text: string) => Sql
}

/** One of the selects that a class is the union of. */
export interface SourcePart {
  /** A select with a row for each object; an index gives it in the default order where it may be long. */
  readonly select: Sql
  /** A scalar select of the number of its rows, where that is known without reading them. */
  readonly count?: Sql
}

/** One class of OneRoster objects, read from our records. All expressions are over the alias `o` of the source. */
export interface RosterClass {
  /** The singular, which begins the body of a single object, such as `academicSession`. */
  readonly name: string
  /** A select with a row for each object, without order. */
  readonly source: (context: RosterContext) => Sql
  /** What the source is the union of, where a page need not read all of it. */
  readonly parts?: (context: RosterContext) => readonly SourcePart[]
  /** The fields by their dotted paths. */
  readonly fields: (context: RosterContext) => Readonly<Record<string, Field>>
  /** The members of an object in their order, as SQL that PostgreSQL makes JSON of; one that is null is left out. */
  readonly members: (context: RosterContext) => Readonly<Record<string, Sql>>
  /** The default order: total and stable. */
  readonly order: Sql
  /** The condition that an object has a sourcedId. */
  readonly isObject: (context: RosterContext, id: string) => Sql
  /** The sourcedIds of the people that an object is about, for the record of disclosures; null where it is about none. */
  readonly people: Sql | null
}

/** All rows of some selects. */
export const unionAll = (selects: readonly Sql[]): Sql => selects.reduce((all, each) => sql`${all} union all ${each}`)

/** A text field. */
export const textField = (value: Sql): Field => ({ type: 'text', value })

/** The members that every object begins with. */
export function leadingMembers(id: Sql): Record<string, Sql> {
  return { sourcedId: id, status: sql`o.status`, dateLastModified: sql`stamp_text(o.stamp)` }
}

/** The fields that every object has. */
export function leadingFields(id: Sql, equals?: (text: string) => Sql): Record<string, Field> {
  return {
    sourcedId: { type: 'text', value: id, ...(equals !== undefined && { equals }) },
    status: textField(sql`o.status`),
    dateLastModified: { type: 'moment', value: sql`o.stamp` },
  }
}

/** The fields of a reference to one object. */
export function referenceFields(
  context: RosterContext,
  name: string,
  type: ReferencedType,
  id: Sql,
  equals?: (text: string) => Sql,
): Record<string, Field> {
  const whole: Field = { type: 'text', value: id, ...(equals !== undefined && { equals }) }
  return {
    [name]: whole,
    [`${name}.sourcedId`]: whole,
    [`${name}.href`]: textField(sql`(${reference(context, type, id)} ->> 'href')`),
    [`${name}.type`]: textField(sql`${type}::text`),
  }
}

/** The fields of a list of references. */
export function listFields(name: string, type: string, ids: Sql): Record<string, Field> {
  return {
    [name]: { type: 'texts', value: ids },
    [`${name}.sourcedId`]: { type: 'texts', value: ids },
    [`${name}.type`]: textField(sql`${type}::text`),
  }
}

/** The kinds whose objects are records that are found by their ids. */
export type RecordKind = Exclude<RosterKind, 'gradebook'>
