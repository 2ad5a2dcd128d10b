import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import yazl from 'yazl'
import { loadCommandLine } from '../../../testing/fixtures/command-line.ts'
import { aStudent } from '../../../testing/fixtures/factories.ts'
import { aPlan, aResult, aScale } from '../../../testing/fixtures/seeded-tenant.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import { aRoster, type Roster, readResponse } from '../roster.fixture.ts'
import { bundleFiles } from './csv-files.ts'
import { readCsv, unzipBundle } from './unzipped-bundle.fixture.ts'

const service = await startTestService()
const commandLine = await loadCommandLine(service)

async function aBundle(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const path = join(commandLine.folder, name)
  const zip = new yazl.ZipFile()
  for (const [file, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), file)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}

const ref = (sourcedId: string) => ({ sourcedId })

async function put({ call }: Roster, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await call(`/gradebook/v1p2${path}`, { method: 'PUT', body: JSON.stringify(body), headers })
  assert.equal(status, 201, text)
}

/** The days of the first half of the term that groups are in. */
async function firstTermDays({ resourceClient, term }: Roster): Promise<object> {
  const { data } = await resourceClient.read('Academic Term', term)
  const { term_start_date: from, term_end_date: to } = data as Record<string, string>
  return { from_date: from, to_date: to }
}

async function list(tenant: TestTenant, path: string) {
  const { secret } = await tenant.token()
  const response = await fetch(`${service.address}/t/${tenant.slug}/ims/oneroster/rostering/v1p2${path}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  const { status, body, text } = await readResponse(response)
  assert.equal(status, 200, text)
  // biome-ignore lint/suspicious/noExplicitAny: objects of every class
  return Object.values(body)[0] as any[]
}

/** A bundle of 1.1 as providers write it: other order and case, marks, a folder around it, capitals and spaces. */
const files = {
  'district/manifest.csv': 'propertyName,value\r\noneroster.version,1.1\r\nfile.users,bulk\r\n',
  'district/orgs.csv':
    '\ufeffsourcedId,status,dateLastModified,name,type,identifier\norg-1,,,"St. Mary\'s, Hill",school,1',
  'district/academicSessions.csv':
    'sourcedId,title,type,startDate,endDate,parentSourcedId,schoolYear\ny-1,2026-27,schoolYear,2026-08-01,2027-07-01,,2027\n' +
    't-1,Autumn,term,2026-08-01,2026-12-21,y-1,2027\n',
  'district/courses.csv': 'sourcedId,title,courseCode,orgSourcedId\nc-1,Algebra,ALG,org-1\nc-2,Algebra,ALG2,org-1\n',
  'district/Users.csv':
    'ROLE,sourcedId,enabledUser,username,givenName,familyName,email,agentSourcedIds,metadata.shoe\n' +
    'Student,u-1,TRUE,ada,Ada,Byron,ada@school.example,"u-3, u-3",38\nteacher,u-2,1,grace,Grace,Hopper,,,\n' +
    'parent,u-3,true,anne,Anne,Byron,,,',
  'district/demographics.csv': 'userSourcedId,birthdate,sex\nu-1,2015-12-10,Female\n',
  'district/classes.csv':
    'sourcedId,title,courseSourcedId,classType,schoolSourcedId,termSourcedIds\nk-1,Algebra 1,c-1,Scheduled,org-1,t-1\n',
  'district/enrollments.csv':
    'sourcedId,role,classSourcedId,schoolSourcedId,userSourcedId,beginDate,endDate\ne-1,student,k-1,org-1,u-1,2026-09-01,2026-12-01\n' +
    'e-2,teacher,k-1,org-1,u-2,,\n',
  '__MACOSX/._users.csv': 'x',
}

test('a bundle of 1.1 is imported with its sourcedIds, and the same again changes nothing', async () => {
  const tenant = await service.tenant()
  const path = await aBundle('first.zip', files)
  const args = ['import', 'oneroster', path, '--tenant', tenant.slug]
  const tried = await commandLine.run([...args, '--dry-run', '--json'])
  assert.equal(tried.code, 0, tried.stdout)
  const dry = JSON.parse(tried.stdout)
  assert.deepEqual([dry.faults, dry.run.dryRun, (await list(tenant, '/users')).length], [[], true, 0])
  const { run, faults } = await commandLine.json(args)
  assert.deepEqual([faults, run.created > 0, run.updated], [[], true, 1])
  const users = await list(tenant, '/users?sort=sourcedId')
  assert.deepEqual(
    users.map(({ sourcedId, givenName, roles }) => [sourcedId, givenName, roles[0].role, roles[0].org.sourcedId]),
    [
      ['u-1', 'Ada', 'student', 'org-1'],
      ['u-2', 'Grace', 'teacher', 'org-1'],
      ['u-3', 'Anne', 'guardian', 'org-1'],
    ],
  )
  assert.deepEqual(
    users[0].agents.map(({ sourcedId }: { sourcedId: string }) => sourcedId),
    ['u-3'],
  )
  const [taught] = await list(tenant, '/classes')
  assert.deepEqual(
    [taught.sourcedId, taught.course.sourcedId, taught.school.sourcedId, taught.terms[0].sourcedId],
    ['k-1', 'c-1', 'org-1', 't-1'],
  )
  assert.equal((await list(tenant, '/classes/k-1/teachers'))[0].sourcedId, 'u-2')
  const [enrollment] = await list(tenant, "/enrollments?filter=role='student'")
  assert.deepEqual([enrollment.beginDate, enrollment.endDate], ['2026-09-01', '2026-12-01'])
  assert.equal((await list(tenant, '/demographics'))[0].birthDate, '2015-12-10')
  const again = await commandLine.json(args)
  assert.deepEqual([again.run.created, again.run.updated], [0, 0])
})

test('what identifies a user elsewhere stays, and two are never identified alike', async () => {
  const tenant = await service.tenant()
  const users =
    'sourcedId,enabledUser,orgSourcedIds,role,username,identifier,userMasterIdentifier,givenName,familyName,email,phone\n' +
    'u-1,true,org-1,student,ada.b,S1001,M-1,Ada,Byron,,\nu-2,true,org-1,teacher,berg,T7,,Johanna,von Berg,berg@school.example,+1 5\n' +
    'u-3,true,org-1,parent,anne,S1001,,Anne,Byron,,\nu-4,true,org-1,student,ada.b,S1004,,Ada,Lovelace,,\n' +
    'u-5,true,org-1,student,mary@school.example,mary@school.example,,Mary,Somerville,,\n'
  const path = await aBundle('identified.zip', { ...files, 'district/Users.csv': users })
  const { faults } = await commandLine.json(['import', 'oneroster', path, '--tenant', tenant.slug])
  assert.deepEqual(faults, [])
  const [ada, berg, anne, other, mary] = await list(tenant, '/users?sort=sourcedId')
  assert.deepEqual([ada.username, ada.identifier, ada.userMasterIdentifier], ['ada.b', 'S1001', 'M-1'])
  assert.deepEqual(
    [berg.givenName, berg.familyName, berg.email, berg.phone, berg.identifier],
    ['Johanna', 'von Berg', 'berg@school.example', '+1 5', 'T7'],
  )
  assert.deepEqual([anne.username, anne.identifier === 'S1001'], ['anne', false])
  assert.deepEqual([other.username, mary.identifier], ['S1004', 'mary@school.example'])
  assert.equal(mary.username.includes('@'), false)
  assert.deepEqual(await list(tenant, "/users?filter=identifier='S1001'"), [ada])
  const name = (await list(tenant, "/teachers?filter=email='berg@school.example'"))[0].sourcedId
  assert.equal(name, 'u-2')
  const { run } = await commandLine.json(['import', 'oneroster', path, '--tenant', tenant.slug])
  assert.deepEqual([run.created, run.updated], [0, 0])
  const [student] = (await tenant.api.get('/students')).body.data
  await commandLine.json(['person', 'erase', student.id, '--tenant', tenant.slug, '--yes'])
  const [erased] = await list(tenant, "/users?filter=sourcedId='u-1'")
  assert.deepEqual([erased.username === 'ada.b', erased.identifier === 'S1001'], [false, false])
})

test('siblings of one e-mail address come in with it, and the same again changes nothing', async () => {
  const tenant = await service.tenant()
  const importing = async (name: string, address: string) => {
    const users =
      'sourcedId,enabledUser,orgSourcedIds,role,username,givenName,familyName,email\n' +
      `u-1,true,org-1,student,ada,Ada,Byron,anne@school.example\nu-2,true,org-1,student,ralph,Ralph,Byron,${address}\n`
    const path = await aBundle(name, {
      ...files,
      'district/Users.csv': users,
      'district/enrollments.csv': 'sourcedId\n',
    })
    const { run } = await commandLine.json(['import', 'oneroster', path, '--tenant', tenant.slug])
    const given = await list(tenant, '/students?sort=sourcedId')
    return [run.created > 0, run.updated, ...given.map(({ email }) => email)]
  }
  const [first] = await importing('siblings.zip', 'Anne@school.example')
  assert.equal(first, true)
  const both = ['anne@school.example', 'Anne@school.example']
  assert.deepEqual(await importing('siblings-again.zip', 'Anne@school.example'), [false, 0, ...both])
  assert.deepEqual(await importing('siblings-own.zip', 'ralph@school.example'), [
    false,
    1,
    both[0],
    'ralph@school.example',
  ])
  assert.deepEqual(await importing('siblings-shared.zip', 'anne@school.example'), [false, 1, both[0], both[0]])
})

test('what names nothing is a fault with its line, and nothing is imported', async () => {
  const tenant = await service.tenant()
  const enrollments = `${files['district/enrollments.csv']}e-3,student,k-1,org-1,u-9,,\n`
  const path = await aBundle('faulty.zip', { ...files, 'district/enrollments.csv': enrollments })
  const { code, stdout } = await commandLine.run(['import', 'oneroster', path, '--tenant', tenant.slug, '--json'])
  const { faults, error } = JSON.parse(stdout)
  assert.deepEqual([code, error.code], [2, 'invalid_file'])
  assert.deepEqual(
    [faults[0].file, faults[0].line, faults[0].heading, faults[0].code],
    ['enrollments.csv', 4, 'userSourcedId', 'reference_not_found'],
  )
  assert.equal((await list(tenant, '/users')).length, 0)
  const { 'district/manifest.csv': _, ...bare } = files
  const none = await aBundle('bare.zip', { ...bare, 'district/roles.csv': 'sourcedId\n' })
  const refused = await commandLine.run(['import', 'oneroster', none, '--tenant', tenant.slug, '--json'])
  assert.deepEqual([refused.code, JSON.parse(refused.stdout).error.code], [2, 'invalid_file'])
})

test('a bundle that cannot be read is refused by the code of what is wrong, and with the place where it is known', async () => {
  const { slug } = await service.tenant()
  const { 'district/manifest.csv': _, ...unnamed } = files
  const users = `${files['district/Users.csv']}\nstudent,"u-9,true,x,X,Y,,,`
  for (const [name, content, expected] of [
    ['unnamed.zip', { ...unnamed, 'roles.csv': 'sourcedId\n' }, ['no_manifest', null]],
    ['nothing.zip', { 'readme.txt': 'x' }, ['missing_file', null]],
    ['quote.zip', { ...files, 'district/Users.csv': users }, ['open_quote', 5]],
  ] as const) {
    const { code, stdout } = await commandLine.run([
      ...['import', 'oneroster', await aBundle(name, content), '--tenant', slug, '--json'],
    ])
    const { faults, faultCount, error, conflicts } = JSON.parse(stdout)
    assert.deepEqual([code, faultCount, error.code, conflicts], [2, 1, 'invalid_file', []], name)
    assert.deepEqual([faults[0].code, faults[0].line], expected, name)
    assert.deepEqual(Object.keys(faults[0]), [
      ...['file', 'sheet', 'line', 'column', 'heading', 'code', 'detail', 'remedy'],
    ])
  }
})

test('an export that another institution imports is the same when it is exported again, the gradebook included', async () => {
  const seeded = await aRoster(service)
  const { tenant, resourceClient } = seeded
  await resourceClient.make('Assessment Group', {
    assessment_group_name: 'Quarter 1',
    parent_assessment_group: 'All Assessment Groups',
    ...(await firstTermDays(seeded)),
  })
  await resourceClient.make('Department', { department_name: 'Health', is_school: 1 })
  await resourceClient.update('Course', seeded.courses[0], { department: 'Health' })
  await resourceClient.update('Instructor', seeded.instructor, { department: 'Health', email: 'grace@school.example' })
  const deputy = await resourceClient.make('Instructor', { instructor_name: 'Johanna von Berg' })
  await resourceClient.update('Student Group', seeded.courseGroup, {
    instructors: [{ instructor: deputy.name }, { instructor: seeded.instructor }],
  })
  await resourceClient.make('Course Schedule', {
    student_group: seeded.courseGroup,
    instructor: seeded.instructor,
    course: seeded.courses[0],
    room: seeded.room,
    schedule_date: '2026-09-07',
    from_time: '09:00:00',
    to_time: '10:00:00',
  })
  await aScale(seeded)
  await aResult(
    { ...seeded, group: seeded.courseGroup },
    await aPlan(seeded, { student_group: seeded.courseGroup }),
    { Written: 30, Oral: 20 },
    { docstatus: 1 },
  )
  await put(seeded, '/categories/HW', {
    category: { sourcedId: 'HW', title: 'Homework', weight: 40, metadata: { shade: 'x' } },
  })
  const [taught] = await seeded.list(`/classes?filter=title='Anatomy 1'`)
  const days = { assignDate: '2026-09-01T00:00:00.000Z', dueDate: '2026-09-08T00:00:00.000Z' }
  const references = { class: ref(taught.sourcedId), school: ref(taught.school.sourcedId), category: ref('HW') }
  await put(seeded, '/lineItems/ESSAY', { lineItem: { title: 'Essay', ...days, ...references, resultValueMax: 10 } })
  const [ada] = await seeded.list('/students')
  const result = { lineItem: ref('ESSAY'), student: ref(ada.sourcedId), scoreStatus: 'fully graded', score: 8.5 }
  await put(seeded, '/results/R1', { result: { ...result, scoreDate: '2026-09-09', late: 'true' } })
  const other = await service.tenant()
  const exported = async (slug: string) => {
    const output = join(commandLine.folder, `${slug}.zip`)
    await commandLine.json(['export', 'oneroster', '--tenant', slug, '-o', output])
    return { output, files: await unzipBundle(await readFile(output)) }
  }
  const first = await exported(tenant.slug)
  const { faults } = await commandLine.json(['import', 'oneroster', first.output, '--tenant', other.slug])
  assert.deepEqual(faults, [])
  const second = await exported(other.slug)
  assert.deepEqual([...second.files.keys()].sort(), [...first.files.keys()].sort())
  const sorted = (bundle: Map<string, string>, name: string) =>
    readCsv(bundle.get(`${name}.csv`) as string).sort((one, next) =>
      String(one.sourcedId) < String(next.sourcedId) ? -1 : 1,
    )
  for (const name of bundleFiles) {
    if (first.files.has(`${name}.csv`)) assert.deepEqual(sorted(second.files, name), sorted(first.files, name), name)
  }
  const again = await commandLine.json(['import', 'oneroster', second.output, '--tenant', other.slug])
  assert.deepEqual([again.faults, again.run.created], [[], 0])
})

test('a gradebook of a bundle is kept as it came, and ends with what a later bundle lacks', async () => {
  const tenant = await service.tenant()
  const gradebook = {
    ...files,
    'district/manifest.csv':
      'propertyName,value\r\noneroster.version,1.1\r\nfile.users,bulk\r\nfile.results,bulk\r\nfile.lineItems,bulk\r\n',
    'district/categories.csv': 'sourcedId,status,dateLastModified,title\ncat-1,,,Tests\n',
    'district/lineItems.csv':
      'sourcedId,status,dateLastModified,title,description,assignDate,dueDate,classSourcedId,categorySourcedId,gradingPeriodSourcedId,resultValueMin,resultValueMax\n' +
      'li-1,,,Quiz,,2026-09-01,2026-09-02 08:00:00,k-1,cat-1,t-1,0,10\n',
    'district/results.csv':
      'sourcedId,status,dateLastModified,lineItemSourcedId,studentSourcedId,scoreStatus,score,scoreDate,comment\n' +
      're-1,,,li-1,u-1,Fully Graded,11,2026-09-03,"Well, done"\n',
  }
  const importing = async (name: string, changed: Readonly<Record<string, string>> = {}) =>
    JSON.parse(
      (
        await commandLine.run([
          ...[
            'import',
            'oneroster',
            await aBundle(name, { ...gradebook, ...changed }),
            '--tenant',
            tenant.slug,
            '--json',
          ],
        ])
      ).stdout,
    )
  assert.deepEqual((await importing('gradebook.zip')).faults, [])
  const { secret } = await tenant.token()
  const read = async (path: string) =>
    (
      await readResponse(
        await fetch(`${service.address}/t/${tenant.slug}/ims/oneroster/gradebook/v1p2${path}`, {
          headers: { authorization: `Bearer ${secret}` },
        }),
      )
    ).body
  const { result } = await read('/results/re-1')
  assert.deepEqual(
    [result.score, result.scoreStatus, result.comment, result.student.sourcedId, result.class?.sourcedId],
    [11, 'fully graded', 'Well, done', 'u-1', undefined],
  )
  assert.equal((await read('/lineItems/li-1')).lineItem.dueDate, '2026-09-02T08:00:00.000Z')
  assert.deepEqual((await importing('gradebook.zip')).run.updated, 0)
  const faulty = await importing('broken.zip', {
    'district/results.csv': `${gradebook['district/results.csv']}re-2,,,li-9,u-1,exempt,,2026-09-03,\nre-3,,,li-1,u-1,lost,,2026-09-03,\n`,
  })
  assert.deepEqual(
    faulty.faults.map(({ file, line, code }: Record<string, unknown>) => [file, line, code]),
    [
      ['results.csv', 3, 'reference_not_found'],
      ['results.csv', 4, 'inconsistent'],
    ],
  )
  const next = 're-4,,,li-1,u-1,exempt,,2026-09-03,\n'
  await importing('next.zip', {
    'district/results.csv': `${gradebook['district/results.csv'].split('\n')[0]}\n${next}`,
  })
  assert.deepEqual(
    (await read('/results')).results.map(({ sourcedId }: { sourcedId: string }) => sourcedId),
    ['re-4'],
  )
})

test('a bulk bundle ends what it lacks of what bundles brought, and a later one takes that back, but never what the staff ended', async () => {
  const tenant = await service.tenant()
  const byHand = await aStudent(tenant.api, { fullName: 'Made By Hand' })
  const bring = async (name: string, changes: Readonly<Record<string, string>>) =>
    commandLine.json(['import', 'oneroster', await aBundle(name, { ...files, ...changes }), '--tenant', tenant.slug])
  const states = async () =>
    Object.fromEntries((await list(tenant, '/users')).map((user) => [user.sourcedId, user.status]))
  await bring('whole.zip', {})
  assert.deepEqual(await states(), { 'u-1': 'active', 'u-2': 'active', 'u-3': 'active', [byHand.id]: 'active' })
  const users = (rows: string) => ({
    'district/Users.csv': `ROLE,sourcedId,givenName,familyName\n${rows}parent,u-3,Anne,Byron\n`,
    'district/enrollments.csv': 'sourcedId,role,classSourcedId,userSourcedId\n',
    'district/classes.csv': 'sourcedId,title,courseSourcedId,termSourcedIds\nk-2,Algebra 2,c-1,t-1\n',
  })
  const less = await bring('less.zip', users(''))
  assert.deepEqual(less.faults, [])
  assert.deepEqual(await states(), {
    'u-1': 'tobedeleted',
    'u-2': 'tobedeleted',
    'u-3': 'active',
    [byHand.id]: 'active',
  })
  const classes = Object.fromEntries((await list(tenant, '/classes')).map((each) => [each.sourcedId, each.status]))
  assert.deepEqual(classes, { 'k-1': 'tobedeleted', 'k-2': 'active' })
  const again = await bring('less.zip', users(''))
  assert.deepEqual([again.run.created, again.run.updated], [0, 0])
  await bring('whole-again.zip', {})
  assert.deepEqual((await states())['u-1'], 'active')
  assert.deepEqual((await list(tenant, '/classes/k-1/students')).length, 1)
  const { body } = await tenant.api.get('/students')
  const ada = body.data.find(({ fullName }: { fullName: string }) => fullName === 'Ada Byron')
  await tenant.api.patch(`/students/${ada.id}`, { status: 'withdrawn' })
  await bring('whole-again.zip', {})
  assert.equal((await states())['u-1'], 'tobedeleted', 'what the staff decided stays')
})

test('a delta bundle changes what it names and ends what it calls tobedeleted', async () => {
  const tenant = await service.tenant()
  const bring = async (name: string, bundle: Readonly<Record<string, string>>) =>
    commandLine.json(['import', 'oneroster', await aBundle(name, bundle), '--tenant', tenant.slug])
  await bring('before.zip', files)
  const { faults } = await bring('delta.zip', {
    'manifest.csv':
      'propertyName,value\noneroster.version,1.2\nfile.users,delta\nfile.enrollments,delta\nfile.roles,delta\nfile.orgs,delta\n',
    'orgs.csv':
      'sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId\n' +
      'd-1,active,2026-09-02T00:00:00.000Z,Robotics,department,R,org-1\n',
    'users.csv':
      'sourcedId,status,dateLastModified,enabledUser,username,givenName,familyName\n' +
      'u-4,active,2026-09-02T00:00:00.000Z,true,mary,Mary,Somerville\nu-9,tobedeleted,2026-09-02T00:00:00.000Z,true,x,X,Y\n',
    'roles.csv': 'sourcedId,status,userSourcedId,roleType,role,orgSourcedId\nr-4,active,u-4,primary,student,org-1\n',
    'enrollments.csv':
      'sourcedId,status,classSourcedId,schoolSourcedId,userSourcedId,role\ne-4,active,k-1,org-1,u-4,student\n' +
      'e-2,tobedeleted,k-1,org-1,u-2,teacher\n',
  })
  assert.deepEqual(faults, [])
  const members = async (path: string) => (await list(tenant, `/classes/k-1/${path}`)).map(({ sourcedId }) => sourcedId)
  assert.deepEqual([(await members('students')).sort(), await members('teachers')], [['u-1', 'u-4'], []])
  assert.equal((await list(tenant, '/users')).length, 4, 'nobody is made to be deleted')
  const [made] = await list(tenant, "/orgs?filter=sourcedId='d-1'")
  assert.deepEqual([made.name, made.identifier, made.parent.sourcedId], ['Robotics', 'R', 'org-1'])
})

test('who a delta calls primary leads the class, and who is ended and there again stays', async () => {
  const tenant = await service.tenant()
  const bring = async (name: string, bundle: Readonly<Record<string, string>>) => {
    const { faults } = await commandLine.json([
      ...['import', 'oneroster', await aBundle(name, bundle), '--tenant', tenant.slug],
    ])
    assert.deepEqual(faults, [])
    const taught = await list(
      tenant,
      "/enrollments?filter=role='teacher' AND status='active'&sort=primary&orderBy=desc",
    )
    return taught.map(({ user, primary }) => [user.sourcedId, primary])
  }
  const users =
    'sourcedId,enabledUser,orgSourcedIds,role,username,givenName,familyName\n' +
    'u-2,true,org-1,teacher,grace,Grace,Hopper\nu-5,true,org-1,teacher,mary,Mary,Somerville\n'
  const enrolled = 'sourcedId,status,classSourcedId,schoolSourcedId,userSourcedId,role,primary\n'
  const { 'district/demographics.csv': _, ...bundle } = files
  assert.deepEqual(
    await bring('two.zip', {
      ...bundle,
      'district/Users.csv': users,
      'district/enrollments.csv': `${enrolled}e-2,,k-1,org-1,u-2,teacher,true\ne-5,,k-1,org-1,u-5,teacher,false\n`,
    }),
    [
      ['u-2', 'true'],
      ['u-5', 'false'],
    ],
  )
  assert.deepEqual(
    await bring('other.zip', {
      'manifest.csv': 'propertyName,value\noneroster.version,1.2\nfile.enrollments,delta\n',
      'enrollments.csv':
        `${enrolled}e-5,tobedeleted,k-1,org-1,u-5,teacher,false\n` +
        'e-6,active,k-1,org-1,u-5,teacher,true\ne-2,active,k-1,org-1,u-2,teacher,false\n',
    }),
    [
      ['u-5', 'true'],
      ['u-2', 'false'],
    ],
  )
})

test('columns that OneRoster does not know are kept as metadata, in the answers and in the next bundle', async () => {
  const tenant = await service.tenant()
  const path = await aBundle('metadata.zip', {
    ...files,
    'district/orgs.csv': 'sourcedId,ext_Region,name,type,identifier\norg-1,North,"St. Mary\'s, Hill",school,1\n',
  })
  await commandLine.json(['import', 'oneroster', path, '--tenant', tenant.slug])
  const [ada] = await list(tenant, "/users?filter=sourcedId='u-1'")
  assert.deepEqual(ada.metadata, { shoe: '38' })
  const [org] = await list(tenant, '/orgs')
  assert.deepEqual(
    [org.name, org.metadata],
    ["St. Mary's, Hill", { ext_Region: 'North' }],
    'an empty institution takes the name',
  )
  const output = join(commandLine.folder, 'metadata-out.zip')
  await commandLine.json(['export', 'oneroster', '--tenant', tenant.slug, '-o', output])
  const users = (await unzipBundle(await readFile(output))).get('users.csv') as string
  assert.ok(users.split('\r\n')[0]?.endsWith(',metadata.shoe'))
  assert.equal(readCsv(users).find(({ sourcedId }) => sourcedId === 'u-1')?.['metadata.shoe'], '38')
})

test('a bundle of 1.0 without manifest is read by its own names', async () => {
  const tenant = await service.tenant()
  const path = await aBundle('1.0.zip', {
    'orgs.csv': 'sourcedId,name,type,parentId\no,Hill,school,\n',
    'academicSessions.csv':
      'sourcedId,title,type,startDate,endDate,parentId\ny,2026-27,schoolYear,2026-08-01,2027-07-01,\nt,Autumn,term,2026-08-01,2026-12-21,y\n',
    'courses.csv': 'sourcedId,schoolYearId,title,courseCode,grade,orgSourcedId\nc,y,Algebra,ALG,9,o\n',
    'users.csv':
      'sourcedId,orgSourcedIds,role,username,userId,givenName,familyName,agents\ns,o,student,ada,12,Ada,Byron,g\ng,o,parent,anne,13,Anne,Byron,\n',
    'classes.csv':
      'sourcedId,title,grade,courseSourcedId,classType,schoolSourcedId,termSourcedId\nk,Algebra 1,9,c,scheduled,o,t\n',
    'enrollments.csv': 'sourcedId,classSourcedId,schoolSourcedId,userSourcedId,role\ne,k,o,s,student\n',
    'demographics.csv': 'userSourcedId,birthdate,sex\ns,2015-12-10,female\n',
  })
  await commandLine.json(['import', 'oneroster', path, '--tenant', tenant.slug])
  const [student] = await list(tenant, '/classes/k/students')
  assert.deepEqual([student.sourcedId, student.agents[0].sourcedId, 'metadata' in student], ['s', 'g', false])
  assert.equal((await list(tenant, '/demographics'))[0].birthDate, '2015-12-10')
})
