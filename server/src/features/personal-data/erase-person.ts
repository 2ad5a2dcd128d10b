import { column, identifier, join, type Sql, sql, type Transaction } from '../../database/index.ts'
import { recordAccess, recordChanges } from '../../platform/changes.ts'
import type { ChangeContext } from '../../platform/request-context.ts'
import type { Column } from './catalogue.ts'
import { goAltogether, keptColumns, personTables, toldAs } from './declared.ts'
import type { PersonRows, Rows } from './person-rows.ts'

/** What was, or would be, erased: rows that lose their words or go, by table. */
export interface Erased {
  readonly records: Readonly<Record<string, number>>
  /** The ids of versions whose files are to be removed once this is committed. */
  readonly files: readonly string[]
}

/** What stands where a name was. */
const erasedWord = 'Erased'

/** Columns that must not be empty, because people and programs are shown them. */
const shownNames = new Set(['display_name', 'first_name', 'full_name', 'title', 'file_name'])

/**
 * Takes from everything that is stored of a person what tells who it was: names, addresses, words, answers, documents, mails, log-ins, and
 * what the audit kept of them. Rows of the ledger and of statistics stay, without words. Mirrors are told of the records that changed.
 * What is erased already is not erased again. Runs as the owner of the tables, who alone may change the audit.
 */
export async function erasePerson(
  tx: Transaction,
  context: ChangeContext,
  found: PersonRows,
  keptFields: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Erased> {
  const { catalogue, person, ids } = found
  const records: Record<string, number> = {}
  const count = (table: string, rows: readonly { id?: string }[]) => {
    if (rows.length > 0) records[table] = (records[table] ?? 0) + rows.length
  }
  // Whoever writes to one of them goes before or after all of this.
  for (const { table } of personTables) {
    const locked = [...(ids.get(table) ?? [])].sort()
    if (locked.length > 0) {
      await tx.query(
        sql`select id from ${identifier(table)} where tenant_id = ${tx.tenantId} and id = any (${locked}::uuid[]) order by id for update`,
      )
    }
  }
  const names = await namesOf(tx, found)
  await forgetNamesInAudit(tx, found, names)
  for (const rows of found.rows) if (rows.bond === 'loose') count(rows.table, await eraseLoose(tx, rows, names))
  const files = [...(ids.get('document_versions') ?? [])]
  const changed = new Map<string, string[]>()
  const order = (rows: Rows) => (goAltogether.has(rows.table) ? 0 : 1)
  for (const rows of found.rows
    .filter(({ bond }) => bond !== 'loose')
    .sort((one, other) => order(one) - order(other))) {
    const { table, condition, bond, words } = rows
    if (bond === 'own' && goAltogether.has(table)) {
      count(
        table,
        await tx.query(
          sql`delete from ${identifier(table)} r where r.tenant_id = ${tx.tenantId} and ${condition} returning 1 as gone`,
        ),
      )
      continue
    }
    const columns = (catalogue.columns.get(table) ?? []).filter(
      (each) =>
        bond === 'naming'
          ? words.includes(each.name)
          : saysSomething(each, keptFields.get(table)) && !(table === 'users' && each.name === 'email'), // see `endLogIn`
    )
    const blanked = await blank(tx, rows, columns, catalogue.columns.get(table) ?? [])
    count(table, blanked)
    changed.set(table, [...(changed.get(table) ?? []), ...blanked.flatMap(({ id }) => id ?? [])])
  }
  if (files.length > 0) {
    // Nobody is led to their files any more, and the job that looks after uploads removes what this command does not come to.
    await tx.query(sql`
      update document_versions set status = 'failed'
       where tenant_id = ${tx.tenantId} and id = any (${files}::uuid[]) and status <> 'failed'`)
  }
  await leaveLogIn(tx, found)
  await endLogIn(tx, found)
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
  return { records, files }
}

/** Whether a column of a row about a person may say who it is: words and structures that no key or rule needs, and days of birth. */
function saysSomething({ name, type, isBound }: Column, kept: ReadonlySet<string> | undefined): boolean {
  if (isBound || keptColumns.has(name) || kept?.has(name) === true) return false
  return type === 'text' || type === 'jsonb' || type === 'text[]' || /birth/.test(name)
}

async function blank(tx: Transaction, { table, condition }: Rows, columns: readonly Column[], all: readonly Column[]) {
  if (columns.length === 0) return []
  const has = (name: string) => all.some((each) => each.name === name)
  const values = columns.map((each) => ({ name: each.name, value: blankOf(each) }))
  const sets = values.map(({ name, value }) => sql`${column(name)} = ${value}`)
  if (has('version') && has('updated_at')) {
    sets.push(sql`version = r.version + 1`, sql`updated_at = greatest(current_stamp(), r.updated_at)`)
  }
  const differs = values.map(({ name, value }) => sql`r.${column(name)} is distinct from ${value}`)
  return tx.query<{ id?: string }>(sql`
    update ${identifier(table)} r set ${join(sets)}
     where r.tenant_id = ${tx.tenantId} and ${condition} and (${join(differs, ' or ')})
    returning ${has('id') ? sql`r.id` : sql`null as id`}`)
}

function blankOf({ name, type, isNullable }: Column): Sql {
  if (type === 'text') {
    if (shownNames.has(name)) return sql`${erasedWord}`
    return isNullable ? sql`null` : sql`''`
  }
  if (isNullable) return sql`null`
  if (type === 'text[]') return sql`'{}'::text[]`
  return sql`case when jsonb_typeof(r.${column(name)}) = 'array' then '[]'::jsonb else '{}'::jsonb end`
}

/** The texts by which the person is known. */
async function namesOf(tx: Transaction, { person }: PersonRows): Promise<string[]> {
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

/** What the audit says of records that have a row about the person, such as a group: the name goes, the rest stays. */
async function forgetNamesInAudit(tx: Transaction, { rows, ids, catalogue }: PersonRows, names: readonly string[]) {
  if (names.length === 0) return
  for (const { table, condition, bond } of rows) {
    const parent = catalogue.columns.get(table)?.some(({ name }) => name === 'parent_id')
    if (bond !== 'own' || parent !== true) continue
    for (const name of names) {
      const without = (value: string) =>
        sql`replace(a.${column(value)}::text, ${JSON.stringify(name).slice(1, -1)}, ${erasedWord})::jsonb`
      await tx.query(sql`
        update audit_entries a set before = ${without('before')}, after = ${without('after')}
         where a.tenant_id = ${tx.tenantId} and a.entity_id <> all (${[...ids.values()].flat()}::uuid[])
           and a.entity_id in (select r.parent_id from ${identifier(table)} r where r.tenant_id = ${tx.tenantId} and ${condition})
           and position(${JSON.stringify(name).slice(1, -1)} in coalesce(a.before::text, '') || coalesce(a.after::text, '')) > 0`)
    }
  }
}

async function eraseLoose(tx: Transaction, { table, condition }: Rows, names: readonly string[]) {
  const here = sql`r.tenant_id = ${tx.tenantId} and ${condition}`
  const gone = sql`delete from ${identifier(table)} r where ${here} returning 1 as gone`
  switch (table) {
    case 'audit_entries':
      // What tells of an erasing says nothing of the person.
      return tx.query(sql`
        update audit_entries r
           set before = null, after = null, address = null,
               actor_name = case when r.actor_name = any (${[...names]}::text[]) then ${erasedWord} else r.actor_name end
         where ${here} and r.action not in ('person.erased', 'vault_document.erased') and r.after is distinct from '{"erased": true}'::jsonb
           and (r.before is not null or r.after is not null or r.address is not null
                or r.actor_name = any (${[...names]}::text[]))
        returning 1 as changed`)
    case 'events':
      return tx.query(sql`
        update events r set actor_name = ${erasedWord} where ${here} and r.actor_name = any (${[...names]}::text[]) returning 1 as changed`)
    case 'gl_entries':
      return tx.query(
        sql`update gl_entries r set remarks = null where ${here} and r.remarks is not null returning 1 as changed`,
      )
    case 'idempotency_keys':
      // The key stays, so that a request that is repeated is not done again.
      return tx.query(sql`
        update idempotency_keys r set body = '{}' where ${here} and r.body <> '{}' returning 1 as changed`)
    case 'stored_files':
      // The job that sweeps them removes their bytes.
      return tx.query(sql`
        update stored_files r set state = 'discarded' where ${here} and r.state = 'kept' returning 1 as changed`)
    case 'deleted_records':
    case 'custom_field_values': // follows the records by itself
      return []
    default:
      return tx.query(gone)
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

/** Nobody logs in as the person any more, and what it did is told of somebody without a name. */
async function endLogIn(tx: Transaction, { person, catalogue }: PersonRows): Promise<void> {
  for (const { table, id, code } of person) {
    if (table.table !== 'users' || code.startsWith('erased-')) continue
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
    const told = toldAs[table]
    if (told === undefined) continue
    for (const entityId of new Set(changedIds)) {
      recordChanges(tx, context, [{ ...told, entityId, before: { erased: false }, after: { erased: true } }])
    }
  }
}
