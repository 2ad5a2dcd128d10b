import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess, recordChanges } from '../../changes/index.ts'
import type { Lock } from '../../concurrency/index.ts'
import { lockInOrder, lockTenantExclusive, maxWaits } from '../../concurrency/index.ts'
import { column, identifier, join, type Sql, sql, type Transaction } from '../../database/index.ts'
import { takeAllWaiting } from '../search/index.ts'
import type { Column } from './catalogue.ts'
import { deletedTables, erasureEvents, retainedColumns } from './declared.ts'
import { erasedText, type IdentifyingTerms, loadIdentifyingTerms } from './identifying-terms.ts'
import { eraseMentions, listSearchedTables, namesPerson } from './mentions.ts'
import type { PersonRows, Rows } from './person-rows.ts'

/** The erased rows, or those that would be, by table. */
export interface Erased {
  readonly records: Readonly<Record<string, number>>
  /** The ids of versions whose files are removed after the commit. */
  readonly files: readonly string[]
  /** Whether a text names the person as it was called before; null for a document. */
  readonly isNamedIn: ((text: string) => boolean) | null
}

/** Columns that must not be empty, because they are displayed. */
const shownNames = new Set(['display_name', 'first_name', 'full_name', 'title', 'file_name'])

/** The options of an erasure: how it finds rows, and which columns per table stay. */
interface ErasureOptions {
  /** Called before rows are locked and again afterwards, since they may have changed meanwhile. */
  find(): Promise<PersonRows>
  readonly retainedFields: ReadonlyMap<string, ReadonlySet<string>>
}

/** A statement that erases texts of rows, or deletes them, where not done before. */
interface Step {
  readonly table: string
  readonly where: Sql
  /** The assignments; null deletes the rows. */
  readonly sets: readonly Sql[] | null
  readonly hasId: boolean
}

/** Dry run of `erasePerson`: runs it and rolls it back, so that both find the same. Holds the same locks meanwhile. */
export async function previewErasure(tx: Transaction, options: ErasureOptions): Promise<Erased> {
  await lockPersonRows(tx, options.find)
  await tx.query(sql`savepoint as_it_was`)
  const { erased } = await eraseRows(tx, options)
  await tx.query(sql`rollback to savepoint as_it_was`)
  return erased
}

/**
 * Erases the personal data of a person: names, addresses, texts, answers, documents, mails, log-ins, and their copies
 * in the audit. Rows of the ledger and of statistics stay without texts. Then every other text, list and JSON column of
 * the institution is searched for the person's identifying terms, see `mentionsIn`. Changed records get events. Erased
 * data is not erased again. Runs as the owner of the tables, who alone may change the audit.
 */
export async function erasePerson(tx: Transaction, context: ChangeContext, options: ErasureOptions): Promise<Erased> {
  await lockPersonRows(tx, options.find)
  const { erased, changed, person } = await eraseRows(tx, options)
  const { records } = erased
  recordErasureEvents(tx, context, changed)
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

/** Erases the person's own rows, then mentions in the rows of others. */
async function eraseRows(tx: Transaction, { find, retainedFields }: ErasureOptions) {
  const found = await find()
  const { person, ids } = found
  const names = await loadNames(tx, found)
  const terms = await findTerms(tx, found)
  const records: Record<string, number> = {}
  const changed = new Map<string, string[]>()
  for (const step of planSteps(found, names, retainedFields)) {
    const rows = await runStep(tx, step)
    add(records, step.table, rows.length)
    changed.set(step.table, [...(changed.get(step.table) ?? []), ...rows.flatMap(({ id }) => id ?? [])])
  }
  const files = [...(ids.get('document_versions') ?? [])]
  if (files.length > 0) {
    // Their files are no longer referenced; the upload job removes those that this command leaves.
    await tx.query(sql`
      update document_versions set status = 'failed'
       where tenant_id = ${tx.tenantId} and id = any (${files}::uuid[]) and status <> 'failed'`)
  }
  await detachSharedUser(tx, found)
  await disableUser(tx, found)
  if (terms !== null) {
    for (const table of listSearchedTables(found.catalogue)) {
      const mentions = await eraseMentions(tx, found.catalogue, table, terms)
      add(records, table, mentions.count)
      changed.set(table, [...(changed.get(table) ?? []), ...mentions.ids])
    }
  }
  await takeAllWaiting(tx)
  const isNamedIn = terms === null ? null : (text: string) => namesPerson(text, terms)
  return { erased: { records, files, isNamedIn }, changed, person }
}

/** The search terms of the person; null for a document, which is erased by itself. */
async function findTerms(tx: Transaction, { person }: PersonRows): Promise<IdentifyingTerms | null> {
  return person.every(({ table }) => table.kind === 'document') ? null : loadIdentifyingTerms(tx, person)
}

function add(records: Record<string, number>, table: string, count: number): void {
  if (count > 0) records[table] = (records[table] ?? 0) + count
}

/** The rows of a person, locked against other writers. */
async function lockPersonRows(tx: Transaction, find: () => Promise<PersonRows>): Promise<PersonRows> {
  const { person, ids } = await find()
  // A user is renamed, and rows of every kind refer to the name.
  if (person.some(({ table, code }) => table.table === 'users' && !isErasedUser(code)))
    await lockTenantExclusive(tx, maxWaits.operator)
  const locks = [...ids].flatMap(([kind, keys]) => keys.map((key): Lock => ({ kind, key })))
  await lockInOrder(tx, locks)
  return find()
}

/**
 * The steps of an erasure, in order: rows without a foreign key, while what they refer to exists; deleted rows; the
 * rest.
 */
function planSteps(
  { catalogue, rows }: PersonRows,
  names: readonly string[],
  retainedFields: ReadonlyMap<string, ReadonlySet<string>>,
): Step[] {
  const loose = rows.filter(({ relation }) => relation === 'loose').flatMap((each) => looseStep(each, names) ?? [])
  const others = rows.filter(({ relation }) => relation !== 'loose')
  const isDeleted = ({ table, relation }: Rows) => relation === 'own' && deletedTables.has(table)
  const gone = others
    .filter(isDeleted)
    .map(({ table, condition }): Step => ({ table, where: condition, sets: null, hasId: false }))
  const blanked = others
    .filter((each) => !isDeleted(each))
    .flatMap((each) => {
      const all = catalogue.columns.get(each.table) ?? []
      const columns = all.filter(
        (one) =>
          each.relation === 'naming'
            ? each.words.includes(one.name)
            : mayBePersonal(one, retainedFields.get(each.table)) && !(each.table === 'users' && one.name === 'email'), // see `endLogIn`
      )
      return columns.length === 0 ? [] : [blankStep(each, columns, all)]
    })
  return [...loose, ...gone, ...blanked]
}

/** Runs a step and returns its rows. */
function runStep(tx: Transaction, { table, where, sets, hasId }: Step): Promise<{ id?: string }[]> {
  const here = sql`r.tenant_id = ${tx.tenantId} and ${where}`
  if (sets === null) return tx.query(sql`delete from ${identifier(table)} r where ${here} returning null as id`)
  return tx.query(sql`
    update ${identifier(table)} r set ${join(sets)} where ${here} returning ${hasId ? sql`r.id` : sql`null as id`}`)
}

/**
 * Whether a column may contain personal data: texts and structures that no key or constraint needs, and dates of birth.
 */
function mayBePersonal({ name, type, isBound }: Column, stored: ReadonlySet<string> | undefined): boolean {
  if (isBound || retainedColumns.has(name) || stored?.has(name) === true) return false
  return type === 'text' || type === 'jsonb' || type === 'text[]' || /birth/.test(name)
}

function blankStep({ table, condition }: Rows, columns: readonly Column[], all: readonly Column[]): Step {
  const has = (name: string) => all.some((each) => each.name === name)
  const values = columns.map((each) => ({ name: each.name, value: blankValue(each) }))
  const sets = values.map(({ name, value }) => sql`${column(name)} = ${value}`)
  if (has('version') && has('updated_at')) {
    sets.push(sql`version = r.version + 1`, sql`updated_at = greatest(current_stamp(), r.updated_at)`)
  }
  const differs = values.map(({ name, value }) => sql`r.${column(name)} is distinct from ${value}`)
  return { table, where: sql`${condition} and (${join(differs, ' or ')})`, sets, hasId: has('id') }
}

function blankValue({ name, type, isNullable }: Column): Sql {
  if (type === 'text') {
    if (shownNames.has(name)) return sql`${erasedText}`
    return isNullable ? sql`null` : sql`''`
  }
  if (isNullable) return sql`null`
  if (type === 'text[]') return sql`'{}'::text[]`
  return sql`case when jsonb_typeof(r.${column(name)}) = 'array' then '[]'::jsonb else '{}'::jsonb end`
}

/** The names of the person. */
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
  return [...new Set(texts)].filter((text) => text.length > 2 && text !== erasedText)
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
      // Entries about an erasure contain nothing about the person.
      return step(
        sql`r.action not in ('person.erased', 'vault_document.erased') and r.after is distinct from '{"erased": true}'::jsonb
           and (r.before is not null or r.after is not null or r.address is not null or ${isNamed})`,
        sql`before = null, after = null, address = null,
            actor_name = case when ${isNamed} then ${erasedText} else r.actor_name end`,
      )
    case 'events':
      return step(isNamed, sql`actor_name = ${erasedText}`)
    case 'gl_entries':
      return step(sql`r.remarks is not null`, sql`remarks = null`)
    case 'idempotency_keys':
      // The key stays, so that a repeated request has no effect.
      return step(sql`r.body <> '{}'`, sql`body = '{}'`)
    case 'roster_ids':
      // Readers of OneRoster know the person by the sourcedId.
      return step(sql`r.metadata is not null or r.members is not null`, sql`metadata = null, members = null`)
    case 'roster_deletions':
      return step(
        sql`r.record ?| '{full_name,display_name,instructor_name,username}'::text[]`,
        // By functions that are immutable, because a cluster takes no others within a case.
        sql`record = jsonb_set(jsonb_set(jsonb_set(
                       r.record - '{given_names,middle_name,family_names,first_name,last_name,username}'::text[],
                       '{full_name}', ${JSON.stringify(erasedText)}::jsonb, r.kind = 'users'),
                       '{display_name}', ${JSON.stringify(erasedText)}::jsonb, false),
                       '{instructor_name}', ${JSON.stringify(erasedText)}::jsonb, false)
              || case when r.kind = 'users' then ('{"name": "' || r.id::text || '"}')::jsonb else '{}'::jsonb end`,
      )
    case 'stored_files':
      // The clean-up job removes their bytes.
      return step(
        sql`(r.state = 'kept' or r.file_name is not null or r.file_url is not null)`,
        sql`state = 'discarded', file_name = null, file_url = null`,
      )
    case 'deleted_records':
    case 'custom_field_values': // updated with the records
      return null
    default:
      return { table, where: condition, sets: null, hasId: false }
  }
}

/** A shared user stays with the others; the erased person loses it. */
async function detachSharedUser(tx: Transaction, { person }: PersonRows): Promise<void> {
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

/** Disables and renames the user, so that former actions name nobody. */
async function disableUser(tx: Transaction, { person, catalogue }: PersonRows): Promise<void> {
  for (const { table, id, code } of person) {
    if (table.table !== 'users' || isErasedUser(code)) continue
    const name = `erased-${id}@erased.invalid`
    await tx.query(sql`set constraints all deferred`)
    await tx.query(sql`
      update users set name = ${name}, email = ${name}, enabled = 0, password_hash = null, username = null, api_key = null
       where tenant_id = ${tx.tenantId} and id = ${id}`)
    for (const { table: other, column: own, targetColumn } of catalogue.listReferences('users')) {
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
        sets.push(sql`comment_by = case when r.comment_email = ${code} then ${erasedText} else r.comment_by end`)
      }
      const is = named.map((each) => sql`r.${column(each)} = ${code}`)
      await tx.query(
        sql`update ${identifier(other)} r set ${join(sets)} where r.tenant_id = ${tx.tenantId} and (${join(is, ' or ')})`,
      )
    }
  }
}

/** Writes the events by which mirrors read the records again. */
function recordErasureEvents(
  tx: Transaction,
  context: ChangeContext,
  changed: ReadonlyMap<string, readonly string[]>,
): void {
  for (const [table, changedIds] of changed) {
    const event = erasureEvents[table]
    if (event === undefined) continue
    for (const entityId of new Set(changedIds)) {
      recordChanges(tx, context, [{ ...event, entityId, before: { erased: false }, after: { erased: true } }])
    }
  }
}
