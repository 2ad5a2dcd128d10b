import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildOpenApi,
  clientApi,
  type JsonObject,
  type Operation,
  type ProblemCode,
  type ProblemKind,
  problemExample,
  problems,
  problemsOf,
} from '@matricula/contract'
import { parseIdempotencyKey } from '../concurrency/idempotency.ts'
import { lintOpenApi } from '../testing/fixtures/documentation/lint-openapi.ts'
import { findTooling, skipWithout } from '../testing/fixtures/tooling.ts'
import { getParts, type OperationObject, type SchemaObject } from './openapi-parts.ts'

const document = getParts(buildOpenApi({ publicUrl: 'https://matricula.example' }))
const operations = Object.entries(clientApi) as [string, Operation][]
const tooling = findTooling()
const skip = skipWithout(tooling)

test('the document keeps Redocly’s recommended rules, but for pairs of paths that the interface fixes', {
  skip,
}, async () => {
  if (tooling === null) return
  const ambiguous = (one: string, other: string) => ({
    ruleId: 'no-ambiguous-paths',
    message: `Paths should resolve unambiguously. Found two ambiguous paths: \`${one}\` and \`${other}\`.`,
    ignored: true,
  })
  assert.deepEqual(await lintOpenApi(tooling, document, 'docs/reference/openapi.json'), [
    ambiguous('/admissions/applications/external/{externalId}', '/admissions/applications/{id}/contacts'),
    ambiguous('/billing/accounts/external/{externalId}', '/billing/accounts/{id}/obligations'),
    ambiguous('/billing/accounts/external/{externalId}', '/billing/accounts/{id}/statement'),
    ambiguous('/billing/accounts/external/{externalId}', '/billing/accounts/{id}/timeline'),
  ])
})

test('every operation of the contract stands in the document under its id, with a summary and a tag that is described', () => {
  const described = new Set(document.tags.filter(({ description }) => description !== '').map(({ name }) => name))
  for (const [id, operation] of operations) {
    const written = operationObject(operation)
    assert.equal(written.operationId, id)
    assert.ok(written.summary.length > 0, id)
    assert.deepEqual(
      written.tags.filter((tag) => !described.has(tag)),
      [],
    )
    assert.equal(written.tags.length, 1)
  }
  const written = Object.values(document.paths).flatMap((item) => Object.values(item))
  assert.equal(written.length, operations.length)
})

test('an operation says its scope, modules, domain, idempotency and events, as members and in words', () => {
  for (const [id, operation] of operations) {
    const written = operationObject(operation) as OperationObject & JsonObject
    const domain = operation.method === 'GET' ? null : operation.domain
    assert.deepEqual(
      ['x-scope', 'x-modules', 'x-domain', 'x-idempotency', 'x-events'].map((name) => written[name]),
      [operation.scope, operation.modules, domain, operation.idempotency, operation.events],
      id,
    )
    const facts = [operation.scope, ...operation.modules, domain, operation.idempotency, ...operation.events]
    for (const fact of facts) {
      if (fact !== null) assert.ok(written.description.includes(`\`${fact}\``), `${id} does not say ${fact}`)
    }
    assert.deepEqual(written.security, [{ bearerToken: operation.scope === null ? [] : [operation.scope] }])
  }
})

test('every problem that an operation can answer with is named at its status, with an example', () => {
  for (const [id, operation] of operations) {
    const { responses } = operationObject(operation)
    for (const code of problemsOf(operation)) {
      const response = responses[problems[code].status]
      assert.ok(response?.description.includes(`\`${code}\``), `${id} does not name ${code}`)
      assert.ok(response?.content?.['application/problem+json']?.examples?.[code], `${id} has no example of ${code}`)
    }
    const named = Object.values(responses).flatMap(({ content }) =>
      Object.keys(content?.['application/problem+json']?.examples ?? {}),
    )
    assert.deepEqual(named.sort(), problemsOf(operation).sort())
  }
})

test('every parameter, header, schema and property of a schema has a description', () => {
  const missing: string[] = []
  walk(document, '#', (node, pointer) => {
    const isSchema = /\/schemas\/[^/]+$/.test(pointer)
    const isProperty = /\/properties\/[^/]+$/.test(pointer) && !pointer.includes('/example')
    const isParameter = /\/parameters\/[^/]+$/.test(pointer) && node.$ref === undefined
    const isHeader = /components\/headers\/[^/]+$/.test(pointer)
    const hasDescription = isSchema || isProperty || isParameter || isHeader
    if (hasDescription && (typeof node.description !== 'string' || node.description === '')) missing.push(pointer)
  })
  assert.deepEqual(missing, [])
})

test('no format stands in the document that standard tools do not know', () => {
  const formats = new Set<string>()
  walk(document, '#', (node) => {
    if (typeof node.format === 'string') formats.add(node.format)
  })
  assert.deepEqual([...formats].sort(), ['binary', 'date', 'date-time', 'email', 'uri', 'uri-reference', 'uuid'])
})

test('the fields of a record that a body cannot change are marked readOnly, and no others', () => {
  const body = document.components.schemas.CreatePaymentBody as SchemaObject
  const fixed = Object.entries(body.properties ?? {}).filter(([, field]) => field.readOnly === true)
  assert.deepEqual(fixed.map(([name]) => name).sort(), [
    'createdAt',
    'id',
    'processorPaymentIntentId',
    'studentCode',
    'studentName',
    'updatedAt',
  ])
})

test('answers may gain fields within a version, bodies may not hold unknown ones', () => {
  const { Payment, CreatePaymentBody } = document.components.schemas as Record<string, JsonObject>
  assert.equal(Payment?.additionalProperties, undefined)
  assert.equal(CreatePaymentBody?.additionalProperties, false)
})

test('a conditional read documents If-None-Match, ETag and 304; a change documents If-Match and 412', () => {
  const read = operationObject(clientApi.getPayment)
  assert.ok(read.parameters.some((parameter) => '$ref' in parameter && parameter.$ref.endsWith('/If-None-Match')))
  assert.ok(read.responses[200]?.headers.ETag)
  assert.ok(read.responses[304]?.headers.ETag)
  const change = operationObject(clientApi.updatePayment)
  assert.ok(change.parameters.some((parameter) => '$ref' in parameter && parameter.$ref.endsWith('/If-Match')))
  assert.ok(change.responses[412])
  const create = operationObject(clientApi.createPayment)
  assert.ok(!create.parameters.some((parameter) => '$ref' in parameter && parameter.$ref.endsWith('/If-Match')))
  assert.equal(create.responses[412], undefined)
})

test('a page documents Link, Next-Cursor and Sync-Watermark', () => {
  const { responses } = operationObject(clientApi.listPayments)
  for (const name of ['Link', 'Next-Cursor', 'Sync-Watermark']) assert.ok(responses[200]?.headers[name], name)
})

test('the Idempotency-Key parameter takes exactly the keys that the service takes, and names their retention', () => {
  const parameter = document.components.parameters['Idempotency-Key']
  assert.match(parameter?.description ?? '', /24 hours/)
  const pattern = new RegExp(parameter?.schema.pattern as string)
  const keys = ['a', 'a b', ' a', '', 'x'.repeat(255), 'x'.repeat(256), '"quoted"', '""', '"a\\"b"', '"open', 'é']
  for (const key of keys) assert.equal(pattern.test(key), isTaken(key), JSON.stringify(key))
})

test('the example of a problem has the members that its code carries, each described by the schema', () => {
  const known = Object.keys(document.components.schemas.Problem?.properties ?? {})
  const standard = ['type', 'title', 'status', 'code', 'detail', 'instance', 'requestId']
  for (const [code, kind] of Object.entries(problems) as [ProblemCode, ProblemKind][]) {
    const extra = Object.keys(kind.extra ?? {})
    assert.deepEqual(Object.keys(problemExample(code, '')).sort(), [...standard, ...extra].sort(), code)
    assert.deepEqual(
      extra.filter((name) => !known.includes(name)),
      [],
      code,
    )
  }
})

function operationObject({ path, method }: Operation): OperationObject {
  const found = document.paths[path]?.[method.toLowerCase()]
  assert.ok(found, `${method} ${path} is not in the document`)
  return found
}

function isTaken(key: string): boolean {
  try {
    parseIdempotencyKey(key)
    // A header is trimmed on its way, so a key with a blank at its edge never arrives as such.
    return key === key.trim()
  } catch {
    return false
  }
}

function walk(value: unknown, pointer: string, visit: (node: Record<string, unknown>, pointer: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Record<string, unknown>, pointer)
  for (const [name, member] of Object.entries(value)) {
    if (name !== 'example' && name !== 'examples') walk(member, `${pointer}/${name.replaceAll('/', '~1')}`, visit)
  }
}
