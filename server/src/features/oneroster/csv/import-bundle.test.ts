import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import yazl from 'yazl'
import { loadCommandLine } from '../../../testing/fixtures/command-line.ts'
import { aStudent } from '../../../testing/fixtures/factories.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import { aRoster, readResponse } from '../roster.fixture.ts'
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

test('an export that another institution imports has the same sourcedIds when it is exported again', async () => {
  const { tenant } = await aRoster(service)
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
  for (const name of ['orgs', 'academicSessions', 'courses', 'classes', 'users', 'roles']) {
    const ids = (bundle: Map<string, string>) =>
      readCsv(bundle.get(`${name}.csv`) as string)
        .map(({ sourcedId }) => sourcedId)
        .sort()
    assert.deepEqual(ids(second.files), ids(first.files), name)
  }
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
      'propertyName,value\noneroster.version,1.2\nfile.users,delta\nfile.enrollments,delta\nfile.roles,delta\n',
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
