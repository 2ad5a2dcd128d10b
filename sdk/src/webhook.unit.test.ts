import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookRefused } from './webhook.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const id = '01985b2e-5a00-7000-8000-000000000ee1'
const body = JSON.stringify({
  type: 'payment.status_changed',
  timestamp: '2026-02-03T10:15:00.000Z',
  data: { id, externalId: 'Núñez-1', entityType: 'payment', changed: ['status'], position: '7', tenant: id },
})

/** The headers of a request that the official package signs. */
function signed(text = body, { by = secret, at = new Date() } = {}) {
  const signature = new Webhook(by).sign(id, at, text)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
  }
}

test('a request that the official package signs is believed, as text or bytes, with headers of any runtime', async () => {
  const message = { id, ...JSON.parse(body) }
  const headers = signed()
  assert.deepEqual(await verifyWebhook(body, headers, secret), message)
  assert.deepEqual(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret), message)
  const capital = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.replace(/^w|(?<=-)./g, (letter) => letter.toUpperCase()),
      value,
    ]),
  )
  assert.deepEqual(await verifyWebhook(Buffer.from(body), capital, secret), message)
  assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
})

test('one of several secrets and one of several signatures is enough', async () => {
  const other = `whsec_${randomBytes(32).toString('base64')}`
  const headers = signed()
  const both = {
    ...headers,
    'webhook-signature': `v1a,abc ${signed(body, { by: other })['webhook-signature']} ${headers['webhook-signature']}`,
  }
  assert.equal((await verifyWebhook(body, headers, [other, secret])).id, id)
  assert.equal((await verifyWebhook(body, both, secret)).id, id)
})

test('what was altered, is signed by somebody else, is too old or too new, or lacks a header is refused', async () => {
  const headers = signed()
  const minutes = (number: number) => new Date(Date.now() + number * 60_000)
  const rejected: [string, object][] = [
    [body.replace('paid', 'x').replace('status', 'Status'), headers],
    [body, { ...headers, 'webhook-id': 'another' }],
    [body, { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 1) }],
    [body, signed(body, { by: `whsec_${randomBytes(32).toString('base64')}` })],
    [body, signed(body, { at: minutes(-6) })],
    [body, signed(body, { at: minutes(6) })],
    [body, { ...headers, 'webhook-timestamp': 'NaN' }],
    [body, { ...headers, 'webhook-timestamp': '' }],
    [body, { ...headers, 'webhook-signature': 'v1,' }],
    [body, { ...headers, 'webhook-signature': 'v1,???' }],
    [body, { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1', 'v2') }],
    [body, {}],
  ]
  for (const [text, given] of rejected) {
    await assert.rejects(verifyWebhook(text, given as Record<string, string>, secret), WebhookRefused)
  }
  const old = signed(body, { at: minutes(-6) })
  assert.equal((await verifyWebhook(body, old, secret, { tolerance: 3600 })).id, id)
})

test('a secret that is none is a mistake of the program, not of the sender', async () => {
  for (const none of ['', 'whsec_', 'whsec_!!']) await assert.rejects(verifyWebhook(body, signed(), none), TypeError)
})
