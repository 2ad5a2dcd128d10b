import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCommandLine } from '../../../testing/fixtures/command-line.ts'
import { aPlan, aResult, aScale } from '../../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'
import { aRoster } from '../roster.fixture.ts'
import { bundleFiles, fileColumns } from './csv-files.ts'
import { readCsv, unzipBundle } from './unzipped-bundle.fixture.ts'

const service = await startTestService()
const commandLine = await loadCommandLine(service)
const roster = await aRoster(service)
const { tenant } = roster

async function exportBundle(...options: string[]) {
  const output = join(commandLine.folder, 'bundle.zip')
  const report = await commandLine.json(['export', 'oneroster', '--tenant', tenant.slug, '-o', output, ...options])
  return { report, output, files: await unzipBundle(await readFile(output)) }
}

test('a bulk export has the manifest of the standard, the headings in its order, and no file without rows', async () => {
  const { files, report, output } = await exportBundle()
  const manifest = new Map(
    readCsv(files.get('manifest.csv') as string).map(({ propertyName, value }) => [propertyName, value]),
  )
  assert.deepEqual(
    [...manifest.keys()],
    [
      'manifest.version',
      'oneroster.version',
      ...bundleFiles.map((name) => `file.${name}`),
      'source.systemName',
      'source.systemCode',
    ],
  )
  assert.deepEqual([manifest.get('manifest.version'), manifest.get('oneroster.version')], ['1.0', '1.2'])
  for (const name of bundleFiles) {
    const text = files.get(`${name}.csv`)
    assert.equal(manifest.get(`file.${name}`), text === undefined ? 'absent' : 'bulk')
    if (text === undefined) continue
    assert.ok(!text.startsWith('\ufeff') && text.endsWith('\r\n'))
    assert.equal(text.split('\r\n')[0], (fileColumns as Record<string, readonly string[]>)[name]?.join(','))
    const rows = readCsv(text)
    assert.equal(rows.length, report.rows[name])
    assert.ok(rows.length > 0 && rows.every(({ status, dateLastModified }) => status === '' && dateLastModified === ''))
    assert.equal(new Set(rows.map(({ sourcedId }) => sourcedId)).size, rows.length)
  }
  const users = readCsv(files.get('users.csv') as string)
  const ada = users.find(({ givenName }) => givenName === 'Ada')
  assert.deepEqual([ada?.enabledUser, ada?.username, ada?.userIds], ['true', roster.students[0], ''])
  const classes = readCsv(files.get('classes.csv') as string)
  assert.equal(classes.length, 2)
  assert.equal(((await stat(output)).mode & 0o777).toString(8), '600')
})

test('a delta export has what changed since, with its status and stamp', async () => {
  const since = new Date().toISOString()
  const [student] = await roster.list("/students?filter=givenName='Alan'")
  await tenant.api.patch(`/students/${student.sourcedId}`, { status: 'withdrawn' })
  const { files } = await exportBundle('--since', since)
  const [user, ...others] = readCsv(files.get('users.csv') as string)
  assert.deepEqual([user?.sourcedId, user?.status, others.length], [student.sourcedId, 'tobedeleted', 0])
  assert.match(user?.dateLastModified as string, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
  assert.match(files.get('manifest.csv') as string, /file\.users,delta\r\n/)
  assert.ok(!files.has('courses.csv'))
  const unknown = await commandLine.run(['export', 'oneroster', '--tenant', 'nobody', '-o', '-', '--json'])
  assert.equal(unknown.code, 1)
})

test('a bulk export leaves out the gradebook of a class that has ended and of who left, and who has left teaches nobody', async () => {
  const seeded = await aRoster(service)
  const { resourceClient } = seeded
  await aScale(seeded)
  await aResult(
    { ...seeded, group: seeded.courseGroup },
    await aPlan(seeded, { student_group: seeded.courseGroup }),
    { Written: 30, Oral: 20 },
    { docstatus: 1 },
  )
  const read = async () => {
    const output = join(commandLine.folder, 'ended.zip')
    await commandLine.json(['export', 'oneroster', '--tenant', seeded.tenant.slug, '-o', output])
    const { files } = { files: await unzipBundle(await readFile(output)) }
    const count = (name: string) => readCsv(files.get(`${name}.csv`) ?? 'sourcedId\r\n').length
    const { faults } = await commandLine.json([
      ...['import', 'oneroster', output, '--tenant', (await service.tenant()).slug],
    ])
    assert.deepEqual(faults, [])
    return ['lineItems', 'results', 'scoreScales', 'enrollments'].map(count)
  }
  const deputy = await resourceClient.make('Instructor', { instructor_name: 'Mary Somerville' })
  await resourceClient.update('Student Group', seeded.courseGroup, {
    instructors: [{ instructor: seeded.instructor }, { instructor: deputy.name }],
  })
  const leading = async () =>
    (await seeded.list("/enrollments?filter=role='teacher' AND status='active' AND primary='true'")).length
  assert.deepEqual([await read(), await leading()], [[1, 1, 1, 5], 1])
  await resourceClient.update('Instructor', seeded.instructor, { status: 'Left' })
  assert.deepEqual([await read(), await leading()], [[1, 1, 1, 4], 1], 'the deputy leads')
  const [ada] = await seeded.list("/students?filter=givenName='Ada'")
  await seeded.tenant.api.patch(`/students/${ada.sourcedId}`, { status: 'graduated' })
  assert.deepEqual(await read(), [1, 0, 1, 2])
  await resourceClient.update('Student Group', seeded.courseGroup, { disabled: 1 })
  assert.deepEqual(await read(), [0, 0, 1, 0])
})
