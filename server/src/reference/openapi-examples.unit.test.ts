import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildOpenApi, clientApi, eventTypes, type Operation } from '@matricula/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { addContractFormats } from '../http/operations/formats.ts'
import { getParts } from './openapi-parts.ts'

const document = buildOpenApi({ publicUrl: 'https://matricula.example' })
const standard = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(standard)
standard.addSchema({ ...document, $id: 'document' })

test('every example of the document is valid against the schema beside it, by standard formats alone', () => {
  let checked = 0
  const compiled = new Map<string, ValidateFunction>()
  walk(document, '', (node, pointer) => {
    if (node.schema === undefined) return
    const key = JSON.stringify(node.schema)
    const validate = compiled.get(key) ?? standard.compile({ $ref: `document#${pointer}/schema` })
    compiled.set(key, validate)
    const examples = [node.example, ...Object.values(node.examples ?? {}).map(resolved)]
    for (const example of examples.filter((value) => value !== undefined)) {
      assert.ok(validate(example), `${pointer}: ${standard.errorsText(validate.errors)}`)
      checked += 1
    }
  })
  assert.ok(checked > 300)
})

test('every type of event, and the ping, is listed as a webhook with its body and an example of it', () => {
  const webhooks = document.webhooks as Record<string, { post: { requestBody: { content: Record<string, unknown> } } }>
  assert.deepEqual(Object.keys(webhooks), [...Object.keys(eventTypes), 'webhook.ping'])
  for (const [type, { post }] of Object.entries(webhooks)) {
    const media = post.requestBody.content['application/json'] as { example: { type: string }; schema: object }
    assert.equal(media.example.type, type)
    const validate = standard.compile({
      $ref: `document#/webhooks/${type}/post/requestBody/content/application~1json/schema`,
    })
    assert.ok(validate(media.example))
    assert.ok(!validate({ ...media.example, type: 'other.type' }), 'another type is not taken for it')
  }
})

test('every success with content and every body has an example', () => {
  for (const item of Object.values(getParts(document).paths)) {
    for (const { operationId, responses, requestBody } of Object.values(item)) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (status < '300' && status !== '204')
          assert.ok(content?.['application/json']?.example, `${operationId} ${status}`)
      }
      for (const media of Object.values(requestBody?.content ?? {})) assert.ok(media.example, operationId)
    }
  }
})

test('the examples of records and bodies keep to their declarations', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addContractFormats(ajv)
  for (const [id, operation] of Object.entries(clientApi) as [string, Operation][]) {
    for (const schema of [operation.record, operation.body]) {
      const { examples } = (schema ?? {}) as { examples?: unknown[] }
      for (const example of examples ?? []) {
        const validate = ajv.compile(schema as object)
        assert.ok(validate(example), `${id}: ${ajv.errorsText(validate.errors)}`)
      }
    }
  }
})

test('what a change sends, its example answer shows', () => {
  const change = getParts(document).paths['/payments/{id}']?.patch
  assert.ok(change)
  const { requestBody, responses } = change
  const response = responses[200]?.content?.['application/json']?.example as { data: object }
  assert.deepEqual(requestBody?.content['application/json']?.example, {
    status: 'paid',
    paidAt: '2026-08-28T14:05:00Z',
  })
  assert.deepEqual(pick(response.data, ['status', 'paidAt']), { status: 'paid', paidAt: '2026-08-28T14:05:00.000Z' })
})

test('the formats of the contract take the same values in the document', () => {
  const valid = (property: string, value: unknown) => {
    const schema = { $ref: `document#/components/schemas/${property.replace('.', '/properties/')}` }
    return standard.validate(schema, value)
  }
  for (const [property, taken, rejected] of [
    ['CreatePaymentBody.dueDate', ['2026-09-01', '2026-09-01T00:00:00+02:00', null], ['2026-09-31', 'soon', 1]],
    ['StudentBody.email', ['', 'a@b.example', null], ['nobody', 1]],
    ['StudentBody.photoUrl', ['https://x.example/a.png', 'HTTPS://x.example/', null], ['http://x.example/', 'x', 1]],
  ] as const) {
    for (const value of taken) assert.ok(valid(property, value), `${property} ${value}`)
    for (const value of rejected) assert.ok(!valid(property, value), `${property} ${value}`)
  }
})

function pick(record: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
}

/** The value of an example that stands under `components`, or an example of a schema as it is. */
function resolved(example: unknown): unknown {
  const { $ref } = (example ?? {}) as { $ref?: string }
  if ($ref === undefined) return example
  const { examples } = document.components as { examples: Record<string, { value: unknown }> }
  return examples[$ref.split('/').at(-1) as string]?.value
}

interface Node {
  readonly schema?: unknown
  readonly example?: unknown
  readonly examples?: object
}

function walk(value: unknown, pointer: string, visit: (node: Node, pointer: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value, pointer)
  for (const [name, member] of Object.entries(value)) {
    const token = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
    walk(member, `${pointer}/${token}`, visit)
  }
}
