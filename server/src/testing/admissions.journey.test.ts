import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCampus } from './campus.ts'
import { aStaffMember } from './console-staff.ts'
import { aDocument, anApplication, aProfile, aStudent } from './factories.ts'
import { startTestService } from './test-service.ts'
import { withoutBrowser } from './visitor.ts'

const service = await startTestService()
const { tenant, desk, program, year } = await aCampus(service)
const inBrowser = { skip: withoutBrowser }
const read = async (id: string) => (await tenant.api.get(`/admissions/applications/${id}`)).body.data

test(
  'an application is made by hand once, however often it is sent, and a guardian who is known is offered and taken',
  inBrowser,
  async () => {
    const earlier = await anApplication(tenant.api, {
      fullName: 'Elder Dyer',
      contacts: [{ displayName: 'Carmen Dyer', email: 'carmen@example.org', role: 'family' }],
    })
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'] })
    const { page } = staff
    await staff.open('/admissions/board')
    await page.getByRole('button', { name: 'New application' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Given names').fill('Tyrone')
    await page.getByLabel('Family names').fill('Dyer')
    await staff.assertAccessible('new application')
    // The first answer is lost on its way; the person sends it again.
    await page.route(
      '**/console/v1/admissions/applications',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await page.keyboard.press('Enter')
    await page.getByText('The service cannot be reached.').waitFor()
    await page.getByLabel('Family names').press('Enter')
    await page.waitForURL('**/admissions/applications/*')
    await page.getByRole('heading', { level: 1, name: 'Tyrone Dyer' }).waitFor()
    const found = await tenant.api.get('/admissions/applications?search=Tyrone')
    assert.equal(found.body.data.length, 1)
    await page.getByRole('button', { name: 'Add contact' }).click()
    await page.getByRole('dialog').getByLabel('Name *').fill('carmen dy')
    await page.getByRole('button', { name: 'Take Carmen Dyer' }).waitFor()
    await staff.assertAccessible('a contact who is known')
    await page.getByRole('button', { name: 'Take Carmen Dyer' }).click()
    await page.getByText('Contact added').waitFor()
    const { contacts } = await read(found.body.data[0].id)
    assert.deepEqual(
      contacts.map(({ contactId }: { contactId: string }) => contactId),
      [earlier.contacts[0]?.contactId],
    )
    await staff.leave()
  },
)

test(
  'an application shows what it is decided by, and is moved with a note; a gate names what it lacks',
  inBrowser,
  async () => {
    await aProfile(service, tenant, 'application', [{ key: 'birth_certificate' }])
    await service.database.inspect(
      "update pipeline_statuses set requires_complete = true where tenant_id = $1 and category = 'accepted'",
      [tenant.id],
    )
    const one = await anApplication(tenant.api, { fullName: 'Zoë Decided', phone: '555 0101' })
    const paper = await aDocument(service, tenant.api, { entityType: 'application', entityId: one.id })
    for (const screen of ['desktop', 'phone'] as const) {
      const staff = await aStaffMember(service, tenant, {
        roles: ['Admissions Officer'],
        screen,
        dark: screen === 'phone',
      })
      const { page } = staff
      await staff.open(`/admissions/applications/${one.id}?status=${(await read(one.id)).status}`)
      await page.getByRole('heading', { level: 1, name: 'Zoë Decided' }).waitFor()
      await page.getByText('Birth certificate').first().waitFor()
      await page.getByText('Applied', { exact: true }).waitFor()
      await page.locator('option', { hasText: 'Missing: ' }).first().waitFor({ state: 'attached' })
      await staff.assertAccessible('application')
      await staff.picture(`console-application-${screen}`)
      const target = page.locator('#move-to option:not([disabled]):not([value=""])').first()
      const status = (await target.getAttribute('value')) ?? ''
      await page.getByLabel('Move to').selectOption(status)
      await page.getByLabel('Note').first().fill(`<b>Seen</b> on the ${screen}`)
      await page.getByRole('button', { name: 'Decide' }).click()
      await page
        .getByRole('region', { name: 'Notices' })
        .getByText(/^Moved to/)
        .waitFor()
      await page
        .getByRole('listitem')
        .filter({ hasText: `<b>Seen</b> on the ${screen}` })
        .waitFor()
      assert.equal((await read(one.id)).status, status)
      await staff.leave()
    }
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'], locale: 'es-MX' })
    await staff.open(`/admissions/applications/${one.id}`)
    const { page } = staff
    await page.getByText('Entregado', { exact: true }).first().waitFor()
    // What is done elsewhere appears by itself.
    const judged = await tenant.api.patch(`/vault/documents/${paper.id}`, { status: 'approved' })
    assert.equal(judged.status, 200, judged.text)
    await page.getByText('Aprobado', { exact: true }).waitFor()
    await page.getByText('Completo', { exact: true }).waitFor()
    await staff.leave()
  },
)

test(
  'whoever is enrolled is offered as a student who is there already first, and what came of it is shown',
  inBrowser,
  async () => {
    const known = await aStudent(tenant.api, { fullName: 'Mary Somerville' })
    const { name } = await desk.make('Student Applicant', {
      first_name: 'Mary',
      last_name: 'Somerville',
      program,
      academic_year: year,
    })
    const found = await tenant.api.get(`/admissions/applications?search=${name}`)
    const { id } = found.body.data[0]
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    await staff.open(`/admissions/applications/${id}`)
    // Nobody is made before it was looked who is there.
    await page.route('**/console/v1/search?**', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.getByRole('button', { name: 'Enrol…' }).click()
    const again = page.getByRole('dialog').getByRole('button', { name: 'Try again' })
    await again.waitFor()
    assert.equal(await page.getByRole('button', { name: 'Make a new student' }).count(), 0)
    await page.unroute('**/console/v1/search?**')
    staff.refusedCalls()
    await again.click()
    await page.getByRole('button', { name: 'It is Mary Somerville' }).waitFor()
    await staff.assertAccessible('enrolling')
    await staff.picture('console-enrol-desktop')
    await page.getByRole('button', { name: 'Make a new student' }).dblclick()
    await page.getByRole('region', { name: 'Notices' }).getByText('Enrolled', { exact: true }).waitFor()
    await page.getByRole('link', { name: /^Student profile/ }).waitFor()
    await page.getByText('No fees yet.', { exact: false }).waitFor()
    const { studentId } = await read(id)
    assert.notEqual(studentId, known.id)
    const students = await tenant.api.get('/students?search=Somerville')
    assert.equal(students.body.data.length, 2)
    await staff.leave()
  },
)
