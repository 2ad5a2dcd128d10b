import { lockRows } from '../../concurrency/index.ts'
import { column, identifier, join, type Sql, sql, type Transaction } from '../../database/index.ts'
import type { Catalogue, Column } from './catalogue.ts'
import { copiesOfRecords, notSearched, personTables, shownNameColumns } from './declared.ts'
import { erasedWord, type IdentifyingTerms } from './identifying-terms.ts'

/** A value that names the person, with its place in a column: [] is the column itself, else the path in its JSON. */
interface Found {
  readonly column: Column
  readonly path: readonly string[]
  readonly value: unknown
  /** What takes its place; null removes the member. */
  readonly becomes: string | readonly string[] | null
}

/** A row that is not the person's and names it. */
export interface Mention {
  readonly table: string
  readonly key: Readonly<Record<string, string>>
  readonly found: readonly Found[]
}

/** Rows that are read at once. */
const batchSize = 200

/** What tells of an erasing says nothing of the person. */
const tellsOfErasing = sql`(r.action in ('person.erased', 'vault_document.erased') or r.after is not distinct from '{"erased": true}'::jsonb)`

/** The tables of a catalogue in which a person may be mentioned. */
export function searchedTables(catalogue: Catalogue): string[] {
  return [...catalogue.columns.keys()].filter(
    (table) => notSearched[table] === undefined && searchedColumns(catalogue, table).length > 0,
  )
}

/**
 * Finds the rows of a table that name the person in a text, a list or JSON, a few hundred at a time: its names, addresses, numbers, and in
 * copies of records the objects that have its id or code. Reads the table once. `except` are rows that are not looked at.
 */
export async function* mentionsIn(
  tx: Transaction,
  catalogue: Catalogue,
  table: string,
  terms: IdentifyingTerms,
  except: Sql = sql`false`,
): AsyncGenerator<Mention> {
  const likely = likelyIn(table, terms)
  if (likely === '') return
  const keys = keyColumns(catalogue, table)
  const order = join(keys.map(({ name }) => sql`r.${column(name)}`))
  for (let after: Sql = sql`true`; ; ) {
    const rows = await readRows(
      tx,
      catalogue,
      table,
      sql`${mayMention(catalogue, table, likely)} and not coalesce((${except}), false) and ${after}
          order by ${order} limit ${batchSize}::int`,
    )
    for (const row of rows) {
      const mention = findMention(catalogue, table, row, terms)
      if (mention !== null) yield mention
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return
    after = sql`(${order}) > (${join(keys.map(({ name }) => sql`${last[name]}`))})`
  }
}

/** Takes the person out of the rows of others in a table; answers how many rows there were, and the ids of those that have one. */
export async function eraseMentions(
  tx: Transaction,
  catalogue: Catalogue,
  table: string,
  terms: IdentifyingTerms,
): Promise<{ count: number; ids: string[] }> {
  const columns = catalogue.columns.get(table) ?? []
  const has = (name: string) => columns.some((each) => each.name === name)
  const isRecord = has('id') && has('version') && has('updated_at')
  let count = 0
  const ids: string[] = []
  for await (const seen of mentionsIn(tx, catalogue, table, terms)) {
    // Somebody may have written to it before it was locked.
    if (isRecord) await lockRows(tx, table, [seen.key.id as string])
    const where = join(
      keyColumns(catalogue, table).map(({ name }) => sql`r.${column(name)} = ${seen.key[name]}`),
      ' and ',
    )
    const [row] = isRecord ? await readRows(tx, catalogue, table, where) : []
    const mention = row === undefined ? (isRecord ? null : seen) : findMention(catalogue, table, row, terms)
    if (mention === null) continue
    const sets = setsOf(mention)
    if (isRecord) sets.push(sql`version = r.version + 1`, sql`updated_at = greatest(current_stamp(), r.updated_at)`)
    await tx.query(sql`update ${identifier(table)} r set ${join(sets)} where r.tenant_id = ${tx.tenantId} and ${where}`)
    count += 1
    if (mention.key.id !== undefined) ids.push(mention.key.id)
  }
  return { count, ids }
}

function searchedColumns(catalogue: Catalogue, table: string): Column[] {
  const columns = catalogue.columns.get(table) ?? []
  return columns.filter(({ type, isKey }) => !isKey && (isText(type) || type === 'jsonb' || type === 'text[]'))
}

const isText = (type: string) => type === 'text' || type.startsWith('character varying')

function keyColumns(catalogue: Catalogue, table: string): Column[] {
  const columns = catalogue.columns.get(table) ?? []
  return columns
    .filter(({ keyPlace }) => keyPlace !== null)
    .sort((one, other) => (one.keyPlace as number) - (other.keyPlace as number))
}

function likelyIn(table: string, { keys, own, shared }: IdentifyingTerms): string {
  const inCopies = copiesOfRecords.has(table) ? [...keys].map((key) => key.replace(/[^\p{L}\p{N}]/gu, '\\$&')) : []
  return [...own.map(({ likely }) => likely), ...shared.map(({ likely }) => likely), ...inCopies].join('|')
}

type Row = Readonly<Record<string, string | readonly string[] | null>>

/** Reads the key and the searched columns of rows; JSON as text, because numbers in it are to stay as they are. */
function readRows(tx: Transaction, catalogue: Catalogue, table: string, where: Sql): Promise<Row[]> {
  const keys = keyColumns(catalogue, table).map(({ name }) => sql`r.${column(name)}::text`)
  const values = searchedColumns(catalogue, table).map(({ name, type }) =>
    type === 'text[]' ? sql`r.${column(name)}` : sql`r.${column(name)}::text`,
  )
  return tx.query<Row>(sql`
    select ${join([...keys, ...values])} from ${identifier(table)} r where r.tenant_id = ${tx.tenantId} and ${where}`)
}

function mayMention(catalogue: Catalogue, table: string, likely: string): Sql {
  const texts = searchedColumns(catalogue, table).map(({ name }) => sql`r.${column(name)}::text`)
  const isSearched = table === 'audit_entries' ? sql`not ${tellsOfErasing}` : sql`true`
  return sql`${isSearched} and concat_ws(E'\n', ${join(texts)}) ~* ${likely}`
}

function findMention(catalogue: Catalogue, table: string, row: Row, terms: IdentifyingTerms): Mention | null {
  const columns = searchedColumns(catalogue, table)
  const texts = columns.flatMap(({ name }) => row[name])
  const isIdentified = texts.some(
    (text) => text != null && (terms.keys.has(text) || terms.own.some(({ pattern }) => text.search(pattern) >= 0)),
  )
  const isOfPeople = personTables.some((each) => each.table === table)
  const found = columns.flatMap((each): Found[] => {
    const value = row[each.name]
    if (value == null) return []
    const isName = isOfPeople || shownNameColumns.has(each.name)
    // A name that others have as well is that of the person where something else in the row tells so.
    const patterns = [...terms.own, ...(isIdentified && !isName ? terms.shared : [])].map(({ pattern }) => pattern)
    if (typeof value !== 'string') return foundInList(each, value, patterns, terms)
    if (each.type === 'jsonb') {
      return foundInJson(JSON.parse(value), { column: each, patterns, terms, isCopy: copiesOfRecords.has(table) })
    }
    return foundInText(each, value, patterns, terms, table)
  })
  if (found.length === 0) return null
  const key = Object.fromEntries(keyColumns(catalogue, table).map(({ name }) => [name, row[name] as string]))
  return { table, key, found }
}

/** A text without the person; a key by itself refers to a record and stays. */
function without(text: string, patterns: readonly RegExp[], { keys }: IdentifyingTerms): string {
  return keys.has(text) ? text : patterns.reduce((rest, pattern) => rest.replace(pattern, erasedWord), text)
}

function foundInText(
  own: Column,
  value: string,
  patterns: readonly RegExp[],
  terms: IdentifyingTerms,
  table: string,
): Found[] {
  // An answer that is kept for a repeated request is a copy of records: without the person it is of no use.
  if (table === 'idempotency_keys' && own.name === 'body') {
    const names = [...terms.keys].some((key) => value.includes(`"${key}"`))
    return names || patterns.some((pattern) => value.search(pattern) >= 0)
      ? [{ column: own, path: [], value, becomes: '{}' }]
      : []
  }
  const becomes = without(value, patterns, terms)
  return becomes === value ? [] : [{ column: own, path: [], value, becomes }]
}

function foundInList(
  own: Column,
  values: readonly string[],
  patterns: readonly RegExp[],
  terms: IdentifyingTerms,
): Found[] {
  const becomes = values.map((value) => without(value, patterns, terms))
  return becomes.some((value, index) => value !== values[index])
    ? [{ column: own, path: [], value: values, becomes }]
    : []
}

interface JsonSearch {
  readonly column: Column
  readonly patterns: readonly RegExp[]
  readonly terms: IdentifyingTerms
  /** Whether it is a copy of records, in which an object may be about the person. */
  readonly isCopy: boolean
}

function foundInJson(value: unknown, search: JsonSearch, path: readonly string[] = [], isAbout = false): Found[] {
  const { patterns, terms, isCopy } = search
  if (typeof value === 'string') {
    const becomes = isAbout && !terms.keys.has(value) && value !== '' ? erasedWord : without(value, patterns, terms)
    return becomes === value ? [] : [{ column: search.column, path, value, becomes }]
  }
  if (typeof value !== 'object' || value === null) return []
  const members = Object.entries(value)
  const isOwn = isAbout || (isCopy && !Array.isArray(value) && isAboutPerson(members, search, path))
  return members.flatMap(([name, member]): Found[] => {
    const at = [...path, name]
    if (!Array.isArray(value) && without(name, patterns, terms) !== name) {
      return [{ column: search.column, path: at, value: { [name]: member }, becomes: null }]
    }
    // What an institution's own fields refer to makes no record one about that.
    const isCustom = name === 'custom_fields' || name === 'customFields'
    return foundInJson(member, isCustom ? { ...search, isCopy: false } : search, at, isOwn)
  })
}

/** Whether an object names the person by an id or code, or, within another one, by nothing but a name, an address or a number. */
function isAboutPerson(
  members: readonly [string, unknown][],
  { patterns, terms }: JsonSearch,
  path: readonly string[],
): boolean {
  return members.some(
    ([, member]) =>
      typeof member === 'string' &&
      (terms.keys.has(member) ||
        (path.length > 0 && patterns.some((pattern) => member.replace(pattern, '') === '' && member !== ''))),
  )
}

function setsOf({ found }: Mention): Sql[] {
  const values = new Map<string, Sql>()
  for (const { column: own, path, becomes } of found) {
    const current = values.get(own.name) ?? sql`r.${column(own.name)}`
    values.set(own.name, path.length === 0 && own.type !== 'jsonb' ? sql`${becomes}` : inJson(current, path, becomes))
  }
  return [...values].map(([name, value]) => sql`${column(name)} = ${value}`)
}

function inJson(current: Sql, path: readonly string[], becomes: Found['becomes']): Sql {
  if (becomes === null) return sql`${current} #- ${[...path]}::text[]`
  if (path.length === 0) return sql`to_jsonb(${becomes}::text)`
  return sql`jsonb_set(${current}, ${[...path]}::text[], to_jsonb(${becomes}::text))`
}
