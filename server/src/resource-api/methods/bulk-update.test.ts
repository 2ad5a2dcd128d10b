import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const resourceClient = new ResourceClient(service, tenant)
const path = '/api/method/frappe.client.bulk_update'

interface Failed {
  readonly doc: { readonly docname: string }
  readonly exc: string
}

const findFailures = (body: { message: { failed_docs: Failed[] } }) =>
  body.message.failed_docs.map(({ doc, exc }) => [doc.docname, /exceptions\.(\w+)/.exec(exc)?.[1]])

test('what is computed, unknown or nameless is refused by itself, and the others are changed', async () => {
  const { name } = await resourceClient.make('Room', { room_name: 'A' })
  const staff = await aRecordCaller(service, tenant)
  const docs = [
    { doctype: 'DocType', docname: 'Student', module: 'x' },
    { doctype: 'Report', docname: 'Final Assessment Grades', module: 'x' },
    { doctype: 'Nothing', docname: 'x' },
    { doctype: 'Room', docname: 'none', seating_capacity: '3' },
    { doctype: 'Room', name, seating_capacity: '7' },
  ]
  const { status, text, body } = await staff.post(path, { docs })
  assert.equal(status, 200, text)
  assert.deepEqual(findFailures(body), [
    ['Student', 'PermissionError'],
    ['Final Assessment Grades', 'PermissionError'],
    ['x', 'DoesNotExistError'],
    ['none', 'DoesNotExistError'],
  ])
  assert.equal((await resourceClient.read('Room', name)).data.seating_capacity, '7')
})

test('who may not change records locks none of them', async () => {
  const rooms = await Promise.all(['B', 'C'].map((room_name) => resourceClient.make('Room', { room_name })))
  const docs = rooms.map(({ name }) => ({ doctype: 'Room', docname: name, seating_capacity: '9' }))
  for (const roles of [['Student'], ['Guardian', 'Student'], ['Instructor']]) {
    const caller = await aRecordCaller(service, tenant, roles)
    const locks = await statementsLike(/for no key update/, async () => {
      const { body } = await caller.post(path, { docs })
      assert.deepEqual(
        findFailures(body),
        rooms.map(({ name }) => [name, 'PermissionError']),
      )
    })
    assert.deepEqual(locks, [], String(roles))
  }
  const staff = await aRecordCaller(service, tenant)
  assert.ok((await statementsLike(/for no key update/, () => staff.post(path, { docs }))).length > 0)
})
