import { comment, type Field, type RecordType, tagLink, toDo } from '@matricula/contract/record-types'
import { identifier, column as quoted, type Sql, sql } from '../../database/index.ts'
import type { Caller } from '../model/caller.ts'
import { mayDo } from '../model/permissions.ts'
import type { RecordDefinition } from '../model/record-definition.ts'
import { getTable } from '../model/record-tables.ts'
import type { QueryColumn } from './query-column.ts'
import { readsOnlyItsOwn } from './visibility/ownership.ts'

/** A column that summarizes the notes on a record (tags, assignments, comments) in one text. */
interface Note {
  readonly field: Field
  /** The type of the notes, and its fields that name the record. */
  readonly type: RecordType
  readonly typeField: string
  readonly nameField: string
  /** The condition on the notes `n` that count. */
  readonly counts: Sql
  /** The text of the notes `n` that a condition leaves; null where there are none. */
  readonly text: (notes: Sql) => Sql
}

/** The maximum comments of a record in a list: the newest. */
const maxComments = 100

const notes: Readonly<Record<string, Note>> = {
  _user_tags: {
    field: { type: 'Text', label: 'Tags' },
    type: tagLink,
    typeField: 'document_type',
    nameField: 'document_name',
    counts: sql`true`,
    text: (of) => sql`(select string_agg(',' || n.tag, '' order by n.created_at, n.id) ${of})`,
  },
  _assign: {
    field: { type: 'Text', label: 'Assigned To' },
    type: toDo,
    typeField: 'reference_type',
    nameField: 'reference_name',
    counts: sql`n.allocated_to is not null and n.status not in ('Closed', 'Cancelled')`,
    text: (of) => sql`(
      select jsonb_agg(given.allocated_to order by given.at, given.allocated_to)::text
        from (select n.allocated_to, min(n.created_at) as at ${of} group by n.allocated_to) given)`,
  },
  _comments: {
    field: { type: 'Text', label: 'Comments' },
    type: comment,
    typeField: 'reference_doctype',
    nameField: 'reference_name',
    counts: sql`n.comment_type = 'Comment'`,
    text: (of) => sql`(
      select jsonb_agg(jsonb_build_object('comment', said.comment, 'by', said.by, 'name', said.name)
                       order by said.created_at, said.id)::text
        from (select case when length(n.content) > 100 then left(n.content, 97) || '...' else n.content end as comment,
                     coalesce(n.comment_email, n.owner) as by, n.name, n.created_at, n.id ${of}
               order by n.created_at desc, n.id desc limit ${sql`${maxComments}::integer`}) said)`,
  },
  _liked_by: {
    field: { type: 'Text', label: 'Liked By' },
    type: comment,
    typeField: 'reference_doctype',
    nameField: 'reference_name',
    counts: sql`n.comment_type = 'Like'`,
    text: (of) => sql`(
      select jsonb_agg(liked.by order by liked.at, liked.by)::text
        from (select n.owner as by, min(n.created_at) as at ${of} group by n.owner) liked)`,
  },
}

/** The fields that Resource API clients request of every type, whether it has them or not. */
const asked: ReadonlySet<string> = new Set([...Object.keys(notes), '_seen'])

/** Whether a field is one that clients request of every type; it is left out where a type lacks it. */
export function isNote(field: string): boolean {
  return asked.has(field)
}

/** Whether the records of a type may have notes: those that are not notes themselves. */
function takesNotes({ computed, seenBy, goesWith }: RecordDefinition): boolean {
  return computed === null && seenBy === null && goesWith === null
}

/** Whether a caller sees the notes on the records of a type: one who may read all of these. */
export function seesNotes(caller: Caller, definition: RecordDefinition): boolean {
  return takesNotes(definition) && mayDo(caller, definition.type, 'read') && !readsOnlyItsOwn(caller, definition)
}

/**
 * The column of the notes on the records `r` of a type; null for another name. It reads the notes of the records that
 * are shown; a condition on it, those of the whole type.
 */
export function noteColumn(tenantId: string, recordType: RecordType, name: string): QueryColumn | null {
  const note = Object.hasOwn(notes, name) ? notes[name] : undefined
  if (note === undefined) return null
  const { field, type, typeField, nameField, counts, text } = note
  const recorded = quoted(nameField)
  const ofType = sql`from ${identifier(getTable(type))} n
       where n.tenant_id = ${tenantId} and n.${quoted(typeField)} = ${recordType.name} and ${counts}`
  const raw = (record: Sql) => text(sql`${ofType} and n.${recorded} = ${record}`)
  return {
    id: `r.${name}`,
    name,
    field,
    recordType,
    raw: raw(sql`r.name`),
    beside: sql`(
      select noted.name, ${raw(sql`noted.name`)} as value
        from (select distinct n.${recorded} as name ${ofType}) noted)`,
    custom: null,
    byId: null,
    isMoment: false,
    isNullable: true,
  }
}
