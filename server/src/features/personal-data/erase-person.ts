import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess, recordChanges } from '../../changes/index.ts'
import type { Lock } from '../../concurrency/index.ts'
import { lockInOrder, lockTenantExclusive } from '../../concurrency/index.ts'
import { column, identifier, join, type Sql, sql, type Transaction } from '../../database/index.ts'
import { takeAllWaiting } from '../search/index.ts'
import type { Column } from './catalogue.ts'
import { goAltogether, reportedAs, retainedColumns } from './declared.ts'
import { erasedWord, type IdentifyingTerms, identifyingTerms } from './identifying-terms.ts'
import { eraseMentions, searchedTables } from './mentions.ts'
import type { PersonRows, Rows } from './person-rows.ts'

/** What was, or would be, erased: rows that lose their words or go, by table. */
export interface Erased {
  readonly records: Readonly<Record<string, number>>
  /** The ids of versions whose files are to be removed once this is committed. */
  readonly files: readonly string[]
}

/** Columns that must not be empty, because people and programs are shown them. */
const shownNames = new Set(['display_name', 'first_name', 'full_name', 'title', 'file_name'])

/** How an erasing finds what it erases, and which columns of a table are chosen from lists and stay. */
interface ToBeErased {
  /** Asked before rows are locked and again afterwards, since somebody may have written meanwhile. */
  find(): Promise<PersonRows>
  readonly keptFields: ReadonlyMap<string, ReadonlySet<string>>
}

/** Rows of a table that lose their words, or go altogether, and are not so yet. */
interface Step {
  readonly table: string
  readonly where: Sql
  /** What is set; null: the rows go. */
  readonly sets: readonly Sql[] | null
  readonly hasId: boolean
}

/**
 * Tells what `erasePerson` would erase, and changes nothing: does it and takes it back, so that both find the same. Holds the same locks
 * meanwhile.
 */
export async function toBeErased(tx: Transaction, options: ToBeErased): Promise<Erased> {
  await locked(tx, options.find)
  await tx.query(sql`savepoint as_it_was`)
  const { erased } = await eraseRows(tx, options)
  await tx.query(sql`rollback to savepoint as_it_was`)
  return erased
}

/**
 * Takes from everything that is stored of a person what tells who it was: names, addresses, words, answers, documents, mails, log-ins, and
 * what the audit kept of them. Rows of the ledger and of statistics stay, without words. Then every other text, list and JSON of the
 * institution is searched for what identifies the person, see `mentionsIn`. Mirrors are told of the records that changed.
 * What is erased already is not erased again. Runs as the owner of the tables, who alone may change the audit.
 */
export async function erasePerson(tx: Transaction, context: ChangeContext, options: ToBeErased): Promise<Erased> {
  await locked(tx, options.find)
  const { erased, changed, person } = await eraseRows(tx, options)
  const { records } = erased
  tell(tx, context, changed)
  if (Object.keys(records).length > 0) {
    const [first] = person
    const facts = { records, people: person.map(({ table, id }) => ({ kind: table.kind, id })) }
    recordAccess(tx, context, {
      action: first?.table.kind === 'document' ? 'vault_document.erased' : 'person.erased',
      entityType: first?.table.kind === 'document' ? 'vault_document' : (first?.table.kind ?? 'person'),
      entityId: first?.id ?? null,
      facts,
    })
  }
  return erased
}

/** Erases the person's own rows, then what those of others say of it. */
async function eraseRows(tx: Transaction, { find, keptFields }: ToBeErased) {
  const found = await find()
  const { person, ids } = found
  const names = await loadNames(tx, found)
  const terms = await findTerms(tx, found)
  const records: Record<string, number> = {}
  const changed = new Map<string, string[]>()
  for (const step of stepsFor(found, names, keptFields)) {
    const rows = await take(tx, step)
    add(records, step.table, rows.length)
    changed.set(step.table, [...(changed.get(step.table) ?? []), ...rows.flatMap(({ id }) => id ?? [])])
  }
  const files = [...(ids.get('document_versions') ?? [])]
  if (files.length > 0) {
    // Nobody is led to their files any more, and the job that looks after uploads removes what this command does not come to.
    await tx.query(sql`
      update document_versions set status = 'failed'
       where tenant_id = ${tx.tenantId} and id = any (${files}::uuid[]) and status <> 'failed'`)
  }
  await leaveLogIn(tx, found)
  await endLogIn(tx, found)
  if (terms !== null) {
    for (const table of searchedTables(found.catalogue)) {
      const mentions = await eraseMentions(tx, found.catalogue, table, terms)
      add(records, table, mentions.count)
      changed.set(table, [...(changed.get(table) ?? []), ...mentions.ids])
    }
  }
  await takeAllWaiting(tx)
  return { erased: { records, files }, changed, person }
}

/** What the person is searched by; null for a document, which is erased by itself. */
async function findTerms(tx: Transaction, { person }: PersonRows): Promise<IdentifyingTerms | null> {
  return person.every(({ table }) => table.kind === 'document') ? null : identifyingTerms(tx, person)
}

function add(records: Record<string, number>, table: string, count: number): void {
  if (count > 0) records[table] = (records[table] ?? 0) + count
}

/** What is stored of a person, once nobody else can write to it. */
async function locked(tx: Transaction, find: () => Promise<PersonRows>): Promise<PersonRows> {
  const { person, ids } = await find()
  // A log-in gets another name, to which rows of every kind refer.
  if (person.some(({ table, code }) => table.table === 'users' && !isErasedUser(code))) await lockTenantExclusive(tx)
  const locks = [...ids].flatMap(([kind, keys]) => keys.map((key): Lock => ({ kind, key })))
  await lockInOrder(tx, locks)
  return find()
}

/** What is done to the rows of a person, in this order: those that name it by no key, while what they refer to is there; those that go; the rest. */
function stepsFor(
  { catalogue, rows }: PersonRows,
  names: readonly string[],
  keptFields: ReadonlyMap<string, ReadonlySet<string>>,
): Step[] {
  const loose = rows.filter(({ bond }) => bond === 'loose').flatMap((each) => looseStep(each, names) ?? [])
  const others = rows.filter(({ bond }) => bond !== 'loose')
  const isGone = ({ table, bond }: Rows) => bond === 'own' && goAltogether.has(table)
  const gone = others
    .filter(isGone)
    .map(({ table, condition }): Step => ({ table, where: condition, sets: null, hasId: false }))
  const blanked = others
    .filter((each) => !isGone(each))
    .flatMap((each) => {
      const all = catalogue.columns.get(each.table) ?? []
      const columns = all.filter(
        (one) =>
          each.bond === 'naming'
            ? each.words.includes(one.name)
            : saysSomething(one, keptFields.get(each.table)) && !(each.table === 'users' && one.name === 'email'), // see `endLogIn`
      )
      return columns.length === 0 ? [] : [blankStep(each, columns, all)]
    })
  return [...loose, ...gone, ...blanked]
}

/** Does a step; answers its rows. */
function take(tx: Transaction, { table, where, sets, hasId }: Step): Promise<{ id?: string }[]> {
  const here = sql`r.tenant_id = ${tx.tenantId} and ${where}`
  if (sets === null) return tx.query(sql`delete from ${identifier(table)} r where ${here} returning null as id`)
  return tx.query(sql`
    update ${identifier(table)} r set ${join(sets)} where ${here} returning ${hasId ? sql`r.id` : sql`null as id`}`)
}

/** Whether a column of a row about a person may say who it is: words and structures that no key or rule needs, and days of birth. */
function saysSomething({ name, type, isBound }: Column, stored: ReadonlySet<string> | undefined): boolean {
  if (isBound || retainedColumns.has(name) || stored?.has(name) === true) return false
  return type === 'text' || type === 'jsonb' || type === 'text[]' || /birth/.test(name)
}

function blankStep({ table, condition }: Rows, columns: readonly Column[], all: readonly Column[]): Step {
  const has = (name: string) => all.some((each) => each.name === name)
  const values = columns.map((each) => ({ name: each.name, value: getBlank(each) }))
  const sets = values.map(({ name, value }) => sql`${column(name)} = ${value}`)
  if (has('version') && has('updated_at')) {
    sets.push(sql`version = r.version + 1`, sql`updated_at = greatest(current_stamp(), r.updated_at)`)
  }
  const differs = values.map(({ name, value }) => sql`r.${column(name)} is distinct from ${value}`)
  return { table, where: sql`${condition} and (${join(differs, ' or ')})`, sets, hasId: has('id') }
}

function getBlank({ name, type, isNullable }: Column): Sql {
  if (type === 'text') {
    if (shownNames.has(name)) return sql`${erasedWord}`
    return isNullable ? sql`null` : sql`''`
  }
  if (isNullable) return sql`null`
  if (type === 'text[]') return sql`'{}'::text[]`
  return sql`case when jsonb_typeof(r.${column(name)}) = 'array' then '[]'::jsonb else '{}'::jsonb end`
}

/** The texts by which the person is known. */
async function loadNames(tx: Transaction, { person }: PersonRows): Promise<string[]> {
  const texts: string[] = []
  for (const { table, id, email } of person) {
    if (table.kind === 'document') continue
    const name = table.table === 'contacts' ? 'display_name' : 'full_name'
    const [row] = await tx.query<{ name: string }>(sql`
      select r.${column(name)} as name from ${identifier(table.table)} r where r.tenant_id = ${tx.tenantId} and r.id = ${id}`)
    if (row !== undefined) texts.push(row.name)
    if (email !== null) texts.push(email)
  }
  return [...new Set(texts)].filter((text) => text.length > 2 && text !== erasedWord)
}

function looseStep({ table, condition }: Rows, names: readonly string[]): Step | null {
  const isNamed = sql`r.actor_name = any (${[...names]}::text[])`
  const step = (where: Sql, ...sets: readonly Sql[]): Step => ({
    table,
    where: sql`${condition} and ${where}`,
    sets,
    hasId: false,
  })
  switch (table) {
    case 'audit_entries':
      // What tells of an erasing says nothing of the person.
      return step(
        sql`r.action not in ('person.erased', 'vault_document.erased') and r.after is distinct from '{"erased": true}'::jsonb
           and (r.before is not null or r.after is not null or r.address is not null or ${isNamed})`,
        sql`before = null, after = null, address = null,
            actor_name = case when ${isNamed} then ${erasedWord} else r.actor_name end`,
      )
    case 'events':
      return step(isNamed, sql`actor_name = ${erasedWord}`)
    case 'gl_entries':
      return step(sql`r.remarks is not null`, sql`remarks = null`)
    case 'idempotency_keys':
      // The key stays, so that a request that is repeated is not done again.
      return step(sql`r.body <> '{}'`, sql`body = '{}'`)
    case 'stored_files':
      // The job that sweeps them removes their bytes.
      return step(
        sql`(r.state = 'kept' or r.file_name is not null or r.file_url is not null)`,
        sql`state = 'discarded', file_name = null, file_url = null`,
      )
    case 'deleted_records':
    case 'custom_field_values': // follows the records by itself
      return null
    default:
      return { table, where: condition, sets: null, hasId: false }
  }
}

/** A log-in that somebody else has as well stays theirs: whoever is erased has it no longer. */
async function leaveLogIn(tx: Transaction, { person }: PersonRows): Promise<void> {
  const own = person.filter(({ table }) => table.table === 'users').map(({ code }) => code)
  for (const { table, id } of person) {
    if (table.userColumn === null) continue
    await tx.query(sql`
      update ${identifier(table.table)} r set ${column(table.userColumn)} = null
       where r.tenant_id = ${tx.tenantId} and r.id = ${id} and r.${column(table.userColumn)} <> all (${own}::text[])`)
  }
}

function isErasedUser(code: string): boolean {
  return code.startsWith('erased-')
}

/** Nobody logs in as the person any more, and what it did is told of somebody without a name. */
async function endLogIn(tx: Transaction, { person, catalogue }: PersonRows): Promise<void> {
  for (const { table, id, code } of person) {
    if (table.table !== 'users' || isErasedUser(code)) continue
    const name = `erased-${id}@erased.invalid`
    await tx.query(sql`set constraints all deferred`)
    await tx.query(sql`
      update users set name = ${name}, email = ${name}, enabled = 0, password_hash = null, username = null, api_key = null
       where tenant_id = ${tx.tenantId} and id = ${id}`)
    for (const { table: other, column: own, targetColumn } of catalogue.referencesTo('users')) {
      if (targetColumn !== 'name') continue
      await tx.query(sql`
        update ${identifier(other)} set ${column(own)} = ${name} where tenant_id = ${tx.tenantId} and ${column(own)} = ${code}`)
    }
    for (const [other, columns] of catalogue.columns) {
      const named = columns
        .filter(({ name: each }) => ['owner', 'modified_by', 'comment_email'].includes(each))
        .map(({ name: each }) => each)
      if (named.length === 0) continue
      const sets = named.map(
        (each) => sql`${column(each)} = case when r.${column(each)} = ${code} then ${name} else r.${column(each)} end`,
      )
      if (named.includes('comment_email')) {
        sets.push(sql`comment_by = case when r.comment_email = ${code} then ${erasedWord} else r.comment_by end`)
      }
      const is = named.map((each) => sql`r.${column(each)} = ${code}`)
      await tx.query(
        sql`update ${identifier(other)} r set ${join(sets)} where r.tenant_id = ${tx.tenantId} and (${join(is, ' or ')})`,
      )
    }
  }
}

/** Lets whoever follows the records read them again. */
function tell(tx: Transaction, context: ChangeContext, changed: ReadonlyMap<string, readonly string[]>): void {
  for (const [table, changedIds] of changed) {
    const reported = reportedAs[table]
    if (reported === undefined) continue
    for (const entityId of new Set(changedIds)) {
      recordChanges(tx, context, [{ ...reported, entityId, before: { erased: false }, after: { erased: true } }])
    }
  }
}
