import { comment, file, type Right, tagLink, user } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import {
  type AnyDocument,
  type Caller,
  mayDo,
  type RecordEngine,
  readRecord,
  seesNotes,
  shownRecord,
} from '../../record-engine/index.ts'
import { CallResult, type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { openTasks } from './assignment-methods.ts'
import type { AnnotatedRecord } from './noted-record.ts'

const path = 'frappe.desk.form.load'
const maxComments = 100
const rights: readonly Right[] = ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend']
const named = { doctype: { type: 'string', required: true }, name: { type: 'string', required: true } } as const

/** What forms of desks load: a record, and beside it what there is about it. */
export const formMethods: readonly RecordMethod[] = [
  recordMethod({
    path: `${path}.getdoc`,
    rights: 'of the argument',
    summary: 'A record, in `docs`, and beside it in `docinfo` its comments, tags, assignments and files.',
    parameters: { ...named, user: { type: 'any' } },
    run: async (engine, { doctype, name }) => {
      const document = await readRecord(engine, doctype, name)
      const { type } = engine.registry.require(doctype)
      const docs = [shownRecord(engine.caller, type, document, { nulls: true })]
      return new CallResult(null, docs, { docinfo: await aboutRecord(engine, doctype, document) })
    },
  }),
  recordMethod({
    path: `${path}.get_docinfo`,
    rights: 'of the argument',
    summary: 'What there is about a record, in `docinfo`.',
    parameters: named,
    run: async (engine, { doctype, name }) => {
      const docinfo = await aboutRecord(engine, doctype, await readRecord(engine, doctype, name))
      return new CallResult(null, [], { docinfo })
    },
  }),
]

/** The kinds of comments that forms show apart from what people said. */
const logs: Readonly<Record<string, readonly string[]>> = {
  comments: ['Comment'],
  assignment_logs: ['Assigned', 'Assignment Completed'],
  attachment_logs: ['Attachment', 'Attachment Removed'],
  info_logs: ['Info', 'Edit', 'Label'],
  like_logs: ['Like'],
  workflow_logs: ['Workflow'],
}

async function aboutRecord(engine: RecordEngine, typeName: string, document: AnyDocument): Promise<object> {
  const definition = engine.registry.require(typeName)
  const { type } = definition
  const record = { type, name: document.name }
  const isSeen = seesNotes(engine.caller, definition)
  const comments = isSeen ? await newestComments(engine, record) : []
  const tasks = isSeen ? await openTasks(engine, record) : []
  const tags = isSeen ? await findTags(engine, record) : []
  const people = [...comments.map(({ owner }) => owner), ...tasks.map(({ allocated_to }) => allocated_to ?? '')]
  const changers = [document.owner, document.modified_by].filter((name) => seesUser(engine.caller, name))
  return {
    doctype: type.name,
    name: document.name,
    user_info: await usersNamed(engine, [...people, ...changers]),
    ...Object.fromEntries(
      Object.entries(logs).map(([kind, types]) => [
        kind,
        comments.filter((each) => types.includes(each.comment_type ?? '')).map(shownComment),
      ]),
    ),
    assignments: tasks.map(({ name, allocated_to, description, status }) => {
      return { name, owner: allocated_to, description, status }
    }),
    attachments: await loadAttachments(engine, record),
    tags: tags.join(','),
    permissions: Object.fromEntries(rights.map((right) => [right, mayDo(engine.caller, type, right) ? 1 : 0])),
    // What forms look for of every record, and what there is none of here.
    shared: [],
    versions: [],
    communications: [],
    automated_messages: [],
    total_comments: comments.length,
    views: [],
    energy_point_logs: [],
    additional_timeline_content: [],
    milestones: [],
    is_document_followed: null,
    document_email: null,
  }
}

type CommentRecord = Awaited<ReturnType<typeof newestComments>>[number]

function newestComments(engine: RecordEngine, { type, name }: AnnotatedRecord) {
  return engine.select(
    comment,
    sql`r.reference_doctype = ${type.name} and r.reference_name = ${name}`,
    sql`order by r.created_at desc, r.id desc limit ${maxComments}::integer`,
  )
}

function shownComment({ name, creation, content, owner, comment_type, comment_email, comment_by }: CommentRecord) {
  return { name, creation, content, owner, comment_type, comment_email, comment_by }
}

async function findTags(engine: RecordEngine, { type, name }: AnnotatedRecord): Promise<(string | null)[]> {
  const links = await engine.select(
    tagLink,
    sql`r.document_type = ${type.name} and r.document_name = ${name}`,
    sql`order by r.created_at, r.id`,
  )
  return links.map(({ tag }) => tag)
}

/** The files of a record that somebody sees who may read it. */
async function loadAttachments(engine: RecordEngine, { type, name }: AnnotatedRecord): Promise<object[]> {
  const files = await engine.select(
    file,
    sql`r.attached_to_doctype = ${type.name} and r.attached_to_name = ${name}`,
    sql`order by r.created_at, r.id`,
  )
  return files.map(({ name: id, file_name, file_url, is_private }) => ({ name: id, file_name, file_url, is_private }))
}

/** Whether a caller may know what a user is called: everybody knows that of oneself, others take the right to read users. */
const seesUser = (caller: Caller, name: string) => name === caller.user || mayDo(caller, user, 'read')

/** What clients show of the users who are named. */
async function usersNamed({ tx }: RecordEngine, names: readonly string[]): Promise<object> {
  const rows = await tx.query<{ name: string; full_name: string | null; user_image: string | null }>(sql`
    select u.name, u.full_name, u.user_image from users u
     where u.tenant_id = ${tx.tenantId} and u.name = any(${[...new Set(names)]}::text[]) order by u.name`)
  return Object.fromEntries(
    rows.map(({ name, full_name, user_image }) => {
      return [name, { name, email: name, fullname: full_name, image: user_image }]
    }),
  )
}
