import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
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

const families = 48
const perRun = 4
const clients = 3
const kills = 4

const creditor = {
  name: 'Dyer Academy',
  creditorId: 'DE98ZZZ09999999999',
  iban: 'DE75512108001245126199',
  bic: null,
  preNotificationDays: 5,
  painVersion: 'pain.008.001.08',
}
const mandate = { id: 'M-1', iban: 'DE89370400440532013000', signedAt: '2026-01-02' }
const dayFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const collectionDate = dayFromToday(9)

test('a service that is killed during collection runs collects from each account once, with numbers without gaps', async () => {
  const database = await createTestDatabase({ isEmpty: true })
  afterFile(() => database.drop())
  const folder = await aFolder(afterFile)
  const settings = {
    DATABASE_URL: getUrl(database.connection),
    SECRET_KEY: 'of a service that a test kills during collection runs',
    WORKERS: '1',
  }
  let running: ServiceProcess = await start(folder, settings)
  await untilReady(running)
  const command = (...args: string[]) => runCommand({ ...settings, DATA_DIR: folder }, ...args)
  await command('tenant', 'create', '--slug', 'school', '--name', 'School')
  const file = join(folder, 'billing.json')
  await writeFile(file, JSON.stringify({ billing: { numbering: { gapless: true }, creditor } }))
  await command('apply', file, '--tenant', 'school', '--yes')
  const all = ['--scopes', 'all,extensions', '--domains', 'students,enrollment,payments']
  const quota = ['--requests-per-minute', '100000']
  const { token } = await command('token', 'create', '--tenant', 'school', '--name', 'desk', ...all, ...quota)
  const api = () => new Caller(running.address, token)

  /** What is answered with 201, asked again with the same key while nobody listens. */
  async function make(path: string, body: object): Promise<Record<string, never>> {
    const key = randomUUID()
    for (;;) {
      const response = await api()
        .post(path, body, { 'idempotency-key': key })
        .catch(() => null)
      if (response?.status === 201) return response.body.data
      // Nobody listens, or what was begun with this key has not ended.
      assert.ok(response === null || response.status >= 500 || response.status === 409, response?.text)
      await pause(20)
    }
  }

  const accountIds: string[] = []
  for (let family = 1; family <= families; family += 1) {
    const accountId: string = (await make('/billing/accounts', { name: `Family ${family}`, currency: 'EUR', mandate }))
      .id as never
    const studentId = (await make('/students', { fullName: `Child ${family}` })).id
    const shares = [{ accountId, percent: 100 }]
    assert.equal((await api().put(`/billing/students/${studentId}/shares`, { shares })).status, 200)
    const owed = { studentId, currency: 'EUR', description: 'Tuition', dueDate: '2020-01-01' }
    for (const amount of [100, 50.5]) await make('/payments', { ...owed, amount })
    accountIds.push(accountId)
  }

  const waiting = Array.from({ length: families / perRun }, (_, index) =>
    accountIds.slice(index * perRun, (index + 1) * perRun),
  )
  const runs: { id: string; debits: { accountId: string; receiptId: string; amount: number }[] }[] = []
  const collecting = Promise.all(
    Array.from({ length: clients }, async () => {
      for (let some = waiting.shift(); some !== undefined; some = waiting.shift()) {
        const body = { collectionDate, dueTo: collectionDate, accountIds: some }
        runs.push((await make('/billing/direct-debits', body)) as never)
      }
    }),
  )
  for (let kill = 1; kill <= kills; kill += 1) {
    const until = (families / perRun / (kills + 1)) * kill - 1
    while (runs.length < until) await pause(1)
    await pause(randomInt(60))
    running.child.kill('SIGKILL')
    await running.ended
    running = await start(folder, { ...settings, PORT: new URL(running.address).port })
    await untilReady(running)
  }
  await collecting

  const debits = runs.flatMap((run) => run.debits)
  assert.deepEqual(debits.map(({ accountId }) => accountId).sort(), [...accountIds].sort())
  assert.deepEqual([...new Set(debits.map(({ amount }) => amount))], [150.5])
  const stored = await database.inspect<{ id: string; number: string }>(
    'select id, receipt_number as number from billing_receipts order by receipt_number',
  )
  assert.deepEqual(stored.map(({ id }) => id).sort(), debits.map(({ receiptId }) => receiptId).sort())
  assert.deepEqual(
    stored.map(({ number }) => number),
    accountIds.map((_, index) => `REC-${collectionDate.slice(0, 4)}-${String(index + 1).padStart(5, '0')}`),
  )
  const [stands] = await database.inspect<{ runs: string; paid: string }>(
    `select (select count(*) from direct_debits)::text as runs,
            (select count(*) from payments where status = 'paid')::text as paid`,
  )
  assert.deepEqual([Number(stands?.runs), Number(stands?.paid)], [families / perRun, families * 2])
  const { status, detail } = await checkBilling((text, values) => database.inspect(text, values as never))
  assert.equal(status, 'ok', detail)
})
