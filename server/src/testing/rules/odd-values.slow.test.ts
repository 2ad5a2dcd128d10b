import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment, aRecordCaller, aStudent } from '../fixtures/factories.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { loadLocations } from '../runner/test-locations.ts'

const service = await startTestService({ authFailuresPerMinute: 1_000_000 })
const tenant = await service.tenant({ timeZone: 'America/Bogota', currency: 'COP' })
const locations = await loadLocations(service, tenant)

/** Values that no text, number or name is, of which some cannot be made one. */
const values: readonly unknown[] = [
  { toString: 1, valueOf: 1 },
  { __proto_of_json__: { toString: 1 }, constructor: 1, length: -1 },
  [[{ toString: 1 }], [[]], null],
  [],
  {},
  true,
  -0.5,
  1e308,
  '1',
  '[[',
]

function nested(levels: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

test('a value of another kind than its place takes is refused with a reason, wherever it is sent', async () => {
  assert.ok(locations.length > 1500, `${locations.length}`)
  const failed: string[] = []
  const kinds = new Set<string>()
  const sendings: (() => Promise<void>)[] = []
  for (const { name, kind, isInAddress, send } of locations) {
    // Every place gets what cannot be converted, and the first of each kind everything.
    const isFirst = !kinds.has(kind)
    kinds.add(kind)
    for (const value of isFirst && !isInAddress ? values : values.slice(0, 1)) {
      sendings.push(async () => {
        const { status, text } = await send(value)
        const reported = `${name} ${JSON.stringify(value)}: ${status}`
        if (status >= 500) failed.push(reported)
        if (status >= 400 && !/"(detail|exception|exc_type)"/.test(text)) failed.push(`${reported} without a reason`)
      })
    }
  }
  for (let at = 0; at < sendings.length; at += 6) {
    await Promise.all(sendings.slice(at, at + 6).map((send) => send()))
  }
  assert.deepEqual(failed, [])
})

test('what is nested a thousand levels deep, or ten thousand, is refused', async () => {
  const failed: string[] = []
  for (const { name, isInAddress, send } of locations.filter((_, index) => index % 10 === 0)) {
    if (isInAddress) continue
    const { status } = await send(nested(1000))
    if (status >= 500 || status < 400) failed.push(`${name}: ${status}`)
  }
  assert.deepEqual(failed, [])
  const deep = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
  const api = await aRecordCaller(service, tenant)
  const rejected = [
    await tenant.api.post('/payments', deep),
    await api.send('POST', '/api/resource/Student', deep, { 'content-type': 'application/json' }),
    await api.get(`/api/resource/Student?filters=${'['.repeat(5000)}${']'.repeat(5000)}`),
  ]
  assert.deepEqual(
    rejected.map(({ status }) => status),
    [400, 417, 417],
  )
})

test('an object that cannot be a text is told as a fault of its field', async () => {
  const odd = { toString: 1 }
  const student = await aStudent(tenant.api)
  const payment = await aPayment(tenant.api, { studentId: student.id })
  const patched = await tenant.api.patch(`/payments/${payment.id}`, { studentId: odd })
  assert.deepEqual([patched.status, patched.body.code], [400, 'validation_failed'])
  assert.equal(patched.body.errors[0].pointer, '#/studentId')
  const api = await aRecordCaller(service, tenant)
  const listed = await api.post('/api/method/frappe.client.get_list', { doctype: 'Fees', limit_page_length: odd })
  assert.deepEqual([listed.status, listed.body.exc_type], [417, 'FrappeTypeError'])
  assert.match(listed.text, /limit_page_length must be a whole number/)
  const made = await api.post('/api/resource/Fees', { docstatus: odd })
  assert.deepEqual([made.status, made.body.exc_type], [417, 'ValidationError'])
  assert.match(made.text, /docstatus/)
})
