import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import type {
  Application,
  Document,
  DocumentRequest,
  FormSubmission,
  FormTemplate,
  Payment,
  Static,
  Student,
  UploadTicket,
} from '@matricula/contract'
import { identifier, sql } from '../database/index.ts'
import { importCourse } from '../features/courses/index.ts'
import {
  always,
  insertSubmission,
  type NewSubmission,
  saveTemplate,
  type TemplateSettings,
} from '../features/forms/index.ts'
import { importProgram } from '../features/programs/index.ts'
import { recordChanges } from '../platform/changes.ts'
import { lockRows } from '../platform/locks.ts'
import type { RecordList } from '../platform/record-list.ts'
import type { ChangeContext } from '../platform/request-context.ts'
import { createUser, findSession, hashOfPassword } from '../platform/users/index.ts'
import { openSession } from '../platform/users/sessions.ts'
import type { Caller } from './caller.ts'
import { RecordCaller } from './record-caller.ts'
import type { TestService, TestTenant } from './test-service.ts'

/** Makes a student through the API, with whatever the test cares about. */
export async function aStudent(api: Caller, body: object = {}): Promise<Static<typeof Student>> {
  const { status, body: answer } = await api.post('/students', { fullName: 'Ada Byron', ...body })
  assert.equal(status, 201)
  return answer.data
}

/** Makes a payment through the API, of a new student unless the body names one. */
export async function aPayment(
  api: Caller,
  body: { studentId?: string } & object = {},
): Promise<Static<typeof Payment>> {
  const studentId = body.studentId ?? (await aStudent(api)).id
  const payment = { amount: 100, description: 'Tuition', dueDate: '2026-09-01', ...body, studentId }
  const { status, body: answer } = await api.post('/payments', payment)
  assert.equal(status, 201)
  return answer.data
}

/** Makes an application through the API, with whatever the test cares about. */
export async function anApplication(api: Caller, body: object = {}): Promise<Static<typeof Application>> {
  const { status, body: answer } = await api.post('/admissions/applications', { fullName: 'Ada Byron', ...body })
  assert.equal(status, 201)
  return answer.data
}

/** Adds copies of an application that is there, by the hundred, past the API. */
export async function copiesOfApplication(service: TestService, tenant: TestTenant, id: string, count: number) {
  await service.database.inspect(
    `with copied as (
       insert into admission_applications
       select (jsonb_populate_record(a, jsonb_build_object(
                'id', gen_random_uuid(), 'application_code', 'COPY-' || n, 'external_id', null))).*
         from admission_applications a, generate_series(1, $3) n where a.tenant_id = $1 and a.id = $2
       returning status)
     insert into record_counts (tenant_id, entity_type, status, shard, count)
     select $1, 'admission_application', status, 99, count(*) from copied group by status`,
    [tenant.id, id, count],
  )
}

/** The bytes of a small PDF. */
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n')

/** What an upload intent says of a file. */
export function announced(bytes: Uint8Array = pdf) {
  const checksumSha256 = createHash('sha256').update(bytes).digest('hex')
  return { fileName: 'certificate.pdf', mimeType: 'application/pdf', sizeBytes: bytes.length, checksumSha256 }
}

/** Asks for an upload through the API, of a small PDF unless the body says otherwise. */
export async function anUpload(api: Caller, body: object = {}): Promise<Static<typeof UploadTicket>> {
  const type = 'documentId' in body || 'documentTypeId' in body ? {} : { documentTypeKey: 'birth_certificate' }
  const { status, body: answer } = await api.post('/vault/documents/upload-intents', {
    ...type,
    ...announced(),
    ...body,
  })
  assert.equal(status, 201, JSON.stringify(answer))
  return answer.data
}

/** Makes a document with a complete file through the API, as a family's program does: a small PDF, unless other bytes are given. */
export async function aDocument(
  service: TestService,
  api: Caller,
  body: object = {},
  bytes: Buffer = pdf,
): Promise<Static<typeof Document>> {
  const { document, version, upload } = await anUpload(api, { ...announced(bytes), ...body })
  const sent = await service.sendFile(upload.url, { method: 'PUT', headers: upload.headers, body: bytes })
  assert.equal(sent.status, 200, await sent.text())
  const completed = await api.send('POST', `/vault/documents/${document.id}/versions/${version.id}/complete`, undefined)
  assert.equal(completed.status, 200, completed.text)
  return completed.body.data
}

/** Asks for documents through the API: of a new student, and for a birth certificate, unless the body says otherwise. */
export async function aRequest(api: Caller, body: object = {}): Promise<Static<typeof DocumentRequest>> {
  const entityId = 'entityId' in body ? body.entityId : (await aStudent(api)).id
  const isAsking = ['items', 'documentTypeIds', 'fromRequirements'].some((way) => way in body)
  const asked = isAsking ? {} : { documentTypeIds: [await aDocumentTypeId(api, 'birth_certificate')] }
  const { status, body: answer } = await api.post('/vault/requests', {
    entityType: 'student',
    ...asked,
    ...body,
    entityId,
  })
  assert.equal(status, 201, JSON.stringify(answer))
  return answer.data
}

/** The id of the tenant's document type with a key. */
export async function aDocumentTypeId(api: Caller, key: string): Promise<string> {
  const { body } = await api.get('/vault/document-types')
  return body.data.find((type: { key: string }) => type.key === key).id
}

/** A document that a profile asks for, by the key of its type. */
interface Asked {
  readonly key: string
  readonly isRequired?: boolean
  readonly minFiles?: number
}

/** Configures a profile that asks for documents of these types; answers the requirements' ids. */
export async function aProfile(
  service: TestService,
  tenant: TestTenant,
  appliesTo: 'student' | 'application',
  asked: readonly Asked[],
  conditions: { statuses?: string[]; programIds?: string[]; countries?: string[] } = {},
): Promise<string[]> {
  const profileId = randomUUID()
  const { statuses = [], programIds = [], countries = [] } = conditions
  await service.database.inspect(
    `insert into requirement_profiles (tenant_id, id, key, name, applies_to, statuses, program_ids, countries)
     values ($1, $2, $3, $3, $4, $5, $6, $7)`,
    [tenant.id, profileId, `p-${profileId}`, appliesTo, statuses, programIds, countries],
  )
  const ids = asked.map(() => randomUUID())
  for (const [index, { key, isRequired = true, minFiles = 1 }] of asked.entries()) {
    await service.database.inspect(
      `insert into requirements (tenant_id, id, profile_id, document_type_id, label, instructions, is_required, min_files,
                                 due_days, position)
       select $1, $2, $3, id, name, 'Both sides.', $4, $5, 30, $6 from document_types where tenant_id = $1 and key = $7`,
      [tenant.id, ids[index], profileId, isRequired, minFiles, index, key],
    )
  }
  return ids
}

/** Makes a program and a course in it, as an import does. */
export async function aCatalogue(
  service: TestService,
  tenant: TestTenant,
  names = { program: 'Nursing', course: 'Anatomy' },
): Promise<{ programId: string; courseId: string }> {
  const context = operatorOf(tenant)
  await service.data.transaction(tenant.id, async (tx) => {
    await importProgram(tx, context, { name: names.program })
    await importCourse(tx, context, { name: names.course, programs: [names.program] })
  })
  const programs = await tenant.api.get(`/programs?search=${encodeURIComponent(names.program)}`)
  const courses = await tenant.api.get(`/courses?search=${encodeURIComponent(names.course)}`)
  return { programId: programs.body.data[0].id, courseId: courses.body.data[0].id }
}

/** Changes that an operator makes in a test. */
export function operatorOf(tenant: TestTenant): ChangeContext {
  return { tenant, actor: { type: 'operator', id: null, name: 'test' }, requestId: null, address: null }
}

/** A question of a form, a text that nobody has to answer unless said otherwise. */
export function aQuestion(
  key: string,
  question: Partial<TemplateSettings['fields'][number]> = {},
): TemplateSettings['fields'][number] {
  return {
    key,
    label: `What is ${key}?`,
    type: 'text',
    isRequired: false,
    options: [],
    helpText: '',
    validation: {},
    visibleWhen: always,
    section: '',
    ...question,
  }
}

/** Makes a form template, a published public one unless said otherwise, as a configuration file does. */
export async function aTemplate(
  service: TestService,
  tenant: TestTenant,
  settings: Partial<TemplateSettings> = {},
): Promise<Static<typeof FormTemplate>> {
  const key = settings.key ?? `form_${randomUUID().slice(0, 8)}`
  const template: TemplateSettings = {
    key,
    name: 'Leave of absence',
    description: '',
    category: '',
    status: 'published',
    isPublic: true,
    entityType: 'none',
    sections: [],
    fields: [aQuestion('reason')],
    mapping: {},
    translations: {},
    ...settings,
  }
  await service.data.transaction(tenant.id, (tx) => saveTemplate(tx, operatorOf(tenant), template))
  const { body } = await tenant.api.get('/forms/templates?limit=100')
  return body.data.find((found: { key: string }) => found.key === key)
}

/** Makes a submission of a template, with one answer unless said otherwise. */
export function aSubmission(
  service: TestService,
  tenant: TestTenant,
  template: { id: string; version: number },
  submission: Partial<NewSubmission> = {},
): Promise<Static<typeof FormSubmission>> {
  return service.data.transaction(tenant.id, (tx) =>
    insertSubmission(tx, operatorOf(tenant), {
      templateId: template.id,
      templateVersion: template.version,
      studentId: null,
      applicationId: null,
      answers: [{ fieldKey: 'reason', label: 'What is reason?', type: 'text', value: 'A wedding' }],
      files: [],
      submittedBy: { name: 'Carmen Dyer', email: null },
      source: 'staff',
      sessionKey: null,
      ...submission,
    }),
  )
}

/** Deletes a record that nothing belongs to but its own parts, as an operation would, and tells of it. */
export function deleteRecord(
  service: TestService,
  tenant: TestTenant,
  list: RecordList,
  record: { id: string; externalId: string | null },
): Promise<void> {
  const { id: entityId, externalId } = record
  return service.data.transaction(tenant.id, async (tx) => {
    const parts = [
      ['document_versions', 'document_id'],
      ['application_moves', 'application_id'],
    ] as const
    for (const [table, column] of parts) {
      tx.send(
        sql`delete from ${identifier(table)} where tenant_id = ${tx.tenantId} and ${identifier(column)} = ${entityId}`,
      )
    }
    await lockRows(tx, list.table, [entityId])
    tx.send(sql`delete from ${identifier(list.table)} where tenant_id = ${tx.tenantId} and id = ${entityId}`)
    const type = `${list.entityType}.deleted` as const
    recordChanges(tx, operatorOf(tenant), [{ type, list, entityId, externalId, before: record, after: null }])
  })
}

/** Makes somebody who logs in, as an operator does, with a password that the test knows. */
export async function aUser(
  service: TestService,
  tenant: TestTenant,
  user: { email?: string; name?: string; roles?: readonly string[] } = {},
): Promise<{ id: string; email: string; password: string }> {
  const password = 'a password of this test'
  passwordHash ??= hashOfPassword(password)
  const made = { email: 'ada@school.example', name: 'Ada Byron', roles: ['System Manager'], ...user }
  const hash = await passwordHash
  const { id, email } = await service.data.transaction(tenant.id, (tx) =>
    createUser(tx, operatorOf(tenant), { ...made, passwordHash: hash }),
  )
  return { id, email, password }
}

/** Made once, because it takes its time. */
let passwordHash: Promise<string> | undefined

/** Somebody of a tenant who is logged in, with the token that writes bring: below the tenant's address. */
export async function aPerson(
  service: TestService,
  tenant: TestTenant,
  roles: readonly string[] = ['System Manager'],
): Promise<{ id: string; email: string; caller: RecordCaller }> {
  const email = `${randomUUID()}@school.example`
  const { id } = await aUser(service, tenant, { email, roles })
  const secret = await service.data.transaction(tenant.id, async (tx) => openSession(tx, id))
  const session = await findSession(service.data, tenant.id, secret)
  const headers = { cookie: `sid=${secret}`, 'x-frappe-csrf-token': session?.csrfToken as string }
  return { id, email, caller: new RecordCaller(`${service.address}/t/${tenant.slug}`, headers) }
}

/** The address of a tenant below the service's own, called with a key that has these roles. */
export async function aRecordCaller(
  service: TestService,
  tenant: TestTenant,
  roles: readonly string[] = ['System Manager'],
): Promise<RecordCaller> {
  const { secret } = await tenant.token({ kind: 'resource', name: 'portal', scopes: [], masterDomains: [], roles })
  return new RecordCaller(`${service.address}/t/${tenant.slug}`, { authorization: secret })
}
