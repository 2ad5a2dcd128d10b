import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientApi, type Operation } from '@matricula/contract'

/** The table of the interface, row by row as it stands there: method, path, scope, idempotency, paged. */
const table = `
| GET | /me | none | none | no |
| GET | /students | students:read | none | yes |
| GET | /students/{id} | students:read | none | no |
| POST | /students | students:write | required | no |
| PATCH | /students/{id} | students:write | none | no |
| PUT | /students/external/{externalId} | students:write | natural | no |
| GET | /admissions/pipeline/statuses | admissions:read | none | no |
| GET | /admissions/applications | admissions:read | none | yes |
| GET | /admissions/applications/{id} | admissions:read | none | no |
| POST | /admissions/applications | admissions:write | required | no |
| PATCH | /admissions/applications/{id} | admissions:write | none | no |
| POST | /admissions/applications/{id}/contacts | admissions:write | required | no |
| PATCH | /admissions/applications/{id}/contacts/{linkId} | admissions:write | none | no |
| DELETE | /admissions/applications/{id}/contacts/{linkId} | admissions:write | none | no |
| PUT | /admissions/applications/external/{externalId} | admissions:write | natural | no |
| GET | /payments | payments:read | none | yes |
| GET | /payments/{id} | payments:read | none | no |
| POST | /payments | payments:write | required | no |
| PATCH | /payments/{id} | payments:write | none | no |
| PUT | /payments/external/{externalId} | payments:write | natural | no |
| GET | /programs | programs:read | none | yes |
| GET | /programs/{id} | programs:read | none | no |
| GET | /courses | courses:read | none | yes |
| GET | /courses/{id} | courses:read | none | no |
| GET | /vault/document-types | vault:read | none | no |
| GET | /vault/documents | vault:read | none | yes |
| GET | /vault/documents/{id} | vault:read | none | no |
| POST | /vault/documents/upload-intents | vault:write | required | no |
| POST | /vault/documents/{documentId}/versions/{versionId}/upload-url | vault:write | none | no |
| POST | /vault/documents/{documentId}/versions/{versionId}/complete | vault:write | natural | no |
| GET | /vault/documents/{id}/download | vault:read | none | no |
| PATCH | /vault/documents/{id} | vault:write | none | no |
| POST | /vault/documents/{id}/links | vault:write | none | no |
| GET | /vault/requirement-profiles | vault:read | none | no |
| GET | /vault/requirements | vault:read | none | no |
| GET | /vault/requests | vault:read | none | yes |
| GET | /vault/requests/{id} | vault:read | none | no |
| POST | /vault/requests | vault:write | required | no |
| PATCH | /vault/requests/{id} | vault:write | none | no |
| GET | /forms/templates | forms:read | none | yes |
| GET | /forms/submissions | forms:read | none | yes |
`

/** What extends the interface, in the same form. */
const extensions = `
| GET | /students/deleted | students:read | none | yes |
| GET | /admissions/applications/deleted | admissions:read | none | yes |
| GET | /payments/deleted | payments:read | none | yes |
| GET | /vault/documents/deleted | vault:read | none | yes |
| POST | /students/batch | students:write | required | no |
| POST | /admissions/applications/batch | admissions:write | required | no |
| POST | /payments/batch | payments:write | required | no |
| GET | /events | events:read | none | no |
| GET | /audit | audit:read | none | no |
| GET | /disclosures | audit:read | none | no |
| POST | /webhooks | webhooks:write | required | no |
| GET | /webhooks | webhooks:read | none | no |
| GET | /webhooks/{id} | webhooks:read | none | no |
| PATCH | /webhooks/{id} | webhooks:write | none | no |
| DELETE | /webhooks/{id} | webhooks:write | none | no |
| POST | /webhooks/{id}/rotate-secret | webhooks:write | required | no |
| POST | /webhooks/{id}/test | webhooks:write | required | no |
| GET | /webhooks/{id}/deliveries | webhooks:read | none | yes |
| POST | /webhooks/{id}/redeliveries | webhooks:write | required | no |
| GET | /billing/accounts | billing:read | none | yes |
| GET | /billing/accounts/{id} | billing:read | none | no |
| POST | /billing/accounts | billing:write | required | no |
| PUT | /billing/accounts/external/{externalId} | billing:write | natural | no |
| PATCH | /billing/accounts/{id} | billing:write | none | no |
| PUT | /billing/students/{studentId}/shares | billing:write | natural | no |
| GET | /billing/accounts/{id}/obligations | billing:read | none | yes |
| POST | /billing/obligations/{paymentId}/split | billing:write | required | no |
| POST | /billing/obligations/{paymentId}/write-off | billing:write | required | no |
| POST | /billing/obligations/{paymentId}/credit | billing:write | required | no |
| GET | /billing/receipts | billing:read | none | yes |
| GET | /billing/receipts/{id} | billing:read | none | no |
| POST | /billing/receipts | billing:write | required | no |
| POST | /billing/receipts/{id}/reverse | billing:write | required | no |
| GET | /billing/payouts | billing:read | none | yes |
| GET | /billing/payouts/{id} | billing:read | none | no |
| POST | /billing/payouts | billing:write | required | no |
| POST | /billing/payouts/{id}/reverse | billing:write | required | no |
| GET | /billing/accounts/{id}/documents/{number} | billing:read | none | no |
| POST | /billing/bank-statements | billing:write | natural | no |
| GET | /billing/bank-statements | billing:read | none | yes |
| GET | /billing/bank-statements/{id} | billing:read | none | no |
| GET | /billing/bank-statements/{id}/lines | billing:read | none | yes |
| POST | /billing/bank-statements/{id}/lines/{lineId}/match | billing:write | none | no |
| POST | /billing/bank-statements/{id}/lines/{lineId}/unmatch | billing:write | none | no |
| GET | /billing/accounts/{id}/statement | billing:read | none | no |
| GET | /billing/ageing | billing:read | none | no |
| GET | /billing/journal | billing:read | none | no |
| POST | /billing/dunning-runs | billing:write | required | no |
| GET | /billing/dunning-runs | billing:read | none | yes |
| GET | /billing/dunning-runs/{id} | billing:read | none | no |
| GET | /billing/dunning-runs/{id}/notices/{noticeId} | billing:read | none | no |
| POST | /billing/dunning-runs/{id}/send | billing:write | required | no |
| PUT | /billing/obligations/{paymentId}/dunning-hold | billing:write | natural | no |
| GET | /billing/accounts/{id}/timeline | billing:read | none | no |
| GET | /billing/direct-debits | billing:read | none | yes |
| GET | /billing/direct-debits/{id} | billing:read | none | no |
| POST | /billing/direct-debits | billing:write | required | no |
| POST | /billing/direct-debits/{id}/returns | billing:write | required | no |
`

/** The modules of each resource beside `platform_integrations`, and the domain of its writes. */
const resources: Record<string, { module?: string; domain: string | null }> = {
  students: { module: 'staff_students', domain: 'students' },
  admissions: { module: 'staff_admissions', domain: 'enrollment' },
  payments: { module: 'staff_payments', domain: 'payments' },
  programs: { module: 'staff_programs', domain: null },
  courses: { module: 'staff_courses', domain: null },
  vault: { module: 'staff_vault', domain: null },
  forms: { module: 'staff_forms', domain: null },
  events: { domain: null },
  audit: { domain: null },
  disclosures: { domain: null },
  webhooks: { domain: null },
  billing: { module: 'staff_payments', domain: 'payments' },
}

const operations = Object.values(clientApi) as Operation[]

test('the contract has exactly the operations of the interface’s table and its extensions, each with its scope, idempotency and paging', () => {
  const promised = [table, extensions].flatMap((rows) => rows.trim().split('\n'))
  const declared = operations.map(
    ({ method, path, scope, idempotency, shape }) =>
      `| ${method} | ${path} | ${scope ?? 'none'} | ${idempotency} | ${shape === 'page' ? 'yes' : 'no'} |`,
  )
  assert.deepEqual([...declared].sort(), [...promised].sort())
})

test('every operation but /me needs platform_integrations and the module of its resource, where it has one', () => {
  for (const { path, modules, domain } of operations) {
    const resource = resources[path.split('/')[1] as string]
    const own = resource?.module === undefined ? [] : [resource.module]
    assert.deepEqual(modules, resource === undefined ? [] : ['platform_integrations', ...own], path)
    assert.equal(domain, resource?.domain ?? null, path)
  }
})

test('a paged list takes page from 1 by default 1, limit from 1 to 100 by default 20, and updatedSince', () => {
  for (const { path, shape, query } of operations) {
    const properties = (query?.properties ?? {}) as Record<
      string,
      { minimum?: number; maximum?: number; default?: number }
    >
    if (shape !== 'page') {
      assert.ok(!('page' in properties), path)
      assert.equal('limit' in properties, shape === 'walk' || shape === 'feed', path)
      continue
    }
    const { page, limit, updatedSince } = properties
    assert.deepEqual([page?.minimum, page?.default], [1, 1], path)
    assert.deepEqual([limit?.minimum, limit?.maximum, limit?.default], [1, 100, 20], path)
    assert.ok(updatedSince, path)
  }
})

/** The last segments of paths that change what is there. */
const changes = new Set([
  ...['upload-url', 'complete', 'batch', 'rotate-secret', 'test', 'redeliveries', 'reverse', 'returns', 'split'],
  ...['match', 'unmatch', 'send'],
])

test('a create answers 201, an upsert 201 or 200, what removes a record 204, everything else 200', () => {
  for (const { method, path, status, mayCreate } of operations) {
    // These change what is there, or answer for many records.
    const isChange = changes.has(path.split('/').at(-1) as string) || path.endsWith('/{id}/links')
    // The same bytes again answer the statement that is there.
    const isNatural = method === 'PUT' || path === '/billing/bank-statements'
    const isRemoval = method === 'DELETE' && path.endsWith('{id}')
    assert.equal(status, isRemoval ? 204 : method === 'POST' && !isChange && mayCreate !== true ? 201 : 200, path)
    // These are a whole that is replaced, whether there was one or not.
    const isReplaced = /\/(?:shares|dunning-hold)$/.test(path)
    assert.equal(mayCreate ?? false, method !== 'GET' && isNatural && !isReplaced, path)
  }
})
