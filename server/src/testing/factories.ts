import assert from 'node:assert/strict'
import type { Payment, Static, Student } from '@matricula/contract'
import type { Caller } from './caller.ts'

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
