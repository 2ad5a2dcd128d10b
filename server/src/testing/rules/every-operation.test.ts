import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import {
  clientApi,
  isDomainWrite,
  type Method,
  type Operation,
  pathParameters,
  problems,
  scopes,
  systemsOfRecord,
} from '@matricula/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { applications } from '../../features/admissions/index.ts'
import { documents } from '../../features/documents/index.ts'
import { payments } from '../../features/payments/index.ts'
import { students } from '../../features/students/index.ts'
import { addContractFormats } from '../../http/operations/formats.ts'
import type { ApiResponse, Caller } from '../fixtures/client.ts'
import {
  aCatalogue,
  aDocument,
  anApplication,
  anUpload,
  aPayment,
  aRequest,
  aStudent,
  aSubmission,
  aTemplate,
  deleteRecord,
} from '../fixtures/factories.ts'
import { startTestService, type TestTenant } from '../fixtures/test-service.ts'

const service = await startTestService({ authFailuresPerMinute: 1_000_000 })
const ajv = new Ajv2020({ strict: false, allErrors: true })
addContractFormats(ajv)

/** A tenant that has one record of every kind, and where they are. */
interface Furnished {
  readonly tenant: TestTenant
  readonly api: Caller
  readonly ids: {
    student: string
    application: string
    link: string
    payment: string
    program: string
    course: string
    document: string
    documentType: string
    request: string
    readyVersion: string
    pendingVersion: string
    template: string
    submission: string
    webhook: string
    delivery: string
    account: string
    receipt: string
    receiptNumber: string
    payout: string
    'dunning-run': string
    notice: string
    obligations: { split: string; 'write-off': string; credit: string; 'dunning-hold': string }
    'direct-debit': string
    debit: string
    'bank-statement': string
    line: string
  }
}

let ours: Furnished
let theirs: Furnished

before(async () => {
  ours = await furnish()
  theirs = await furnish()
})

async function furnish(): Promise<Furnished> {
  const tenant = await service.tenant()
  const { api } = tenant
  const student = await aStudent(api)
  const application = await anApplication(api, { contacts: [{ displayName: 'Carmen', email: 'carmen@example.org' }] })
  const payment = await aPayment(api, { studentId: student.id })
  const { programId, courseId } = await aCatalogue(service, tenant)
  const link = application.contacts[0]?.id as string
  const ids = { student: student.id, application: application.id, link, payment: payment.id }
  const document = await aDocument(service, api, { entityType: 'student', entityId: student.id })
  const { version } = await anUpload(api, { documentId: document.id })
  const asked = { entityType: 'student', entityId: student.id, documentTypeIds: [document.documentTypeId] }
  const vaultIds = {
    document: document.id,
    documentType: document.documentTypeId,
    request: (await aRequest(api, asked)).id,
    readyVersion: document.currentVersion?.id as string,
    pendingVersion: version.id,
  }
  await deleteRecord(service, tenant, students, await aStudent(api))
  await deleteRecord(service, tenant, applications, await anApplication(api))
  await deleteRecord(service, tenant, payments, await aPayment(api, { studentId: student.id }))
  await deleteRecord(service, tenant, documents, (await anUpload(api)).document)
  const template = await aTemplate(service, tenant)
  const submission = await aSubmission(service, tenant, template)
  const formIds = { template: template.id, submission: submission.id }
  const { id: webhook } = (await api.post('/webhooks', { url: 'https://erp.example.org/hooks', types: ['*'] })).body
    .data
  const { next: until } = (await api.get('/events?after=latest')).body
  await api.post(`/webhooks/${webhook}/redeliveries`, { after: '0', until })
  const { id: delivery } = (await api.get(`/webhooks/${webhook}/deliveries?limit=1`)).body.data[0]
  const webhookIds = { webhook, delivery }
  const billingIds = { ...(await furnishBilling(tenant, student.id)), ...(await furnishBank(tenant)) }
  return {
    tenant,
    api,
    ids: { ...ids, ...vaultIds, ...formIds, ...webhookIds, ...billingIds, program: programId, course: courseId },
  }
}

/** An account that owes what the examples split and credit, with a receipt and a direct debit. */
async function furnishBilling({ id: tenantId, api }: TestTenant, studentId: string) {
  const owed = async () => (await aPayment(api, { studentId, amount: 1000 } as object)).id
  const obligations = {
    split: await owed(),
    'write-off': await owed(),
    credit: await owed(),
    'dunning-hold': await owed(),
  }
  const account = (await api.get(`/billing/accounts?studentId=${studentId}`)).body.data[0].id
  const receivedOn = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const sent = { accountId: account, receivedOn, method: 'cash', amount: 1, allocations: [] }
  const { id: receipt, receiptNumber } = (await api.post('/billing/receipts', sent)).body.data
  await api.post('/billing/receipts', { ...sent, amount: 50 })
  const paidOut = { accountId: account, paidOn: receivedOn, method: 'cash', amount: 1 }
  const { id: payout } = (await api.post('/billing/payouts', paidOut)).body.data
  const { id: run, notices } = await furnishDunning(tenantId, api, studentId)
  return {
    account,
    receipt,
    receiptNumber,
    payout,
    obligations,
    'dunning-run': run,
    notice: notices[0].id,
    ...(await furnishDirectDebit(tenantId, api)),
  }
}

/** A run of reminders with a notice. */
async function furnishDunning(tenantId: string, api: Caller, studentId: string) {
  await service.database.inspect('insert into billing_settings (tenant_id, settings) values ($1, $2::jsonb)', [
    tenantId,
    JSON.stringify({ dunning: [{ level: 1, daysOverdue: 1, fee: null, percent: null, texts: null }] }),
  ])
  await aPayment(api, { studentId, dueDate: '2026-01-01' } as object)
  return (await api.post('/billing/dunning-runs', undefined)).body.data
}

async function furnishDirectDebit(tenantId: string, api: Caller) {
  const iban = 'DE89370400440532013000'
  const creditor = { name: 'Academy', creditorId: 'DE98ZZZ09999999999', iban, bic: null, preNotificationDays: 1 }
  await service.database.inspect(
    `insert into billing_settings (tenant_id, settings) values ($1, $2::jsonb)
     on conflict (tenant_id) do update set settings = billing_settings.settings || excluded.settings`,
    [tenantId, JSON.stringify({ creditor: { ...creditor, painVersion: 'pain.008.001.08' } })],
  )
  const { id: studentId } = await aStudent(api)
  await aPayment(api, { studentId } as object)
  const account = (await api.get(`/billing/accounts?studentId=${studentId}`)).body.data[0].id
  const mandate = { id: 'M-1', iban, signedAt: '2026-01-02' }
  await api.patch(`/billing/accounts/${account}`, { mandate })
  const sent = { collectionDate: '2999-01-01', dueTo: '2999-12-31', accountIds: [account] }
  const run = (await api.post('/billing/direct-debits', sent)).body.data
  return { 'direct-debit': run.id as string, debit: run.debits[0].endToEndId as string }
}

/** A bank account, and a statement of it with a line that can be matched. */
async function furnishBank(tenant: TestTenant) {
  const settings = { bankAccounts: [{ key: 'main', iban, currency: 'USD' }] }
  await service.database.inspect(
    `insert into billing_settings (tenant_id, settings) values ($1, $2)
     on conflict on constraint billing_settings_pkey do update set settings = billing_settings.settings || excluded.settings`,
    [tenant.id, JSON.stringify(settings)],
  )
  const headers = { 'content-type': 'text/csv' }
  const sent = `bookedOn,amount\n2026-02-01,10\n`
  const made = await tenant.api.send('POST', `/billing/bank-statements?account=${iban}`, sent, headers)
  const statement = made.body.data.id
  const line = (await tenant.api.get(`/billing/bank-statements/${statement}/lines`)).body.data[0].id
  return { 'bank-statement': statement, line }
}

const iban = 'DE89370400440532013000'

/** A file that an operation takes. */
const file = 'bookedOn,amount\n2026-02-02,20\n'

/** The path of an operation, for a record of the tenant unless told otherwise. */
function getPath(operation: Operation, { ids }: Furnished, replace: Record<string, string> = {}): string {
  const owner = operation.path
    .split('/')
    [/^\/(admissions|vault|billing)/.test(operation.path) ? 2 : 1]?.replace(/s$/, '')
  const versionId = operation.path.endsWith('/complete') ? ids.readyVersion : ids.pendingVersion
  const vault = { documentId: ids.document, versionId }
  const values = {
    id: ids[owner as 'student'],
    ...vault,
    linkId: ids.link,
    lineId: ids.line,
    number: ids.receiptNumber,
    noticeId: ids.notice,
    studentId: ids.student,
    paymentId: ids.obligations[operation.path.split('/').at(-1) as 'split'],
    externalId: `ext-${randomUUID()}`,
    ...replace,
  }
  const hasDays = operation.path.endsWith('/statement') || operation.path.endsWith('/journal')
  const days = hasDays ? '?from=2026-01-01&to=2026-12-31' : ''
  const ofFile = operation.file === undefined ? days : `?account=${iban}`
  const query = operation.path === '/vault/requirements' ? `?studentId=${ids.student}` : ofFile
  return operation.path.replace(/\{(\w+)\}/g, (_, name) => values[name as 'id']) + query
}

/** A body that the operation takes. */
function findBody(operation: Operation, { ids }: Furnished): Record<string, unknown> | string | undefined {
  if (operation.file !== undefined) return file
  const { examples } = (operation.body ?? {}) as { examples?: Record<string, unknown>[] }
  if (examples?.[0] === undefined) return undefined
  const { externalId, ...body } = examples[0]
  if ('collectionDate' in body) return { ...body, collectionDate: '2999-01-01' }
  if ('returns' in body) return { returns: [{ ...(body.returns as object[])[0], endToEndId: ids.debit }] }
  if ('accountId' in body) return { ...body, accountId: ids.account }
  if ('shares' in body) return { shares: [{ accountId: ids.account, percent: 100 }] }
  if ('deliveryId' in body) return { ...body, deliveryId: ids.delivery }
  if ('entityId' in body) {
    const types = 'documentTypeIds' in body ? { documentTypeIds: [ids.documentType] } : {}
    return { ...body, ...types, entityId: ids[body.entityType as 'student'] }
  }
  return 'studentId' in body ? { ...body, studentId: ids.student } : body
}

function send(api: Caller, operation: Operation, path: string, body: unknown, headers = {}): Promise<ApiResponse> {
  const key = operation.idempotency === 'required' ? { 'idempotency-key': randomUUID() } : {}
  const type = operation.file !== undefined && body === file ? { 'content-type': 'text/csv' } : {}
  return api.send(operation.method as Method, path, body, { accept: 'application/json', ...type, ...key, ...headers })
}

function assertProblem(response: ApiResponse, code: keyof typeof problems): void {
  assert.deepEqual({ status: response.status, code: response.body?.code }, { status: problems[code].status, code })
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.equal(response.body.requestId, response.headers.get('request-id'))
  assert.equal(response.body.title, problems[code].title)
}

/** The parts of an answer that may differ between two requests of the same kind. */
function withoutRequestId(response: ApiResponse): string {
  return response.text.replaceAll(response.body.requestId, '<id>')
}

for (const [id, operation] of Object.entries(clientApi) as [string, Operation][]) {
  describe(`${id}: ${operation.method} ${operation.path}`, () => {
    test('answers with the promised shape, the request id and what is left of the quota', async () => {
      const response = await send(ours.api, operation, getPath(operation, ours), findBody(operation, ours))
      if (operation.method === 'DELETE') ours = await furnish()
      assert.ok([operation.status, 201].includes(response.status), response.text)
      if (operation.status === 204) assert.equal(response.text, '')
      const validate = ajv.compile(operation.record)
      const answered = operation.shape === 'record' ? [response.body?.data] : response.body.data
      const records = operation.status === 204 ? [] : answered
      for (const record of records) assert.ok(validate(record), JSON.stringify(validate.errors))
      assert.equal('pagination' in (response.body ?? {}), !['record', 'feed'].includes(operation.shape))
      assert.match(response.headers.get('request-id') ?? '', /^[0-9a-f-]{36}$/)
      assert.match(response.headers.get('ratelimit-policy') ?? '', /^"default";q=\d+;w=60$/)
      assert.match(response.headers.get('ratelimit') ?? '', /^"default";r=\d+;t=\d+$/)
      assert.equal(response.headers.get('etag') !== null, operation.hasEntityTag === true)
    })

    test('refuses a request without a token, with a damaged one, and with a key of the other surface', async () => {
      const path = getPath(operation, ours)
      const missing = await send(service.anonymous, operation, path, findBody(operation, ours))
      assertProblem(missing, 'authentication_required')
      assert.ok(missing.headers.get('www-authenticate'))
      const { secret } = await ours.tenant.token({ kind: 'resource' })
      for (const token of [secret, 'mtc_nonsense']) {
        const rejected = await send(service.anonymous, operation, path, findBody(operation, ours), {
          authorization: `Bearer ${token}`,
        })
        assertProblem(rejected, 'invalid_token')
        assert.match(rejected.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
      }
    })

    if (operation.scope !== null) {
      test('refuses a token without its scope, also one that has every other', async () => {
        const granted = scopes.filter((scope) => scope !== operation.scope)
        const { api } = await ours.tenant.token({ scopes: granted })
        const rejected = await send(api, operation, getPath(operation, ours), findBody(operation, ours))
        assertProblem(rejected, 'insufficient_scope')
        assert.equal(rejected.body.requiredScope, operation.scope)
        assert.deepEqual(rejected.body.grantedScopes, granted)
      })

      test('refuses a tenant that lacks its modules, naming all of them', async () => {
        const tenant = await service.tenant({ modules: [] })
        const rejected = await send(tenant.api, operation, getPath(operation, ours), findBody(operation, ours))
        assertProblem(rejected, 'module_not_enabled')
        assert.deepEqual(rejected.body.missingModules, operation.modules)
      })
    }

    if (isDomainWrite(operation)) {
      test('refuses a token that may not write its domain, and a tenant whose console owns it', async () => {
        const domain = operation.domain as 'students'
        const { api } = await ours.tenant.token({ masterDomains: [] })
        const rejected = await send(api, operation, getPath(operation, ours), findBody(operation, ours))
        assertProblem(rejected, 'domain_not_granted')
        assert.deepEqual([rejected.body.domain, rejected.body.masterDomains], [domain, []])
        for (const owner of systemsOfRecord) {
          const tenant = await service.tenant({ systemOfRecord: { [domain]: owner } })
          const response = await send(tenant.api, operation, getPath(operation, ours), 'not json')
          assertProblem(response, owner === 'platform' ? 'system_of_record_elsewhere' : expectedOfNoJson(operation))
        }
      })
    }

    test('refuses parameters that it does not know', async () => {
      for (const name of ['surprise', '__proto__', 'constructor']) {
        const known = getPath(operation, ours)
        const path = `${known}${known.includes('?') ? '&' : '?'}${name}=1`
        const rejected = await send(ours.api, operation, path, findBody(operation, ours))
        assertProblem(rejected, 'validation_failed')
        const [validationError] = rejected.body.errors
        assert.deepEqual(
          [validationError.in, validationError.name, validationError.code],
          ['query', name, 'unknown_field'],
        )
      }
    })

    const record = pathParameters(operation.path).find(([name]) => name === 'id' || name === 'documentId')?.[0]
    if (record !== undefined) {
      test('gives the same 404 for an unknown record, one of another tenant, and an id that is no UUID', async () => {
        const body = findBody(operation, ours)
        const foreign = await send(ours.api, operation, getPath(operation, theirs), body)
        assertProblem(foreign, 'resource_not_found')
        for (const unknown of [randomUUID(), 'no-uuid', '%00', '..%2f', 'a'.repeat(900)]) {
          const missing = await send(ours.api, operation, getPath(operation, theirs, { [record]: unknown }), body)
          assertProblem(missing, 'resource_not_found')
          assert.equal(withoutRequestId(missing), withoutRequestId(foreign))
        }
      })
    }

    if (operation.idempotency === 'required') {
      test('refuses a missing, empty, long, doubled or unprintable Idempotency-Key', async () => {
        const path = getPath(operation, ours)
        const plain = (headers: Record<string, string>) =>
          ours.api.send('POST', path, findBody(operation, ours), headers)
        assertProblem(await plain({}), 'idempotency_key_missing')
        for (const key of ['', 'a'.repeat(256), '""', '"open', 'ä', 'a\tb']) {
          assertProblem(await plain({ 'idempotency-key': key }), 'idempotency_key_invalid')
        }
      })

      test('runs once for a key: a repeat gets the stored answer, another body a refusal', async () => {
        const path = getPath(operation, ours)
        const body = findBody(operation, ours)
        const headers = { 'idempotency-key': randomUUID() }
        const first = await send(ours.api, operation, path, body, headers)
        const again = await send(ours.api, operation, path, body, headers)
        assert.deepEqual([again.status, again.text], [first.status, first.text])
        assert.equal(again.headers.get('idempotent-replayed'), 'true')
        assert.equal(again.headers.get('location'), first.headers.get('location'))
        assert.equal(again.headers.get('etag'), first.headers.get('etag'))
        assert.notEqual(again.headers.get('request-id'), first.headers.get('request-id'))
        const other = await send(ours.api, operation, path, {}, headers)
        // Where there is no body, an empty one is the same.
        if (other.status !== 400 && operation.body !== undefined) assertProblem(other, 'idempotency_key_reused')
      })
    }

    if (operation.body !== undefined) {
      test('refuses what is no JSON object, and media types that it does not take, before it looks at the record', async () => {
        const path = getPath(operation, theirs)
        if (operation.bodyRequired !== false) assertProblem(await send(ours.api, operation, path, ''), 'malformed_json')
        for (const body of ['{', '[]', '"text"', 'null', '{"a":1}}', Buffer.from([0x7b, 0xff, 0x7d])]) {
          assertProblem(await send(ours.api, operation, path, body), 'malformed_json')
        }
        for (const type of [
          'text/plain',
          'application/xml',
          'application/json; charset=latin1',
          'multipart/form-data',
        ]) {
          const rejected = await send(ours.api, operation, path, '{}', { 'content-type': type })
          assertProblem(rejected, 'unsupported_media_type')
          assert.ok(rejected.body.allowed.includes('application/json'))
        }
        const patch = await send(ours.api, operation, path, '{', { 'content-type': 'application/merge-patch+json' })
        assertProblem(patch, operation.method === 'PATCH' ? 'malformed_json' : 'unsupported_media_type')
      })

      test('refuses more than one mebibyte and takes one', async () => {
        const path = getPath(operation, theirs)
        const filled = (bytes: number) => `{"surprise":"${'x'.repeat(bytes - '{"surprise":""}'.length)}"}`
        const rejected = await send(ours.api, operation, path, filled(1024 * 1024 + 1))
        assertProblem(rejected, 'content_too_large')
        assert.equal(rejected.body.maxBytes, 1024 * 1024)
        assertProblem(await send(ours.api, operation, path, filled(1024 * 1024)), 'validation_failed')
      })

      test('names every fault of a body at once, on both sides of each bound, and writes nothing', async () => {
        const path = getPath(operation, ours)
        const traces = 'select count(*)::int as n from audit_entries'
        const [before] = await service.database.inspect<{ n: number }>(traces)
        for (const { body, expected } of faultyBodies(operation)) {
          const rejected = await send(ours.api, operation, path, body)
          assertProblem(rejected, 'validation_failed')
          const found = rejected.body.errors.map(
            (validationError: { pointer: string; code: string }) =>
              `${validationError.pointer} ${validationError.code}`,
          )
          for (const validationError of expected)
            assert.ok(found.includes(validationError), `${validationError} in ${found.join(', ')}`)
        }
        assert.deepEqual((await service.database.inspect(traces))[0], before)
      })
    }

    if (operation.body !== undefined) {
      test('takes every field at its bounds', async () => {
        for (const { name, value } of valuesAtBounds(operation)) {
          // Refused for the unknown field alone, so that nothing is written.
          const rejected = await send(ours.api, operation, getPath(operation, ours), { [name]: value, surprise: 1 })
          const validationErrors = rejected.body.errors.filter(
            (validationError: { pointer: string }) => validationError.pointer === `#/${name}`,
          )
          assert.deepEqual(validationErrors, [], `${name} at ${String(value).length}`)
        }
      })
    }

    if (operation.shape === 'page') {
      test('keeps the bounds of page and limit, and refuses what is doubled or no number', async () => {
        const path = getPath(operation, ours)
        for (const query of ['limit=0', 'limit=101', 'limit=1.5', 'limit=x', 'limit=', 'limit=%2010', 'limit=0x10']) {
          assertProblem(await ours.api.get(`${path}?${query}`), 'validation_failed')
        }
        for (const query of ['page=0', 'page=-1', 'page=99999999999', 'page=1&page=2', 'limit=2&limit=2']) {
          assertProblem(await ours.api.get(`${path}?${query}`), 'validation_failed')
        }
        for (const query of ['updatedSince=yesterday', 'updatedSince=2026-02-30', 'updatedSince=2026-01-01T00:00:00']) {
          assertProblem(await ours.api.get(`${path}?${query}`), 'validation_failed')
        }
        for (const query of ['cursor=x', 'cursor=', 'cursor=*&page=1', 'cursor=MSAxIHg']) {
          assertProblem(await ours.api.get(`${path}?${query}`), 'validation_failed')
        }
        for (const query of ['limit=1', 'limit=100', 'page=1', 'updatedSince=2026-01-01', 'cursor=*']) {
          assert.equal((await ours.api.get(`${path}?${query}`)).status, 200)
        }
      })

      test('answers a page beyond the end with no records and the true total', async () => {
        const path = getPath(operation, ours)
        const first = await ours.api.get(path)
        const beyond = await ours.api.get(`${path}?page=2000000000`)
        assert.deepEqual(beyond.body.data, [])
        assert.ok(first.body.pagination.total >= 1)
        assert.equal(beyond.body.pagination.total, first.body.pagination.total)
      })

      test('shows no record of another tenant', async () => {
        const { data } = (await ours.api.get(`${getPath(operation, ours)}?limit=100`)).body
        const foreign = new Set(Object.values(theirs.ids))
        assert.ok(data.length > 0)
        assert.ok(data.every((record: { id: string }) => !foreign.has(record.id)))
      })
    }

    if (operation.method === 'GET') {
      test('answers HEAD as it answers GET, without the body', async () => {
        const path = getPath(operation, ours)
        const get = await ours.api.get(path)
        const head = await ours.api.send('HEAD', path, undefined)
        assert.deepEqual([head.status, head.text], [200, ''])
        assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
        assert.equal(head.headers.get('etag'), get.headers.get('etag'))
      })
    }

    if (operation.method === 'GET' && operation.hasEntityTag) {
      test('answers 304 while the record is what If-None-Match names', async () => {
        const path = getPath(operation, ours)
        const etag = (await ours.api.get(path)).headers.get('etag') as string
        assert.equal((await ours.api.get(path, { 'if-none-match': etag })).status, 304)
        assert.equal((await ours.api.get(path, { 'if-none-match': '"other"' })).status, 200)
      })
    }

    if (operation.method !== 'GET' && operation.hasEntityTag && operation.status === 200) {
      test('refuses with 412 and the current ETag when If-Match names another version', async () => {
        const path = getPath(operation, ours)
        const rejected = await send(ours.api, operation, path, findBody(operation, ours), { 'if-match': '"0.0"' })
        assertProblem(rejected, 'precondition_failed')
        assert.equal(rejected.headers.get('etag') === null, operation.mayCreate === true)
      })
    }
  })
}

function expectedOfNoJson(operation: Operation) {
  if (operation.file !== undefined) return 'unsupported_media_type'
  return operation.body === undefined ? 'resource_not_found' : 'malformed_json'
}

interface Faulty {
  readonly body: unknown
  readonly expected: string[]
}

interface FieldSchema {
  type?: string | string[]
  maxLength?: number
  minLength?: number
  maximum?: number
  exclusiveMinimum?: number
  enum?: unknown[]
  format?: string
  pattern?: string
  readOnly?: boolean
}

/** The longest, shortest, largest and null values that the fields of an operation take. */
function valuesAtBounds(operation: Operation): { name: string; value: unknown }[] {
  const fields = Object.entries((operation.body?.properties ?? {}) as Record<string, FieldSchema>)
  return fields.flatMap(([name, schema]) => {
    if (schema.readOnly) return []
    const values: unknown[] = [...(schema.enum ?? [])]
    const isPlain = schema.format === undefined && schema.enum === undefined && !schema.pattern?.startsWith('^')
    if (schema.maxLength !== undefined && isPlain) values.push('😀'.repeat(schema.maxLength))
    if (schema.minLength !== undefined && isPlain) values.push('x'.repeat(schema.minLength))
    if (schema.pattern === '^[a-z][a-z0-9_-]*$') values.push('ab', 'x'.repeat(64))
    if (schema.pattern === '^[A-Za-z]{3}$') values.push('abc', 'XYZ')
    if (schema.maximum !== undefined) values.push(schema.maximum, schema.type === 'integer' ? 1 : Number.MIN_VALUE)
    if (schema.format === 'email-or-empty') values.push('', `${'a'.repeat(63)}@${`${'b'.repeat(62)}.`.repeat(3)}c`)
    if ([schema.type].flat().includes('null')) values.push(null)
    return values.map((value) => ({ name, value }))
  })
}

/** Bodies that break the schema of an operation in every way that its fields allow, with the faults that must be named. */
function faultyBodies(operation: Operation): Faulty[] {
  const fields = Object.entries((operation.body?.properties ?? {}) as Record<string, FieldSchema>).filter(
    ([, schema]) => !schema.readOnly,
  )
  const faulty: Faulty[] = [{ body: { surprise: 1 }, expected: ['#/surprise unknown_field'] }]
  const wrong: Record<string, unknown> = {}
  const wrongExpected: string[] = []
  for (const [name, schema] of fields) {
    const types = [schema.type].flat()
    const single = (value: unknown, code: string) =>
      faulty.push({ body: { [name]: value }, expected: [`#/${name} ${code}`] })
    wrong[name] = types.includes('string') ? 17 : 'text'
    wrongExpected.push(`#/${name} wrong_type`)
    if (types[0] !== undefined && !types.includes('null')) single(null, 'not_allowed_null')
    if (schema.maxLength !== undefined) single('x'.repeat(schema.maxLength + 1), 'too_long')
    if (schema.minLength !== undefined) single('', 'too_short')
    if (schema.maximum !== undefined) single(schema.maximum + 1, 'too_large')
    if (schema.exclusiveMinimum !== undefined) single(schema.exclusiveMinimum, 'too_small')
    if (schema.enum !== undefined) single('surprise', 'not_in_enum')
    if (schema.format !== undefined) single('surprise', 'format')
    if (schema.pattern?.startsWith('^')) single('!!!', 'pattern')
    if (types.includes('string')) {
      single('a\u0000b', 'invalid_text')
      faulty.push({ body: `{"${name}":"\\ud800"}`, expected: [`#/${name} invalid_text`] })
    }
    if (types.includes('number')) faulty.push({ body: `{"${name}":1e400}`, expected: [`#/${name} too_large`] })
  }
  faulty.push({ body: wrong, expected: wrongExpected })
  return faulty
}
