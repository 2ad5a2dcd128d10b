import assert from 'node:assert/strict'
import type { Application, Payment, Static, Student } from '@matricula/contract'
import { importCourse } from '../features/courses/index.ts'
import { importProgram } from '../features/programs/index.ts'
import type { Caller } from './caller.ts'
import type { TestService, TestTenant } from './test-service.ts'

/** Makes a student through the API, with whatever the test cares about. */
export async function aStudent(api: Caller, body: object = {}): Promise<Static<typeof Student>> {
  const { status, body: answer } = await api.post('/students', { fullName: 'Ada Byron', ...body })
  assert.equal(status, 201)
  return answer.data
}

/** Makes a payment through the API, of a new student unless the body names one. */
export async function aPayment(
  api: Caller,
  body: { studentId?: string } & object = {},
): Promise<Static<typeof Payment>> {
  const studentId = body.studentId ?? (await aStudent(api)).id
  const payment = { amount: 100, description: 'Tuition', dueDate: '2026-09-01', ...body, studentId }
  const { status, body: answer } = await api.post('/payments', payment)
  assert.equal(status, 201)
  return answer.data
}

/** Makes an application through the API, with whatever the test cares about. */
export async function anApplication(api: Caller, body: object = {}): Promise<Static<typeof Application>> {
  const { status, body: answer } = await api.post('/admissions/applications', { fullName: 'Ada Byron', ...body })
  assert.equal(status, 201)
  return answer.data
}

/** Makes a program and a course in it, as an import does. */
export async function aCatalogue(
  service: TestService,
  tenant: TestTenant,
  names = { program: 'Nursing', course: 'Anatomy' },
): Promise<{ programId: string; courseId: string }> {
  const context = {
    tenant,
    actor: { type: 'operator', id: null, name: 'test' },
    requestId: null,
    address: null,
  } as const
  await service.data.transaction(tenant.id, async (tx) => {
    await importProgram(tx, context, { name: names.program })
    await importCourse(tx, context, { name: names.course, programs: [names.program] })
  })
  const programs = await tenant.api.get(`/programs?search=${encodeURIComponent(names.program)}`)
  const courses = await tenant.api.get(`/courses?search=${encodeURIComponent(names.course)}`)
  return { programId: programs.body.data[0].id, courseId: courses.body.data[0].id }
}
