import assert from 'node:assert/strict'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { overdueJob } from '../../features/payments/overdue.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { folder, run } = await loadCommandLine(service)

const files: Readonly<Record<string, string>> = {
  'academic-years.csv':
    'externalId,academic_year_name,year_start_date,year_end_date\nY26,2026-27,2026-08-01,2027-06-30\n',
  'academic-terms.csv':
    'externalId,academic_year,term_name,term_start_date,term_end_date\nT1,2026-27,Fall,2026-08-01,2026-12-20\n',
  'departments.csv': 'externalId,department_name,parentExternalId,is_school\nD1,North,,1\nD2,Science,D1,0\n',
  'programs.csv': 'externalId,name,code,departmentExternalId\nP1,Secondary,SEC,D1\n',
  'courses.csv': 'externalId,name,code,departmentExternalId,programs\nC1,Physics,PHY,D2,Secondary\n',
  'instructors.csv': 'externalId,instructor_name,departmentExternalId\nI1,Marie Curie,D2\n',
  'students.csv': 'externalId,givenNames,familyNames\nS1,Ada,Byron\nS2,Alan,Turing\n',
  'contacts.csv': 'externalId,displayName,studentExternalId\nG1,Anne Byron,S1\n',
  'groups.csv':
    'externalId,student_group_name,academic_year,academicTermExternalId,group_based_on,courseExternalId,students,instructors\n' +
    'K1,Physics A,2026-27,T1,Course,C1,S1;S2,I1\n',
  'enrollments.csv':
    'externalId,studentExternalId,programExternalId,academic_year,enrollment_date,docstatus\nE1,S1,P1,2026-27,2026-08-02,1\n',
  'payments.csv':
    'externalId,studentExternalId,amount,currency,description,dueDate\nF1,S1,120.50,USD,Fees,2026-09-01\n',
}

const importing = async ({ slug }: { readonly slug: string }, target: string, ...args: readonly string[]) => {
  const { stdout } = await run(['import', 'institution', target, '--tenant', slug, '--json', ...args])
  const printed = JSON.parse(stdout)
  assert.deepEqual(printed.faults, [])
  return printed
}

async function aFolder(changed: Readonly<Record<string, string>> = {}): Promise<string> {
  await mkdir(folder, { recursive: true })
  const target = await mkdtemp(join(folder, 'institution-'))
  for (const [name, content] of Object.entries({ ...files, ...changed })) await writeFile(join(target, name), content)
  return target
}

test('import institution: years, terms, people, groups, enrolments and fees come in as one, and the same again changes nothing', async () => {
  const tenant = await service.tenant()
  const target = await aFolder({ 'README.md': 'Ours.' })
  const planned = await importing(tenant, target, '--dry-run')
  assert.deepEqual([planned.runs.length, planned.runs[0].dryRun], [11, true])
  assert.equal((await tenant.api.get('/students')).body.pagination.total, 0)
  const done = await importing(tenant, target)
  const counts = Object.fromEntries(
    done.runs.map(({ kind, created }: { kind: string; created: number }) => [kind, created]),
  )
  assert.deepEqual(counts, {
    ...{ 'academic-years': 1, 'academic-terms': 1, departments: 2, programs: 1, courses: 1, instructors: 1 },
    ...{ students: 2, contacts: 1, groups: 1, enrollments: 1, payments: 1 },
  })
  const caller = await aRecordCaller(service, tenant)
  const group = (await caller.get('/api/resource/Student Group/Physics A')).body.data
  assert.deepEqual(
    [group.course, group.academic_term, group.students.length, group.instructors[0].instructor_name],
    ['Physics', '2026-27 (Fall)', 2, 'Marie Curie'],
  )
  assert.equal((await caller.get('/api/resource/Department/Science')).body.data.parent_department, 'North')
  const [course] = (await tenant.api.get('/courses')).body.data
  const [program] = (await tenant.api.get('/programs')).body.data
  assert.deepEqual([course.department, program.department], ['Science', 'North'])
  const again = await importing(tenant, target)
  for (const { kind, created, updated } of again.runs) assert.deepEqual([created, updated], [0, 0], kind)
})

test('import institution: its runs are undone from the last to the first, also what jobs of the service have changed since', async () => {
  const tenant = await service.tenant()
  const { runs } = await importing(tenant, await aFolder())
  await overdueJob.run(service.data, tenant)
  assert.equal((await tenant.api.get('/payments?status=overdue')).body.pagination.total, 1)
  for (const { id, kind, created } of [...runs].reverse()) {
    const { code, stdout } = await run(['import', 'undo', id, '--tenant', tenant.slug, '--json'])
    const { kept, run: undone } = JSON.parse(stdout)
    const kinds = kept.map((each: { externalId: string; code: string }) => [each.externalId, each.code])
    // The books have the payment and its reversal, and whom they are of.
    assert.deepEqual([code, kinds], [0, kind === 'students' ? [['S1', 'needed']] : []], kind)
    assert.equal(undone.undone + kept.length, created, kind)
  }
  for (const [list, total] of Object.entries({ students: 1, payments: 0, programs: 0, courses: 0 })) {
    assert.equal((await tenant.api.get(`/${list}`)).body.pagination.total, total, list)
  }
})

test('import institution: it prints the command that takes all of it back, and undone out of order a run names the one to undo first', async () => {
  const tenant = await service.tenant()
  const target = await aFolder({ 'payments.csv': 'externalId,studentExternalId,amount\n' })
  const printed = await run(['import', 'institution', target, '--tenant', tenant.slug])
  const [, command = ''] = /^To take it back: matricula (import undo .+)$/m.exec(printed.stdout) ?? []
  const ids = command.split(' ').slice(4)
  const { runs } = JSON.parse((await run(['import', 'list', '--tenant', tenant.slug, '--json'])).stdout)
  const idOf = (kind: string) => runs.find((each: { kind: string }) => each.kind === kind).id
  const early = await run(['import', 'undo', idOf('students'), '--tenant', tenant.slug])
  assert.equal(early.code, 1)
  assert.match(
    early.stdout,
    new RegExp(`A later import, of contacts, has changed the record: undo that one first \\(${idOf('contacts')}\\)`),
  )
  const undone = await run([...command.split(' '), '--json'])
  assert.deepEqual([undone.code, JSON.parse(undone.stdout).undone.length], [0, ids.length])
  for (const list of ['students', 'programs', 'courses'])
    assert.equal((await tenant.api.get(`/${list}`)).body.pagination.total, 0, list)
  const again = await run(['import', 'institution', target, '--tenant', tenant.slug, '--dry-run'])
  assert.doesNotMatch(again.stdout, /To take it back/)
})

test('import undo: a contact whom somebody has linked since stays, and it is said who changed what', async () => {
  const tenant = await service.tenant()
  const { runs } = await importing(tenant, await aFolder({ 'payments.csv': 'externalId,studentExternalId,amount\n' }))
  const of = (kind: string) => runs.find((each: { kind: string }) => each.kind === kind).id
  for (const kind of ['payments', 'enrollments', 'groups'])
    await run(['import', 'undo', of(kind), '--tenant', tenant.slug])
  const caller = await aRecordCaller(service, tenant)
  const named = (list: { data: { name: string; student_name: string }[] }, name: string) =>
    list.data.find((each) => each.student_name === name)?.name as string
  const students = (await caller.get('/api/resource/Student?fields=["name","student_name"]')).body
  const [guardian] = (await caller.get('/api/resource/Guardian')).body.data
  const path = `/api/resource/Student/${named(students, 'Alan Turing')}`
  await caller.send('PUT', path, { guardians: [{ guardian: guardian.name, relation: 'Others' }] })
  const contacts = await run(['import', 'undo', of('contacts'), '--tenant', tenant.slug, '--json'])
  assert.deepEqual(
    [contacts.code, JSON.parse(contacts.stdout).kept.map(({ code }: { code: string }) => code)],
    [1, ['needed']],
  )
  const undone = await run(['import', 'undo', of('students'), '--tenant', tenant.slug, '--json'])
  const [kept] = JSON.parse(undone.stdout).kept
  assert.deepEqual([undone.code, kept.externalId, kept.code], [0, 'S2', 'changed_since'])
  assert.match(kept.detail, /^.+ has changed the record since the import, on \d{4}-\d\d-\d\d\.$/)
})

test('import institution: a fault in one file leaves all of them out, and says where it is', async () => {
  const tenant = await service.tenant()
  const target = await aFolder({
    'groups.csv': `${files['groups.csv']}K2,Physics B,2026-27,T1,Course,C1,S9,\n`,
    'payments.csv': 'externalId,studentExternalId,amount\nF1,S7,1\n',
  })
  const { code, stdout } = await run(['import', 'institution', target, '--tenant', tenant.slug, '--json'])
  const { faults, faultCount, error, runs } = JSON.parse(stdout)
  assert.deepEqual([code, faultCount, error.code], [2, 2, 'invalid_file'])
  assert.deepEqual(
    faults.map(({ file, line, heading, code: each }: Record<string, string>) => [
      file?.slice(target.length + 1),
      line,
      heading,
      each,
    ]),
    [
      ['groups.csv', 3, 'students', 'reference_not_found'],
      ['payments.csv', 2, 'studentExternalId', 'reference_not_found'],
    ],
  )
  assert.ok(runs.every(({ created }: { created: number }) => created === 0))
  assert.equal((await tenant.api.get('/students')).body.pagination.total, 0)
})

test('import institution: a folder without files, with a file of no kind, or that is none is refused', async () => {
  const tenant = await service.tenant()
  const empty = await mkdtemp(join(folder, 'empty-'))
  for (const target of [empty, join(folder, 'nowhere'), await aFolder({ 'studnets.csv': 'externalId\n' })]) {
    const { code, stdout } = await run(['import', 'institution', target, '--tenant', tenant.slug, '--json'])
    assert.deepEqual([code, JSON.parse(stdout).error.code], [2, 'invalid_value'], target)
  }
})

test('import institution: the example of Grand Bend comes in whole', async () => {
  const tenant = await service.tenant()
  const example = fileURLToPath(new URL('../../../../examples/institution-grand-bend', import.meta.url))
  const { runs } = await importing(tenant, example)
  assert.ok(runs.length >= 10)
  assert.ok(runs.every(({ refused, created }: { refused: number; created: number }) => refused === 0 && created > 0))
  const { secret } = await tenant.token()
  const read = async (collection: string, filter: string) => {
    const response = await fetch(
      `${service.address}/t/${tenant.slug}/ims/oneroster/rostering/v1p2/${collection}?filter=${encodeURIComponent(filter)}`,
      { headers: { authorization: `Bearer ${secret}` } },
    )
    assert.equal(response.status, 200)
    return (await response.json()) as Record<string, Record<string, unknown>[]>
  }
  const { users } = await read('teachers', "email='barbara.quinn@grandbend.example'")
  assert.deepEqual(
    users?.map(({ familyName }) => familyName),
    ['Quinn'],
  )
  const { orgs } = await read('schools', "name='Grand Bend Middle School'")
  const { classes } = await read('classes', "title='Science 7 A'")
  assert.deepEqual(
    classes?.map(({ school }) => (school as { sourcedId: string }).sourcedId),
    orgs?.map(({ sourcedId }) => sourcedId),
  )
})
