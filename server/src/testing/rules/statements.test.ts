import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allStatementsOf, loadStatements } from '../fixtures/database/count-statements.ts'
import { anUpload, aStudent, pdf } from '../fixtures/factories.ts'
import { aFee, anEnrollment, type SeededTenant, seedTenant } from '../fixtures/seeded-tenant.ts'
import { startTestService } from '../fixtures/test-service.ts'

const service = await startTestService()

interface Call {
  /** The most statements that it may send. */
  readonly most: number
  /** Makes what it needs, and gives the call. */
  readonly prepare: (
    seededTenant: SeededTenant,
  ) => Promise<() => Promise<{ readonly error: string | null; readonly told: string }>>
}

/** A draft of a fee of the campus's first student. */
async function draftFee(seededTenant: SeededTenant): Promise<string> {
  const enrollment = (await anEnrollment(seededTenant, { docstatus: 1 })).data.name
  return aFee(seededTenant, enrollment, { docstatus: 0 } as object)
}

const calls: Readonly<Record<string, Call>> = {
  'insert a Student': {
    most: 14,
    prepare: async ({ resourceClient }) => {
      return () => resourceClient.create('Student', { first_name: 'Mary', last_name: 'Somerville' })
    },
  },
  'PUT a Student': {
    most: 21,
    prepare: async ({ resourceClient, students }) => {
      return () => resourceClient.update('Student', students[0], { city: 'Bergen' })
    },
  },
  'PUT a Student with two guardians': {
    most: 17,
    prepare: async ({ resourceClient, students }) => {
      const guardians = []
      for (const guardian_name of ['Ann', 'Bob'])
        guardians.push((await resourceClient.make('Guardian', { guardian_name })).name)
      await resourceClient.update('Student', students[0], { guardians: guardians.map((guardian) => ({ guardian })) })
      return () => resourceClient.update('Student', students[0], { city: 'Bergen' })
    },
  },
  // With the student's first account, its number, the obligation and its lines in the general ledger.
  'submit a Fees': {
    most: 18,
    prepare: async (seededTenant) => {
      const fee = await draftFee(seededTenant)
      return () => seededTenant.resourceClient.submit('Fees', fee)
    },
  },
  'cancel a Fees': {
    most: 20,
    prepare: async (seededTenant) => {
      const fee = await draftFee(seededTenant)
      await seededTenant.resourceClient.submit('Fees', fee)
      return () => seededTenant.resourceClient.cancel('Fees', fee)
    },
  },
  'submit a Student Attendance': {
    most: 17,
    prepare: async ({ resourceClient, students, group }) => {
      const fields = { student: students[0], student_group: group, date: '2026-09-01' }
      const { name } = await resourceClient.make('Student Attendance', fields)
      return () => resourceClient.submit('Student Attendance', name)
    },
  },
  'mark the attendance of 30': {
    most: 32,
    prepare: async ({ resourceClient, tenant, group }) => {
      const students: { student: string; active: 1 }[] = []
      for (let number = 0; number < 30; number += 1) {
        students.push({
          student: (await aStudent(tenant.api, { fullName: `Student ${number}` })).studentCode,
          active: 1,
        })
      }
      const grown = await resourceClient.update('Student Group', group, { students })
      assert.equal(grown.error, null, grown.told)
      const lists = { students_present: students.slice(0, 20), students_absent: students.slice(20) }
      return () => resourceClient.call('api.mark_attendance', { ...lists, student_group: group, date: '2026-09-01' })
    },
  },
}

for (const [what, { most: max, prepare }] of Object.entries(calls)) {
  test(`to ${what} takes at most ${max} statements, begin and commit included`, async () => {
    const seededTenant = await seedTenant(service)
    const call = await prepare(seededTenant)
    await seededTenant.resourceClient.read('Student', seededTenant.students[0]) // the caller is known by then
    const sent = await loadStatements(async () => {
      const { error, told: reported } = await call()
      assert.equal(error, null, reported)
    })
    assert.ok(sent.length <= max, sent.join('\n'))
  })
}

test('to complete an upload takes at most 9 statements, what is read before the transaction included', async () => {
  const { api } = await service.tenant()
  const student = await aStudent(api)
  const { document, version, upload } = await anUpload(api, { entityType: 'student', entityId: student.id })
  const stored = await service.sendFile(upload.url, { method: 'PUT', headers: upload.headers, body: pdf as never })
  assert.equal(stored.status, 200)
  await api.get('/me') // the caller is known by then
  const sent = await allStatementsOf(async () => {
    const completed = await api.send('POST', `/vault/documents/${document.id}/versions/${version.id}/complete`, {})
    assert.deepEqual([completed.status, completed.body.data.status], [200, 'uploaded'], completed.text)
  })
  // Those up to its commit, and those that read the document elsewhere: the service looks after itself meanwhile and afterwards.
  const own = sent.find(({ text }) => text.includes('update document_versions'))?.connection
  const last = sent.findIndex(({ connection, text }) => connection === own && text === 'commit')
  const counted = sent
    .slice(0, last + 1)
    .filter(({ connection, text }) => connection === own || text.includes('from documents d'))
    .map(({ text }) => text.replace(/\s+/g, ' ').trim())
  assert.ok(counted.length <= 9 && counted.length > 5, counted.join('\n'))
})
