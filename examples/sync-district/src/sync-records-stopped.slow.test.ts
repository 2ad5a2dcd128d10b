import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../../server/dist/testing/fixtures/test-service.js'
import { aSync } from './testing/a-sync.ts'
import { csvRows, partOfDistrict } from './testing/files.ts'
import { getSizes, loadSchoolState } from './testing/school-state.ts'
import { lastPosition, loadEvents } from './testing/tenant-state.ts'

const service = await startTestService()

test('runs that are killed, and one that is stopped with Ctrl-C, are gone on with; no record is made twice', async () => {
  const { key, tenant, run, runUntil } = await aSync(service)
  const folder = await partOfDistrict(5)
  // One of them is the second of its day.
  const attendances = (await csvRows(folder, 'attendance.csv')).length - 1
  const reached = (tenths: number) => `attendance   ${Math.ceil((attendances * tenths) / 10)} of ${attendances}`
  const sizes = async () => getSizes(await loadSchoolState(service, key))

  assert.equal((await runUntil(folder, 'groups       162 of 538', 'SIGKILL')).signal, 'SIGKILL')
  const { 'Student Group': groups = 0 } = await sizes()
  assert.ok(groups >= 162 && groups < 538, String(groups))
  assert.equal((await runUntil(folder, reached(3), 'SIGKILL')).signal, 'SIGKILL')
  const { 'Student Attendance': made = 0 } = await sizes()
  assert.ok(made >= (attendances * 3) / 10 && made < attendances, String(made))

  const stopped = await runUntil(folder, reached(7), 'SIGINT')
  assert.equal(stopped.code, 130, stopped.errors)
  assert.match(
    stopped.output,
    /attendance +\d+ created, \d+ unchanged, 1 left out, \d+ not reached\nStopped\. Run it again to go on/,
  )

  const last = await run(folder)
  assert.equal(last.code, 0, last.errors)
  assert.match(last.output, /groups +538 unchanged\nmembers +\d+ unchanged\nattendance +\d+ created, \d+ unchanged/)
  const state = await loadSchoolState(service, key)
  assert.deepEqual([state['Student Group']?.size, state['Student Attendance']?.size], [538, attendances])
  const submitted = [...(state['Student Attendance']?.values() ?? [])].filter(({ docstatus }) => docstatus === 1)
  assert.equal(submitted.length, attendances)
  const position = await lastPosition(service, tenant)
  assert.match((await run(folder)).output, /^Nothing changed/m)
  assert.deepEqual(await loadEvents(service, tenant, position), {})
})
