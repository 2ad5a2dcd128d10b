import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aLesson, seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const source = 'https://raw.githubusercontent.com/Ed-Fi-Alliance-OSS/Ed-Fi-Data-Standard/v5.2.0/Schemas/Bulk'

/** Where the schemas of Ed-Fi Data Standard 5.2 are, for machines without the internet: a folder with its files. */
const schemaFolder = process.env.EDFI_SCHEMAS
const files = [
  ...['Ed-Fi-Core', 'SchemaAnnotation', 'Interchange-Student', 'Interchange-Contact', 'Interchange-StudentEnrollment'],
  'Interchange-StudentAttendance',
]

/** A folder with the schemas, or why there is none. */
async function findSchemas(): Promise<{ readonly folder: string } | { readonly missing: string }> {
  try {
    execFileSync('which', ['xmllint'], { stdio: 'ignore' })
  } catch {
    return { missing: 'xmllint is not installed (apt-get install libxml2-utils)' }
  }
  const folder = await mkdtemp(join(tmpdir(), 'matricula-ed-fi-'))
  try {
    for (const file of files) {
      const path = join(folder, `${file}.xsd`)
      if (schemaFolder !== undefined) {
        await copyFile(join(schemaFolder, `${file}.xsd`), path)
        continue
      }
      const response = await fetch(`${source}/${file}.xsd`, { signal: AbortSignal.timeout(20_000) })
      if (!response.ok) throw new Error(`${file}: ${response.status}`)
      await writeFile(path, await response.text())
    }
    return { folder }
  } catch {
    return { missing: `the schemas cannot be fetched: name a folder with ${source} in EDFI_SCHEMAS` }
  }
}

const service = await startTestService()
const { folder, json } = await loadCommandLine(service)
const schemas = await findSchemas()
const skip = 'missing' in schemas && schemas.missing

/** Exports an institution and asserts that each document is valid by its schema; the names of the documents. */
async function requireValid(schemaFolder: string, slug: string): Promise<string[]> {
  const output = join(folder, slug)
  await json(['export', 'edfi', '--tenant', slug, '-o', output])
  const documents = (await readdir(output)).sort()
  for (const document of documents) {
    const schema = join(schemaFolder, document.replace('Interchange', 'Interchange-').replace('.xml', '.xsd'))
    const args = ['--noout', '--schema', schema, join(output, document)]
    await promisify(execFile)('xmllint', args).catch(({ stderr }) => assert.fail(String(stderr).slice(0, 2000)))
  }
  return documents
}

test('export edfi: the district Grand Bend is valid by the schemas of Ed-Fi Data Standard 5.2', { skip }, async () => {
  if ('missing' in schemas) return
  const { slug } = await service.tenant()
  const district = fileURLToPath(new URL('../../../../examples/institution-grand-bend', import.meta.url))
  await json(['import', 'institution', district, '--tenant', slug])
  assert.equal((await requireValid(schemas.folder, slug)).length, 3)
})

test('export edfi: attendance of days and lessons is valid by the schemas, and so are odd texts', {
  skip,
}, async () => {
  if ('missing' in schemas) return
  const seeded = await seedTenant(service)
  const { tenant, resourceClient, students, group } = seeded
  const odd = { student_mobile_number: '0'.repeat(40), last_name: '<&>' }
  for (const student of students) {
    assert.equal((await resourceClient.update('Student', student, { date_of_birth: '2010-12-10', ...odd })).status, 200)
    for (const status of ['Present', 'Absent', 'Leave'].entries()) {
      const date = `2026-09-0${status[0] + 1}`
      const mark = { student, date, status: status[1], student_group: group, docstatus: 1 }
      await resourceClient.create('Student Attendance', mark)
    }
  }
  const { name } = (await aLesson(seeded, { schedule_date: '2026-09-10' })).data
  const mark = { student: students[0], date: '2026-09-10', status: 'Present', course_schedule: name, docstatus: 1 }
  await resourceClient.create('Student Attendance', mark)
  assert.ok((await requireValid(schemas.folder, tenant.slug)).includes('InterchangeStudentAttendance.xml'))
})
