import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getBlocks } from '../../testing/fixtures/documentation/documents.ts'
import { aPayment } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { freePort } from '../../testing/runner/free-port.ts'

const service = await startTestService({ webhookAllowedNetworks: '127.0.0.0/8' })
service.deliver()
const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The programs of the guide by the name in their first line. */
const programs = getBlocks('docs/webhooks.md')
  .filter(({ language }) => language === 'js')
  .map(({ text }): [string | undefined, string] => [/^\/\/ (\S+)$/m.exec(text)?.[1], text])

test('the webhooks guide: its receiver and its catch-up program work as printed and miss no event', async () => {
  // In the project's folder, so that the SDK resolves as in an installed project.
  const folder = await mkdtemp(join(root, 'server/dist/guide-'))
  after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of programs) await writeFile(join(folder, name as string), text)
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
