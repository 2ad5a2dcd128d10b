import { comment, tagLink, toDo } from '@matricula/contract/record-types'
import { identifier, column as quoted, type Sql, sql } from '../../database/index.ts'
import {
  type Caller,
  defineRecord,
  isManager,
  type RecordDefinition,
  RecordError,
  type RecordOf,
  type RecordView,
  type RecordWork,
  seesNotes,
} from '../../record-engine/index.ts'
import { requireAssignable } from './assignees.ts'

type CommentRecord = RecordOf<typeof comment>
type ToDoRecord = RecordOf<typeof toDo>

const maxComments = 1000

/** The notes on records of the types whose notes somebody sees; the System Manager sees all. */
function onSeenRecords(typeField: string): (view: RecordView, alias: string) => Sql | null {
  return ({ registry, caller }, alias) => {
    if (isManager(caller)) return null
    const seen = registry.declared().filter((definition) => seesNotes(caller, definition))
    return sql`${identifier(alias)}.${quoted(typeField)} = any(${seen.map(({ type }) => type.name)}::text[])`
  }
}

/** Whoever says something says it in one's own name. */
function setAuthor(document: CommentRecord, { caller }: RecordWork, before: CommentRecord | null): void {
  document.comment_email = before === null ? caller.user : before.comment_email
  document.comment_by = before === null ? caller.fullName : before.comment_by
}

async function requireRoom(document: CommentRecord, { tx }: RecordWork, before: CommentRecord | null): Promise<void> {
  if (before !== null) return
  const [found] = await tx.query<{ count: number }>(sql`
    select count(*) as count from comments
     where tenant_id = ${tx.tenantId} and reference_doctype = ${document.reference_doctype}
       and reference_name = ${document.reference_name}`)
  if ((found?.count ?? 0) < maxComments) return
  throw new RecordError(
    'ValidationError',
    `A record has at most ${maxComments} comments. Delete some of ${document.reference_name} first.`,
  )
}

/**
 * Tasks that are somebody's: who is to do one, who gave or made it, and those of a role. Whoever may read tasks for another reason
 * than being of the staff sees those, too, that nobody was given.
 */
function tasksSeenBy({ caller }: RecordView, alias: string): Sql | null {
  if (isManager(caller)) return null
  const of = identifier(alias)
  const { 'Desk User': _, ...readers } = toDo.permissions
  const isReader = Object.keys(readers).some((role) => caller.roles.has(role))
  const unassigned = isReader ? sql`or coalesce(${of}.allocated_to, '') = ''` : sql``
  return sql`(${of}.allocated_to = ${caller.user} or ${of}.assigned_by = ${caller.user} or ${of}.owner = ${caller.user}
              or ${of}.role = any(${[...caller.roles]}::text[]) ${unassigned})`
}

/** It is the caller who gives a task, so that nobody learns by naming somebody else what that one is called. */
const withoutGiver = ({ assigned_by: _, assigned_by_full_name: __, ...sent }: Readonly<Record<string, unknown>>) => sent

function setGiver(document: ToDoRecord, { caller }: RecordWork, before: ToDoRecord | null): void {
  if (before !== null) {
    document.assigned_by = before.assigned_by
    document.assigned_by_full_name = before.assigned_by_full_name
  } else if (caller.kind === 'user' && document.assigned_by === null) {
    document.assigned_by = caller.user
    document.assigned_by_full_name = caller.fullName
  }
}

/** Nobody is given a record that they may not read, nor by somebody who may not. */
async function requireGivable(document: ToDoRecord, work: RecordWork, before: ToDoRecord | null): Promise<void> {
  setGiver(document, work, before)
  const fields = ['allocated_to', 'reference_type', 'reference_name'] as const
  if (before !== null && fields.every((field) => document[field] === before[field])) return
  await requireAssignable(work, document)
}

const isAuthor = (caller: Caller, { owner }: { readonly owner: string }) => isManager(caller) || owner === caller.user

/** What the staff note about records of any type, and what they have to do. */
export const noteRecords: readonly RecordDefinition[] = [
  defineRecord(comment, {
    goesWith: 'reference_name',
    seenBy: onSeenRecords('reference_doctype'),
    mayChange: isAuthor,
    rules: { validate: [setAuthor, requireRoom] },
  }),
  defineRecord(tagLink, {
    goesWith: 'document_name',
    onceEach: 'tag',
    seenBy: onSeenRecords('document_type'),
    isWrittenByService: true,
  }),
  defineRecord(toDo, {
    goesWith: 'reference_name',
    seenBy: tasksSeenBy,
    rules: { received: withoutGiver, validate: [requireGivable] },
  }),
]
