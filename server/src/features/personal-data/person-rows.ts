import { column, identifier, join, type Sql, sql, type Transaction } from '../../database/index.ts'
import { getNoun } from '../../record-engine/index.ts'
import { type Catalogue, type Reference, readCatalogue } from './catalogue.ts'
import { mentionColumns, personTables, unreferencedTables, userTables } from './declared.ts'
import type { PersonRecord } from './person.ts'

/** Rows of a table, by a condition on the alias `r`. */
export interface Rows {
  readonly table: string
  readonly condition: Sql
  /** Whether the rows are about the person, only mention it, or name it without a foreign key. */
  readonly relation: 'own' | 'naming' | 'loose'
  /** The columns in which a mentioning row says something of the person. */
  readonly words: readonly string[]
}

/** The rows of a person. */
export interface PersonRows {
  readonly catalogue: Catalogue
  readonly person: readonly PersonRecord[]
  readonly rows: readonly Rows[]
  /** The ids of the rows about the person, by table. */
  readonly ids: ReadonlyMap<string, readonly string[]>
}

/**
 * Finds every row of a person: follows foreign keys from the person's records, so that new tables are included
 * automatically, and adds rows that name people in other ways.
 */
export async function findRowsOfPerson(
  tx: Transaction,
  person: readonly PersonRecord[],
  recordTypes: ReadonlyMap<string, string>,
): Promise<PersonRows> {
  const catalogue = await readCatalogue(tx)
  const ids = new Map<string, Set<string>>()
  const rows: Rows[] = []
  const open: { readonly table: string; readonly ids: readonly string[] }[] = []
  const add = (table: string, found: readonly string[]) => {
    const known = ids.get(table) ?? new Set<string>()
    const fresh = found.filter((id) => !known.has(id))
    ids.set(table, new Set([...known, ...fresh]))
    if (fresh.length > 0) open.push({ table, ids: fresh })
  }
  for (const { table, id } of person) add(table.table, [id])
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const reference of catalogue.listReferences(next.table)) {
      const words = getNamingText(reference)
      const condition = referring(tx, reference, next.ids)
      const hasId = catalogue.columns.get(reference.table)?.some(({ name }) => name === 'id') ?? false
      if (words !== null) rows.push({ table: reference.table, condition, relation: 'naming', words })
      else if (hasId) add(reference.table, await idsWhere(tx, reference.table, condition))
      else rows.push({ table: reference.table, condition, relation: 'own', words: [] })
    }
    if (open.length === 0) add('documents', await loadDocuments(tx, ids))
  }
  for (const [table, found] of ids) {
    if (found.size > 0)
      rows.push({ table, condition: sql`r.id = any (${[...found]}::uuid[])`, relation: 'own', words: [] })
  }
  const arrays = new Map([...ids].map(([table, found]) => [table, [...found]] as const))
  rows.push(...(await findUnreferencedRows(tx, person, arrays, recordTypes)))
  return { catalogue, person, rows, ids: arrays }
}

/** The columns in which a mentioning row says something of its reference; null when the row is about it. */
export function getNamingText({ table, column: name, target }: Reference): readonly string[] | null {
  if (target === 'users' && !userTables.has(table)) return mentionColumns[`${table}.${name}`] ?? []
  return mentionColumns[`${table}.${name}`] ?? null
}

function referring(tx: Transaction, reference: Reference, ids: readonly string[]): Sql {
  const { target, targetColumn, column: own } = reference
  if (targetColumn === 'id') return sql`r.${column(own)} = any (${[...ids]}::uuid[])`
  return sql`r.${column(own)} in (select t.${column(targetColumn)} from ${identifier(target)} t
                                   where t.tenant_id = ${tx.tenantId} and t.id = any (${[...ids]}::uuid[]))`
}

async function idsWhere(tx: Transaction, table: string, condition: Sql): Promise<string[]> {
  const found = await tx.query<{ id: string }>(sql`
    select r.id from ${identifier(table)} r where r.tenant_id = ${tx.tenantId} and ${condition}`)
  return found.map(({ id }) => id)
}

/**
 * Documents linked to nobody else, and those of the person's forms. Each part names the tenant itself: on a cluster it would
 * not be found beside an `or` that all are of one.
 */
async function loadDocuments(tx: Transaction, ids: ReadonlyMap<string, ReadonlySet<string>>): Promise<string[]> {
  const links = [...(ids.get('document_links') ?? [])]
  const submissions = [...(ids.get('form_submissions') ?? [])]
  const students = [...(ids.get('students') ?? [])]
  const items = [...(ids.get('document_request_items') ?? [])]
  const requests = [...(ids.get('document_requests') ?? [])]
  return idsWhere(
    tx,
    'documents',
    sql`(r.request_id = any (${requests}::uuid[])
         or r.id in (select l.document_id from document_links l
                   where l.tenant_id = ${tx.tenantId} and l.id = any (${links}::uuid[]))
         or r.id in (select f.document_id from form_submission_files f
                      where f.tenant_id = ${tx.tenantId} and f.submission_id = any (${submissions}::uuid[]))
         or r.id in (select f.document_id from form_draft_files f
                       join form_drafts s on s.tenant_id = f.tenant_id and s.id = f.draft_id
                      where f.tenant_id = ${tx.tenantId} and s.student_id = any (${students}::uuid[]))
         or r.id in (select i.document_id from document_request_items i
                      where i.tenant_id = ${tx.tenantId} and i.id = any (${items}::uuid[])))
        and not exists (select from document_links l
                         where l.tenant_id = ${tx.tenantId} and l.document_id = r.id and l.id <> all (${links}::uuid[]))`,
  )
}

/** The rows of tables that name people without a foreign key. */
async function findUnreferencedRows(
  tx: Transaction,
  person: readonly PersonRecord[],
  ids: ReadonlyMap<string, readonly string[]>,
  recordTypes: ReadonlyMap<string, string>,
): Promise<Rows[]> {
  const stored = await loadNames(tx, ids, recordTypes)
  const gone = await findDeletedRecords(tx, person, ids, recordTypes)
  const all = [...[...ids.values()].flat(), ...gone.map(({ id }) => id)]
  const roots = person.map(({ id }) => id)
  const codes = person.filter(({ table }) => table.table === 'students').map(({ code }) => code)
  const emails = await findOwnAddresses(tx, person)
  const named = [...stored, ...gone.flatMap(({ named: name }) => (name === null ? [] : [name]))]
  const about = (type: string, name: string) =>
    named.length === 0
      ? sql`false`
      : sql`(r.${column(type)}, r.${column(name)}) in (select * from unnest(${named.map(([first]) => first)}::text[], ${named.map(([, second]) => second)}::text[]))`
  // The audit has the texts of notes on a record, also after its deletion.
  const notesCondition = (entityType: string, type: string, name: string) =>
    named.length === 0
      ? sql`false`
      : sql`(r.entity_type = ${entityType}
             and (coalesce(r.after, r.before) ->> ${type}, coalesce(r.after, r.before) ->> ${name})
                 in (select * from unnest(${named.map(([first]) => first)}::text[], ${named.map(([, second]) => second)}::text[])))`
  const conditions: Readonly<Record<string, Sql>> = {
    audit_entries: sql`
      r.entity_id = any (${all}::uuid[]) or r.actor_id = any (${roots}::uuid[])
      or ${notesCondition('comment', 'reference_doctype', 'reference_name')} or ${notesCondition('todo', 'reference_type', 'reference_name')}
      or ${notesCondition('tag_link', 'document_type', 'document_name')} or ${notesCondition('file', 'attached_to_doctype', 'attached_to_name')}`,
    bulk_job_items: about('type', 'name'),
    comments: about('reference_doctype', 'reference_name'),
    custom_field_values: sql`r.record_id = any (${all}::uuid[])`,
    deleted_records: sql`r.id = any (${all}::uuid[])`,
    email_group_members: sql`lower(r.email) = any (${emails}::text[])`,
    events: sql`r.entity_id = any (${all}::uuid[]) or r.actor_id = any (${roots}::uuid[])`,
    files: about('attached_to_doctype', 'attached_to_name'),
    gl_entries: sql`r.party = any (${codes}::text[])`,
    idempotency_keys: sql`${join(
      roots.map((id) => sql`position(${id} in r.body) > 0`),
      ' or ',
    )}`,
    import_changes: sql`r.record_id = any (${all}::uuid[])`,
    imported_records: sql`r.record_id = any (${all}::uuid[])`,
    outgoing_mails: sql`r.entity_id = any (${all}::uuid[]) or lower(r.recipient) = any (${emails}::text[])`,
    program_enrollment_tools_students: sql`r.student = any (${codes}::text[])`,
    // Of a print without a list it is not known whom it has.
    report_card_prints: sql`(r.students && ${codes}::text[]
      or (cardinality(r.students) = 0 and r.total > 0 and cardinality(${codes}::text[]) > 0))`,
    roster_deletions: sql`r.id = any (${all}::uuid[])`,
    // The sourcedId of an enrolment is that of a row of a group.
    roster_ids: sql`
      (r.id = any (${all}::uuid[])
       or r.id in (select m.id from student_groups_students m
                    where m.tenant_id = ${tx.tenantId} and m.student = any (${codes}::text[])))`,
    stored_files: sql`(r.file_url in (select r.file_url from files r where r.tenant_id = ${tx.tenantId}
                                       and ${about('attached_to_doctype', 'attached_to_name')})
                       or r.file_url in (select coalesce(r.after, r.before) ->> 'file_url' from audit_entries r
                                          where r.tenant_id = ${tx.tenantId}
                                            and ${notesCondition('file', 'attached_to_doctype', 'attached_to_name')}))
                      and not exists (select from files o where o.tenant_id = ${tx.tenantId} and o.file_url = r.file_url
                                         and (o.attached_to_doctype, o.attached_to_name) not in
                                             (select * from unnest(${named.map(([first]) => first)}::text[], ${named.map(([, second]) => second)}::text[])))`,
    tag_links: about('document_type', 'document_name'),
    todos: about('reference_type', 'reference_name'),
  }
  return [...unreferencedTables].map((table) => ({
    table,
    condition: sql`(${conditions[table] as Sql})`,
    relation: 'loose' as const,
    words: [],
  }))
}

/** A deleted record that was about the person, by the audit. */
interface DeletedRecord {
  readonly id: string
  /** Its type and name, by which others referred to it. */
  readonly named: [string, string] | null
}

/** The maximum depth of references between deleted records. */
const maxRounds = 5

/** Deleted records whose last state named the person, or a record about it, by id or code. */
async function findDeletedRecords(
  tx: Transaction,
  person: readonly PersonRecord[],
  ids: ReadonlyMap<string, readonly string[]>,
  recordTypes: ReadonlyMap<string, string>,
): Promise<DeletedRecord[]> {
  const typeOf = new Map([...recordTypes.values()].map((name) => [getNoun({ name }), name]))
  const codes = person.filter(({ table }) => table.table !== 'users' && table.kind !== 'document')
  // The creator or owner of a record is not its subject.
  const own = [...ids].flatMap(([table, keys]) => (table === 'users' ? [] : keys))
  const gone = new Map<string, DeletedRecord>()
  let keys = [...own, ...codes.map(({ code }) => code).filter((code) => code.length >= 5)]
  for (let round = 0; round < maxRounds && keys.length > 0; round += 1) {
    const found = await tx.query<{ id: string; type: string; name: string | null }>(sql`
      select distinct r.entity_id as id, r.entity_type as type, r.before ->> 'name' as name from audit_entries r
       where r.tenant_id = ${tx.tenantId} and r.entity_id is not null and r.entity_id <> all (${own}::uuid[])
         and (r.after is null or r.after ? 'mergedInto') and jsonb_typeof(r.before) = 'object'
         and exists (select from jsonb_each_text(r.before) m
                      where m.key not in ('owner', 'modified_by') and m.value = any (${keys}::text[]))`)
    const fresh = found.filter(({ id }) => !gone.has(id))
    for (const { id, type, name } of fresh) {
      const known = typeOf.get(type)
      gone.set(id, { id, named: known === undefined || name === null ? null : [known, name] })
    }
    keys = fresh.map(({ id }) => id)
  }
  return [...gone.values()]
}

/** The e-mail addresses of this person only: families often share one. */
async function findOwnAddresses(tx: Transaction, person: readonly PersonRecord[]): Promise<string[]> {
  const emails = [...new Set(person.flatMap(({ email }) => (email === null ? [] : [email.toLowerCase()])))]
  const ids = person.map(({ id }) => id)
  const others = personTables.map(
    ({ table }) => sql`
      select lower(r.email) as email from ${identifier(table)} r
       where r.tenant_id = ${tx.tenantId} and lower(r.email) = any (${emails}::text[]) and r.id <> all (${ids}::uuid[])`,
  )
  const shared = await tx.query<{ email: string }>(join(others, ' union '))
  return emails.filter((email) => !shared.some((other) => other.email === email))
}

/** Types and names of the records about a person, as comments, tasks, tags and files refer to them. */
async function loadNames(
  tx: Transaction,
  ids: ReadonlyMap<string, readonly string[]>,
  recordTypes: ReadonlyMap<string, string>,
): Promise<[string, string][]> {
  const named: [string, string][] = []
  for (const [table, found] of ids) {
    const root = personTables.find((person) => person.table === table)
    const type = root?.recordType ?? recordTypes.get(table)
    if (type === undefined || found.length === 0) continue
    const names = await tx.query<{ name: string }>(sql`
      select r.${column(root?.code ?? 'name')} as name from ${identifier(table)} r
       where r.tenant_id = ${tx.tenantId} and r.id = any (${[...found]}::uuid[])`)
    named.push(...names.map(({ name }): [string, string] => [type, name]))
  }
  return named
}
