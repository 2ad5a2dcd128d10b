import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const own = await seedTenant(service)

const toDay = (day: number) => `2026-09-${String(day).padStart(2, '0')}`
const span = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 3 }))

test('of leaves of a student, each is taken that shares no day with those taken before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(span, { minLength: 2, maxLength: 4 }), async (spans) => {
      const { studentCode: student } = await aStudent(own.tenant.api)
      const taken = new Set<number>()
      for (const [first, more] of spans) {
        const days = Array.from({ length: more + 1 }, (_, index) => first + index)
        const isFree = days.every((day) => !taken.has(day))
        const leave = { student, from_date: toDay(first), to_date: toDay(first + more), student_group: own.group }
        const { error } = await own.resourceClient.create('Student Leave Application', leave)
        assert.equal(error, isFree ? null : 'ValidationError', JSON.stringify(spans))
        if (isFree) for (const day of days) taken.add(day)
      }
    }),
    { numRuns: 12 },
  )
})
