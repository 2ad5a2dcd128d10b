import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApplication, aStudent } from '../fixtures/factories.ts'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { ResourceClient } from '../fixtures/resource-client.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const tenant = await service.tenant()
const inBrowser = { skip: withoutBrowser }

test('whatever is another institution’s is nowhere, on each screen and width, and it is told', inBrowser, async () => {
  const other = await service.tenant()
  const strangers = new ResourceClient(service, other)
  const student = await aStudent(other.api, { fullName: 'Of Others' })
  const application = await anApplication(other.api, { fullName: 'Of Others' })
  const room = await strangers.make('Room', { room_name: 'Of Others' })
  for (const screen of ['desktop', 'phone'] as const) {
    const staff = await aStaffMember(service, tenant, { screen })
    const { page } = staff
    for (const path of [
      `/students/${student.studentCode}`,
      `/records/student/named/${student.studentCode}`,
      `/records/room/named/${encodeURIComponent(room.name)}`,
      `/admissions/applications/${application.id}`,
      `/admissions/requests/new?student=${student.id}`,
      `/admissions/requests/new?application=${application.id}`,
    ]) {
      await page.goto(staff.root + path)
      await page.getByRole('alert').filter({ hasText: 'no longer exists' }).first().waitFor()
      if (path.startsWith('/students')) await staff.assertAccessible(`what is of others, ${screen}`)
      const rejected = staff.refusedCalls()
      assert.ok(rejected.length > 0 && rejected.every((call) => call.startsWith('404 GET ')), `${path}: ${rejected}`)
      assert.equal(await page.getByText('Of Others').count(), 0)
    }
    for (const path of [
      '/records/student?q=Others',
      '/admissions/board',
      '/admissions/review',
      '/admissions/requests',
    ]) {
      await staff.open(path)
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
      assert.equal(await page.getByText('Of Others').count(), 0, path)
    }
    await staff.leave()
  }
})
