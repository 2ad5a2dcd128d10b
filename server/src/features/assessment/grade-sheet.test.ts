import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aPerson } from '../../testing/fixtures/factories.ts'
import { aPlan, aScale, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

interface Cell {
  readonly student: string
  readonly criterion: string
  readonly outcome: string
  readonly score?: number | null
  readonly was?: number | string | null
}

async function school(roles = ['Academics User']) {
  const seeded = await seedTenant(service)
  await aScale(seeded)
  const plan = await aPlan(seeded)
  const { caller } = await aPerson(service, seeded.tenant, roles)
  const address = `/console/v1/grade-sheets/${encodeURIComponent(plan)}`
  return {
    seeded,
    plan,
    address,
    caller,
    read: async () => (await caller.get(address)).body.data,
    enter: (...cells: Cell[]) => caller.send('PATCH', address, { cells }),
    submit: () => caller.with({ 'idempotency-key': randomUUID() }).post(`${address}/submit`),
  }
}

const scored = (student: string, criterion: string, score: number | null, more: object = {}): Cell => ({
  student,
  criterion,
  outcome: 'Assessed',
  score,
  ...more,
})

test('a grade sheet has the students of the plan’s group with an open cell for each criterion', async () => {
  const { seeded, plan, caller, address } = await school()
  const { status, body, text } = await caller.get(address)
  assert.equal(status, 200, text)
  assert.deepEqual(
    [body.data.plan, body.data.studentGroup, body.data.mayEnter, body.data.maySubmit],
    [plan, seeded.group, true, true],
  )
  assert.deepEqual(body.data.criteria, [
    { criterion: 'Written', maximum: 60, allowsBonus: false },
    { criterion: 'Oral', maximum: 40, allowsBonus: false },
  ])
  const open = (criterion: string) => ({ criterion, outcome: 'Not Assessed', score: null, grade: null })
  assert.deepEqual(
    body.data.students.map(({ student, status, scores }: Record<string, unknown>) => [student, status, scores]),
    seeded.students.map((student) => [student, 'open', [open('Written'), open('Oral')]]),
  )
})

test('cells are entered one by one, and what others entered in other cells stays', async () => {
  const { seeded, enter, read } = await school()
  const [ada, alan] = seeded.students
  const first = await enter(
    scored(ada, 'Written', 54, { was: null }),
    scored(alan, 'Written', 30.5, { was: 'Not Assessed' }),
  )
  assert.deepEqual([first.status, first.body.data.refused], [200, []], first.text)
  const second = await enter(scored(ada, 'Oral', 0, { was: 'Not Assessed' }), {
    student: alan,
    criterion: 'Oral',
    outcome: 'Excused',
  })
  assert.deepEqual(second.body.data.refused, [], second.text)
  const sheet = await read()
  assert.deepEqual(
    sheet.students.map(({ status, total, maximum, grade }: Record<string, unknown>) => [status, total, maximum, grade]),
    [
      ['draft', 54, 100, 'B'],
      ['draft', 30.5, 60, 'B'],
    ],
  )
  assert.deepEqual(sheet.students[1].scores[1], { criterion: 'Oral', outcome: 'Excused', score: null, grade: null })
})

test('what cannot be entered is refused by its cell with the reason, and the other cells are entered', async () => {
  const { seeded, enter, read } = await school()
  const [ada, alan] = seeded.students
  const { status, body } = await enter(
    scored(ada, 'Written', 61),
    scored(ada, 'Oral', 40),
    scored(alan, 'Written', -1),
    scored(alan, 'Oral', null),
    scored(alan, 'Spelling', 1),
    scored('EDU-STU-2026-99999', 'Oral', 1),
  )
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.refused.map(({ student, criterion, code }: Record<string, string>) => [student, criterion, code]),
    [
      [ada, 'Written', 'out_of_range'],
      [alan, 'Written', 'out_of_range'],
      [alan, 'Oral', 'out_of_range'],
      [alan, 'Spelling', 'unknown_criterion'],
      ['EDU-STU-2026-99999', 'Oral', 'unknown_student'],
    ],
  )
  const [first, second] = (await read()).students
  assert.deepEqual([first.total, second.status], [40, 'open'])
})

test('two teachers at once: different cells are both kept, and the same cell asks the second one', async () => {
  const { seeded, enter, read } = await school()
  const [ada] = seeded.students
  const both = await Promise.all([
    enter(scored(ada, 'Written', 50, { was: null })),
    enter(scored(ada, 'Oral', 30, { was: null })),
  ])
  assert.deepEqual(
    both.map(({ status, body }) => [status, body.data.refused]),
    [
      [200, []],
      [200, []],
    ],
  )
  assert.equal((await read()).students[0].total, 80)
  const late = await enter(scored(ada, 'Written', 49, { was: null }))
  assert.deepEqual([late.body.data.refused[0].code, (await read()).students[0].total], ['changed_meanwhile', 80])
  const same = await enter(scored(ada, 'Written', 50, { was: null }))
  assert.deepEqual(same.body.data.refused, [], 'what is there already is no conflict')
})

test('scores become official when they are submitted, once, and change no more', async () => {
  const { seeded, enter, submit, read } = await school()
  const [ada] = seeded.students
  await enter(scored(ada, 'Written', 50))
  const first = await submit()
  assert.deepEqual([first.status, first.body.data.submitted], [200, 1], first.text)
  assert.equal((await submit()).body.data.submitted, 0)
  assert.equal((await read()).students[0].status, 'submitted')
  const late = await enter(scored(ada, 'Written', 60))
  assert.equal(late.body.data.refused[0].code, 'submitted')
})

test('a grade sheet is for those who may read results, of this institution', async () => {
  const { seeded, address } = await school()
  for (const roles of [['Guardian'], ['Accounts User'], ['Student']]) {
    const { caller } = await aPerson(service, seeded.tenant, roles)
    const { status, body } = await caller.get(address)
    assert.deepEqual([status, body.code], [403, 'insufficient_role'], roles.join())
    const entered = await caller.send('PATCH', address, { cells: [scored(seeded.students[0], 'Oral', 1)] })
    assert.deepEqual([entered.status, entered.body.code], [403, 'insufficient_role'], roles.join())
  }
  const foreign = await aPerson(service, await service.tenant(), ['Academics User'])
  const { status, body } = await foreign.caller.get(address)
  assert.deepEqual([status, body.code], [404, 'resource_not_found'])
})
