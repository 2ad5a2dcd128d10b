import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment, aStudent } from '../../testing/factories.ts'
import { startTestService } from '../../testing/test-service.ts'

const service = await startTestService()

test('a created payment is returned whole, with Location and ETag, and leaves one audit row and one event', async () => {
  const { api, traces } = await service.tenant()
  const student = await aStudent(api, { givenNames: 'José', familyNames: 'Núñez', fullName: undefined })
  const answer = await api.post('/payments', {
    studentId: student.id,
    amount: 1250.5,
    description: 'Tuition',
    dueDate: '2026-09-01T02:00:00+02:00',
    currency: 'eur',
    externalId: 'T-1',
  })
  assert.equal(answer.status, 201)
  const { id, createdAt, updatedAt } = answer.body.data
  assert.deepEqual(answer.body.data, {
    id,
    externalId: 'T-1',
    studentId: student.id,
    studentName: 'José Núñez',
    studentCode: student.studentCode,
    amount: 1250.5,
    currency: 'EUR',
    status: 'pending',
    description: 'Tuition',
    processorPaymentIntentId: null,
    dueDate: '2026-09-01T00:00:00.000Z',
    paidAt: null,
    createdAt,
    updatedAt,
  })
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(answer.headers.get('location'), `/v1/payments/${id}`)
  assert.ok(answer.headers.get('etag'))
  assert.deepEqual(await traces(id).then(({ audit, events }) => ({ audit, events })), {
    audit: ['payment.created'],
    events: ['payment.created'],
  })
  const read = await api.get(`/payments/${id}`)
  assert.deepEqual(read.body, answer.body)
})

test('a due date of null means due on creation', async () => {
  const { api } = await service.tenant()
  const payment = await aPayment(api, { dueDate: null } as object)
  assert.equal(payment.dueDate, payment.createdAt)
})
