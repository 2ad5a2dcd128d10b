import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { loadCommandLine } from '../../../testing/fixtures/command-line.ts'
import { aPerson } from '../../../testing/fixtures/factories.ts'
import { aPlan, aResult, aScale, seedTenant } from '../../../testing/fixtures/seeded-tenant.ts'
import { until } from '../../../testing/fixtures/service-process.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { json: matricula } = await loadCommandLine(service)

/** A campus with an assessment of both students, of which the first has a result. */
async function school(roles = ['Academics User']) {
  const seeded = await seedTenant(service)
  await aScale(seeded)
  const plan = await aPlan(seeded, { assessment_name: 'Midterm' })
  await aResult(seeded, plan, { Written: 54, Oral: 36 }, { docstatus: 1 })
  const { caller } = await aPerson(service, seeded.tenant, roles)
  const create = (body: object, key: string = randomUUID()) =>
    caller.with({ 'idempotency-key': key }).send('POST', '/console/v1/report-cards/prints', body)
  const finished = async (id: string) => {
    let print = { status: 'queued', done: 0, total: 0 }
    await until(
      async () => {
        print = (await caller.get(`/console/v1/report-cards/prints/${id}`)).body.data
        return !['queued', 'running'].includes(print.status)
      },
      () => `the print is ${print.status}`,
    )
    return print
  }
  return { seeded, plan, caller, create, finished }
}

const overview = (group: string) => `/console/v1/report-cards?studentGroup=${encodeURIComponent(group)}`
const pagesOf = (pdf: string) => pdf.match(/\/Type \/Page\b/g)?.length ?? 0

test('who of a group lacks what is told by student, with drafts and what was never entered', async () => {
  const { seeded, plan, caller } = await school()
  const [ada, alan] = seeded.students
  const { status, body, text } = await caller.get(overview(seeded.group))
  assert.equal(status, 200, text)
  assert.deepEqual([body.data.academicYear, body.data.academicTerm], [seeded.year, null])
  const nothing = { plan, title: 'Midterm', course: 'Anatomy', result: null }
  assert.deepEqual(body.data.students, [
    { student: ada, studentName: 'Ada Byron', results: 1, isPosted: false, edition: null, lacks: [] },
    { student: alan, studentName: 'Alan Turing', results: 0, isPosted: false, edition: null, lacks: [nothing] },
  ])
  const draft = (await aResult(seeded, plan, { Written: 1, Oral: 1 }, { student: alan })).data.name
  const later = (await caller.get(overview(seeded.group))).body.data.students[1]
  assert.deepEqual(later.lacks, [{ ...nothing, result: draft }])
})

test('the cards of a group become one document, in its order, with whoever lacks something or without', async () => {
  const { seeded, caller, create, finished } = await school()
  const made = await create({ studentGroup: seeded.group })
  assert.deepEqual([made.status, made.body.data.status, made.body.data.showMarks], [201, 'queued', true], made.text)
  const { status, done, total } = await finished(made.body.data.id)
  assert.deepEqual([status, done, total], ['done', 2, 2])
  const address = `/console/v1/report-cards/prints/${made.body.data.id}/file`
  const file = await caller.get(address)
  assert.equal(file.status, 200)
  assert.match(file.text, /^%PDF-[\s\S]*%%EOF\s*$/)
  assert.equal(pagesOf(file.text), 2)
  const named = await caller.with({ accept: 'application/json' }).get(address)
  assert.deepEqual(named.body.data?.students, seeded.students, named.text)
  const complete = await create({ studentGroup: seeded.group, onlyComplete: true, showMarks: false })
  assert.equal((await finished(complete.body.data.id)).total, 1)
})

test('a print that is asked for twice with one key is made once', async () => {
  const { seeded, create } = await school()
  const key = randomUUID()
  const first = await create({ studentGroup: seeded.group }, key)
  const again = await create({ studentGroup: seeded.group }, key)
  assert.equal(again.body.data.id, first.body.data.id)
})

test('a print that is over stays as it is when it is cancelled, and one of nobody is done at once', async () => {
  const { seeded, caller, create, finished } = await school()
  const empty = await seeded.resourceClient.make('Student Group', {
    ...{ student_group_name: 'Empty', academic_year: seeded.year, group_based_on: 'Activity', program: seeded.program },
  })
  const { id } = (await create({ studentGroup: empty.name })).body.data
  const { status, total } = await finished(id)
  assert.deepEqual([status, total], ['done', 0])
  const cancelled = await caller.send('POST', `/console/v1/report-cards/prints/${id}/cancel`, {})
  assert.deepEqual([cancelled.status, cancelled.body.data.status], [200, 'done'])
})

test('a print of what does not exist, or of a term of another year, is refused', async () => {
  const { seeded, create } = await school()
  const next = await seeded.resourceClient.make('Academic Year', {
    ...{ academic_year_name: '2027-28', year_start_date: '2027-08-01', year_end_date: '2028-06-30' },
  })
  const term = await seeded.resourceClient.make('Academic Term', {
    ...{ academic_year: next.name, term_name: 'Autumn', term_start_date: '2027-08-01', term_end_date: '2027-12-20' },
  })
  for (const [body, status, code] of [
    [{ studentGroup: 'Nowhere' }, 404, 'resource_not_found'],
    [{ studentGroup: seeded.group, academicTerm: 'Nowhen' }, 404, 'resource_not_found'],
    [{ studentGroup: seeded.group, academicTerm: term.name }, 422, 'rule_violated'],
    [{}, 400, 'validation_failed'],
  ] as const) {
    const refused = await create(body)
    assert.deepEqual([refused.status, refused.body.code], [status, code], JSON.stringify(body))
  }
})

test('prints are for those who may read all results, and each is of whoever asked for it', async () => {
  const { seeded, create, finished } = await school()
  const { id } = (await create({ studentGroup: seeded.group })).body.data
  await finished(id)
  const other = await aPerson(service, seeded.tenant, ['Academics User'])
  const foreign = await aPerson(service, await service.tenant(), ['System Manager'])
  for (const { caller } of [other, foreign]) {
    for (const path of [`/console/v1/report-cards/prints/${id}`, `/console/v1/report-cards/prints/${id}/file`]) {
      assert.equal((await caller.get(path)).status, 404, path)
    }
    assert.equal((await caller.send('POST', `/console/v1/report-cards/prints/${id}/cancel`, {})).status, 404)
  }
  const manager = await aPerson(service, seeded.tenant, ['System Manager'])
  assert.equal((await manager.caller.get(`/console/v1/report-cards/prints/${id}`)).status, 200)
  for (const roles of [['Instructor'], ['Guardian'], ['Student'], ['Accounts User']]) {
    const { caller } = await aPerson(service, seeded.tenant, roles)
    const asked = await caller
      .with({ 'idempotency-key': randomUUID() })
      .send('POST', '/console/v1/report-cards/prints', { studentGroup: seeded.group })
    assert.deepEqual([asked.status, asked.body.code], [403, 'insufficient_role'], roles.join())
    assert.equal((await caller.get(overview(seeded.group))).status, 403, roles.join())
  }
})

test('a print says whom it shows when somebody has left the group since, and goes with its pages when one of them is erased', async () => {
  const { seeded, caller, create, finished } = await school()
  const { id: tenantId, slug } = seeded.tenant
  const [ada, alan] = seeded.students as [string, string]
  const { id } = (await create({ studentGroup: seeded.group })).body.data
  await finished(id)
  const others = await seeded.resourceClient.make('Student Group', {
    ...{
      student_group_name: 'Others',
      group_based_on: 'Activity',
      academic_year: seeded.year,
      program: seeded.program,
    },
    students: [{ student: alan }],
  })
  const kept = (await create({ studentGroup: others.name })).body.data.id
  await finished(kept)
  const left = await seeded.resourceClient.update('Student Group', seeded.group, { students: [{ student: alan }] })
  assert.equal(left.error, null)
  const address = `/console/v1/report-cards/prints/${id}/file`
  const named = await caller.with({ accept: 'application/json' }).get(address)
  assert.deepEqual(named.body.data?.students, [ada, alan], named.text)
  const { erased } = await matricula(['person', 'erase', ada, '--tenant', slug, '--yes'])
  assert.equal(erased.records.report_card_prints, 1)
  assert.equal((await caller.get(address)).status, 404)
  assert.equal((await caller.get(`/console/v1/report-cards/prints/${kept}/file`)).status, 200)
  const parts = await service.database.inspect<{ print_id: string }>(
    'select distinct print_id from report_card_print_parts where tenant_id = $1',
    [tenantId],
  )
  assert.deepEqual(parts, [{ print_id: kept }])
})
