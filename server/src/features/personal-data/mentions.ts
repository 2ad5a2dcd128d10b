import { lockRows } from '../../concurrency/index.ts'
import { column, identifier, join, type Sql, sql, type Transaction } from '../../database/index.ts'
import type { Catalogue, Column } from './catalogue.ts'
import { clearedWith, personTables, recordCopyTables, shownNameColumns, unsearchedTables } from './declared.ts'
import { erasedText, type IdentifyingTerms } from './identifying-terms.ts'

/** A value that names the person, with its path: [] is the column itself, else the path in its JSON. */
interface FoundValue {
  readonly column: Column
  readonly path: readonly string[]
  readonly value: unknown
  /** The replacement; null removes the member. */
  readonly replacement: string | readonly string[] | null
}

/** A row of others that mentions the person. */
export interface Mention {
  readonly table: string
  readonly key: Readonly<Record<string, string>>
  readonly found: readonly FoundValue[]
}

/** The number of rows read at a time. */
const batchSize = 200

/** Entries about an erasure contain nothing about the person. */
const isErasureEntry = sql`(r.action in ('person.erased', 'vault_document.erased') or r.after is not distinct from '{"erased": true}'::jsonb)`

/** The tables that are searched for mentions. */
export function listSearchedTables(catalogue: Catalogue): string[] {
  return [...catalogue.columns.keys()].filter(
    (table) => unsearchedTables[table] === undefined && searchedColumns(catalogue, table).length > 0,
  )
}

/**
 * Finds rows of a table that mention the person in a text, list or JSON, a few hundred at a time: by names, addresses,
 * numbers, and in record copies by id or code. Reads the table once, without the rows in `except`.
 */
export async function* findMentions(
  tx: Transaction,
  catalogue: Catalogue,
  table: string,
  terms: IdentifyingTerms,
  except: Sql = sql`false`,
): AsyncGenerator<Mention> {
  const prefilter = buildPrefilter(table, terms)
  if (prefilter === '') return
  const keys = keyColumns(catalogue, table)
  const order = join(keys.map(({ name }) => sql`r.${column(name)}`))
  for (let after: Sql = sql`true`; ; ) {
    const rows = await readRows(
      tx,
      catalogue,
      table,
      sql`${mayMention(catalogue, table, prefilter)} and not coalesce((${except}), false) and ${after}
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

/** Erases mentions in a table; returns the number of rows, and the ids of records. */
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
  for await (const seen of findMentions(tx, catalogue, table, terms)) {
    // It may have changed before it was locked.
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

/** The columns of the primary key, in its order. */
export function keyColumns(catalogue: Catalogue, table: string): Column[] {
  const columns = catalogue.columns.get(table) ?? []
  return columns
    .filter(({ keyPosition }) => keyPosition !== null)
    .sort((one, other) => (one.keyPosition as number) - (other.keyPosition as number))
}

function buildPrefilter(table: string, { keys, own, shared }: IdentifyingTerms): string {
  const inCopies = recordCopyTables.has(table) ? [...keys].map((key) => key.replace(/[^\p{L}\p{N}]/gu, '\\$&')) : []
  return [...own.map(({ prefilter }) => prefilter), ...shared.map(({ prefilter }) => prefilter), ...inCopies].join('|')
}

type Row = Readonly<Record<string, string | readonly string[] | null>>

/** Reads the key and searched columns of rows; JSON as text, because its numbers must not change. */
function readRows(tx: Transaction, catalogue: Catalogue, table: string, where: Sql): Promise<Row[]> {
  const keys = keyColumns(catalogue, table).map(({ name }) => sql`r.${column(name)}::text`)
  const values = searchedColumns(catalogue, table).map(({ name, type }) =>
    type === 'text[]' ? sql`r.${column(name)}` : sql`r.${column(name)}::text`,
  )
  return tx.query<Row>(sql`
    select ${join([...keys, ...values])} from ${identifier(table)} r where r.tenant_id = ${tx.tenantId} and ${where}`)
}

function mayMention(catalogue: Catalogue, table: string, prefilter: string): Sql {
  const texts = searchedColumns(catalogue, table).map(({ name }) => sql`r.${column(name)}::text`)
  const isSearched = table === 'audit_entries' ? sql`not ${isErasureEntry}` : sql`true`
  return sql`${isSearched} and concat_ws(E'\n', ${join(texts)}) ~* ${prefilter}`
}

function findMention(catalogue: Catalogue, table: string, row: Row, terms: IdentifyingTerms): Mention | null {
  const columns = searchedColumns(catalogue, table)
  const texts = columns.flatMap(({ name }) => row[name])
  const isIdentified = texts.some(
    (text) => text != null && (terms.keys.has(text) || terms.own.some(({ pattern }) => text.search(pattern) >= 0)),
  )
  const isOfPeople = personTables.some((each) => each.table === table)
  const found = columns.flatMap((each): FoundValue[] => {
    const value = row[each.name]
    if (value == null) return []
    const isName = isOfPeople || shownNameColumns.has(each.name)
    // A shared name counts where something else in the row identifies the person.
    const patterns = [...terms.own, ...(isIdentified && !isName ? terms.shared : [])].map(({ pattern }) => pattern)
    if (typeof value !== 'string') return foundInList(each, value, patterns, terms)
    if (each.type === 'jsonb') {
      return findInJson(JSON.parse(value), { column: each, patterns, terms, isCopy: recordCopyTables.has(table) })
    }
    return foundInText(each, value, patterns, terms, table)
  })
  if (found.length === 0) return null
  const key = Object.fromEntries(keyColumns(catalogue, table).map(({ name }) => [name, row[name] as string]))
  return { table, key, found }
}

/** Whether a text has an id or code of the person, or a name, address or number that is nobody else's. */
export function namesPerson(text: string, { keys, own }: IdentifyingTerms): boolean {
  return [...keys].some((key) => text.includes(key)) || own.some(({ pattern }) => text.search(pattern) >= 0)
}

/** A text without the person; a key alone is a reference and stays. */
function eraseTerms(text: string, patterns: readonly RegExp[], { keys }: IdentifyingTerms): string {
  return keys.has(text) ? text : patterns.reduce((rest, pattern) => rest.replace(pattern, erasedText), text)
}

function foundInText(
  own: Column,
  value: string,
  patterns: readonly RegExp[],
  terms: IdentifyingTerms,
  table: string,
): FoundValue[] {
  // A stored idempotent response is a copy of records, useless without the person.
  if (table === 'idempotency_keys' && own.name === 'body') {
    const names = [...terms.keys].some((key) => value.includes(`"${key}"`))
    return names || patterns.some((pattern) => value.search(pattern) >= 0)
      ? [{ column: own, path: [], value, replacement: '{}' }]
      : []
  }
  const replacement = eraseTerms(value, patterns, terms)
  return replacement === value ? [] : [{ column: own, path: [], value, replacement }]
}

function foundInList(
  own: Column,
  values: readonly string[],
  patterns: readonly RegExp[],
  terms: IdentifyingTerms,
): FoundValue[] {
  const replacement = values.map((value) => eraseTerms(value, patterns, terms))
  return replacement.some((value, index) => value !== values[index])
    ? [{ column: own, path: [], value: values, replacement }]
    : []
}

interface JsonSearch {
  readonly column: Column
  readonly patterns: readonly RegExp[]
  readonly terms: IdentifyingTerms
  /** Whether it is a copy of records, in which an object may be about the person. */
  readonly isCopy: boolean
}

function findInJson(value: unknown, search: JsonSearch, path: readonly string[] = [], isAbout = false): FoundValue[] {
  const { patterns, terms, isCopy } = search
  if (typeof value === 'string') {
    const replacement =
      isAbout && !terms.keys.has(value) && value !== '' ? erasedText : eraseTerms(value, patterns, terms)
    return replacement === value ? [] : [{ column: search.column, path, value, replacement }]
  }
  if (typeof value !== 'object' || value === null) return []
  const members = Object.entries(value)
  const isOwn = isAbout || (isCopy && !Array.isArray(value) && isAboutPerson(members, search, path))
  return members.flatMap(([name, member]): FoundValue[] => {
    const at = [...path, name]
    if (!Array.isArray(value) && eraseTerms(name, patterns, terms) !== name) {
      return [{ column: search.column, path: at, value: { [name]: member }, replacement: null }]
    }
    // A custom field's reference does not make a record about that person.
    const isCustom = name === 'custom_fields' || name === 'customFields'
    return findInJson(member, isCustom ? { ...search, isCopy: false } : search, at, isOwn)
  })
}

/** Whether an object names the person by an id or code, or, when nested, by nothing but a name, address or number. */
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

function setsOf({ table, found }: Mention): Sql[] {
  const values = new Map<string, Sql>()
  for (const { column: own, path, replacement } of found) {
    const others = clearedWith[`${table}.${own.name}`] ?? []
    for (const name of others) values.set(name, sql`null`)
    if (others.length > 0) continue
    const current = values.get(own.name) ?? sql`r.${column(own.name)}`
    values.set(
      own.name,
      path.length === 0 && own.type !== 'jsonb' ? sql`${replacement}` : inJson(current, path, replacement),
    )
  }
  return [...values].map(([name, value]) => sql`${column(name)} = ${value}`)
}

function inJson(current: Sql, path: readonly string[], replacement: FoundValue['replacement']): Sql {
  if (replacement === null) return sql`${current} #- ${[...path]}::text[]`
  if (path.length === 0) return sql`to_jsonb(${replacement}::text)`
  return sql`jsonb_set(${current}, ${[...path]}::text[], to_jsonb(${replacement}::text))`
}
