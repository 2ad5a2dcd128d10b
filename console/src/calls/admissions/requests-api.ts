import type { BulkJob, Selection } from '../bulk-jobs.ts'
import { call } from '../http.ts'
import { count, type ListQuestion, list } from '../resource-api.ts'

/** Whose documents are asked for. */
export type Asked = 'student' | 'application'

/** Documents that a family is asked for. */
export interface FamilyRequest {
  readonly id: string
  readonly entityType: Asked
  readonly entityLabel: string
  readonly title: string
  readonly recipient: { readonly name: string; readonly email: string | null }
  readonly status: 'open' | 'partially_completed' | 'completed' | 'expired' | 'revoked'
  readonly items: readonly {
    readonly id: string
    readonly label: string
    readonly isRequired: boolean
    readonly status: 'pending' | 'uploaded' | 'accepted' | 'rejected'
    readonly rejectionReason: string | null
  }[]
  readonly publicUrl: string | null
  readonly expiresAt: string
  readonly firstViewedAt: string | null
  readonly submittedAt: string | null
}

/** A page of requests. */
export interface RequestPage {
  readonly requests: readonly FamilyRequest[]
  readonly total: number
  readonly totalPages: number
}

/** What is asked for, of each alike. */
export interface Asking {
  readonly documentTypeIds?: readonly string[]
  readonly fromRequirements?: true
  readonly locale?: string
}

/** Who would be asked for what. */
export interface Preview {
  readonly locale: string
  readonly asked: readonly {
    readonly entityId: string
    readonly entityLabel: string
    readonly recipientName: string
    readonly recipientEmail: string | null
    readonly locale: string
    readonly asks: readonly string[]
    /** Whether requests that are open ask for all of it already. */
    readonly isAsked: boolean
  }[]
}

/** A page of the requests, the newest first. Throws `CommandError`, as all of these do. */
export async function familyRequests(query: {
  readonly status: string
  readonly page: number
  readonly limit: number
  readonly studentId?: string
  readonly applicationId?: string
}): Promise<RequestPage> {
  const { body } = await call('GET', '/console/v1/vault/requests', { query })
  return { requests: body.data, ...body.pagination }
}

/** Who would be asked for what, and in which language. Changes nothing. */
export async function previewRequests(
  entityType: Asked,
  entityIds: readonly string[],
  asking: Asking,
): Promise<Preview> {
  return (await call('POST', '/console/v1/request-previews', { body: { entityType, entityIds, ...asking } })).body.data
}

/** Those who are meant where they are too many to be named on a page. */
export type Whom = Selection | { readonly status: string }

/** How many of those who are meant would be asked by mail, exactly, and why the others would not be. */
export interface JobPreview {
  readonly locale: string
  readonly matched: number
  readonly total: number
  readonly complete: number
  readonly alreadyAsked: number
  readonly unreached: number
  readonly unreachedIds: readonly string[]
  readonly first: Preview['asked']
}

/** How many would be asked by a job. Changes nothing. */
export async function previewJob(entityType: Asked, whom: Whom, asking: Asking): Promise<JobPreview> {
  return (await call('POST', '/console/v1/request-jobs/preview', { body: { entityType, ...whom, ...asking } })).body
    .data
}

/** Begins to ask families by mail, unless there are others by now than were expected. A repeated key begins it once. */
export async function beginRequests(
  key: string,
  entityType: Asked,
  whom: Whom,
  asking: Asking,
  message: string,
  expectedTotal: number,
): Promise<BulkJob> {
  const body = { entityType, ...whom, ...asking, ...(message !== '' && { message }), expectedTotal }
  return (await call('POST', '/console/v1/request-jobs', { body, headers: { 'idempotency-key': key } })).body.data
}

/** Asks for the documents of one; by mail where `notify`. A repeated key asks once, and tells the address of the page again. */
export async function ask(
  key: string,
  body: Asking & {
    readonly entityType: Asked
    readonly entityId: string
    readonly notify: boolean
    readonly message?: string
  },
): Promise<FamilyRequest> {
  return (await call('POST', '/console/v1/vault/requests', { body, headers: { 'idempotency-key': key } })).body.data
}

/** Sends the mail once more. A repeated key sends it once. */
export async function remind(key: string, id: string): Promise<void> {
  await call('POST', `/console/v1/vault/requests/${id}/reminders`, { headers: { 'idempotency-key': key } })
}

/** Closes the family's page. Doing it again changes nothing. */
export async function revoke(id: string, reason: string): Promise<void> {
  await call('PATCH', `/console/v1/vault/requests/${id}`, { body: { status: 'revoked', reason } })
}

/** Opens the family's page again. Doing it again changes nothing. */
export async function restore(id: string): Promise<void> {
  await call('POST', `/console/v1/vault/requests/${id}/restore`)
}

/** A kind of document. */
export interface DocumentTypeOption {
  readonly id: string
  readonly name: string
  readonly appliesTo: readonly Asked[]
}

/** The kinds of documents that can be asked for. */
export async function documentTypeOptions(): Promise<DocumentTypeOption[]> {
  return (await call('GET', '/console/v1/vault/document-types')).body.data
}

/** Somebody who can be asked. */
export interface Person {
  readonly id: string
  readonly fullName: string
}

/** Those who are meant, by name where they are few; how they are chosen where a job asks them. */
export interface People {
  readonly people: readonly Person[]
  readonly total: number
  readonly whom: Whom | null
}

/** Those who applied and are in a status. */
export async function applicantsIn(status: string): Promise<People> {
  const people: Person[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await call('GET', '/console/v1/admissions/applications', { query: { status, limit: 100, page } })
    people.push(...body.data)
    const { total, totalPages } = body.pagination
    if (total > maxAsked) return { people: [], total, whom: { status } }
    if (page >= totalPages) return { people, total, whom: null }
  }
}

/** The record types of those who can be asked. */
const askedTypes = { student: 'Student', application: 'Student Applicant' } as const

/** How many are named on a page at most; more are asked by a job. */
export const maxAsked = 300

/** Those whose records a list picked: by name, or all that meet its filters. */
export async function loadPeople(asked: Asked, selection: Selection): Promise<People> {
  const { names, total } =
    'names' in selection
      ? { names: selection.names, total: selection.names.length }
      : await loadNames(askedTypes[asked], { filters: selection.filters, orFilters: selection.orFilters ?? [] })
  if (names.length === 0) return { people: [], total, whom: null }
  if (total > maxAsked) return { people: [], total, whom: selection }
  // Any document type does: who they are is asked for, and what is missing of each is not looked for.
  const some = (await documentTypeOptions()).find(({ appliesTo }) => appliesTo.includes(asked))
  const what = some === undefined ? { fromRequirements: true } : { documentTypeIds: [some.id] }
  const body = { entityType: asked, names, ...what }
  const { data } = (await call('POST', '/console/v1/request-previews', { body })).body
  const people = (data as Preview).asked.map(({ entityId, entityLabel }) => ({ id: entityId, fullName: entityLabel }))
  return { people, total, whom: null }
}

async function loadNames(type: string, met: Pick<ListQuestion, 'filters' | 'orFilters'>) {
  const slice = { fields: ['name'], order: 'name asc', start: 0, length: maxAsked }
  const [rows, total] = await Promise.all([list(type, { ...met, ...slice }), count(type, met)])
  return { names: rows.map(({ name }) => name), total }
}

/** A student, or an application, by its id. */
export async function loadPerson(asked: Asked, id: string): Promise<Person> {
  const path = asked === 'student' ? 'students' : 'admissions/applications'
  return (await call('GET', `/console/v1/${path}/${id}`)).body.data
}
