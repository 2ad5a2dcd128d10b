import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService({ trustedProxies: '127.0.0.1' })
const direct = await startTestService()

const statusFor = async (address: string, { app } = service) => {
  const { statusCode, body } = await app.inject({ url: '/metrics', headers: { 'x-forwarded-for': address } })
  return { status: statusCode, body }
}

test('GET /metrics without METRICS_TOKEN: only loopback and private addresses, as forwarded by a trusted proxy', async () => {
  for (const address of [
    ...['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255'],
    ...['192.168.1.1', '169.254.1.1', '::ffff:10.0.0.1', 'fd00::1', 'fc00::1', 'fe80::1'],
  ]) {
    const { status, body } = await statusFor(address)
    assert.deepEqual([address, status], [address, 200])
    assert.match(body, /^# HELP /)
  }
  for (const address of [
    ...['203.0.113.9', '8.8.8.8', '172.32.0.1', '172.15.255.255', '192.169.0.1', '11.0.0.1', '100.64.0.1', '0.0.0.0'],
    ...['2001:db8::1', '2606:4700::1', '::ffff:8.8.8.8', '64:ff9b::a00:1', '2002:a00:1::1', 'ff02::1', '::'],
  ]) {
    const { status, body } = await statusFor(address)
    assert.deepEqual([address, status], [address, 403])
    assert.match(body, /METRICS_TOKEN/)
    assert.doesNotMatch(body, /# HELP/)
  }
})

test('GET /metrics: X-Forwarded-For of an untrusted proxy is ignored', async () => {
  const { status } = await statusFor('10.0.0.1', direct)
  assert.equal(status, 200)
  const public_ = { url: '/metrics', remoteAddress: '203.0.113.9', headers: { 'x-forwarded-for': '127.0.0.1' } }
  assert.equal((await direct.app.inject(public_)).statusCode, 403)
  assert.equal((await service.app.inject(public_)).statusCode, 403)
})
