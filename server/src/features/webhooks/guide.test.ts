import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { commandLineOf } from '../../testing/command-line.ts'
import { aPayment } from '../../testing/factories.ts'
import { guideBlocks } from '../../testing/guides.ts'
import { until } from '../../testing/service-process.ts'
import { startTestService } from '../../testing/test-service.ts'

const service = await startTestService({ webhookAllowedNetworks: '127.0.0.0/8' })
service.deliver()
const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The programs of the guide by their names, which stand in their first lines. */
async function programs(): Promise<Map<string, string>> {
  const guide = await readFile(join(root, 'docs/webhooks.md'), 'utf8')
  const blocks = [...guide.matchAll(/^```js\n(\/\/ (\S+)\n[\s\S]*?)^```$/gm)]
  assert.equal(blocks.length, guide.split('```js').length - 1, 'every program has a name')
  return new Map(blocks.map(([, text, name]) => [name as string, text as string]))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

test('the receiver and the catching up of the guide work as they stand, and miss nothing between them', async () => {
  // In the project's folder, so that the client is found as in one where it is installed.
  const folder = await mkdtemp(join(root, 'server/dist/guide-'))
  after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of await programs()) await writeFile(join(folder, name), text)
  const tenant = await service.tenant()
  const { secret: token } = await tenant.token()
  const port = await freePort()
  const made = await tenant.api.post('/webhooks', { url: `http://127.0.0.1:${port}/`, types: ['payment.*'] })
  const { id, secret } = made.body.data
  const environment = {
    ...process.env,
    PORT: String(port),
    WEBHOOK_SECRET: secret,
    MATRICULA_URL: service.address,
    MATRICULA_TOKEN: token,
  }
  const run = (name: string) =>
    spawn(process.execPath, [name], { cwd: folder, env: environment, stdio: ['ignore', 'inherit', 'inherit'] })
  const inbox = async () =>
    (await readFile(join(folder, 'inbox.txt'), 'utf8').catch(() => '')).split('\n').filter(Boolean)
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(
      ({ status }) => status,
      () => 0,
    )

  const receiver = run('receiver.mjs')
  after(() => receiver.kill())
  await until(async () => (await isUp()) !== 0, 'the receiver')
  assert.equal(await isUp(), 400, 'a request without a signature is refused')
  await aPayment(tenant.api)
  await until(async () => (await inbox()).length === 1, 'the first payment')
  const { next } = (await tenant.api.get('/events?after=latest')).body
  const again = await tenant.api.post(`/webhooks/${id}/redeliveries`, { after: '0', until: next })
  assert.deepEqual(again.body.data, { queued: 1 })
  await until(async () => {
    const [delivery] = (await tenant.api.get(`/webhooks/${id}/deliveries`)).body.data
    return delivery.attempts.length === 2 && delivery.status === 'delivered'
  }, 'the same once more')
  assert.equal((await inbox()).length, 1)
  receiver.kill()
  await once(receiver, 'exit')

  await aPayment(tenant.api)
  await aPayment(tenant.api)
  for (let time = 0; time < 2; time += 1) {
    const [code] = await once(run('catch-up.mjs'), 'exit')
    assert.equal(code, 0)
    const events = (await tenant.api.get('/events?types=payment.*')).body.data
    assert.deepEqual(
      (await inbox()).map((line) => line.split(' ')[0]),
      events.map((event: { id: string }) => event.id),
    )
  }
})

test('the token and the webhook of the guide are made as they are printed', async () => {
  const [token, webhook, ...others] = guideBlocks('docs/webhooks.md').filter(({ language }) => language === 'sh')
  assert.ok(token !== undefined && webhook !== undefined && others.length === 0)
  const { environment, json } = await commandLineOf(service)
  await json(['tenant', 'create', '--slug', 'hillside', '--name', 'Hillside'])
  const run = async (text: string, more: NodeJS.ProcessEnv = {}) =>
    (await promisify(execFile)('sh', ['-c', text], { cwd: root, env: { ...environment, ...more } })).stdout
  const secret = /mtc_\w+/.exec(await run(token.text))?.[0]
  const { data } = JSON.parse(await run(webhook.text, { BASE: service.address, TOKEN: secret }))
  assert.match(data.secret, /^whsec_/)
  assert.deepEqual([data.url, data.types, data.status], ['https://ledger.example.org/hooks', ['payment.*'], 'enabled'])
})
