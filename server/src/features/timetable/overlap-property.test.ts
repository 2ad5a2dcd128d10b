import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aLesson, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const own = await seedTenant(service)

const toTime = (quarter: number) =>
  `${String(8 + Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}:00`
const span = fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 4 }))

test('of lessons in a room, each is taken that shares no minute with those taken before', async () => {
  let day = 0
  await fc.assert(
    fc.asyncProperty(fc.array(span, { minLength: 2, maxLength: 4 }), async (spans) => {
      day += 1
      const schedule_date = new Date(Date.UTC(2026, 8, day)).toISOString().slice(0, 10)
      const taken = new Set<number>()
      for (const [from, length] of spans) {
        const quarters = Array.from({ length }, (_, index) => from + index)
        const isFree = quarters.every((quarter) => !taken.has(quarter))
        const times = { from_time: toTime(from), to_time: toTime(from + length) }
        const { error } = await aLesson(own, { schedule_date, ...times })
        assert.equal(error, isFree ? null : 'OverlapError', JSON.stringify(spans))
        if (isFree) for (const quarter of quarters) taken.add(quarter)
      }
    }),
    { numRuns: 12 },
  )
})
