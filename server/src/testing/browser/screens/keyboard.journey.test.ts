import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDocumentTypeId, anApplication, aStudent, pdf } from '../../fixtures/factories.ts'
import { openPageClient, type PageClientOptions, withoutBrowser } from '../../fixtures/page-client.ts'
import { seedTenant } from '../../fixtures/seeded-tenant.ts'
import { startTestService } from '../../fixtures/test-service.ts'
import { holdStudent } from '../../fixtures/waiting.ts'
import { aStaffMember, type StaffMember } from '../console-staff.ts'
import { getKeyboard, type Keyboard } from '../keyboard.ts'

const service = await startTestService()
const { tenant, resourceClient } = await seedTenant(service)
const inBrowser = { skip: withoutBrowser }
const patient = { timeout: 240_000 }

/** Tests what somebody does who has keys and no pointer, on a desk and on a phone. */
function byKeys(
  rule: string,
  roles: readonly string[],
  cursorWalk: (staff: StaffMember, keys: Keyboard, screen: NonNullable<PageClientOptions['screen']>) => Promise<void>,
): void {
  for (const screen of ['desktop', 'phone'] as const) {
    test(`${rule}, by keyboard alone, ${screen}`, inBrowser, async () => {
      const staff = await aStaffMember(service, tenant, { roles, screen })
      await cursorWalk(staff, getKeyboard(staff.page), screen)
      await staff.leave()
    })
  }
}

byKeys(
  'what two change in different fields is merged, and of the same field it is asked',
  ['System Manager'],
  async (staff, { press, type, tabTo }, screen) => {
    const { page } = staff
    const { studentCode: name } = await aStudent(tenant.api, { fullName: `Merged On ${screen}` })
    await staff.open(`/records/student/named/${name}`)
    await tabTo(/^City$/)
    await type('Lima')
    assert.equal((await resourceClient.update('Student', name, { nationality: 'Peruvian' })).error, null)
    await press('Control+s')
    await page.getByText('Saved and merged with changes by another user').waitFor()
    const merged = (await resourceClient.read('Student', name)).data
    assert.deepEqual([merged.city, merged.nationality], ['Lima', 'Peruvian'])
    // A form in which nothing was typed would show it by itself, and there would be nothing to ask.
    await press('Control+a')
    await type('Puno')
    assert.equal((await resourceClient.update('Student', name, { city: 'Cusco' })).error, null)
    await press('Control+s')
    await page.getByRole('heading', { name: 'Someone else changed this record' }).waitFor()
    await tabTo(/^Keep yours: Puno$/)
    await press('ArrowDown')
    assert.ok(await page.getByLabel('Keep theirs: Cusco').isChecked())
    await press('ArrowUp')
    await tabTo(/^Save selected values$/)
    await press('Enter')
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' })
    assert.equal((await resourceClient.read('Student', name)).data.city, 'Puno')
    assert.match(staff.refusedCalls().join('\n'), /^417 PUT \S+\n417 PUT \S+$/)
  },
)

byKeys(
  'families are asked in their language, one hands in, one is reminded and its request revoked',
  ['Admissions Officer'],
  async (staff, { press, type, tabTo }, screen) => {
    const { page } = staff
    const [one, other] = [`Nora Of ${screen}`, `Otto Of ${screen}`]
    await aDocumentTypeId(tenant.api, 'birth_certificate')
    await anApplication(tenant.api, { fullName: one, email: 'nora@example.org' })
    const { id } = await anApplication(tenant.api, { fullName: other, email: 'otto@example.org' })
    await staff.open('/admissions/requests')
    await tabTo(/^Request documents…$/)
    await press('Enter')
    for (const name of [one, other]) {
      await page.getByLabel('Add by name').waitFor()
      await tabTo(/^Add by name$/)
      await type(name)
      await page.getByRole('option', { name: new RegExp(name) }).waitFor()
      await press('ArrowDown', 'Enter')
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
    }
    await tabTo(/missing/)
    await press('ArrowDown')
    await tabTo(/^Birth certificate$/)
    await press('Space')
    await tabTo(/^E-mail language$/)
    await type('Spanish')
    await tabTo(/^Preview recipients$/)
    await press('Enter')
    await page.getByText('E-mails are sent in Spanish.').waitFor()
    // The address of a family's page is told once, to whoever asked.
    const reported = page.waitForResponse(async (response) => {
      const isAsked = response.request().method() === 'POST' && response.url().endsWith('/vault/requests')
      return isAsked && (await response.json()).data.entityId === id
    })
    await tabTo(/^Send 2 requests$/)
    await press('Enter')
    await page.getByText('2 of 2 requests sent').waitFor()
    const { publicUrl } = (await (await reported).json()).data
    await tabTo(/^View requests$/)
    await press('Enter')
    const card = page.locator('.cards-of-requests > li', { hasText: other })
    await card.getByText('Missing', { exact: true }).waitFor()
    const family = await openPageClient(service.address, { screen: 'phone', locale: 'es-MX' })
    await family.page.goto(publicUrl.replace('https://matricula.example', service.address))
    const certificate = { name: 'certificate.pdf', mimeType: 'application/pdf', buffer: pdf }
    await family.page.locator('input[type=file]').first().setInputFiles(certificate)
    await card.getByText('Received', { exact: true }).waitFor()
    await family.leave()
    await tabTo(new RegExp(`^Send reminder.*${one}`))
    await press('Enter')
    await page
      .getByText(/reminder sent/)
      .first()
      .waitFor()
    await tabTo(new RegExp(`^Revoke.*${one}`))
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(/^Reason \(visible to staff only\)$/)
    await type('On paper.')
    await tabTo(/^Revoke…$/)
    await press('Enter')
    await page.locator('.cards-of-requests > li', { hasText: one }).getByText('Revoked', { exact: true }).waitFor()
  },
)

byKeys(
  'all that match a filter are changed together, stopped in the middle and put back',
  ['Academics User'],
  async (staff, { press, type, tabTo }, screen) => {
    const { page } = staff
    const city = `Town of ${screen}`
    const items = Array.from({ length: 300 }, (_, index) => ({
      externalId: `${city} ${index}`,
      fullName: `${city} ${index}`,
      city,
    }))
    assert.equal((await tenant.api.post('/students/batch', { items })).status, 200)
    const of = async (state: string) => {
      const filters = JSON.stringify([
        ['city', '=', city],
        ['state', '=', state],
      ])
      return (await resourceClient.list('Student', { filters, limit_page_length: '0' })).data.length
    }
    await staff.open(`/records/student?f=${encodeURIComponent(`city:eq:${city}`)}`)
    await page.getByText('300 records', { exact: true }).waitFor()
    const begin = async (state: string) => {
      await tabTo(screen === 'phone' ? /^Select / : /^Select all on this page$/)
      await press('Space')
      await tabTo(/^Select all 300$/)
      await press('Enter')
      await page.getByText('300 selected', { exact: true }).waitFor()
      await tabTo(/^Change…$/)
      await press('Enter')
      await page.getByRole('dialog').waitFor()
      await tabTo(/^Field$/)
      await type('State')
      await tabTo(/^Value$/)
      await type(state)
      await press('Enter')
      await page.getByText('300 records will change.').waitFor()
      await tabTo(/^Change 300 records$/)
      await press('Enter')
    }
    await begin('Red')
    await page.getByText('300 records changed').waitFor(patient)
    assert.equal(await of('Red'), 300)
    await tabTo(/^Undo all$/)
    await press('Enter')
    await page.getByText('300 records restored').waitFor(patient)
    assert.equal(await of('Red'), 0)
    // So that it is not over before somebody has gone to the button.
    const letGo = await holdStudent(service.database, tenant.id, `${city} 200`)
    await begin('Blue')
    await tabTo(/^Stop$/)
    await press('Enter')
    await page.getByText(/^Stopped\. /).waitFor(patient)
    await letGo()
    assert.ok((await of('Blue')) < 300, 'it was stopped before it was over')
  },
)

byKeys(
  'whoever has a role is led to nothing else, and logs in again over a form without losing what was typed',
  ['Academics User'],
  async (staff, { press, type, tabTo }, screen) => {
    const { page } = staff
    const { studentCode: name } = await aStudent(tenant.api, { fullName: `Kept On ${screen}` })
    const find = async (words: string) => {
      await press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
      await type(words)
    }
    await staff.open('/')
    await find('mode of payment')
    await page.getByText('No results. Try another part of the name.').waitFor()
    await press('Escape')
    await find(`kept ${screen}`)
    await page.getByRole('option', { name: new RegExp(`Kept On ${screen}`) }).waitFor()
    await press('Enter')
    await page.getByRole('heading', { level: 1, name: `Kept On ${screen}` }).waitFor()
    await tabTo(/^Full record$/)
    await press('Enter')
    await page.getByLabel('City').waitFor()
    await tabTo(/^City$/)
    await type('Quito')
    await staff.untilRead()
    // As an administrator ends it.
    await service.database.inspectAt(
      tenant.id,
      `delete from sessions where tenant_id = $1 and user_id = (select id from users where tenant_id = $1 and email = $2)`,
      [tenant.id, staff.email],
    )
    await press('Control+s')
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await tabTo(/^Password$/)
    await type(staff.password)
    await press('Enter')
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await resourceClient.read('Student', name)).data.city, 'Quito')
    assert.ok(staff.refusedCalls().every((call) => /^40[13] /.test(call)))
    const [audit] = await service.database.inspectAt<{ actor_name: string }>(
      tenant.id,
      `select actor_name from audit_entries where tenant_id = $1 and action = 'student.updated' order by occurred_at desc limit 1`,
      [tenant.id],
    )
    assert.equal(audit?.actor_name, staff.email)
  },
)
