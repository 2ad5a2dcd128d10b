import { type ChangeContext, recordChanges } from '../../../changes/index.ts'
import { lockTenantShared, takeAdvisoryLock } from '../../../concurrency/index.ts'
import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import { newId, sameJson } from '../../../values/index.ts'
import { OneRosterError } from '../protocol/oneroster-error.ts'
import { classes } from '../roster/classes.ts'
import { orgs } from '../roster/orgs.ts'
import type { RosterClass } from '../roster/roster-class.ts'
import type { RosterContext } from '../roster/roster-context.ts'
import { selectUsers } from '../roster/users.ts'
import { gradebookClasses } from './gradebook-classes.ts'
import type { GradebookKind } from './gradebook-kinds.ts'
import type { SentEntry } from './parse-entry.ts'

/** The references that must name something there is, by the member's name. */
export const checkedReferences: Readonly<Record<string, RosterClass>> = {
  class: classes,
  school: orgs,
  student: selectUsers(['student']),
  category: gradebookClasses.category,
  lineItem: gradebookClasses.lineItem,
  assessmentLineItem: gradebookClasses.assessmentLineItem,
}

/** The tables of the records that classes and students are. */
export const recordTables: Readonly<Record<string, Sql>> = { class: sql`student_groups`, student: sql`students` }

export type Outcome = 'created' | 'updated' | 'unchanged'

/** What is stored of an object, and what its references lead to. */
export interface Known {
  readonly id: string | null
  readonly content: object | null
  readonly is_own: boolean
  readonly class_id: string | null
  readonly student_id: string | null
  readonly line_item_class_id: string | null
  readonly is_own_line_item: boolean
  /** The members that name nothing. */
  readonly missing: readonly string[]
}

/**
 * Stores an object that a platform has put, with audit and event; one that is the same changes nothing, and one that it calls
 * `tobedeleted` is deleted. Throws `invaliddata` for a
 * reference to nothing, and `forbidden` for an object that is a record of ours.
 */
export async function putEntry(
  tx: Transaction,
  change: ChangeContext,
  context: RosterContext,
  kind: GradebookKind,
  sent: SentEntry,
): Promise<void> {
  await lockEntry(tx, kind, sent.sourcedId)
  const known = await findKnown(tx, context, kind, sent.sourcedId, sent.content)
  requireWritable(kind, known)
  saveEntry(tx, change, kind, sent, known)
}

/** Deletes what bundles have brought of a class and is not among these sourcedIds. Returns how many. */
export async function deleteMissing(
  tx: Transaction,
  change: ChangeContext,
  kind: GradebookKind,
  sourcedIds: readonly string[],
): Promise<number> {
  const missing = await tx.query<Pick<Known, 'id' | 'content'> & { sourced_id: string }>(sql`
    select e.id, e.content, e.sourced_id from gradebook_entries e
     where e.tenant_id = ${tx.tenantId} and e.kind = ${kind.name} and e.is_from_bundle
       and not exists (select from unnest(${sourcedIds}::text[]) as s (id) where s.id = e.sourced_id)
     order by e.id`)
  for (const { sourced_id: sourcedId, ...known } of missing) removeEntry(tx, change, kind, sourcedId, known)
  return missing.length
}

/** Stores an object, with audit and event, and says under which id. Throws `invaliddata` for a reference to nothing. */
export function saveEntry(
  tx: Transaction,
  change: ChangeContext,
  kind: GradebookKind,
  { sourcedId, isGone, content }: SentEntry,
  known: Known,
): { outcome: Outcome; id: string } {
  const id = known.id ?? newId()
  if (isGone) {
    removeEntry(tx, change, kind, sourcedId, known)
    return { outcome: known.id === null ? 'unchanged' : 'updated', id }
  }
  const { missing, student_id: studentId } = known
  if (missing.length > 0) {
    throw new OneRosterError('invaliddata', `${missing.join(', ')}: the institution has nothing with this sourcedId.`)
  }
  const classId = known.class_id ?? known.line_item_class_id
  if (known.content !== null && sameJson(known.content, content)) return { outcome: 'unchanged', id }
  const parent = kind.parent === null ? null : ((content[kind.parent] as string | undefined) ?? null)
  tx.send(
    known.id === null
      ? sql`
        insert into gradebook_entries (tenant_id, id, kind, sourced_id, content, class_id, student_id, parent)
        values (${tx.tenantId}, ${id}, ${kind.name}, ${sourcedId}, ${JSON.stringify(content)}::jsonb, ${classId}, ${studentId},
                ${parent})`
      : sql`
        update gradebook_entries
           set content = ${JSON.stringify(content)}::jsonb, class_id = ${classId}, student_id = ${studentId},
               parent = ${parent}, updated_at = greatest(current_stamp(), updated_at)
         where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  const verb = known.id === null ? 'created' : 'updated'
  recordChanges(tx, change, [
    {
      type: `${kind.entityType}.${verb}`,
      entityType: kind.entityType,
      entityId: id,
      externalId: sourcedId,
      before: known.content,
      after: content,
    },
  ])
  return { outcome: verb, id }
}

/** Deletes an object that a platform has put. Throws `unknownobject`, and `forbidden` for a record of ours. */
export async function deleteEntry(
  tx: Transaction,
  change: ChangeContext,
  context: RosterContext,
  kind: GradebookKind,
  sourcedId: string,
): Promise<void> {
  await lockEntry(tx, kind, sourcedId)
  const known = await findKnown(tx, context, kind, sourcedId, {})
  requireWritable(kind, known)
  if (known.id === null) {
    throw new OneRosterError('unknownobject', `There is no ${kind.name} with this sourcedId.`)
  }
  removeEntry(tx, change, kind, sourcedId, known)
}

function removeEntry(
  tx: Transaction,
  change: ChangeContext,
  kind: GradebookKind,
  sourcedId: string,
  { id, content }: Pick<Known, 'id' | 'content'>,
): void {
  if (id === null) return
  tx.send(sql`delete from gradebook_entries where tenant_id = ${tx.tenantId} and id = ${id}`)
  recordChanges(tx, change, [
    {
      type: `${kind.entityType}.deleted`,
      entityType: kind.entityType,
      entityId: id,
      externalId: sourcedId,
      before: content,
      after: null,
    },
  ])
}

async function lockEntry(tx: Transaction, kind: GradebookKind, sourcedId: string): Promise<void> {
  await takeAdvisoryLock(tx, `gradebook ${kind.name} ${sourcedId}`)
  lockTenantShared(tx)
}

/** Throws `forbidden` for an object that is a record of ours, and for one that belongs to such. */
export function requireWritable(
  kind: GradebookKind,
  { is_own: isOwn, is_own_line_item: isOwnLineItem }: Pick<Known, 'is_own' | 'is_own_line_item'>,
): void {
  if (isOwn) {
    throw new OneRosterError(
      'forbidden',
      `This ${kind.name} is a record of the institution, which only its staff changes.`,
    )
  }
  if (isOwnLineItem) {
    throw new OneRosterError('forbidden', 'The line item is an Assessment Plan: its results are entered by the staff.')
  }
}

/** Finds both by one statement. */
async function findKnown(
  tx: Transaction,
  context: RosterContext,
  kind: GradebookKind,
  sourcedId: string,
  content: SentEntry['content'],
): Promise<Known> {
  const { tenantId } = context
  const references = Object.keys(kind.members).filter((name) => name in checkedReferences && name in content)
  const isThere = (name: string) =>
    name === 'class' || name === 'student'
      ? sql`${toId(name)} is not null`
      : exists(context, checkedReferences[name] as RosterClass, content[name] as string)
  const own = gradebookClasses[kind.name].source(context)
  const toId = (name: 'class' | 'student') =>
    name in content ? findRecord(context, name, content[name] as string) : sql`null::uuid`
  const lineItem = kind.name === 'result' && typeof content.lineItem === 'string' ? content.lineItem : null
  const lineItems = gradebookClasses.lineItem.source(context)
  const [known] = await tx.query<Known>(sql`
    select e.id, e.content,
           exists (select from (${own}) o where o.sourced_id = ${sourcedId} and o.entry_id is null) as is_own,
           ${toId('class')} as class_id, ${toId('student')} as student_id,
           (select o.class_id from (${lineItems}) o where o.sourced_id = ${lineItem} limit 1) as line_item_class_id,
           exists (select from (${lineItems}) o where o.sourced_id = ${lineItem} and o.entry_id is null) as is_own_line_item,
           array_remove(array[${references
             .map((name) => sql`case when not ${isThere(name)} then ${name}::text end`)
             .reduce((all, each) => sql`${all}, ${each}`, sql`null::text`)}], null) as missing
      from (select 1) one
      left join gradebook_entries e
        on e.tenant_id = ${tenantId} and e.kind = ${kind.name} and e.sourced_id = ${sourcedId}`)
  return known as Known
}

function exists(context: RosterContext, of: RosterClass, id: string): Sql {
  return sql`exists (select from (${of.source(context)}) o where ${of.isObject(context, id)})`
}

/** The id of the record that a class or a student is, as long as it is there. */
function findRecord(context: RosterContext, name: 'class' | 'student', id: string): Sql {
  const of = checkedReferences[name] as RosterClass
  const table = recordTables[name] as Sql
  return sql`
    (select r.id from ${table} r
      where r.tenant_id = ${context.tenantId}
        and r.id in (select o.id from (${of.source(context)}) o where ${of.isObject(context, id)}))`
}
