import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { aRecordCaller, aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { holdStudents, untilWaiting } from '../../testing/fixtures/waiting.ts'

const service = await startTestService()
const tenant = await service.tenant()
const { api } = tenant
const records = await aRecordCaller(service, tenant)

const total = async (caller = api) => (await caller.get('/students?status=active&search=Ada')).body.pagination.total
const count = async (caller = records) =>
  (
    await caller.get(
      '/api/method/frappe.client.get_count?doctype=Student&filters={"student_email_id":["like","%25a%25"]}',
    )
  ).body.message

/** Does something while nothing can be read of the students. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  const release = await holdStudents(service.database, tenant.id)
  await work()
  await release()
}

for (const [surface, pattern, ask] of [
  ['the Client API', /count\(\*\).* as total/, total],
  ['the Resource and Method API', /^select count\(\*\)/, count],
] as const) {
  test(`${surface}: concurrent requests for the same total share one count`, async () => {
    const before = await ask()
    let asked: Promise<number>[] = []
    const countings = await statementsLike(pattern, async () => {
      await whileHeld(async () => {
        asked = [ask()]
        await untilWaiting(service.database, 1)
        asked.push(...Array.from({ length: 12 }, () => ask()))
        assert.equal((await records.get('/api/method/ping')).status, 200) // those who asked before have come too
      })
      assert.deepEqual([...new Set(await Promise.all(asked))], [before])
    })
    assert.ok(countings.length < asked.length, `${countings.length} countings for ${asked.length} who asked`)
  })

  test(`${surface}: a shared total includes every row written before its request`, async () => {
    let [made, begun] = [0, 0]
    const before = await ask()
    let isOver = false
    const writing = Array.from({ length: 3 }, async () => {
      for (let number = 0; number < 25; number += 1) {
        begun += 1
        await aStudent(api, { fullName: 'Ada Lovelace', email: `ada${begun}@example.org` })
        made += 1
      }
    })
    const asking = Array.from({ length: 6 }, async () => {
      while (!isOver) {
        const min = before + made
        const reported = await ask()
        assert.ok(reported >= min && reported <= before + begun, `${min} <= ${reported} <= ${before + begun}`)
      }
    })
    await Promise.all(writing).finally(() => {
      isOver = true
    })
    await Promise.all(asking)
    assert.equal(await ask(), before + 75)
  })
}

test('shared totals: another tenant gets its own total at the same time', async () => {
  const other = await service.tenant()
  await aStudent(other.api, { fullName: 'Ada Byron', email: 'ada@example.org' })
  const others = await aRecordCaller(service, other)
  const [own, theirs, ownCount, theirCount] = await Promise.all([total(), total(other.api), count(), count(others)])
  assert.deepEqual([theirs, theirCount], [1, 1])
  assert.deepEqual([own, ownCount], [150, 150])
})
