import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { KilledSchool } from './killed-school.fixture.ts'

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

interface Run {
  readonly debits: readonly { readonly accountId: string; readonly receiptId: string; readonly amount: number }[]
}

test('a service that is killed during collection runs collects from each account once, with numbers without gaps', async () => {
  const school = await KilledSchool.start({ creditor })
  const accountIds: string[] = []
  for (let family = 1; family <= families; family += 1) {
    const account = { name: `Family ${family}`, currency: 'EUR', mandate }
    const { id: accountId } = await school.make('/billing/accounts', account)
    const { id: studentId } = await school.make('/students', { fullName: `Child ${family}` })
    const shares = [{ accountId, percent: 100 }]
    assert.equal((await school.api.put(`/billing/students/${studentId}/shares`, { shares })).status, 200)
    const owed = { studentId, currency: 'EUR', description: 'Tuition', dueDate: '2020-01-01' }
    for (const amount of [100, 50.5]) await school.make('/payments', { ...owed, amount })
    accountIds.push(accountId)
  }

  const waiting = Array.from({ length: families / perRun }, (_, index) =>
    accountIds.slice(index * perRun, (index + 1) * perRun),
  )
  const runs: Run[] = []
  const collecting = Promise.all(
    Array.from({ length: clients }, async () => {
      for (let some = waiting.shift(); some !== undefined; some = waiting.shift()) {
        const body = { collectionDate, dueTo: collectionDate, accountIds: some }
        runs.push(await school.make<Run>('/billing/direct-debits', body))
      }
    }),
  )
  for (let kill = 1; kill <= kills; kill += 1) {
    const until = (families / perRun / (kills + 1)) * kill - 1
    while (runs.length < until) await pause(1)
    await pause(randomInt(60))
    await school.kill()
  }
  await collecting

  const debits = runs.flatMap((run) => run.debits)
  assert.deepEqual(debits.map(({ accountId }) => accountId).sort(), [...accountIds].sort())
  assert.deepEqual([...new Set(debits.map(({ amount }) => amount))], [150.5])
  const stored = await school.receiptsWithoutGaps(collectionDate.slice(0, 4))
  assert.deepEqual(stored.sort(), debits.map(({ receiptId }) => receiptId).sort())
  const [stands] = await school.database.inspect<{ runs: string; paid: string }>(
    `select (select count(*) from direct_debits)::text as runs,
            (select count(*) from payments where status = 'paid')::text as paid`,
  )
  assert.deepEqual([Number(stands?.runs), Number(stands?.paid)], [families / perRun, families * 2])
  await school.assertAgrees()
})
