import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import type { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { bodyLimits } from './request-arguments.ts'

const service = await startTestService()
const tenant = await service.tenant()

test('the fields of a form that comes with files have together what a body without files has, but for the staff', async () => {
  const staff = await aRecordCaller(service, tenant)
  const student = await aRecordCaller(service, tenant, ['Student'])
  const send = async (caller: RecordCaller, fields: Readonly<Record<string, number>>, fileBytes = 1) => {
    const body = new FormData()
    // No records, with so many blanks between.
    for (const [name, bytes] of Object.entries(fields)) body.append(name, `[${' '.repeat(bytes - 2)}]`)
    body.append('file', new Blob(['x'.repeat(fileBytes)]), 'a.txt')
    const response = await caller.post('/api/method/frappe.client.insert_many', body)
    return [response.status, response.body.exc_type ?? null]
  }
  const all = bodyLimits.small
  const tooLarge = [413, 'RequestEntityTooLarge']
  assert.deepEqual(await send(student, { docs: all }), [200, null])
  assert.deepEqual(await send(student, { docs: 10 }, 2 * all), [200, null])
  assert.deepEqual(await send(student, { docs: all + 1 }), tooLarge)
  assert.deepEqual(await send(student, { docs: all / 2, more: all / 2, most: 2 }), tooLarge)
  assert.deepEqual(await send(staff, { docs: 2 * all, more: 2 * all }), [200, null])
})
