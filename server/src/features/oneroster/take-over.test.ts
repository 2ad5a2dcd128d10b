import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aScale } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aRoster, type Roster } from './roster.fixture.ts'

const service = await startTestService()

/** An institution for whose course group a platform has put an essay with results of both students. */
async function anEssay() {
  const roster = await aRoster(service)
  await aScale(roster)
  const [anatomy] = await roster.list("/classes?filter=title='Anatomy 1'")
  const [category] = (await roster.call('/gradebook/v1p2/categories')).body.categories
  const people = await roster.list(`/classes/${anatomy.sourcedId}/students?sort=givenName`)
  const put = async (path: string, body: object) => {
    const { status, text } = await roster.call(`/gradebook/v1p2${path}`, { method: 'PUT', body: JSON.stringify(body) })
    assert.equal(status, 201, text)
  }
  const ref = (sourcedId: string) => ({ sourcedId })
  const putItem = (fields: object = {}, id = 'essay') =>
    put(`/lineItems/${id}`, {
      lineItem: {
        title: 'Essay on bones',
        assignDate: '2026-09-01T00:00:00.000Z',
        dueDate: '2026-09-08T00:00:00.000Z',
        class: ref(anatomy.sourcedId),
        school: ref(roster.tenant.id),
        category: ref(category.sourcedId),
        resultValueMax: 50,
        ...fields,
      },
    })
  const putResult = (index: number, fields: object) =>
    put(`/results/r-${index}`, {
      result: {
        lineItem: ref('essay'),
        student: ref(people[index].sourcedId),
        scoreStatus: 'fully graded',
        scoreDate: '2026-09-09',
        ...fields,
      },
    })
  await putItem()
  await putResult(0, { score: 45 })
  await putResult(1, { scoreStatus: 'exempt' })
  return { ...roster, putItem, putResult }
}

const take = ({ resourceClient }: Pick<Roster, 'resourceClient'>, fields: object = {}) =>
  resourceClient.call('api.take_over_line_item', { line_item: 'essay', grading_scale: 'Letters', ...fields })

test('a line item becomes a plan with its results as drafts, tells what has changed since, and is taken again', async () => {
  const roster = await anEssay()
  const { resourceClient, students, courseGroup, putItem, putResult } = roster
  const listed = async () => (await resourceClient.call('api.get_line_items', { student_group: courseGroup })).data
  const [before] = await listed()
  assert.deepEqual(
    [before.line_item, before.title, before.due_date, before.maximum, before.assessment_plan, before.changes],
    ['essay', 'Essay on bones', '2026-09-08', 50, null, 0],
  )
  const { error, told, data } = await take(roster)
  assert.equal(error, null, told)
  assert.deepEqual([data.created, data.updated, data.unchanged, data.refused], [2, 0, 0, []])
  const plan = (await resourceClient.read('Assessment Plan', data.assessment_plan)).data
  assert.deepEqual(
    [plan.docstatus, plan.assessment_name, plan.student_group, plan.schedule_date, plan.maximum_assessment_score],
    [1, 'Essay on bones', courseGroup, '2026-09-08', 50],
  )
  assert.deepEqual(await resourceClient.traces('Assessment Plan', plan.name), [
    'assessment_plan.created',
    'assessment_plan.submitted',
  ])
  const resultOf = async (student: string | undefined) =>
    (await resourceClient.call('api.get_result', { student, assessment_plan: plan.name })).data
  const ada = await resultOf(students[0])
  assert.deepEqual([ada.docstatus, ada.total_score, ada.grade], [0, 45, 'A'])
  assert.equal((await resultOf(students[1])).details[0].outcome, 'Excused')
  const [taken] = await listed()
  assert.deepEqual([taken.assessment_plan, taken.changes, taken.taken_on !== null], [plan.name, 0, true])

  await putItem({ title: 'Essay on all bones' })
  await putResult(0, { score: 55 })
  const changes = (await resourceClient.call('api.get_line_item_changes', { line_item: 'essay' })).data
  assert.deepEqual([changes.assessment_plan, changes.members], [plan.name, ['title']])
  assert.deepEqual(changes.results, [
    {
      student: students[0],
      taken: { score: 45, score_status: 'fully graded' },
      now: { score: 55, score_status: 'fully graded' },
    },
  ])
  const again = (await take(roster)).data
  assert.deepEqual([again.assessment_plan, again.created, again.updated, again.unchanged], [plan.name, 0, 1, 1])
  assert.equal((await resultOf(students[0])).total_score, 55)
  assert.equal((await listed())[0].changes, 0)

  await resourceClient.submit('Assessment Result', ada.name)
  await putResult(0, { score: 10 })
  const refused = (await take(roster)).data.refused
  assert.equal(refused[0].student, students[0])
  assert.match(refused[0].reason, /is submitted with 55/)
  assert.equal((await resultOf(students[0])).total_score, 55)
  assert.equal((await listed())[0].changes, 1, 'what was not taken is still told')
})

test('line items due on one day are taken side by side, twice at once make one plan, and others have no right to it', async () => {
  const roster = await anEssay()
  const { resourceClient, putItem, courseGroup } = roster
  await putItem({ title: 'Drawing' }, 'drawing')
  const both = await Promise.all([take(roster), take(roster), take(roster, { line_item: 'drawing' })])
  assert.deepEqual(
    both.map(({ error, told }) => error && told),
    [null, null, null],
  )
  assert.equal(both[0].data.assessment_plan, both[1].data.assessment_plan)
  assert.notEqual(both[0].data.assessment_plan, both[2].data.assessment_plan)
  assert.equal((await resourceClient.list('Assessment Plan', { limit_page_length: '0' })).data.length, 2)
  assert.equal((await take(roster, { line_item: 'nothing' })).error, 'DoesNotExistError')
  const instructor = resourceClient.as('Instructor')
  const asInstructor = await instructor.call('api.take_over_line_item', { line_item: 'essay' })
  assert.deepEqual([asInstructor.status, asInstructor.error], [403, 'PermissionError'])
  const student = resourceClient.as('Student')
  assert.equal((await student.call('api.get_line_items', { student_group: courseGroup })).status, 403)
  const other = await aRoster(service)
  assert.equal((await take(other)).error, 'DoesNotExistError')
})

test('the command takes a line item over, and says what cannot be', async () => {
  const { tenant } = await anEssay()
  const commandLine = await loadCommandLine(service)
  const args = ['line-item', 'take', 'essay', '--tenant', tenant.slug, '--grading-scale', 'Letters']
  const { assessment_plan: plan, created, refused } = await commandLine.json(args)
  assert.deepEqual([created, refused], [2, []])
  const again = await commandLine.run(args)
  assert.equal(again.stdout.trim(), `${plan}: 0 created, 0 updated, 2 unchanged, 0 refused`)
  const none = await commandLine.run(['line-item', 'take', 'nothing', '--tenant', tenant.slug, '--json'])
  assert.deepEqual([none.code, JSON.parse(none.stdout).error.code], [1, 'not_found'])
  const wrong = await commandLine.run([...args, '--maximum', 'x', '--json'])
  assert.deepEqual([wrong.code, JSON.parse(wrong.stdout).error.code], [2, 'invalid_value'])
})
