import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneRosterCollections, oneRosterOperations } from '@matricula/contract'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aRoster, assertObject, assertRosterError } from './roster.fixture.ts'

const service = await startTestService()
const roster = await aRoster(service)
const { call, list, tenant, students } = roster

test('every rostering collection of 1.2 answers objects that are valid, found again by their sourcedId and href', async () => {
  const collections = oneRosterOperations.filter(
    ({ service: of, shape, isNested }) => of === 'rostering' && shape === 'list' && !isNested,
  )
  assert.equal(collections.length, 12)
  for (const { path, key, collection } of collections) {
    const { status, body, headers, text } = await call(`/rostering/v1p2${path}`)
    assert.equal(status, 200, `${path} ${text}`)
    assert.deepEqual(Object.keys(body), [key])
    const objects = body[key]
    if (!['schools', 'orgs'].includes(collection) || objects.length === 0) assert.ok(objects.length > 0, path)
    assert.equal(headers.get('x-total-count'), String(objects.length))
    const { single } = oneRosterCollections[collection]
    for (const object of objects) {
      assertObject(single as 'org', object)
      const one = await call(`/rostering/v1p2${path}/${encodeURIComponent(object.sourcedId)}`)
      assert.deepEqual([one.status, one.body?.[single], one.headers.get('x-total-count')], [200, object, '1'], path)
    }
    for (const [, href] of text.matchAll(/"href":"([^"]+)"/g)) {
      const found = await fetch(href as string, { headers: { authorization: `Bearer ${roster.secret}` } })
      assert.equal(found.status, 200, `${path} ${href}`)
    }
  }
})

test('users: students, instructors and guardians have their roles, names and agents', async () => {
  const users = await list('/users')
  const ada = users.find(({ identifier }) => identifier === students[0])
  assert.deepEqual(
    [ada.givenName, ada.familyName, ada.username, ada.enabledUser, ada.email, ada.status, ada.roles[0].role],
    ['Ada', 'Byron', students[0], 'true', 'ada@example.org', 'active', 'student'],
  )
  const [agent] = ada.agents
  const anne = users.find(({ sourcedId }) => sourcedId === agent.sourcedId)
  assert.deepEqual([anne.givenName, anne.familyName, anne.roles[0].role], ['Anne Isabella', 'Byron', 'guardian'])
  assert.deepEqual(
    anne.agents.map(({ sourcedId }: { sourcedId: string }) => sourcedId),
    [ada.sourcedId],
  )
  const grace = users.find(({ familyName }) => familyName === 'Hopper')
  assert.deepEqual(
    [grace.givenName, grace.roles[0].role, grace.roles[0].org.sourcedId],
    ['Grace', 'teacher', tenant.id],
  )
  assert.ok('email' in users[0], 'those with an e-mail come first')
})

test('classes: a course group is scheduled in its term, a homeroom in the terms of its year with the program’s course', async () => {
  const classes = await list('/classes')
  const terms = await list('/terms')
  const byTitle = Object.fromEntries(classes.map((each) => [each.title, each]))
  const anatomy = byTitle['Anatomy 1']
  const homeroom = byTitle['Nursing homeroom']
  assert.deepEqual([anatomy.classType, homeroom.classType, classes.length], ['scheduled', 'homeroom', 2])
  assert.deepEqual(anatomy.terms[0].sourcedId, terms[0].sourcedId)
  assert.deepEqual(homeroom.terms[0].sourcedId, terms[0].sourcedId)
  const { body } = await call(`/rostering/v1p2/courses/${homeroom.course.sourcedId}`)
  assert.equal(body.course.title, 'Nursing')
  const { body: term } = await call(`/rostering/v1p2/terms/${terms[0].sourcedId}`)
  assert.deepEqual([term.academicSession.endDate, term.academicSession.schoolYear], ['2026-12-21', '2027'])
})

test('nested lists have the members of their parent; an unknown parent has none', async () => {
  const classes = await list('/classes?sort=title')
  const [anatomy, homeroom] = classes
  const school = tenant.id
  const getCounts = async (paths: readonly string[]) => {
    const counts: number[] = []
    for (const path of paths) counts.push((await list(path)).length)
    return counts
  }
  const paths = [
    `/classes/${anatomy.sourcedId}/students`,
    `/classes/${anatomy.sourcedId}/teachers`,
    `/classes/${homeroom.sourcedId}/students`,
    `/schools/${school}/classes`,
    `/schools/${school}/courses`,
    `/schools/${school}/enrollments`,
    `/schools/${school}/students`,
    `/schools/${school}/teachers`,
    `/schools/${school}/terms`,
    `/schools/${school}/classes/${anatomy.sourcedId}/students`,
    `/schools/${school}/classes/${anatomy.sourcedId}/teachers`,
    `/schools/${school}/classes/${anatomy.sourcedId}/enrollments`,
    `/courses/${anatomy.course.sourcedId}/classes`,
    `/terms/${anatomy.terms[0].sourcedId}/classes`,
    `/terms/${anatomy.terms[0].sourcedId}/gradingPeriods`,
  ]
  assert.deepEqual(await getCounts(paths), [2, 1, 1, 2, 3, 4, 2, 1, 1, 2, 1, 3, 1, 2, 1])
  const [student] = await list(`/classes/${homeroom.sourcedId}/students`)
  const [teacher] = await list('/teachers')
  const ofPeople = [
    `/students/${student.sourcedId}/classes`,
    `/teachers/${teacher.sourcedId}/classes`,
    `/users/${student.sourcedId}/classes`,
  ]
  assert.deepEqual(await getCounts(ofPeople), [2, 1, 2])
  const unknown = paths.map((path) => path.replace(/^(\/\w+\/)[^/]+/, '$11000000'))
  assert.deepEqual(new Set(await getCounts(unknown)), new Set([0]))
})

test('a filter reads quotes, plus signs and references as clients write them', async () => {
  await roster.resourceClient.make('Instructor', { instructor_name: "Mary O'Neil" })
  const count = async (filter: string, path = '/users') => (await list(`${path}?filter=${filter}`)).length
  assert.equal(await count("familyName='O'Neil'"), 1)
  assert.equal(await count("familyName='O''Neil'"), 1)
  assert.equal(await count('givenName=%27mary%27+AND+familyName=%27O%27%27Neil%27'), 1)
  assert.equal(await count("givenName='Ada' OR givenName='Alan'"), 2)
  assert.equal(await count("email='ada@example.org'"), 1)
  assert.equal(await count("email~'EXAMPLE'"), 3)
  assert.equal(await count("username='nobody' OR email~'alan'"), 1)
  assert.equal(await count("roles.role='guardian'"), 1)
  assert.equal(await count("status!='active'"), 0)
  assert.equal(await count("dateLastModified>'2020-01-01'"), 5)
  assert.equal(await count("dateLastModified%3C'2020-01-01T00:00:00.000Z'"), 0)
  assert.equal(await count("class='x'", '/enrollments'), 0)
  const [first] = await list('/enrollments')
  assert.ok((await count(`class='${first.class.sourcedId}'`, '/enrollments')) > 0)
  assert.equal(await count(`class.sourcedId='${first.class.sourcedId}' AND role='teacher'`, '/enrollments'), 1)
  const [term] = await list('/terms')
  assert.equal(await count(`terms.sourcedId='${term.sourcedId}'`, '/classes'), 2)
  assert.equal(await count("startDate%3E'2026-07-31'", '/terms'), 1)
  await roster.resourceClient.update('Student', students[1], { student_email_id: 'alan+t@example.org' })
  assert.equal(await count("email='alan+t@example.org'"), 1)
})

test('what cannot be read is refused by its code', async () => {
  const refused = async (query: string, status: number, code: string) =>
    assertRosterError(await call(`/rostering/v1p2/users?${query}`), status, code)
  for (const filter of ["x='1'", 'status', "status='active", "status='a' AND email='b' OR email='c'"]) {
    await refused(`filter=${encodeURIComponent(filter)}`, 400, 'invalid_filter_field')
  }
  await refused("filter=dateLastModified>'yesterday'", 400, 'invalid_filter_field')
  await refused('fields=sourcedId,secret', 400, 'invalid_selection_field')
  for (const limit of ['0', '-1', '10001', 'x', '1.5', '']) await refused(`limit=${limit}`, 422, 'invaliddata')
  await refused('offset=-1', 422, 'invaliddata')
  assertRosterError(await call('/rostering/v1p2/users/nobody'), 404, 'unknownobject')
  assertRosterError(await call('/rostering/v1p2/nothing'), 404, 'unknownobject')
  assertRosterError(await call('/rostering/v1p2/users', { method: 'POST', body: '{}' }), 405, 'invaliddata')
  const { status } = await call('/rostering/v1p2/users?sort=unknown&%20limit%20=1')
  assert.equal(status, 200)
})

test('pages have links without commas to their neighbours, and one beyond the end is empty', async () => {
  const { body, headers } = await call('/rostering/v1p2/users?limit=2&offset=2&fields=sourcedId,email&sort=sourcedId')
  assert.equal(body.users.length, 2)
  assert.ok(
    body.users.every((user: object) => Object.keys(user).every((name) => ['sourcedId', 'email'].includes(name))),
  )
  const link = headers.get('link') as string
  assert.match(link, /limit=2&offset=4>; rel="next"/)
  assert.match(link, /offset=0>; rel="first"/)
  assert.match(link, /offset=0>; rel="prev"/)
  assert.ok(!/<[^>]*,[^>]*>/.test(link))
  assert.ok(link.startsWith(`<${service.address}/t/${tenant.slug}/ims/oneroster/rostering/v1p2/users?`))
  const beyond = await call('/rostering/v1p2/users?offset=100000000')
  assert.deepEqual([beyond.status, beyond.body, beyond.headers.get('x-total-count')], [200, { users: [] }, '5'])
})

test('a long filter is answered with as many links as a client can read, the next page before all others', async () => {
  const getRelations = async (length: number) => {
    const filter = encodeURIComponent(`familyName!='${'x'.repeat(length)}'`)
    const { status, headers, text } = await call(`/rostering/v1p2/users?limit=2&offset=2&filter=${filter}`)
    assert.equal(status, 200, text)
    return [...(headers.get('link') ?? '').matchAll(/rel="(\w+)"/g)].map(([, relation]) => relation)
  }
  assert.deepEqual(await getRelations(100), ['next', 'last', 'first', 'prev'])
  assert.deepEqual(await getRelations(3_000), ['next', 'last'])
  assert.deepEqual(await getRelations(9_000), ['next'])
})

test('the same is served at the alias addresses, with doubled slashes and a form as the body of a GET', async () => {
  const alias = await call('/v1p2/rostering/v1p2/teachers?limit=1')
  assert.equal(alias.status, 200)
  assert.match(alias.body.users[0].roles[0].org.href, /\/ims\/oneroster\/v1p2\/rostering\/v1p2\/orgs\//)
  assert.equal((await call('/rostering/v1p2//teachers//')).status, 200)
  const bare = await fetch(`${service.address}/ims/oneroster/rostering/v1p2/orgs`, {
    headers: { authorization: `bearer ${roster.secret}` },
  })
  assert.equal(((await bare.json()) as { orgs: { sourcedId: string }[] }).orgs[0]?.sourcedId, tenant.id)
})

test('members who left and students who withdrew are tobedeleted and in no list of people', async () => {
  const own = await aRoster(service)
  const [anatomy] = await own.list("/classes?filter=title='Anatomy 1'")
  const group = await own.resourceClient.read('Student Group', own.courseGroup)
  const before = anatomy.dateLastModified
  await own.resourceClient.update('Student Group', own.courseGroup, {
    students: group.data.students.slice(0, 1),
  })
  assert.equal((await own.list(`/classes/${anatomy.sourcedId}/students`)).length, 1)
  const gone = await own.list("/enrollments?filter=status='tobedeleted'")
  assert.deepEqual(
    gone.map(({ role, class: { sourcedId } }) => [role, sourcedId]),
    [['student', anatomy.sourcedId]],
  )
  assertObject('enrollment', gone[0])
  const [after] = await own.list("/classes?filter=title='Anatomy 1'")
  assert.ok(after.dateLastModified > before)
  const [student] = await own.list("/students?filter=givenName='Ada'")
  await own.tenant.api.patch(`/students/${student.sourcedId}`, { status: 'withdrawn' })
  const [withdrawn] = await own.list(`/users?filter=sourcedId='${student.sourcedId}'`)
  assert.deepEqual([withdrawn.status, withdrawn.enabledUser, withdrawn.givenName], ['tobedeleted', 'false', 'Ada'])
  assert.equal((await own.list(`/classes/${anatomy.sourcedId}/students`)).length, 0)
})

test('X-Total-Count counts students who withdrew and who were deleted, and a page ends within those without an e-mail', async () => {
  const own = await aRoster(service)
  const names = ['Zoe', 'Yan', 'Xia']
  const made = await Promise.all(
    names.map((givenNames) => own.tenant.api.post('/students', { givenNames, familyNames: 'Late' })),
  )
  const [withdrawn, deleted] = made.map(({ body }) => body.data)
  assert.equal((await own.tenant.api.patch(`/students/${withdrawn.id}`, { status: 'withdrawn' })).status, 200)
  const { studentCode } = deleted
  assert.equal((await own.resourceClient.remove('Student', studentCode)).error, null)
  const { body, headers } = await own.call('/rostering/v1p2/students')
  assert.equal(headers.get('x-total-count'), '5')
  const ids = body.users.map(({ sourcedId }: { sourcedId: string }) => sourcedId)
  assert.equal(new Set(ids).size, 5)
  const gone = body.users.filter(({ status }: { status: string }) => status === 'tobedeleted')
  assert.deepEqual(
    gone.map(({ sourcedId }: { sourcedId: string }) => sourcedId).sort(),
    [withdrawn.id, deleted.id].sort(),
  )
  const paged: string[] = []
  for (let offset = 0; offset < 5; offset += 2) {
    const page = await own.list(`/students?limit=2&offset=${offset}`)
    paged.push(...page.map(({ sourcedId }) => sourcedId))
  }
  assert.deepEqual(paged, ids)
  const last = await own.call(`/rostering/v1p2/students?offset=${Number.MAX_SAFE_INTEGER}`)
  assert.deepEqual([last.status, last.body], [200, { users: [] }])
})
