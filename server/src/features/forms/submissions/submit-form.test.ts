import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { ChangeContext } from '../../../changes/request-context.ts'
import { Problem } from '../../../errors/problem.ts'
import { define } from '../../../record-engine/custom-fields/custom-fields.fixture.ts'
import type { VirusScanner } from '../../../storage/inspection/virus-scan.ts'
import { movedBack } from '../../../testing/fixtures/database/test-database.ts'
import { aCatalogue, aQuestion, aStudent, aTemplate, pdf } from '../../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../../testing/fixtures/resource-client.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import {
  findFormStudent,
  findPublicForm,
  formActor,
  type PublicForm,
  type ReceivedFormFile,
  receiveFormFile,
  type SentForm,
  submitForm,
  type TemplateSettings,
} from '../index.ts'
import { studentFormToken } from '../pages/form-links.ts'
import { cleanUpFormFilesJob } from './form-files.ts'

const scanner = {
  scan: async (bytes: AsyncIterable<Uint8Array>) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    return Buffer.concat(chunks).includes('a virus') ? { isClean: false, signature: 'Test' } : { isClean: true }
  },
} as unknown as VirusScanner
const service = await startTestService({ scanner })

interface OpenForm {
  readonly tenant: TestTenant
  readonly form: PublicForm
  readonly context: ChangeContext
  send(sent?: Partial<SentForm>): ReturnType<typeof submitForm>
  receive(
    fieldKey: string,
    bytes?: Uint8Array,
    mimeType?: string,
  ): Promise<ReceivedFormFile | Awaited<ReturnType<typeof receiveFormFile>>>
}

/** Opens the page of a new form. */
async function anOpenForm(settings: Partial<TemplateSettings>, tenant?: TestTenant): Promise<OpenForm> {
  const owner = tenant ?? (await service.tenant())
  const { key } = await aTemplate(service, owner, settings)
  const form = (await findPublicForm(service.data, owner.slug, key)) as PublicForm
  const context = formActor(form, { address: '192.0.2.7', requestId: randomUUID() })
  return {
    tenant: owner,
    form,
    context,
    send: (sent = {}) =>
      submitForm(service.data, context, form, {
        sessionKey: randomUUID(),
        answers: {},
        files: [],
        studentId: null,
        ...sent,
      }),
    receive: (fieldKey, bytes = pdf, mimeType = 'application/pdf') => {
      const sent = { fieldKey, fileName: 'paper.pdf', mimeType }
      return receiveFormFile(service.files, service.data, context, form, sent, Readable.from([bytes]))
    },
  }
}

async function received(opened: OpenForm, fieldKey: string): Promise<ReceivedFormFile> {
  const file = await opened.receive(fieldKey)
  assert.ok('documentId' in file, JSON.stringify(file))
  return file
}

async function loadSubmissions({ tenant }: OpenForm) {
  return (await tenant.api.get('/forms/submissions')).body
}

const admission: Partial<TemplateSettings> = {
  entityType: 'application',
  fields: [
    aQuestion('given', { isRequired: true }),
    aQuestion('family', { isRequired: true }),
    aQuestion('mail', { type: 'email', isRequired: true }),
    aQuestion('study', { type: 'select', options: [{ value: 'Nursing', label: 'Nursing' }] }),
    aQuestion('born', { type: 'date' }),
    aQuestion('mother'),
    aQuestion('call', { type: 'phone' }),
    aQuestion('proof', { type: 'file', validation: { documentTypeKey: 'identity_document', maxItems: 2 } }),
  ],
  mapping: {
    given: 'givenNames',
    family: 'familyNames',
    mail: 'email',
    study: 'program',
    born: 'customFields.birthDate',
    mother: 'contact.displayName',
    call: 'contact.phone',
  },
}

const ada = { given: ' Ada ', family: 'Byron', mail: 'ada@example.org' }

test('a public form: found only while tenant and template are open to the public', async () => {
  const { tenant, form } = await anOpenForm({ key: 'leave', name: 'Leave', description: 'Tell us.' })
  assert.deepEqual(
    [form.institution, form.name, form.description, form.version, form.definition.fields[0]?.key],
    [tenant.name, 'Leave', 'Tell us.', 1, 'reason'],
  )
  const find = async (key = 'leave', slug = tenant.slug) => (await findPublicForm(service.data, slug, key)) !== null
  assert.deepEqual([await find(), await find('other'), await find('leave', 'nobody')], [true, false, false])
  for (const settings of [{ status: 'draft' }, { status: 'archived' }, { isPublic: false }] as const) {
    await aTemplate(service, tenant, { key: 'leave', name: 'Leave', ...settings })
    assert.equal(await find(), false, JSON.stringify(settings))
  }
  await aTemplate(service, tenant, { key: 'leave', name: 'Leave' })
  await tenant.change({ modules: ['platform_integrations'] })
  assert.equal(await find(), false)
  await tenant.change({ modules: ['staff_forms'] })
  assert.equal(await find(), true)
  await tenant.change({ status: 'suspended' })
  assert.equal(await find(), false)
})

test('submitting a form: an answer that a custom field rejects stays with the submission only', async () => {
  const tenant = await service.tenant()
  const resourceClient = new ResourceClient(service, tenant)
  await aCatalogue(service, tenant)
  await define(resourceClient, 'Student Applicant', {
    card: { fieldtype: 'Data', unique: 1 },
    wish: { fieldtype: 'Link', options: 'Program' },
    height: { fieldtype: 'Float' },
    way: { fieldtype: 'Duration' },
    since: { fieldtype: 'Date' },
    boarder: { fieldtype: 'Check' },
  })
  const names = ['card', 'wish', 'height', 'way', 'since', 'boarder']
  const opened = await anOpenForm(
    {
      ...admission,
      fields: [
        ...(admission.fields ?? []),
        ...names.map((name) => aQuestion(name, name === 'boarder' ? { type: 'checkbox' } : {})),
      ],
      mapping: { ...admission.mapping, ...Object.fromEntries(names.map((name) => [name, `customFields.${name}`])) },
    },
    tenant,
  )
  const keep = async (answers: object) => {
    const outcome = await opened.send({ answers: { ...ada, ...answers } })
    assert.ok(outcome.isAccepted, JSON.stringify(outcome))
    const { entityId, values } = outcome.submission
    const { body } = await tenant.api.get(`/admissions/applications/${entityId}`)
    return { kept: body.data.customFields, values }
  }
  const sound = { card: 'K1', wish: 'Nursing', height: '1.6', way: '900', since: '2026-09-01', boarder: true }
  const first = await keep(sound)
  assert.deepEqual(first.kept, { ...sound, height: 1.6, way: 900 })
  const nothing = { card: null, wish: null, height: null, way: null, since: null, boarder: false }
  const faulty = { card: 'K1', wish: 'Law', height: 'abc', way: 'Infinity', since: 'soon' }
  const second = await keep(faulty)
  assert.deepEqual(second.kept, nothing)
  assert.deepEqual({ ...second.values, ...faulty }, second.values)
  const atOnce = await Promise.all(Array.from({ length: 4 }, () => keep({ card: 'K2' })))
  assert.equal(atOnce.filter(({ kept: stored }) => stored.card === 'K2').length, 1)
  // Later the field may become required, unique and of another type.
  const field = await resourceClient.update('Custom Field', 'Student Applicant-height', { fieldtype: 'Percent' })
  assert.equal(field.status, 200, field.told)
})

test('submitting a form: a birth date, gender and year become fields of the applicant; a birth date to come does not', async () => {
  const tenant = await service.tenant()
  const resourceClient = new ResourceClient(service, tenant)
  const opened = await anOpenForm(
    {
      key: 'details',
      entityType: 'application',
      fields: [
        aQuestion('given', { isRequired: true, validation: { maxLength: 120 } }),
        aQuestion('born', { type: 'date' }),
        aQuestion('sex', { validation: { maxLength: 20 } }),
        aQuestion('year', { validation: { maxLength: 20 } }),
      ],
      mapping: { given: 'givenNames', born: 'dateOfBirth', sex: 'gender', year: 'academicYear' },
    },
    tenant,
  )
  const store = async (born: string) => {
    const outcome = await opened.send({ answers: { given: 'Ada', born, sex: 'Female', year: '2026-27' } })
    assert.ok(outcome.isAccepted, JSON.stringify(outcome))
    const { data } = (await tenant.api.get(`/admissions/applications/${outcome.submission.entityId}`)).body
    const { data: applicant } = await resourceClient.read('Student Applicant', data.applicationCode)
    return [applicant.date_of_birth, applicant.gender, applicant.academic_year]
  }
  assert.deepEqual(await store('2015-02-28'), ['2015-02-28', 'Female', '2026-27'])
  assert.deepEqual(await store('2999-01-01'), [null, 'Female', '2026-27'])
})

test('submitting a form: creates the application with mapped answers, contacts and documents', async () => {
  const tenant = await service.tenant()
  const { programId } = await aCatalogue(service, tenant)
  const opened = await anOpenForm({ ...admission, key: 'apply' }, tenant)
  const file = await received(opened, 'proof')
  const answers = { ...ada, study: 'Nursing', born: '2010-05-01', mother: 'Annabella Milbanke', call: '555 1234' }
  const outcome = await opened.send({ answers, files: [file] })
  assert.ok(outcome.isAccepted && outcome.isNew)
  const { body } = await tenant.api.get('/forms/submissions')
  assert.deepEqual(body.data, [outcome.submission])
  const submission = body.data[0]
  assert.deepEqual(
    [submission.entityType, submission.entityLabel, submission.source, submission.submittedBy],
    ['application', 'Ada Byron', 'public_form', { name: 'Annabella Milbanke', email: 'ada@example.org' }],
  )
  assert.deepEqual(submission.files, [{ documentId: file.documentId, fieldKey: 'proof' }])
  assert.deepEqual([submission.values.given, submission.values.proof], ['Ada', [file.documentId]])
  const { data: application } = (await tenant.api.get(`/admissions/applications/${submission.entityId}`)).body
  assert.deepEqual(
    [application.fullName, application.status, application.programId, application.email, application.customFields],
    ['Ada Byron', 'new', programId, 'ada@example.org', { birthDate: '2010-05-01' }],
  )
  assert.match(application.applicationCode, /^EDU-APP-\d{4}-00001$/)
  assert.deepEqual(
    application.contacts.map(({ displayName, role, isPrimary, source, phone }: Record<string, unknown>) => [
      ...[displayName, role, isPrimary, source, phone],
    ]),
    [
      ['Annabella Milbanke', 'primary_contact', true, 'form', '555 1234'],
      ['Ada Byron', 'applicant', false, 'form', null],
    ],
  )
  const { data: document } = (await tenant.api.get(`/vault/documents/${file.documentId}`)).body
  assert.deepEqual(
    [document.source, document.status, document.documentType.key, document.links[0].entityId],
    ['form', 'uploaded', 'identity_document', application.id],
  )
  assert.deepEqual((await tenant.traces(submission.id)).events, ['form_submission.created'])
  assert.deepEqual((await tenant.traces(submission.id)).audit, ['form_submission.created'])
  assert.deepEqual((await tenant.traces(application.id)).events, ['admission_application.created'])
  assert.equal((await tenant.traces(document.id)).events.at(-1), 'vault_document.linked')
  const [audit] = await service.database.inspect(
    'select actor_type, actor_id, actor_name, address from audit_entries where tenant_id = $1 and entity_id = $2',
    [tenant.id, submission.id],
  )
  const expected = { actor_type: 'link', actor_id: opened.form.templateId, actor_name: 'apply', address: '192.0.2.7' }
  assert.deepEqual(audit, expected)
  assert.equal((await tenant.api.get('/admissions/applications')).body.pagination.total, 1)
  assert.equal((await tenant.api.get('/forms/templates')).body.data[0].submissionCount, 1)
})

test('submitting a form: errors are reported together, nothing is created, and uploaded files are archived', async () => {
  const opened = await anOpenForm(admission)
  const file = await received(opened, 'proof')
  const outcome = await opened.send({ answers: { given: '', mail: 'nobody', surprise: '1' }, files: [file] })
  assert.ok(!outcome.isAccepted)
  assert.deepEqual(
    outcome.errors.map(({ fieldKey, code }) => `${fieldKey} ${code}`),
    ['given required', 'family required', 'mail format', 'surprise unknown_field'],
  )
  const { api } = opened.tenant
  assert.equal((await loadSubmissions(opened)).pagination.total, 0)
  assert.equal((await api.get('/admissions/applications')).body.pagination.total, 0)
  assert.equal((await api.get(`/vault/documents/${file.documentId}`)).body.data.status, 'archived')
})

test('submitting a form: repeated and concurrent requests make one submission', async () => {
  const opened = await anOpenForm(admission)
  const sessionKey = randomUUID()
  const files = await Promise.all([1, 2, 3, 4].map(async () => [await received(opened, 'proof')]))
  const outcomes = await Promise.all(files.map((one) => opened.send({ sessionKey, answers: ada, files: one })))
  const made = outcomes.map((outcome) => outcome.isAccepted && outcome.submission.id)
  assert.equal(new Set(made).size, 1)
  assert.equal(outcomes.filter((outcome) => outcome.isAccepted && outcome.isNew).length, 1)
  const again = await opened.send({ sessionKey, answers: { given: 'Somebody', family: 'else' } })
  assert.ok(again.isAccepted && !again.isNew)
  assert.equal(again.submission.id, made[0])
  const { api } = opened.tenant
  assert.equal((await loadSubmissions(opened)).pagination.total, 1)
  assert.equal((await api.get('/admissions/applications')).body.pagination.total, 1)
  assert.equal((await api.get('/forms/templates')).body.data[0].submissionCount, 1)
  const archived = await api.get('/vault/documents?status=archived')
  assert.equal(archived.body.pagination.total, 3)
  for (const bad of ['', 'with blank ', 'x'.repeat(201)]) {
    await assert.rejects(opened.send({ sessionKey: bad, answers: ada }), (error) => {
      return error instanceof Problem && error.code === 'validation_failed'
    })
  }
})

test('a student link of a form: ties the submission to the student, and opens no other form', async () => {
  const tenant = await service.tenant()
  const student = await aStudent(tenant.api, { fullName: 'Ada Byron' })
  const opened = await anOpenForm({ entityType: 'student', fields: [aQuestion('reason')] }, tenant)
  const other = await anOpenForm({ entityType: 'student' }, tenant)
  const { templateId } = opened.form
  const token = studentFormToken(service.secretKey, { tenantId: tenant.id, templateId, studentId: student.id })
  const open = (form: PublicForm, text: string) => findFormStudent(service.data, service.secretKey, form, text)
  assert.deepEqual(await open(opened.form, token), { id: student.id, fullName: 'Ada Byron' })
  const changed = token.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
  for (const [form, text] of [
    [other.form, token],
    [opened.form, changed],
    [opened.form, token.slice(1)],
    [opened.form, ''],
  ] as const) {
    assert.equal(await open(form, text), null)
  }
  const tied = await opened.send({ answers: { reason: 'A wedding' }, studentId: student.id })
  const alone = await opened.send({ answers: { reason: 'None' } })
  assert.ok(tied.isAccepted && alone.isAccepted)
  assert.deepEqual([tied.submission.entityId, tied.submission.entityLabel], [student.id, 'Ada Byron'])
  assert.deepEqual([alone.submission.entityType, alone.submission.entityId], ['none', null])
})

test('a file of a form: one that its question does not accept is an error and leaves no document', async () => {
  const validation = { mediaTypes: ['application/pdf'], maxSizeBytes: 200 }
  const fields = [aQuestion('proof', { type: 'file', isRequired: true, validation })]
  const opened = await anOpenForm({ fields })
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const code = async (...sent: Parameters<OpenForm['receive']>) => {
    const found = await opened.receive(...sent)
    return 'error' in found ? found.error.code : 'stored'
  }
  assert.equal(await code('proof'), 'stored')
  assert.equal(await code('proof', Buffer.concat([pdf, Buffer.alloc(200)])), 'file_too_large')
  assert.equal(await code('proof', png, 'image/png'), 'media_type_not_allowed')
  assert.equal(await code('proof', Buffer.from('<html></html>')), 'media_type_not_allowed')
  assert.equal(await code('proof', Buffer.from('%PDF-1.4 a virus\n%%EOF\n')), 'file_infected')
  assert.equal(await code('other'), 'unknown_field')
  const documents = await opened.tenant.api.get('/vault/documents')
  assert.equal(documents.body.pagination.total, 1)
  const found = await opened.receive('proof', png, 'image/png')
  const error = 'error' in found ? found.error : null
  assert.deepEqual(error?.bounds, { allowed: ['application/pdf'] })
  const outcome = await opened.send({ fileErrors: [error as never] })
  assert.deepEqual(outcome, { isAccepted: false, errors: [error] })
})

test('submitting a form: files of a hidden question are archived, the others stored', async () => {
  const fields = [
    aQuestion('has', { type: 'checkbox' }),
    aQuestion('proof', { type: 'file', visibleWhen: { field: 'has', equals: true } }),
  ]
  const opened = await anOpenForm({ fields })
  const file = await received(opened, 'proof')
  const outcome = await opened.send({ answers: { has: 'off' }, files: [file] })
  assert.ok(outcome.isAccepted)
  assert.deepEqual([outcome.submission.files, outcome.submission.values], [[], { has: false }])
  const { body } = await opened.tenant.api.get(`/vault/documents/${file.documentId}`)
  assert.equal(body.data.status, 'archived')
})

test('submitting a form: one that was changed or closed since it was opened is rejected', async () => {
  const tenant = await service.tenant()
  const opened = await anOpenForm({ key: 'leave' }, tenant)
  await aTemplate(service, tenant, { key: 'leave', fields: [aQuestion('cause', { isRequired: true })] })
  const refused = (error: unknown) => error instanceof Problem && error.code === 'resource_not_found'
  await assert.rejects(opened.send({ answers: { reason: 'x' } }), refused)
  await aTemplate(service, tenant, { key: 'leave', fields: [aQuestion('reason')], status: 'archived' })
  await assert.rejects(opened.send({ answers: { reason: 'x' } }), refused)
  assert.equal((await loadSubmissions(opened)).pagination.total, 0)
})

test('the job form-files: archives documents of forms that were not submitted after a day, and no others', async () => {
  const opened = await anOpenForm({ fields: [aQuestion('proof', { type: 'file' })] })
  const { tenant } = opened
  const [stored, lost, recent] = [
    await received(opened, 'proof'),
    await received(opened, 'proof'),
    await received(opened, 'proof'),
  ]
  await opened.send({ files: [stored] })
  await service.database.inspect(
    `update documents set ${movedBack('created_at', '25 hours')} where tenant_id = $1 and id = any ($2)`,
    [tenant.id, [stored.documentId, lost.documentId]],
  )
  await cleanUpFormFilesJob.run(service.data, tenant)
  const loadStatus = async ({ documentId }: ReceivedFormFile) =>
    (await tenant.api.get(`/vault/documents/${documentId}`)).body.data.status
  assert.deepEqual(await Promise.all([stored, lost, recent].map(loadStatus)), ['uploaded', 'archived', 'uploaded'])
})
