import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDocument, anApplication, aStudent } from '../fixtures/factories.ts'
import { aSampleDocument } from '../fixtures/files/sample-documents.ts'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { aLesson, aPlan, aScale, seedTenant } from '../fixtures/seeded-tenant.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember, type StaffMember } from './console-staff.ts'

const service = await startTestService({ mail: { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'office@school.example' } })

/** A school with something to do for everybody. */
async function aSchool() {
  const seeded = await seedTenant(service)
  await aScale(seeded)
  const plan = await aPlan(seeded)
  await aLesson(seeded)
  const owing = await aStudent(seeded.tenant.api, { fullName: 'Grace Owes', email: 'grace@example.org' })
  const payment = { studentId: owing.id, amount: 30, description: 'Bus', dueDate: '2026-09-15' }
  assert.equal((await seeded.tenant.api.post('/payments', payment)).status, 201)
  const application = await anApplication(seeded.tenant.api, { fullName: 'Tyrone Dyer' })
  const owner = { entityType: 'application', entityId: application.id } as const
  await aDocument(service, seeded.tenant.api, owner, await aSampleDocument())
  return { ...seeded, plan, owing, application }
}

type School = Awaited<ReturnType<typeof aSchool>>

interface Day {
  readonly who: string
  readonly roles: readonly string[]
  readonly run: (staff: StaffMember, school: School) => Promise<void>
  /** How actions in the audit begin that the day leaves behind in that person's name. */
  readonly traces: readonly string[]
}

const days: readonly Day[] = [
  {
    who: 'a teacher',
    roles: ['Instructor'],
    run: async (staff, { resourceClient, instructor, plan, group, students }) => {
      const { page } = staff
      const fields = { first_name: 'Grace', gender: 'Female', user_id: staff.email }
      const employee = await resourceClient.make('Employee', fields)
      await resourceClient.update('Instructor', instructor, { employee: employee.name })
      await staff.open('/')
      await staff.open('/timetable/mine?day=2026-09-01')
      await page.getByRole('link', { name: /09:00–10:00/ }).click()
      await page.getByText('Everyone starts as present. Tap the students who are not.').waitFor()
      await page.getByRole('button', { name: /^Ada Byron/ }).click()
      await page.getByRole('button', { name: 'Save: 1 present, 1 absent' }).click()
      await page.getByText('Attendance saved.').waitFor()
      await staff.assertAccessible('a roll')
      await staff.open(`/grades/${encodeURIComponent(plan)}`)
      await page.getByLabel('Written, Ada Byron').fill('54')
      await page.keyboard.press('Enter')
      await page.getByLabel('Oral, Ada Byron').fill('30')
      await page.keyboard.press('Enter')
      await until(async () => {
        const { data } = await resourceClient.list('Assessment Result', { fields: '["student","total_score"]' })
        return JSON.stringify(data) === JSON.stringify([{ student: students[0], total_score: 84 }])
      }, 'the scores')
      await staff.open('/records/student?by=_student_group')
      await page.getByRole('button', { name: `${group} 2` }).waitFor()
      await staff.assertAccessible('own students')
    },
    traces: ['attendance.submitted', 'assessment_result.'],
  },
  {
    who: 'a bursar',
    roles: ['Accounts User'],
    run: async (staff, { tenant }) => {
      const { page } = staff
      await staff.open('/')
      await page.getByRole('link', { name: /^1 *Pending payments$/ }).click()
      await page.getByText('Grace Owes').waitFor()
      await staff.assertAccessible('payments')
      await staff.open('/fees/desk')
      await page.getByLabel('Family', { exact: true }).first().fill('grace')
      await page.getByRole('option', { name: /Grace Owes/ }).click()
      await page.getByLabel('Amount received').fill('10')
      await page.getByRole('button', { name: 'Take $10.00' }).dblclick()
      await page.getByText('$10.00 received').waitFor()
      await staff.open('/fees/outstanding?by=year')
      await page.getByRole('row', { name: /^2026-27 .*20\.00/ }).waitFor()
      await staff.assertAccessible('what is outstanding by year')
      const [row] = (await tenant.api.get('/billing/ageing?by=year')).body.data
      assert.equal(row.total, 20)
    },
    traces: ['receipt.posted'],
  },
  {
    who: 'a registrar',
    roles: ['Academics User', 'Education Manager'],
    run: async (staff, { resourceClient, group, students, owing }) => {
      const { page } = staff
      await staff.open('/')
      await staff.open('/records/student')
      await page.getByLabel('Count by').selectOption({ label: 'Student Group' })
      await page.getByRole('button', { name: `${group} 2` }).click()
      await page.getByText('2 records', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Ada Byron' }).click()
      await page.getByLabel('City').fill('Lima')
      await page.keyboard.press('Control+s')
      await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' })
      assert.equal((await resourceClient.read('Student', students[0])).data.city, 'Lima')
      await staff.open(`/groups/${encodeURIComponent(group)}`)
      await page.getByRole('combobox', { name: 'Student', exact: true }).fill('owes')
      await page.getByRole('option').first().click()
      await page.getByRole('button', { name: 'Add 1 student' }).dblclick()
      await page.getByText('1 student added').waitFor()
      await staff.assertAccessible('a group')
      const { data } = await resourceClient.read('Student Group', group)
      assert.ok(data.students.some(({ student }: { student: string }) => student === owing.studentCode))
      await staff.open('/teaching/timetable')
      await staff.assertAccessible('the timetable')
    },
    traces: ['student.updated', 'student_group.'],
  },
  {
    who: 'an admissions officer',
    roles: ['Admissions Officer'],
    run: async (staff, { tenant, application }) => {
      const { page } = staff
      await staff.open('/')
      await staff.open('/admissions/review')
      await page.getByRole('button', { name: /^Approve/ }).click()
      await page.getByText('Approved', { exact: true }).first().waitFor()
      await staff.open('/admissions/board')
      await page.getByRole('button', { name: /Tyrone Dyer/ }).click()
      await page.getByRole('menuitem', { name: /^In review/ }).click()
      await page.getByText('Tyrone Dyer: moved to In review').first().waitFor()
      await until(async () => {
        const { body } = await tenant.api.get(`/admissions/applications/${application.id}`)
        return body.data.status === 'in_review'
      }, 'the move')
      await staff.open(`/admissions/applications/${application.id}`)
      await page.getByText('Birth certificate').first().waitFor()
      await staff.assertAccessible('an application')
      await staff.open('/admissions/requests')
      await staff.assertAccessible('requests')
    },
    traces: ['vault_document.updated', 'admission_application.status_changed'],
  },
  {
    who: 'an administrator',
    roles: ['System Manager'],
    run: async (staff) => {
      const { page } = staff
      const dialog = page.getByRole('dialog')
      await staff.open('/')
      await staff.open('/administration/users')
      await page.getByRole('button', { name: 'Invite…' }).click()
      await dialog.getByLabel('Full name').fill('Rosa Registrar')
      await dialog.getByLabel('E-mail address').fill('rosa@school.example')
      await dialog.getByLabel('Academics User').check()
      await dialog.getByRole('button', { name: 'Invite…' }).dblclick()
      await page.getByText('rosa@school.example was invited').waitFor()
      await staff.open('/administration/tokens')
      await page.getByRole('button', { name: 'New token…' }).click()
      await dialog.getByLabel('Purpose').fill('ERP sync')
      await dialog.getByLabel('students:read').check()
      await dialog.getByRole('button', { name: 'Create' }).click()
      await page.getByLabel('Save this secret now').last().waitFor()
      await page.keyboard.press('Escape')
      await staff.open('/administration/audit')
      await page.locator('.entries').first().waitFor()
      await staff.assertAccessible('the audit')
      await staff.open('/administration/state')
      await page.getByRole('heading', { name: /^Backups/ }).waitFor()
      await staff.open('/administration/settings')
      await staff.assertAccessible('settings')
    },
    traces: ['user.created', 'api_key.created'],
  },
]

for (const { who, roles, run, traces } of days) {
  for (const screen of ['desktop', 'phone'] as const) {
    test(`${who} works through a day without being refused anything, and leaves it in the audit, ${screen}`, {
      skip: withoutBrowser,
    }, async () => {
      const school = await aSchool()
      const staff = await aStaffMember(service, school.tenant, { roles, screen })
      await run(staff, school)
      const { data } = (await school.tenant.api.get('/audit?limit=100')).body
      const own = data.filter(({ actor }: { actor: { name: string } }) => actor.name === staff.email)
      const actions = new Set<string>(own.map(({ action }: { action: string }) => action))
      for (const trace of traces) {
        assert.ok(
          [...actions].some((action) => action.startsWith(trace)),
          `${trace} is missing of ${[...actions]}`,
        )
      }
      await staff.leave()
    })
  }
}
