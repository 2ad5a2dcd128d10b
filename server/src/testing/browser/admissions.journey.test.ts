import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDocument, anApplication, aPerson, aProfile, aStudent, pdf } from '../fixtures/factories.ts'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { seedTenant } from '../fixtures/seeded-tenant.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'
import { getKeyboard } from './keyboard.ts'

const service = await startTestService()
const { tenant, resourceClient, program, year } = await seedTenant(service)
const inBrowser = { skip: withoutBrowser }
const read = async (id: string) => (await tenant.api.get(`/admissions/applications/${id}`)).body.data

test(
  'by keyboard alone an application is made once, however often it is sent, and a guardian who is known is offered and taken',
  inBrowser,
  async () => {
    const earlier = await anApplication(tenant.api, {
      fullName: 'Elder Dyer',
      contacts: [{ displayName: 'Carmen Dyer', email: 'carmen@example.org', role: 'family' }],
    })
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'] })
    const { page } = staff
    await staff.open('/admissions/board')
    const { press, tabTo, type } = getKeyboard(page)
    await page.getByRole('button', { name: 'New application' }).waitFor()
    await tabTo(/^New application$/)
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(/^Given names/)
    await type('Tyrone')
    await tabTo(/^Family names/)
    await type('Dyer')
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
    await press('Enter')
    await page.getByText('The service cannot be reached.').waitFor()
    await press('Enter')
    await page.waitForURL('**/admissions/applications/*')
    await page.getByRole('heading', { level: 1, name: 'Tyrone Dyer' }).waitFor()
    const found = await tenant.api.get('/admissions/applications?search=Tyrone')
    assert.equal(found.body.data.length, 1)
    await page.getByRole('button', { name: 'Add contact' }).waitFor()
    await tabTo(/^Add contact$/)
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(/^Name/)
    await type('carmen dy')
    await page.getByRole('button', { name: 'Use Carmen Dyer' }).waitFor()
    await staff.assertAccessible('a contact who is known')
    await tabTo(/^Use Carmen Dyer$/)
    await press('Enter')
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
    await anApplication(tenant.api, { fullName: 'Abe Next' })
    const document = await aDocument(service, tenant.api, { entityType: 'application', entityId: one.id })
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
      await page.getByText('Applied on', { exact: true }).waitFor()
      await page.locator('option', { hasText: 'Missing: ' }).first().waitFor({ state: 'attached' })
      await staff.assertAccessible('application')
      await staff.picture(`console-application-${screen}`)
      const target = page.locator('#move-to option:not([disabled]):not([value=""])').first()
      const status = (await target.getAttribute('value')) ?? ''
      await page.getByLabel('New status').selectOption(status)
      await page.getByLabel('Note').first().fill(`<b>Seen</b> on the ${screen}`)
      await page.getByRole('button', { name: 'Change status' }).click()
      await page
        .getByRole('region', { name: 'Notifications' })
        .getByText(/^Status changed to/)
        .waitFor()
      await page
        .getByRole('listitem')
        .filter({ hasText: `<b>Seen</b> on the ${screen}` })
        .waitFor()
      assert.equal((await read(one.id)).status, status)
      if (screen === 'desktop') {
        // Whoever was decided keeps a place, from which one goes on.
        await page.keyboard.press('j')
        await page.getByRole('heading', { level: 1, name: 'Abe Next' }).waitFor()
      }
      await staff.leave()
    }
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'], locale: 'es-MX' })
    const { page } = staff
    const hear = await staff.deafen()
    await staff.open(`/admissions/applications/${one.id}`)
    await page.getByText('Recibido', { exact: true }).first().waitFor()
    // What is done elsewhere appears by itself, also what is done after the page was read and before it listens.
    const judged = await tenant.api.patch(`/vault/documents/${document.id}`, { status: 'approved' })
    assert.equal(judged.status, 200, judged.text)
    hear()
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
    const { name } = await resourceClient.make('Student Applicant', {
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
    assert.equal(await page.getByRole('button', { name: 'Create student' }).count(), 0)
    await page.unroute('**/console/v1/search?**')
    staff.refusedCalls()
    await again.click()
    await page.getByRole('button', { name: 'Use Mary Somerville' }).waitFor()
    await staff.assertAccessible('enrolling')
    await staff.picture('console-enrol-desktop')
    await page.getByRole('button', { name: 'Create student' }).dblclick()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Enrolled', { exact: true }).waitFor()
    await page.getByRole('link', { name: /^Student profile/ }).waitFor()
    await page.getByText('No fees yet.', { exact: false }).waitFor()
    const { studentId } = await read(id)
    assert.notEqual(studentId, known.id)
    const students = await tenant.api.get('/students?search=Somerville')
    assert.equal(students.body.data.length, 2)
    await staff.leave()
  },
)

test(
  'a card that is moved to Enrolled leads to what is missing for it; every fact, contact and document is corrected in place',
  inBrowser,
  async () => {
    const application = await anApplication(tenant.api, {
      fullName: 'Emmy Noether',
      contacts: [{ displayName: 'Max Noether', email: 'max@example.org', role: 'family' }],
    })
    await aProfile(service, tenant, 'application', [{ key: 'birth_certificate' }])
    await service.database.inspect('update pipeline_statuses set requires_complete = false where tenant_id = $1', [
      tenant.id,
    ])
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    const dialog = page.getByRole('dialog')
    await staff.open('/admissions/board')
    await page.getByLabel('Search applicants').fill('noether')
    await page.waitForURL('**/admissions/board?search=noether')
    await page.getByRole('region', { name: 'New' }).getByText('1', { exact: true }).waitFor()
    await page.getByRole('button', { name: /Emmy Noether/ }).click()
    await page.getByRole('menuitem', { name: /^Enrolled/ }).click()
    await page.waitForURL('**/admissions/applications/*enrol=1')
    await dialog.getByText('Missing: Birth certificate').waitFor()
    await dialog.getByRole('button', { name: 'Create student' }).click()
    // Program and year are missing, and told at their fields.
    await dialog.locator('#field-program-fault').waitFor()
    await dialog.locator('#field-academic_year-fault').waitFor()
    await staff.assertAccessible('what is missing to enrol')
    await staff.picture('console-enrol-missing-desktop')
    assert.deepEqual([(await read(application.id)).status, (await read(application.id)).studentId], ['new', null])
    const said = await tenant.api.patch(`/admissions/applications/${application.id}`, { program, academicYear: year })
    assert.equal(said.status, 200, said.text)
    await staff.open(`/admissions/applications/${application.id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.getByLabel('Date of Birth').fill('2012-03-23')
    await staff.assertAccessible('editing an applicant')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Mar 23, 2012').waitFor()

    await page.getByRole('button', { name: 'Edit Max Noether' }).click()
    await dialog.getByLabel(/^Relationship/).fill('Father')
    await staff.assertAccessible('editing a contact')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Father', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Edit Max Noether' }).click()
    await dialog.getByRole('button', { name: 'Remove from application' }).click()
    await page.getByText('No contacts yet.', { exact: false }).waitFor()
    assert.deepEqual((await read(application.id)).contacts, [])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Max Noether').first().waitFor()
    assert.equal((await read(application.id)).contacts[0].relationshipLabel, 'Father')

    await page.getByRole('button', { name: 'Record a document' }).click()
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'birth.pdf', mimeType: 'application/pdf', buffer: pdf })
    await staff.assertAccessible('a document that is brought')
    await dialog.getByRole('button', { name: 'Record a document' }).click()
    await page.getByText('Document recorded').waitFor()
    await page.getByText('Complete', { exact: true }).first().waitFor()
    const { data } = (await tenant.api.get(`/vault/documents?applicationId=${application.id}`)).body
    assert.deepEqual(
      data.map(({ status }: { status: string }) => status),
      ['approved'],
    )
    // A person cannot say by the operation that somebody is enrolled who is no student.
    const { caller } = await aPerson(service, tenant)
    const moved = await caller.send('PATCH', `/console/v1/admissions/applications/${application.id}`, {
      status: 'enrolled',
    })
    assert.deepEqual([moved.status, moved.body.code], [409, 'transition_not_allowed'])
    await staff.picture('console-application-whole-desktop')
    await staff.leave()
  },
)

test(
  'by keyboard alone an applicant is accepted and enrolled, the enrolment made official, and the profile shows the fees of it',
  inBrowser,
  async () => {
    await resourceClient.create('Fee Category', { category_name: 'Tuition' })
    const components = [{ fees_category: 'Tuition', amount: 1200.5 }]
    const structure = await resourceClient.make('Fee Structure', {
      academic_year: year,
      program,
      company: tenant.name,
      components,
      docstatus: 1,
    })
    const { name } = await resourceClient.make('Student Applicant', {
      first_name: 'Caroline',
      last_name: 'Herschel',
      program,
      academic_year: year,
    })
    const [{ id }] = (await tenant.api.get(`/admissions/applications?search=${name}`)).body.data
    await service.database.inspect('update pipeline_statuses set requires_complete = false where tenant_id = $1', [
      tenant.id,
    ])
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    const { press, tabTo, type } = getKeyboard(page)
    const notices = page.getByRole('region', { name: 'Notifications' })
    await staff.open(`/admissions/applications/${id}`)
    await page.locator('#move-to option', { hasText: 'Accepted' }).waitFor({ state: 'attached' })
    await tabTo(/^New status/)
    await type('Acc')
    await tabTo(/^Note$/)
    await type('A place is free.')
    await tabTo(/^Change status$/)
    await press('Enter')
    await notices.getByText('Status changed to Accepted').waitFor()
    assert.equal((await read(id)).status, 'accepted')
    await tabTo(/^Enrol…$/)
    await press('Enter')
    await page.getByRole('button', { name: 'Create student' }).waitFor()
    await tabTo(/^Create student$/)
    await press('Enter')
    await notices.getByText('Enrolled', { exact: true }).waitFor()
    await page.getByRole('link', { name: /^Student profile/ }).waitFor()
    const [enrolment] = (await resourceClient.list('Program Enrollment', { order_by: 'creation desc' })).data
    await tabTo(new RegExp(`^${enrolment.name}$`))
    await press('Enter')
    await page.getByRole('button', { name: 'Submit', exact: true }).waitFor()
    await tabTo(/^Add row: Fees$/)
    await press('Enter')
    await tabTo(/^Fee Structure, 1$/)
    await type(structure.name)
    await page.getByRole('option', { name: new RegExp(structure.name) }).waitFor()
    await press('ArrowDown', 'Enter', 'Control+s')
    await page.getByRole('button', { name: 'Submit', exact: true }).waitFor()
    await tabTo(/^Submit$/)
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(/^Submit$/)
    await press('Enter')
    await page.getByText('Submitted', { exact: true }).first().waitFor()
    const { studentId } = await read(id)
    const { studentCode } = (await tenant.api.get(`/students/${studentId}`)).body.data
    await staff.open(`/students/${studentCode}`)
    await page.getByText('1,200.50').first().waitFor()
    await page.getByRole('region', { name: 'Enrolments' }).getByRole('link', { name: program }).first().waitFor()
    await staff.assertAccessible('the profile of whoever was enrolled')
    await staff.open(`/admissions/applications/${id}`)
    await page.getByText('1200.5').first().waitFor()
    const fees = (
      await resourceClient.list('Fees', {
        filters: JSON.stringify([['student', '=', studentCode]]),
        fields: '["docstatus","grand_total"]',
      })
    ).data
    assert.deepEqual(
      fees.map(({ docstatus, grand_total }: Record<string, unknown>) => [docstatus, Number(grand_total)]),
      [[1, 1200.5]],
    )
    const made = await service.database.inspect('select 1 from events where tenant_id = $1 and type = $2', [
      tenant.id,
      'student.created',
    ])
    assert.ok(made.length > 0)
    await staff.leave()
  },
)

test(
  'a guardian who was two people is split on the record, once however often it is sent, by those alone who may',
  inBrowser,
  async () => {
    const contact = { displayName: 'Ana Lopez', email: 'ana.lopez@example.org', role: 'family' }
    const first = await anApplication(tenant.api, { fullName: 'Child of Ana', contacts: [contact] })
    const contactId = first.contacts[0]?.contactId as string
    const { data: known } = await resourceClient.list('Guardian', {
      filters: JSON.stringify({ email_address: 'ana.lopez@example.org' }),
      fields: '["name"]',
    })
    const guardian = known[0].name as string
    assert.equal((await resourceClient.update('Guardian', guardian, { guardian_name: 'Luis Perez' })).error, null)
    await anApplication(tenant.api, { fullName: 'Child of Luis', contacts: [{ contactId, role: 'family' }] })
    const path = `/records/guardian/named/${guardian}`
    for (const screen of ['desktop', 'phone'] as const) {
      const staff = await aStaffMember(service, tenant, { screen })
      const { page } = staff
      await staff.open(path)
      await page.getByRole('button', { name: 'More', exact: true }).first().click()
      await page.getByRole('menuitem', { name: 'Split into two people…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Split Luis Perez' })
      await dialog.getByLabel(/Child of Ana/).waitFor()
      assert.equal(await dialog.getByLabel(/Child of Ana/).isChecked(), true)
      assert.equal(await dialog.getByLabel(/Child of Luis/).isChecked(), false)
      assert.equal(await dialog.getByLabel('Name of the other person').inputValue(), 'Ana Lopez')
      await staff.assertAccessible(`split, ${screen}`)
      await staff.picture(`console-split-${screen}`)
      if (screen === 'desktop') {
        await dialog.getByLabel(/Child of Ana/).uncheck()
        await dialog.getByRole('button', { name: 'Split record' }).click()
        await dialog.getByText('Choose at least one link.').waitFor()
      } else {
        await dialog.getByRole('checkbox', { name: /Child of Ana/ }).check()
        // The first answer is lost on its way; the person sends it again.
        await page.route(
          '**/split',
          async (route) => {
            await route.fetch()
            await route.abort()
          },
          { times: 1 },
        )
        await dialog.getByRole('button', { name: 'Split record' }).click()
        await dialog.getByText('The service cannot be reached.').waitFor()
        await dialog.getByRole('button', { name: 'Split record' }).click()
        await page.getByRole('heading', { level: 1, name: 'Ana Lopez' }).waitFor()
      }
      await staff.leave()
    }
    assert.notEqual((await read(first.id)).contacts[0].contactId, contactId)
    const { data: made } = await resourceClient.list('Guardian', {
      filters: JSON.stringify({ guardian_name: 'Ana Lopez' }),
    })
    assert.equal(made.length, 1)
    const officer = await aStaffMember(service, tenant, { roles: ['Admissions Officer'] })
    await officer.open(path)
    await officer.page.getByRole('button', { name: 'More', exact: true }).first().click()
    await officer.page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
    assert.equal(await officer.page.getByRole('menuitem', { name: /^Split/ }).count(), 0)
    await officer.leave()
  },
)
