import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { checkBilling } from '../../../commands/diagnostics/billing-check.ts'
import { Caller } from '../../../testing/fixtures/client.ts'
import {
  aFolder,
  runCommand,
  type ServiceProcess,
  start,
  untilReady,
} from '../../../testing/fixtures/service-process.ts'
import { createTestDatabase, getUrl } from '../../../testing/fixtures/test-database.ts'
import { afterFile } from '../../../testing/runner/file-end.ts'

const clients = 12
const receiptsOfEach = 25
const kills = 4

test('a service that is killed while receipts come in loses none, doubles none, and its numbers have no gaps', async () => {
  const database = await createTestDatabase({ isEmpty: true })
  afterFile(() => database.drop())
  const folder = await aFolder(afterFile)
  const settings = {
    DATABASE_URL: getUrl(database.connection),
    SECRET_KEY: 'of a service that a test kills while receipts come in',
    WORKERS: '1',
  }
  let running: ServiceProcess = await start(folder, settings)
  await untilReady(running)
  const command = (...args: string[]) => runCommand({ ...settings, DATA_DIR: folder }, ...args)
  await command('tenant', 'create', '--slug', 'school', '--name', 'School')
  const file = join(folder, 'billing.json')
  await writeFile(file, JSON.stringify({ billing: { numbering: { gapless: true } } }))
  await command('apply', file, '--tenant', 'school', '--yes')
  const all = ['--scopes', 'all,extensions', '--domains', 'students,enrollment,payments']
  const quota = ['--requests-per-minute', '100000']
  const { token } = await command('token', 'create', '--tenant', 'school', '--name', 'desk', ...all, ...quota)
  const api = () => new Caller(running.address, token)

  const studentId = (await api().post('/students', { fullName: 'Tyrone Dyer' })).body.data.id
  const owed = clients * receiptsOfEach * 2
  const made = await api().post('/payments', { studentId, amount: owed, description: 'Tuition', dueDate: '2999-09-01' })
  assert.equal(made.status, 201, made.text)
  const accountId = (await api().get(`/billing/accounts?studentId=${studentId}`)).body.data[0].id
  const receivedOn = new Date().toISOString().slice(0, 10)

  let posted = 0
  /** Posts a receipt, again with the same key until it is answered. */
  async function receive(): Promise<string> {
    const key = randomUUID()
    const receipt = { accountId, receivedOn, method: 'cash', amount: 1 }
    for (;;) {
      const response = await api()
        .post('/billing/receipts', receipt, { 'idempotency-key': key })
        .catch(() => null)
      if (response?.status === 201) {
        posted += 1
        return response.body.data.id
      }
      // Nobody listens, or what was begun with this key has not ended.
      assert.ok(response === null || response.status >= 500 || response.status === 409, response?.text)
      await pause(20)
    }
  }
  const receiving = Promise.all(
    Array.from({ length: clients }, async () => {
      const ids: string[] = []
      for (let count = 0; count < receiptsOfEach; count += 1) ids.push(await receive())
      return ids
    }),
  )
  for (let kill = 1; kill <= kills; kill += 1) {
    const until = (clients * receiptsOfEach * kill) / (kills + 1)
    while (posted < until) await pause(5)
    running.child.kill('SIGKILL')
    await running.ended
    running = await start(folder, { ...settings, PORT: new URL(running.address).port })
    await untilReady(running)
  }
  const ids = (await receiving).flat()

  const rows = await database.inspect<{ id: string; number: string }>(
    'select id, receipt_number as number from billing_receipts order by receipt_number',
  )
  assert.deepEqual(rows.map(({ id }) => id).sort(), [...new Set(ids)].sort())
  const year = receivedOn.slice(0, 4)
  assert.deepEqual(
    rows.map(({ number }) => number),
    ids.map((_, index) => `REC-${year}-${String(index + 1).padStart(5, '0')}`),
  )
  const { balance } = (await api().get(`/billing/accounts/${accountId}`)).body.data
  assert.equal(balance, owed - clients * receiptsOfEach)
  const { status, detail } = await checkBilling((text, values) => database.inspect(text, values as never))
  assert.equal(status, 'ok', detail)
})
