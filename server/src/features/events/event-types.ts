import { type EventType, eventScopes, eventTypes, feedBounds, type Scope } from '@matricula/contract'
import { empty, join, type Sql, sql } from '../../database/index.ts'
import { Problem, validationProblem } from '../../errors/index.ts'

/** The events of a reader, by kind of record and by type. Null for all. */
export type EventSelection = { readonly nouns: readonly string[]; readonly types: readonly string[] } | null

/** The events that a token with these scopes may read. */
export function readableEvents(scopes: ReadonlySet<Scope>): NonNullable<EventSelection> {
  const nouns = [...eventScopes].filter(([, scope]) => scopes.has(scope)).map(([noun]) => noun)
  return { nouns, types: [] }
}

/**
 * Reads a list of types, separated by commas, of which `noun.*` stands for all of a kind of record.
 *
 * @throws Problem `validation_failed` for a type that does not exist, and for more than fifty
 */
export function parseEventTypes(list: string): NonNullable<EventSelection> {
  const names = list.split(',').map((word) => word.trim())
  if (names.length > feedBounds.types) throw typesError('too_long', `names more than ${feedBounds.types} types`)
  const { selection, unknown } = selectTypes(names)
  const [first] = unknown
  if (first === undefined) return selection
  throw typesError('not_in_enum', `names the type ${JSON.stringify(names[first])}, which does not exist`)
}

/** What types select, of which `noun.*` stands for all of a kind of record, and the places of those that do not exist. */
export function selectTypes(names: readonly string[]): { selection: NonNullable<EventSelection>; unknown: number[] } {
  const nouns = new Set<string>()
  const types = new Set<string>()
  const unknown: number[] = []
  for (const [position, word] of names.entries()) {
    const noun = /^(\w+)\.\*$/.exec(word)?.[1]
    if (noun !== undefined && eventScopes.has(noun)) nouns.add(noun)
    else if (Object.hasOwn(eventTypes, word)) types.add(word)
    else unknown.push(position)
  }
  return { selection: { nouns: [...nouns], types: [...types] }, unknown }
}

/** The part of a selection that a token with these scopes may read. */
export function readablePart(
  { nouns, types }: NonNullable<EventSelection>,
  scopes: ReadonlySet<Scope>,
): NonNullable<EventSelection> {
  const isReadable = (noun: string) => scopes.has(eventScopes.get(noun) as Scope)
  return {
    nouns: nouns.filter(isReadable),
    types: types.filter((type) => isReadable(getNoun(type as EventType))),
  }
}

/** Throws `insufficient_scope` where a token with these scopes may not read all that is selected. */
export function requireReadable(selection: EventSelection, scopes: ReadonlySet<Scope>): void {
  const wanted = new Set(selection?.nouns)
  for (const type of selection?.types ?? []) wanted.add(getNoun(type as EventType))
  for (const noun of wanted) {
    const scope = eventScopes.get(noun) as Scope
    if (scopes.has(scope)) continue
    throw new Problem('insufficient_scope', `Events of the kind ${noun} need the scope ${scope}.`, {
      requiredScope: scope,
      grantedScopes: [...scopes],
    })
  }
}

/** Whether events of a type are selected. */
export function isSelected(selection: EventSelection, type: string): boolean {
  if (selection === null) return true
  return selection.types.includes(type) || selection.nouns.includes(type.split('.')[0] as string)
}

/** The condition on the type of an event that it is selected. */
export function selectedEvents(selection: EventSelection, type = sql`e.type`): Sql {
  if (selection === null) return empty
  const { nouns, types } = selection
  const ways = [
    ...(nouns.length > 0 ? [sql`split_part(${type}, '.', 1) = any (${nouns}::text[])`] : []),
    ...(types.length > 0 ? [sql`${type} = any (${types}::text[])`] : []),
  ]
  return ways.length === 0 ? sql`and false` : sql`and (${join(ways, ' or ')})`
}

function getNoun(type: EventType): string {
  return type.split('.')[0] as string
}

function typesError(code: 'too_long' | 'not_in_enum', detail: string): Problem {
  return validationProblem([{ in: 'query', name: 'types', code, detail }])
}
