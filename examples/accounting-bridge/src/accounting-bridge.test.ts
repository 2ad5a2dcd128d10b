import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { Webhook } from 'standardwebhooks'
import { aPayment, aStudent } from '../../../server/dist/testing/fixtures/factories.js'
import { aFolder, afterwards, until } from '../../../server/dist/testing/fixtures/service-process.js'
import { startTestService, type TestTenant } from '../../../server/dist/testing/fixtures/test-service.js'

const service = await startTestService({ webhookAllowedNetworks: '127.0.0.0/8' })
service.deliver()

const main = fileURLToPath(new URL('main.js', import.meta.url))

/** A port of the loopback that nobody listens on, found by listening there. */
async function aPort(settings: Record<string, string>): Promise<number> {
  const bridge = await start({ ...settings, PORT: '0' })
  const [, port] = /listening on port (\d+)/.exec(bridge.output()) ?? []
  await bridge.kill()
  return Number(port)
}

async function start(settings: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (part) => (output += part))
  const ended = once(child, 'close')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const [code] = await ended
    return code as number | null
  }
  afterwards(async () => void (await end('SIGKILL')))
  await until(
    () => output.includes('listening') || child.exitCode !== null,
    () => `the receiver (${output})`,
  )
  return { output: () => output, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

/** A bridge of a tenant that webhooks are delivered to; it is not started. */
async function aBridge(tenant: TestTenant) {
  const folder = await aFolder()
  const { secret: token } = await tenant.token({ scopes: ['events:read', 'payments:read'] })
  const environment = { MATRICULA_URL: service.address, MATRICULA_TOKEN: token, LEDGER_FOLDER: folder }
  const port = await aPort({ ...environment, WEBHOOK_SECRET: 'whsec_bm9uZQ==', LEDGER_FOLDER: await aFolder() })
  const url = `http://127.0.0.1:${port}/webhooks`
  const { status, body, text } = await tenant.api.post('/webhooks', { url, types: ['payment.*'] })
  assert.equal(status, 201, text)
  const { secret } = body.data as { secret: string }
  return {
    folder,
    url,
    secret,
    start: () => start({ ...environment, WEBHOOK_SECRET: secret, PORT: String(port) }),
    /** Payments and amounts of the ledger, in its order. */
    rows: async () => {
      const text = await readFile(join(folder, 'ledger.csv'), 'utf8').catch(() => '')
      const rows = parse(text, { columns: true }) as { externalId: string; amount: string; currency: string }[]
      return rows.map(({ externalId, amount, currency }) => `${externalId} ${amount} ${currency}`)
    },
  }
}

test('a payment is booked when it is paid, taken back when it is refunded, and corrected by both', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const early = await aPayment(api, { externalId: 'P-0', amount: 0.1, status: 'paid' } as object)
  const bridge = await aBridge(tenant)
  await bridge.start()
  await until(async () => (await bridge.rows()).length === 1, 'what was paid before')
  const { id } = await aPayment(api, {
    studentId: early.studentId,
    externalId: 'P-1',
    amount: 450,
    description: '=1+1',
  } as object)
  await api.patch(`/payments/${id}`, { status: 'paid' })
  await until(async () => (await bridge.rows()).length === 2, 'the payment')
  await api.patch(`/payments/${id}`, { amount: 500.5 })
  await until(async () => (await bridge.rows()).length === 4, 'the correction')
  await api.patch(`/payments/${id}`, { status: 'refunded' })
  await until(async () => (await bridge.rows()).length === 5, 'the refund')
  assert.deepEqual(await bridge.rows(), [
    'P-0 0.1 USD',
    'P-1 450 USD',
    'P-1 -450 USD',
    'P-1 500.5 USD',
    'P-1 -500.5 USD',
  ])
  assert.match(await readFile(join(bridge.folder, 'ledger.csv'), 'utf8'), /,'=1\+1,/)
})

test('what happened while it was down is caught up with, nothing is booked twice, and half a row is mended', async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const bridge = await aBridge(tenant)
  const { id: studentId } = await aStudent(api)
  const pay = (externalId: string) => aPayment(api, { studentId, externalId, amount: 7, status: 'paid' } as object)
  const first = await bridge.start()
  await pay('P-1')
  await until(async () => (await bridge.rows()).length === 1, 'the first payment')
  await first.kill()
  const ids = []
  for (const number of [2, 3, 4]) ids.push((await pay(`P-${number}`)).id)
  await api.patch(`/payments/${ids[0]}`, { status: 'cancelled' })
  await appendFile(join(bridge.folder, 'ledger.csv'), '2026-01-01T00:00:00.000Z,half a')
  const second = await bridge.start()
  await until(
    () => second.output().includes('caught up'),
    () => second.output(),
  )
  assert.deepEqual(await bridge.rows(), ['P-1 7 USD', 'P-3 7 USD', 'P-4 7 USD'])
  assert.equal(await second.stop(), 0)
  const third = await bridge.start()
  await pay('P-5')
  await until(
    async () => (await bridge.rows()).length === 4,
    () => `the last payment (${third.output()})`,
  )
  assert.deepEqual((await bridge.rows()).slice(3), ['P-5 7 USD'])
})

test('a request that is not signed with the secret, or is no webhook, is refused and does nothing', async () => {
  const tenant = await service.tenant()
  const bridge = await aBridge(tenant)
  await bridge.start()
  const body = JSON.stringify({ type: 'payment.created', timestamp: '2026-01-01T00:00:00.000Z', data: {} })
  const signed = (secret: string, text = body) => {
    const now = new Date()
    return {
      'webhook-id': 'x',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('x', now, text),
    }
  }
  const send = async (headers: Record<string, string>, text = body, url = bridge.url) =>
    (await fetch(url, { method: 'POST', headers, body: text })).status
  assert.equal(await send({}), 400)
  assert.equal(await send(signed('whsec_Zm9yZ2Vk')), 400)
  assert.equal(await send(signed(bridge.secret), `${body} `), 400)
  assert.equal(await send(signed(bridge.secret), body, bridge.url.replace('webhooks', 'other')), 404)
  assert.equal(await send({}, 'x'.repeat(200_000)).catch(() => 413), 413)
  assert.equal((await fetch(bridge.url)).status, 405)
  assert.equal(await send(signed(bridge.secret)), 204)
  assert.deepEqual(await bridge.rows(), [])
})

test('without a token and a secret it says what to set', async () => {
  const { output, stop } = await start({ MATRICULA_TOKEN: '' })
  assert.match(output(), /MATRICULA_TOKEN .*\n.*WEBHOOK_SECRET/)
  assert.equal(await stop(), 2)
})
