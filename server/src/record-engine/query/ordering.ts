import { join, type Sql, sql } from '../../database/index.ts'
import { RecordError } from '../model/record-error.ts'
import { parseFieldReference } from './filters/field-reference.ts'
import { isNote } from './note-columns.ts'
import { fieldNotPermitted, type QuerySources } from './query-sources.ts'
import type { SelectedField } from './selected-field.ts'

const maxTerms = 20

/** One term of `order by` or `group by`. */
export interface Term {
  /** Identifies the column; null for a computed value. */
  readonly id: string | null
  readonly raw: Sql
  readonly isNullable: boolean
  readonly isDescending: boolean
}

/**
 * Parses `order_by`: fields, or aliases of `fields`, each with `asc` or `desc`, separated by commas.
 *
 * @throws RecordError `DataError` for anything else, also for a field of rows that nothing else requests: the join
 * would multiply the records.
 */
export function readOrder(sources: QuerySources, fields: readonly SelectedField[], sent: unknown): Term[] {
  return termTexts('order_by', sent).map((text) => {
    const [, name = text, direction] = /^(.*\S)\s+(asc|desc)$/is.exec(text) ?? []
    const reference = parseFieldReference(name)
    if (reference !== null && sources.wouldJoinRows(reference)) throw rowsNotSelected(name)
    return { ...getTerm(sources, fields, name), isDescending: direction?.toLowerCase() === 'desc' }
  })
}

/** Parses `group_by`: fields, or aliases of `fields`, separated by commas. Throws `DataError` for anything else. */
export function readGroups(sources: QuerySources, fields: readonly SelectedField[], sent: unknown): Term[] {
  const plain = fields.filter(({ column }) => column !== null)
  return termTexts('group_by', sent).map((text) => {
    const term = getTerm(sources, plain, text)
    const field = term.id?.replace(/^r\./, '') ?? ''
    if (!isNote(field)) return { ...term, isDescending: false }
    throw new RecordError('DataError', `A list is not grouped by ${field}. Filter it by that instead.`)
  })
}

function termTexts(name: string, sent: unknown): string[] {
  if (sent === undefined || sent === null) return []
  const given = Array.isArray(sent) ? sent : [sent]
  if (given.some((item) => typeof item !== 'string')) {
    throw new RecordError('FrappeTypeError', `${name} must be text: names of fields with commas between.`)
  }
  const text = given.join(',').trim()
  if (text === '') return []
  const terms = text.split(',', maxTerms + 1).map((term) => term.trim())
  if (terms.length <= maxTerms) return terms
  throw new RecordError('DataError', `${name} has more than ${maxTerms} fields. Send fewer.`)
}

function getTerm(sources: QuerySources, fields: readonly SelectedField[], text: string): Omit<Term, 'isDescending'> {
  const bare = text.replace(/^([`'"])([\w ]+)\1$/, '$2')
  const named = fields.find(({ names }) => names.includes(text) || names.includes(bare))
  if (named !== undefined) return { id: named.column?.id ?? null, raw: named.raw, isNullable: named.isNullable }
  const reference = parseFieldReference(text)
  if (reference === null) throw fieldNotPermitted(text, sources.main.type)
  return sources.column(reference)
}

function rowsNotSelected(text: string): RecordError {
  return new RecordError(
    'DataError',
    `order_by names ${text.slice(0, 140)}, a field of rows that fields does not ask for. Add it to fields.`,
  )
}

/** The terms of `order by`. As upstream has it, nulls come first, and last in descending order. */
export function orderSql(terms: readonly Term[]): Sql {
  return join(
    terms.map(({ raw, isNullable, isDescending }) => {
      // The default order of nulls can be read from an index.
      if (!isNullable) return isDescending ? sql`${raw} desc` : raw
      return isDescending ? sql`${raw} desc nulls last` : sql`${raw} nulls first`
    }),
  )
}
