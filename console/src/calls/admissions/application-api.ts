import type { SearchHit } from '../console-api.ts'
import { call } from '../http.ts'
import { list, type Document as Row, read } from '../resource-api.ts'
import type { DocumentVersion } from './admissions-api.ts'

/** Somebody who is linked to an application. */
export interface Contact {
  readonly id: string
  readonly role: string
  readonly contactId: string
  readonly relationshipLabel: string | null
  readonly isPrimary: boolean
  readonly displayName: string
  readonly email: string | null
  readonly phone: string | null
}

/** An application as the operations give it. */
export interface Application {
  readonly id: string
  readonly applicationCode: string
  readonly fullName: string
  readonly program: string
  readonly status: string
  readonly email: string | null
  readonly phone: string | null
  readonly country: string | null
  readonly stateProvince: string | null
  readonly city: string | null
  readonly address: string | null
  readonly academicYear: string | null
  readonly studentId: string | null
  readonly primaryContact: Contact | null
  readonly contacts: readonly Contact[]
  readonly createdAt: string
}

/** A status that applications may be in. */
interface PipelineStatus {
  readonly key: string
  readonly category: string
  readonly label: string
  readonly isActive: boolean
  readonly allowedNext: readonly string[] | null
  readonly requiresComplete: boolean
}

/** What is asked of an applicant. */
export interface Requirements {
  readonly profiles: readonly { readonly id: string; readonly name: string }[]
  readonly requirements: readonly {
    readonly requirementId: string
    readonly profileId: string
    readonly documentTypeId: string
    readonly label: string
    readonly isRequired: boolean
    readonly status: string
    readonly rejectionReason: string | null
  }[]
}

/** A document of an applicant. */
export interface ApplicationDocument {
  readonly id: string
  readonly title: string
  readonly documentType: { readonly name: string }
  readonly status: string
  readonly currentVersion: DocumentVersion | null
}

/** What a family sent with a form. */
interface Submission {
  readonly id: string
  readonly templateName: string
  readonly status: string
  readonly answers: readonly { readonly fieldKey: string; readonly label: string; readonly value: unknown }[]
}

interface Payment {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly description: string
}

/** Whom to link: a known person by id, else somebody by name. */
export interface LinkContact {
  readonly contactId?: string
  readonly displayName?: string
  readonly email?: string
  readonly phone?: string
  readonly role: string
  readonly relationshipLabel?: string
  readonly isPrimary: boolean
  readonly source: 'manual'
}

const getPath = (id: string) => `/console/v1/admissions/applications/${encodeURIComponent(id)}`

/** An application with the version of it that was read. */
interface VersionedApplication {
  readonly record: Application
  readonly entityTag: string
}

/** One application. Throws `CommandError`, as all of these do. */
export async function application(id: string): Promise<VersionedApplication> {
  const { body, headers } = await call('GET', getPath(id))
  return { record: body.data, entityTag: headers.get('etag') ?? '' }
}

/** The statuses of the pipeline, in its order. */
export async function pipeline(): Promise<PipelineStatus[]> {
  return (await call('GET', '/console/v1/admissions/pipeline/statuses')).body.data
}

/** Changes an application as long as nobody else did since the entity tag. */
export async function changeApplication(
  id: string,
  entityTag: string,
  fields: { readonly status?: string; readonly studentId?: string },
): Promise<void> {
  await call('PATCH', getPath(id), { body: fields, headers: { 'if-match': entityTag } })
}

/** Makes an application. The key is that of the intention, so that a repeated one makes it once. */
export async function makeApplication(key: string, fields: object): Promise<Application> {
  const headers = { 'idempotency-key': key }
  return (await call('POST', '/console/v1/admissions/applications', { body: fields, headers })).body.data
}

/** Links a person to an application: a known one by id, else a new one. The key is that of the intention. */
export async function linkContact(key: string, id: string, contact: LinkContact): Promise<void> {
  await call('POST', `${getPath(id)}/contacts`, { body: contact, headers: { 'idempotency-key': key } })
}

/** Changes what a contact is to an applicant, as long as nobody else changed the application since the entity tag. */
export async function changeContact(
  id: string,
  linkId: string,
  entityTag: string,
  fields: { readonly relationshipLabel?: string | null; readonly isPrimary?: true },
): Promise<void> {
  const headers = { 'if-match': entityTag }
  await call('PATCH', `${getPath(id)}/contacts/${linkId}`, { body: fields, headers })
}

/** Removes a contact from an application; the person stays. */
export async function removeContact(id: string, linkId: string, entityTag: string): Promise<void> {
  await call('DELETE', `${getPath(id)}/contacts/${linkId}`, { headers: { 'if-match': entityTag } })
}

/** Somebody who may be the same person as a contact. */
interface PossibleDuplicate {
  readonly linkId: string
  readonly contactId: string
  readonly displayName: string
  readonly hasSameEmail: boolean
  readonly hasSamePhone: boolean
}

/** People with the e-mail address or the telephone number of a contact of an application. */
export async function possibleDuplicates(applicationId: string): Promise<PossibleDuplicate[]> {
  return (await call('GET', '/console/v1/possible-duplicates', { query: { applicationId } })).body.data
}

/** What the institution asks of an applicant, and how each of it stands. */
export async function requirementsOf(applicationId: string): Promise<Requirements> {
  return (await call('GET', '/console/v1/vault/requirements', { query: { applicationId } })).body.data
}

/** The newest papers of an applicant. */
export async function loadDocuments(applicationId: string): Promise<ApplicationDocument[]> {
  return (await call('GET', '/console/v1/vault/documents', { query: { applicationId, limit: 50 } })).body.data
}

/** The name of the guardian that a contact of an applicant is on the Resource API; null where it is none. */
export async function findGuardian(applicationCode: string, linkId: string): Promise<string | null> {
  const { guardians = [] } = (await read('Student Applicant', applicationCode)) as { guardians?: readonly Row[] }
  // A row is named by the last 16 digits of the link's id.
  const row = guardians.find(({ name }) => name === linkId.replaceAll('-', '').slice(-16))
  return row === undefined ? null : String(row.guardian)
}

/** What an applicant's family sent with forms. */
export async function loadSubmissions(applicationId: string): Promise<Submission[]> {
  return (await call('GET', '/console/v1/forms/submissions', { query: { applicationId, limit: 20 } })).body.data
}

/** What the student pays whom an applicant became. */
export async function loadPayments(studentId: string): Promise<Payment[]> {
  return (await call('GET', '/console/v1/payments', { query: { studentId, limit: 20 } })).body.data
}

/** The code of a student, by which the Resource API knows it. */
export async function studentCode(id: string): Promise<string> {
  return (await call('GET', `/console/v1/students/${encodeURIComponent(id)}`)).body.data.studentCode
}

/** People of a kind who may be the one whose name, address or number is said. */
export async function alike(kind: 'student' | 'guardian', q: string): Promise<SearchHit[]> {
  return (await call('GET', '/console/v1/search', { query: { q, kind, limit: 5 } })).body.data
}

/** Makes a student of an applicant. Another attempt is refused, because the applicant is a student then. */
export async function enrol(applicationCode: string): Promise<void> {
  const body = { source_name: applicationCode }
  await call('POST', '/api/method/education.education.api.enroll_student', { body })
}

/** Records of a type that are of a student: the newest, with what tells them apart. */
export async function loadRecords(type: string, student: string, fields: readonly string[]): Promise<Row[]> {
  return list(type, {
    fields: ['name', 'docstatus', ...fields],
    filters: [['student', '=', student]],
    orFilters: [],
    order: 'creation desc',
    start: 0,
    length: 20,
  })
}

/** What the staff said about an application, the newest first. */
export async function notesOf(applicationCode: string): Promise<Row[]> {
  return list('Comment', {
    fields: ['name', 'content', 'owner', 'creation'],
    filters: [
      ['reference_doctype', '=', 'Student Applicant'],
      ['reference_name', '=', applicationCode],
      ['comment_type', '=', 'Comment'],
    ],
    orFilters: [],
    order: 'creation desc',
    start: 0,
    length: 50,
  })
}

/** The ids of the applications in a status, those that applied first before others, at most as many as the board shows. */
export async function neighboursIn(status: string): Promise<string[]> {
  const { columns } = (await call('GET', '/console/v1/board', { query: { status } })).body.data
  return columns.flatMap(({ cards }: { cards: { id: string }[] }) => cards.map(({ id }) => id))
}

/** The programs that an application may be for. */
export async function programs(): Promise<{ readonly id: string; readonly name: string }[]> {
  return (await call('GET', '/console/v1/programs', { query: { limit: 100 } })).body.data
}
