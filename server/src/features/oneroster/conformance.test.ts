import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneRosterCollections, oneRosterOperations } from '@matricula/contract'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { aLesson, aPlan, aResult, aScale } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aRoster, assertRosterError } from './roster.fixture.ts'

/** The standard's objects once more, told independently of the contract: `!` stands behind what is required. */
const common = { 'sourcedId!': 'id', 'status!': 'state', 'dateLastModified!': 'stamp', metadata: 'any' }
const score = {
  'scoreStatus!': /^(exempt|fully graded|not submitted|partially graded|submitted)$/,
  'scoreDate!': 'day',
  score: 'number',
  textScore: 'text',
  comment: 'text',
  scoreScale: 'scoreScale',
  inProgress: 'truth',
  incomplete: 'truth',
  late: 'truth',
  missing: 'truth',
}
const person = {
  'username!': /^[^@]+$/,
  'enabledUser!': 'truth',
  'givenName!': 'text',
  'familyName!': 'text',
  middleName: 'text',
  identifier: 'text',
  email: 'text',
  sms: 'text',
  phone: 'text',
  'agents!': ['user'],
  'grades!': ['text'],
}
const strict: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  academicSession: {
    'title!': 'text',
    'startDate!': 'day',
    'endDate!': 'day',
    'type!': /^(gradingPeriod|schoolYear|term)$/,
    'schoolYear!': /^\d{4}$/,
    parent: 'academicSession',
  },
  class: {
    'title!': 'text',
    classCode: 'text',
    'classType!': /^(homeroom|scheduled)$/,
    location: 'text',
    'grades!': ['text'],
    'subjects!': ['text'],
    'periods!': ['text'],
    'course!': 'course',
    'school!': 'org',
    'terms!': ['academicSession', 1],
  },
  course: {
    'title!': 'text',
    'courseCode!': 'text',
    'org!': 'org',
    'grades!': ['text'],
    'subjects!': ['text'],
  },
  demographics: { birthDate: 'day', sex: /^(male|female|other|unspecified)$/ },
  enrollment: {
    'user!': 'user',
    'class!': 'class',
    'school!': 'org',
    'role!': /^(student|teacher|administrator|proctor)$/,
    primary: 'truth',
    beginDate: 'day',
    endDate: 'day',
  },
  org: { 'name!': 'text', 'type!': /^(department|school|district)$/, 'identifier!': 'text', parent: 'org' },
  user: {
    ...person,
    userMasterIdentifier: 'text',
    preferredFirstName: 'text',
    primaryOrg: 'org',
    'roles!': ['role', 1],
  },
  'user 1.1': {
    ...person,
    'role!': /^(student|teacher|administrator|guardian|parent|relative|aide|proctor)$/,
    'orgs!': ['org', 1],
    'userIds!': ['any'],
  },
  category: { 'title!': 'text', weight: 'number' },
  lineItem: {
    'title!': 'text',
    description: 'text',
    'assignDate!': 'stamp',
    'dueDate!': 'stamp',
    'class!': 'class',
    'school!': 'org',
    'category!': 'category',
    gradingPeriod: 'academicSession',
    academicSession: 'academicSession',
    scoreScale: 'scoreScale',
    resultValueMin: 'number',
    resultValueMax: 'number',
  },
  result: { 'lineItem!': 'lineItem', 'student!': 'user', class: 'class', ...score },
  scoreScale: { 'title!': 'text', 'type!': 'text', 'class!': 'class', course: 'course', 'scoreScaleValue!': ['value'] },
  assessmentLineItem: { 'title!': 'text', class: 'class', resultValueMin: 'number', resultValueMax: 'number' },
  assessmentResult: { 'assessmentLineItem!': 'assessmentLineItem', 'student!': 'user', ...score },
}
const patterns: Readonly<Record<string, RegExp>> = {
  id: /^[0-9A-Za-z./@_-]{1,255}$/,
  state: /^(active|tobedeleted)$/,
  stamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  day: /^\d{4}-\d\d-\d\d$/,
  truth: /^(true|false)$/,
  text: /\S/,
}

function checkValue(type: unknown, value: unknown, where: string): void {
  if (type instanceof RegExp) assert.ok(typeof value === 'string' && type.test(value), `${where}: ${value}`)
  else if (Array.isArray(type)) {
    assert.ok(Array.isArray(value) && value.length >= (type[1] ?? 0), where)
    for (const each of value) checkValue(type[0], each, where)
  } else if (type === 'number') assert.equal(typeof value, 'number', where)
  else if (type === 'role') {
    checkObject({ 'roleType!': /^(primary|secondary)$/, 'role!': 'text', 'org!': 'org' }, value, where)
  } else if (type === 'value') checkObject({ 'itemValueLHS!': 'text', 'itemValueRHS!': 'text' }, value, where)
  else if (typeof type === 'string' && Object.hasOwn(patterns, type)) checkValue(patterns[type], value, where)
  else if (type !== 'any') {
    checkObject({ 'href!': /^http:\/\/\S+$/, 'sourcedId!': 'id', 'type!': new RegExp(`^${type}$`) }, value, where)
  }
}

function checkObject(declared: Readonly<Record<string, unknown>>, value: unknown, where: string): void {
  const object = value as Record<string, unknown>
  const types = new Map(Object.entries(declared).map(([name, type]) => [name.replace('!', ''), type]))
  for (const name of Object.keys(declared)) {
    if (name.endsWith('!')) assert.ok(name.slice(0, -1) in object, `${where} lacks ${name}: ${JSON.stringify(object)}`)
  }
  for (const [name, each] of Object.entries(object)) {
    assert.ok(types.has(name), `${where} has ${name}`)
    checkValue(types.get(name), each, `${where}.${name}`)
  }
}

const service = await startTestService()
const roster = await aRoster(service)
const { call, list, tenant, resourceClient, courses, students } = roster
const versions = ['/v1p1', '/rostering/v1p2', '/gradebook/v1p2'] as const

/** Records of every kind, with what is unusual about them. */
async function addUnusualRecords(): Promise<void> {
  const school = await resourceClient.make('Department', { department_name: 'Upper School', is_school: 1 })
  const science = await resourceClient.make('Department', {
    department_name: 'Science, and more',
    parent_department: school.name,
  })
  await resourceClient.update('Course', courses[0], { department: science.name })
  await aLesson({ ...roster, group: roster.courseGroup })
  await resourceClient.make('Academic Year', {
    academic_year_name: '2027-28',
    year_start_date: '2027-08-01',
    year_end_date: '2028-06-30',
  })
  await aStudent(tenant.api, { fullName: 'Plato' })
  const suspended = await aStudent(tenant.api, { fullName: 'Émilie du Châtelet' })
  await tenant.api.patch(`/students/${suspended.id}`, { status: 'suspended', gender: 'Prefer not to say' })
  const withdrawn = await aStudent(tenant.api, { fullName: 'Old Student' })
  await tenant.api.patch(`/students/${withdrawn.id}`, { status: 'withdrawn' })
  const gone = await aStudent(tenant.api, { fullName: 'Gone Forever' })
  const deleted = await resourceClient.remove('Student', gone.studentCode)
  assert.equal(deleted.error, null, deleted.told)
  await resourceClient.make('Instructor', { instructor_name: 'Cher' })
  await resourceClient.make('User', {
    email: 'head@example.org',
    first_name: 'Head',
    roles: [{ role: 'System Manager' }],
  })
  await aScale(roster)
  const plan = await aPlan({ ...roster, group: roster.courseGroup })
  await aResult({ ...roster, group: roster.courseGroup }, plan, { Written: 50, Oral: 30 }, { docstatus: 1 })
  const [anatomy] = await list("/classes?filter=title='Anatomy 1'")
  const [ada] = await list(`/users?filter=identifier='${students[0]}'`)
  const ref = (sourcedId: string) => ({ sourcedId })
  const [category] = (await call('/gradebook/v1p2/categories')).body.categories
  const put: Readonly<Record<string, object>> = {
    'categories/one.two': { category: { title: 'Homework, weekly' } },
    'scoreScales/pass': {
      scoreScale: { title: 'Pass', type: 'ordinal', class: ref(anatomy.sourcedId), scoreScaleValue: [] },
    },
    'lineItems/essay%2F1': {
      lineItem: {
        title: 'Essay',
        description: null,
        assignDate: '2026-09-01',
        dueDate: '2026-09-08T08:00:00+02:00',
        class: ref(anatomy.sourcedId),
        school: ref(tenant.id),
        category: ref(category.sourcedId),
        metadata: { color: 'red' },
      },
    },
    'results/essay-1': {
      result: {
        lineItem: ref('essay/1'),
        student: ref(ada.sourcedId),
        scoreStatus: 'fully graded',
        scoreDate: '2026-09-09T10:00:00Z',
        score: 120.5,
        late: false,
      },
    },
    'assessmentLineItems/exam': { assessmentLineItem: { title: 'Exam' } },
    'assessmentResults/exam-1': {
      assessmentResult: {
        assessmentLineItem: ref('exam'),
        student: ref(ada.sourcedId),
        scoreStatus: 'exempt',
        scoreDate: '2026-09-09',
      },
    },
  }
  for (const [path, body] of Object.entries(put)) {
    const { status, text } = await call(`/gradebook/v1p2/${path}`, { method: 'PUT', body: JSON.stringify(body) })
    assert.deepEqual([status, text], [201, ''], path)
  }
}
await addUnusualRecords()

const operationsAt = (version: (typeof versions)[number]) =>
  oneRosterOperations.filter(({ service: of, isInFirstVersion, method }) =>
    method === 'GET' && version === '/v1p1' ? isInFirstVersion : version === `/${of}/v1p2`,
  )

for (const version of versions) {
  test(`${version}: every object of every collection is strictly valid, and is read alone as it is listed`, async () => {
    const addresses = new Set<string>()
    for (const { path, key, collection, shape, isNested } of operationsAt(version)) {
      if (shape !== 'list' || isNested) continue
      const { status, body, headers, text } = await call(`${version}${path}?limit=10000`)
      assert.equal(status, 200, `${path} ${text}`)
      assert.deepEqual(Object.keys(body), [key])
      const objects: { sourcedId: string }[] = body[key]
      assert.ok(objects.length > 0, `${path} has something`)
      assert.equal(new Set(objects.map(({ sourcedId }) => sourcedId)).size, objects.length, path)
      assert.equal(headers.get('x-total-count'), String(objects.length))
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
      const { single } = oneRosterCollections[collection]
      const declared = { ...common, ...strict[single === 'user' && version === '/v1p1' ? 'user 1.1' : single] }
      for (const object of objects) {
        checkObject(declared, object, `${version} ${single}`)
        const at = `${version}${path}/${encodeURIComponent(object.sourcedId)}`
        const one = await call(`${at}?fields=&limit=5&offset=0&orderBy=asc&filter=`)
        assert.deepEqual([one.status, one.body?.[single], one.headers.get('x-total-count')], [200, object, '1'], at)
      }
      for (const [, href] of text.matchAll(/"href":"([^"]+)"/g)) addresses.add(href as string)
    }
    const own = `${service.address}/t/${tenant.slug}/ims/oneroster/`
    for (const href of addresses) {
      assert.ok(href.startsWith(version === '/v1p1' ? `${own}v1p1/` : own), href)
      const { status } = await fetch(href, { headers: { authorization: `Bearer ${roster.secret}` } })
      assert.equal(status, 200, href)
    }
  })

  test(`${version}: every member that has a text is a field to filter and sort by, and one to choose`, async () => {
    for (const { path, key, shape, isNested } of operationsAt(version)) {
      if (shape !== 'list' || isNested) continue
      const { body } = await call(`${version}${path}?limit=10000`)
      const byMember = new Map<string, [unknown, string]>()
      for (const object of body[key]) {
        for (const [name, value] of Object.entries(object)) {
          const sourcedId = (value as { sourcedId?: string } | null)?.sourcedId
          if (typeof value === 'string') byMember.set(name, [value, object.sourcedId])
          else if (sourcedId !== undefined) byMember.set(`${name}.sourcedId`, [sourcedId, object.sourcedId])
        }
      }
      for (const [name, [value, sourcedId]] of byMember) {
        const filter = encodeURIComponent(`${name}='${value}'`)
        const found = await call(`${version}${path}?filter=${filter}&sort=${name}&orderBy=desc&limit=10000`)
        const ids = found.body?.[key]?.map((each: { sourcedId: string }) => each.sourcedId)
        assert.ok(ids?.includes(sourcedId), `${version}${path} ${name} ${found.text}`)
        const [member] = name.split('.')
        const chosen = await call(`${version}${path}?fields=${member}&limit=1&sort=${name}`)
        assert.deepEqual(Object.keys(chosen.body[key][0]), [member], chosen.text)
      }
    }
  })

  test(`${version}: nested lists are of the objects of their collections; unknown parents are as the service has it`, async () => {
    const [anatomy] = await list("/classes?filter=title='Anatomy 1'")
    const [ada] = await list(`/users?filter=identifier='${students[0]}'`)
    const [teacher] = await list(`/classes/${anatomy.sourcedId}/teachers`)
    const ids: Readonly<Record<string, string>> = {
      classId: anatomy.sourcedId,
      schoolId: anatomy.school.sourcedId,
      courseId: anatomy.course.sourcedId,
      termId: anatomy.terms[0].sourcedId,
      academicSessionId: anatomy.terms[0].sourcedId,
      studentId: ada.sourcedId,
      userId: ada.sourcedId,
      teacherId: teacher.sourcedId,
      lineItemId: 'essay/1',
    }
    for (const { path, key, collection, shape, isNested, service: of } of operationsAt(version)) {
      if (shape !== 'list' || !isNested) continue
      const at = (known: boolean) =>
        `${version}${path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(known ? (ids[name] as string) : '1000000'))}`
      const { status, body, headers, text } = await call(at(true))
      assert.equal(status, 200, `${at(true)} ${text}`)
      assert.equal(headers.get('x-total-count'), String(body[key].length))
      const { single } = oneRosterCollections[collection]
      const declared = { ...common, ...strict[single === 'user' && version === '/v1p1' ? 'user 1.1' : single] }
      for (const object of body[key]) {
        checkObject(declared, object, at(true))
        const nobody = ['students', 'teachers'].includes(collection) && object.status !== 'active'
        assert.ok(!nobody, 'who left stands in no nested list of people')
      }
      const unknown = await call(at(false))
      if (of === 'gradebook') assertRosterError(unknown, 404, 'unknownobject')
      else {
        assert.deepEqual(
          [unknown.status, unknown.body, unknown.headers.get('x-total-count')],
          [200, { [key]: [] }, '0'],
        )
      }
    }
  })

  test(`${version}: queries are bounded, and what cannot be read is refused by its code`, async () => {
    for (const { path, key, shape } of operationsAt(version)) {
      if (shape !== 'list') continue
      const at = `${version}${path.replace(/\{\w+\}/g, '1000000')}`
      for (const limit of ['0', '-1', '10001', '99999999999999999999', 'ten', '1.5', '1e3', '']) {
        assertRosterError(await call(`${at}?limit=${limit}`), 422, 'invaliddata')
      }
      for (const offset of ['-1', 'x', '0.5'])
        assertRosterError(await call(`${at}?offset=${offset}`), 422, 'invaliddata')
      if (path.includes('{')) continue
      for (const filter of [
        "nofield='1'",
        'status=active',
        "status='",
        "a='1' AND b='2' OR c='3'",
        "=''",
        "status<>'x'",
      ]) {
        const refused = await call(`${at}?filter=${encodeURIComponent(filter)}`)
        assertRosterError(refused, 400, 'invalid_filter_field')
      }
      assertRosterError(await call(`${at}?fields=nofield`), 400, 'invalid_selection_field')
      assertRosterError(await call(`${at}/nothing`), 404, 'unknownobject')
      for (const query of [
        'sort=nofield&orderBy=acs',
        'limit%20=1&%20offset=0',
        'unknown=1&sort=status&orderBy=desc',
      ]) {
        assert.equal((await call(`${at}?${query}`)).status, 200, `${at}?${query}`)
      }
      const { headers, body } = await call(`${at}?limit=1&filter=${encodeURIComponent("status!='a,b'")}&offset=1`)
      const links = new Map(
        (headers.get('link') ?? '').split(', ').map((each) => {
          const [, address = '', relation = ''] = /^<([^<>, ]+)>; rel="(\w+)"$/.exec(each) ?? []
          return [relation, address]
        }),
      )
      const total = Number(headers.get('x-total-count'))
      const wanted = [...(total > 2 ? ['next'] : []), 'last', 'first', 'prev']
      assert.deepEqual([...links.keys()], wanted, `${at} ${headers.get('link')}`)
      for (const address of links.values()) {
        const page = await fetch(address, { headers: { authorization: `Bearer ${roster.secret}` } })
        assert.deepEqual([page.status, page.headers.get('x-total-count')], [200, String(total)], address)
      }
      assert.equal(body[key].length, total > 1 ? 1 : 0)
      const beyond = await call(`${at}?offset=9007199254740991`)
      assert.deepEqual([beyond.status, beyond.body], [200, { [key]: [] }])
    }
  })
}

test('users: those with an e-mail address come first, and one who left is told by status and enabledUser', async () => {
  for (const path of ['/users', '/students', '/teachers']) {
    const users = await list(`${path}?limit=10000`)
    const without = users.findIndex((user) => !('email' in user))
    assert.ok(without < 0 || users.slice(without).every((user) => !('email' in user)), path)
  }
  const users = new Map((await list('/users')).map((user) => [`${user.givenName} ${user.familyName}`, user]))
  const state = (name: string) => {
    const { status, enabledUser, roles } = users.get(name)
    return [status, enabledUser, roles[0].role]
  }
  assert.deepEqual(state('Plato Plato'), ['active', 'true', 'student'])
  assert.deepEqual(state('Cher Cher'), ['active', 'true', 'teacher'])
  assert.deepEqual(state('Émilie du Châtelet'), ['active', 'false', 'student'])
  assert.deepEqual(state('Old Student'), ['tobedeleted', 'false', 'student'])
  assert.deepEqual(state('Gone Forever'), ['tobedeleted', 'false', 'student'])
  assert.deepEqual(state('Head Head'), ['active', 'true', 'systemAdministrator'])
  const all = [...users.values()]
  for (const name of ['identifier', 'username', 'sourcedId']) {
    assert.equal(new Set(all.map((user) => user[name].toLowerCase())).size, all.length, name)
  }
  for (const { roles } of all) {
    const orgs = roles.map(({ org }: { org: { sourcedId: string } }) => org.sourcedId)
    const primary = roles.filter(({ roleType }: { roleType: string }) => roleType === 'primary')
    assert.equal(primary.length, new Set(orgs).size)
  }
})

test('sessions end on the day after their last one, below their year', async () => {
  const sessions = await list('/academicSessions')
  const ofType = (type: string) => sessions.filter((each) => each.type === type)
  const year = ofType('schoolYear').find(({ title }) => title === '2026-27')
  assert.deepEqual([year.startDate, year.endDate, year.schoolYear], ['2026-08-01', '2027-07-01', '2027'])
  const terms = ofType('term')
  assert.deepEqual(new Set(terms.map((term) => term.parent.sourcedId)).size, 2)
  for (const term of terms) {
    assert.ok((await list(`/terms/${encodeURIComponent(term.sourcedId)}/gradingPeriods`)).length > 0)
  }
})

test('an institution with schools is a district, and a course below a department of a school is taught there', async () => {
  const orgs = await list('/orgs')
  const byName = new Map(orgs.map((org) => [org.name, org]))
  const [institution] = orgs.filter(({ type }) => type === 'district')
  assert.equal(institution.sourcedId, tenant.id)
  const school = byName.get('Upper School')
  assert.deepEqual([school.type, school.parent.sourcedId], ['school', tenant.id])
  assert.deepEqual(byName.get('Science, and more').parent.sourcedId, school.sourcedId)
  assert.deepEqual(
    (await list('/schools')).map(({ name }) => name),
    ['Upper School'],
  )
  const [anatomy] = await list("/classes?filter=title='Anatomy 1'")
  assert.deepEqual(
    [anatomy.school.sourcedId, anatomy.periods, anatomy.location !== undefined],
    [school.sourcedId, ['0900'], true],
  )
})
