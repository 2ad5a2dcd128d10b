import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { KilledSchool } from './killed-school.fixture.ts'

const clients = 12
const receiptsOfEach = 25
const kills = 4

test('a service that is killed while receipts come in loses none, doubles none, and its numbers have no gaps', async () => {
  const school = await KilledSchool.start()
  const { id: studentId } = await school.make('/students', { fullName: 'Tyrone Dyer' })
  const owed = clients * receiptsOfEach * 2
  await school.make('/payments', { studentId, amount: owed, description: 'Tuition', dueDate: '2999-09-01' })
  const accountId = (await school.api.get(`/billing/accounts?studentId=${studentId}`)).body.data[0].id
  const receivedOn = new Date().toISOString().slice(0, 10)

  let posted = 0
  const receiving = Promise.all(
    Array.from({ length: clients }, async () => {
      const ids: string[] = []
      for (let count = 0; count < receiptsOfEach; count += 1) {
        const receipt = { accountId, receivedOn, method: 'cash', amount: 1 }
        ids.push((await school.make('/billing/receipts', receipt)).id)
        posted += 1
      }
      return ids
    }),
  )
  for (let kill = 1; kill <= kills; kill += 1) {
    const until = (clients * receiptsOfEach * kill) / (kills + 1)
    while (posted < until) await pause(5)
    await school.kill()
  }
  const ids = (await receiving).flat()

  const stored = await school.receiptsWithoutGaps(receivedOn.slice(0, 4))
  assert.deepEqual(stored.sort(), [...new Set(ids)].sort())
  assert.equal(stored.length, clients * receiptsOfEach)
  const { balance } = (await school.api.get(`/billing/accounts/${accountId}`)).body.data
  assert.equal(balance, owed - clients * receiptsOfEach)
  await school.assertAgrees()
})
