import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsOf } from '../fixtures/count-statements.ts'
import { aStudent } from '../fixtures/factories.ts'
import { aCampus, aFee, anEnrollment, type Campus } from '../fixtures/seeded-tenant.ts'
import { startTestService } from '../fixtures/test-service.ts'

const service = await startTestService()

interface Call {
  /** The most statements that it may send. */
  readonly most: number
  /** Makes what it needs, and gives the call. */
  readonly prepare: (campus: Campus) => Promise<() => Promise<{ readonly error: string | null; readonly told: string }>>
}

/** A draft of a fee of the campus's first student. */
async function draftFee(campus: Campus): Promise<string> {
  const enrollment = (await anEnrollment(campus, { docstatus: 1 })).data.name
  return aFee(campus, enrollment, { docstatus: 0 } as object)
}

const calls: Readonly<Record<string, Call>> = {
  'insert a Student': {
    most: 15,
    prepare: async ({ desk }) => {
      return () => desk.create('Student', { first_name: 'Mary', last_name: 'Somerville' })
    },
  },
  'PUT a Student': {
    most: 21,
    prepare: async ({ desk, students }) => {
      return () => desk.update('Student', students[0], { city: 'Bergen' })
    },
  },
  'PUT a Student with two guardians': {
    most: 17,
    prepare: async ({ desk, students }) => {
      const guardians = []
      for (const guardian_name of ['Ann', 'Bob']) guardians.push((await desk.make('Guardian', { guardian_name })).name)
      await desk.update('Student', students[0], { guardians: guardians.map((guardian) => ({ guardian })) })
      return () => desk.update('Student', students[0], { city: 'Bergen' })
    },
  },
  'submit a Fees': {
    most: 17,
    prepare: async (campus) => {
      const fee = await draftFee(campus)
      return () => campus.desk.submit('Fees', fee)
    },
  },
  'cancel a Fees': {
    most: 20,
    prepare: async (campus) => {
      const fee = await draftFee(campus)
      await campus.desk.submit('Fees', fee)
      return () => campus.desk.cancel('Fees', fee)
    },
  },
  'submit a Student Attendance': {
    most: 17,
    prepare: async ({ desk, students, group }) => {
      const fields = { student: students[0], student_group: group, date: '2026-09-01' }
      const { name } = await desk.make('Student Attendance', fields)
      return () => desk.submit('Student Attendance', name)
    },
  },
  'mark the attendance of 30': {
    most: 135,
    prepare: async ({ desk, tenant, group }) => {
      const students: { student: string; active: 1 }[] = []
      for (let number = 0; number < 30; number += 1) {
        students.push({
          student: (await aStudent(tenant.api, { fullName: `Student ${number}` })).studentCode,
          active: 1,
        })
      }
      const grown = await desk.update('Student Group', group, { students })
      assert.equal(grown.error, null, grown.told)
      const lists = { students_present: students.slice(0, 20), students_absent: students.slice(20) }
      return () => desk.call('api.mark_attendance', { ...lists, student_group: group, date: '2026-09-01' })
    },
  },
}

for (const [what, { most, prepare }] of Object.entries(calls)) {
  test(`to ${what} takes at most ${most} statements, begin and commit included`, async () => {
    const campus = await aCampus(service)
    const call = await prepare(campus)
    await campus.desk.read('Student', campus.students[0]) // the caller is known by then
    const sent = await statementsOf(async () => {
      const { error, told } = await call()
      assert.equal(error, null, told)
    })
    assert.ok(sent.length <= most, sent.join('\n'))
  })
}
