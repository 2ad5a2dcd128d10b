import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../testing/fixtures/resource-client.ts'
import { anEnrollment, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

function assertRejected(
  { status, error, told: reported, answer: response }: Outcome,
  type: string,
  reason: RegExp,
): void {
  assert.deepEqual([status, error], [417, type], reported)
  assert.match(`${response.body.exception} ${reported}`, reason)
}

test('a move of docstatus that no record makes is refused in the exception, which names both states', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  const type = 'Program Enrollment'
  const refuse = (outcome: Outcome, error: string, from: string, to: string) => {
    assertRejected(outcome, error, new RegExp(`from ${from} to ${to}`.replace(/[()]/g, '\\$&')))
    assert.equal(outcome.told, '')
  }
  const isMove = 'DocstatusTransitionError'
  refuse(await anEnrollment(seededTenant, { docstatus: 2 }), isMove, '0 (Draft)', '2 (Cancelled)')
  const { name } = (await anEnrollment(seededTenant)).data
  refuse(await resourceClient.cancel(type, name), isMove, '0 (Draft)', '2 (Cancelled)')
  assertRejected(await resourceClient.update(type, name, { docstatus: 3 }), 'ValidationError', /Invalid docstatus 3/)
  assert.equal((await resourceClient.update(type, name, { docstatus: '1' })).data.docstatus, 1)
  refuse(await resourceClient.update(type, name, { docstatus: 0 }), isMove, '1 (Submitted)', '0 (Draft)')
  assert.equal((await resourceClient.cancel(type, name)).data.docstatus, 2)
  refuse(await resourceClient.submit(type, name), 'ValidationError', '2 (Cancelled)', '1 (Submitted)')
  refuse(await resourceClient.update(type, name, { docstatus: 0 }), 'ValidationError', '2 (Cancelled)', '0 (Draft)')
  refuse(await resourceClient.update(type, name, { image: 'x' }), 'ValidationError', '2 (Cancelled)', '2 (Cancelled)')
  assert.deepEqual(
    (await resourceClient.traces(type, name)).filter((trace) => trace.startsWith('program_enrollment')),
    ['created', 'submitted', 'cancelled'].map((verb) => `program_enrollment.${verb}`),
  )
})

test('who may not submit or cancel does neither, by no way', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient, program, year } = seededTenant
  const accounts = resourceClient.as('Academics User', 'Instructor')
  const components = [{ fees_category: 'Tuition', amount: 10 }]
  const structure = { program, academic_year: year, components }
  const made = await accounts.create('Fee Structure', structure)
  assert.equal(made.error, null, made.told)
  const { name } = made.data
  const ways = [
    await accounts.submit('Fee Structure', name),
    await accounts.create('Fee Structure', { ...structure, docstatus: 1 }),
    await accounts.run('Fee Structure', name, 'submit'),
  ]
  assert.deepEqual(
    ways.map(({ status, error }) => [status, error]),
    ways.map(() => [403, 'PermissionError']),
  )
  const clerk = resourceClient.as('Accounts User')
  assert.equal((await clerk.submit('Fee Structure', name)).data.docstatus, 1)
  const rejected = [await clerk.cancel('Fee Structure', name), await clerk.run('Fee Structure', name, 'cancel')]
  assert.deepEqual(
    rejected.map(({ status, error }) => [status, error]),
    rejected.map(() => [403, 'PermissionError']),
  )
  assert.equal((await resourceClient.as('Accounts Manager').cancel('Fee Structure', name)).data.docstatus, 2)
})

test('a table that may change after submission takes and loses rows; a row that stays keeps what is final in it', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  const { name, courses } = (await anEnrollment(seededTenant, { docstatus: 1 })).data
  const [row] = courses
  const update = (rows: object[]) => resourceClient.update('Program Enrollment', name, { courses: rows })
  assertRejected(await update([{ ...row, course: 'Ethics' }]), 'UpdateAfterSubmitError', /Row #1: Course .* amend/)
  const grown = await update([row, { course: 'Ethics' }])
  assert.deepEqual(
    grown.data.courses.map(({ course, course_name }: { course: string; course_name: string }) => [course, course_name]),
    [
      ['Anatomy', 'Anatomy'],
      ['Ethics', 'Ethics'],
    ],
  )
  assert.equal((await update([grown.data.courses[1]])).data.courses.length, 1)
})

test('an amendment is named after the cancelled record and counts on from an amendment', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  const type = 'Program Enrollment'
  const cancelled = async (fields: object) => {
    const made = await anEnrollment(seededTenant, { docstatus: 1, ...fields })
    assert.equal(made.error, null, made.told)
    await resourceClient.cancel(type, made.data.name)
    return made.data.name as string
  }
  const first = await cancelled({})
  const second = await cancelled({ amended_from: first })
  const third = await cancelled({ amended_from: second })
  assert.deepEqual([second, third], [`${first}-1`, `${first}-2`])
  assertRejected(
    await anEnrollment(seededTenant, { amended_from: 'none' }),
    'LinkValidationError',
    /Amended From: none/,
  )
  assertRejected(await resourceClient.remove(type, second), 'LinkExistsError', new RegExp(third))
})

test('a number that is required is missing when nothing was sent; 0 is a number', async () => {
  const { resourceClient, program, year } = await seedTenant(service)
  const structure = (amount: unknown) =>
    resourceClient.create('Fee Structure', {
      program,
      academic_year: year,
      components: [{ fees_category: 'Tuition', amount }],
    })
  for (const amount of [undefined, null, '']) {
    assertRejected(
      await structure(amount),
      'MandatoryError',
      /components|amount[\s\S]*Row #1: Value missing for: Amount/,
    )
  }
  assert.equal((await structure(0)).data.total_amount, 0)
  assert.equal((await structure('1,000.5')).data.total_amount, 1000.5)
})

test('an Int beyond its range is too long, and a number that nobody requires is 0 when none was sent', async () => {
  const { resourceClient, year } = await seedTenant(service)
  const group = (max_strength: unknown) =>
    resourceClient.create('Student Group', {
      student_group_name: 'Small',
      academic_year: year,
      group_based_on: 'Activity',
      max_strength,
    })
  assertRejected(await group(2_147_483_648), 'CharacterLengthExceededError', /Max Strength must be between/)
  assert.equal((await group('')).data.max_strength, 0)
})

test('a record that another one names by type and name is not deleted, and is followed when it is renamed', async () => {
  const { resourceClient } = await seedTenant(service)
  await resourceClient.make('Article', { title: 'Bones' })
  const topic = { topic_name: 'Skeleton', topic_content: [{ content_type: 'Article', content: 'Bones' }] }
  await resourceClient.make('Topic', topic)
  assertRejected(await resourceClient.remove('Article', 'Bones'), 'LinkExistsError', /linked with Topic Skeleton/)
  assert.equal((await resourceClient.rename('Article', 'Bones', 'The bones')).error, null)
  assert.equal((await resourceClient.read('Topic', 'Skeleton')).data.topic_content[0].content, 'The bones')
  await resourceClient.update('Topic', 'Skeleton', { topic_content: [] })
  assert.equal((await resourceClient.remove('Article', 'The bones')).status, 202)
  assert.deepEqual(await resourceClient.traces('Article', 'The bones'), [
    'article.created',
    'article.renamed',
    'article.deleted',
  ])
})

test('a record that is merged into another leaves its links there, and is gone', async () => {
  const seededTenant = await seedTenant(service)
  const { resourceClient } = seededTenant
  for (const category of ['Day', 'Evening']) await resourceClient.make('Student Category', { category })
  const { name } = (await anEnrollment(seededTenant, { student_category: 'Day' })).data
  const merge = (from: string, to: string, isMerge: 0 | 1) =>
    resourceClient.rename('Student Category', from, to, isMerge)
  assert.equal((await merge('Day', 'Evening', 0)).error, 'DuplicateEntryError')
  assert.equal((await merge('Day', 'Night', 1)).error, 'DoesNotExistError')
  assert.equal((await merge('Day', 'Evening', 1)).data, 'Evening')
  assert.equal((await resourceClient.read('Program Enrollment', name)).data.student_category, 'Evening')
  assert.equal((await resourceClient.read('Student Category', 'Day')).status, 404)
})

test('the field that names a record always holds its name, whatever is sent and however it is renamed', async () => {
  const { resourceClient, term } = await seedTenant(service)
  const changed = await resourceClient.update('Academic Term', term, { term_name: 'Fall', title: 'Another' })
  assert.deepEqual([changed.data.name, changed.data.title, changed.data.term_name], [term, term, 'Fall'])
  assert.equal((await resourceClient.rename('Academic Term', term, 'Fall of 2026')).error, null)
  assert.equal((await resourceClient.read('Academic Term', 'Fall of 2026')).data.title, 'Fall of 2026')
})

test('a record is read with the rows of its own moment, also while it changes', async () => {
  const { resourceClient } = await seedTenant(service)
  const holidays = (count: number) => ({
    from_date: '2026-01-01',
    // As many days of December as there are rows.
    to_date: `2026-12-0${count}`,
    holidays: Array.from({ length: count }, (_, day) => ({ holiday_date: `2026-05-${10 + day}`, description: 'Rest' })),
  })
  const { name } = await resourceClient.make('Holiday List', { holiday_list_name: 'Rest days', ...holidays(1) })
  let isChanging = true
  const change = async () => {
    for (let round = 1; round <= 60; round += 1) {
      assert.equal((await resourceClient.update('Holiday List', name, holidays((round % 9) + 1))).status, 200)
    }
  }
  const changing = change().finally(() => {
    isChanging = false
  })
  const seen = new Set<string>()
  while (isChanging) {
    const { data } = await resourceClient.read('Holiday List', name)
    assert.equal(data.to_date, `2026-12-0${data.holidays.length}`)
    seen.add(data.to_date)
  }
  await changing
  assert.ok(seen.size > 1, 'it changed while it was read')
})
