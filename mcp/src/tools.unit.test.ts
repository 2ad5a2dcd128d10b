import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientApi, type Operation, type OperationId, pathParameters } from '@matricula/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { getRequest, toolsOfContract } from './tools.ts'

const tools = toolsOfContract()

test('every operation but those that take a file is a tool, with a name and a schema that every host takes', () => {
  const withoutFile = Object.entries<Operation>(clientApi).filter(([, { file }]) => file === undefined)
  assert.deepEqual(
    [...tools.keys()],
    withoutFile.map(([id]) => id),
  )
  for (const { name, description, inputSchema } of tools.values()) {
    assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
    assert.ok(description.length > 5)
    const text = JSON.stringify(inputSchema)
    assert.doesNotMatch(text, /"\$ref"|"readOnly"/, name)
    new Ajv2020({ strict: false, validateFormats: false }).compile(inputSchema)
  }
})

test('hints follow from what the contract says of an operation', () => {
  const hints = (name: OperationId) => {
    const { readOnlyHint, destructiveHint, idempotentHint } = tools.get(name)?.annotations ?? {}
    return [readOnlyHint, destructiveHint, idempotentHint]
  }
  assert.deepEqual(hints('listPayments'), [true, false, true])
  assert.deepEqual(hints('createPayment'), [false, false, false])
  assert.deepEqual(hints('updatePayment'), [false, true, true])
  assert.deepEqual(hints('upsertPaymentByExternalId'), [false, true, true])
  assert.deepEqual(hints('batchPayments'), [false, true, false])
  assert.deepEqual(hints('unlinkApplicationContact'), [false, true, true])
  assert.deepEqual(hints('completeUpload'), [false, true, true])
})

test('what stands side by side in a tool goes where the operation has it, and nothing stands for two things', () => {
  for (const tool of tools.values()) {
    const { path, query, body } = tool.operation as Operation
    const inPath = pathParameters(path).map(([name]) => name as string)
    const written = Object.entries((body ?? query)?.properties ?? {}).filter(([, schema]) => !('readOnly' in schema))
    const inRest = written.map(([name]) => name)
    // An upsert's body may repeat the key of its path.
    assert.deepEqual(
      inPath.filter((name) => inRest.includes(name) && name !== 'externalId'),
      [],
    )
    assert.ok(body === undefined || query === undefined)
    const given = Object.fromEntries(Object.keys(tool.inputSchema.properties).map((name) => [name, name]))
    const request = getRequest(tool, given)
    assert.deepEqual(Object.keys(request.path), inPath)
    assert.deepEqual(
      Object.keys({ ...request.query, ...request.body }).length + inPath.length,
      Object.keys(given).length,
    )
  }
})
