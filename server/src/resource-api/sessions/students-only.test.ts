import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

test('a caller who is a student and nothing else may call what is made for students, and nothing of the staff', async () => {
  const tenant = await service.tenant()
  const student = await aRecordCaller(service, tenant, ['Student'])
  const call = (path: string, args = {}) => student.post(`/api/method/${path}`, args)
  assert.equal((await call('education.education.api.get_user_info')).status, 200)
  assert.equal((await call('frappe.client.get_list', { doctype: 'Student' })).status, 200)
  for (const [path, args] of [
    ['education.education.api.get_student_group_students', { student_group: 'A' }],
    ['education.education.api.get_assessment_students', { assessment_plan: 'A', student_group: 'A' }],
    ['education.education.api.mark_attendance', { students_present: '[]', students_absent: '[]' }],
    ['education.education.api.enroll_student', { source_name: 'A' }],
  ] as const) {
    const rejected = await call(path, args)
    assert.deepEqual([rejected.status, rejected.body.exc_type], [403, 'PermissionError'], path)
  }
})

test('a student reads the records and asks the questions that are about itself only', async () => {
  const tenant = await service.tenant()
  const staff = await aRecordCaller(service, tenant)
  const student = await aRecordCaller(service, tenant, ['Student'])
  const { body } = await staff.post('/api/resource/Student', { first_name: 'Ada', last_name: 'Lovelace' })
  const { name } = body.data
  const read = await student.get(`/api/resource/Student/${name}`)
  assert.deepEqual([read.status, read.body.exc_type], [403, 'PermissionError'])
  const card = await student.post('/api/method/education.education.report_card.get_student_report_card', {
    student: name,
    academic_year: '2026-27',
    academic_term: '',
  })
  assert.deepEqual([card.status, card.body.exc_type], [403, 'PermissionError'])
  const leave = await student.post('/api/method/education.education.api.apply_leave', {
    leave_data: { student: name, from_date: '2026-09-01', to_date: '2026-09-02' },
    program_name: 'Physics',
  })
  assert.ok([200, 403].includes(leave.status), leave.text)
  const made = await staff.get('/api/resource/Student Attendance')
  assert.deepEqual(made.body.data, [])
})
