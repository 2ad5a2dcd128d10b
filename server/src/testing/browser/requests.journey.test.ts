import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  aDocumentTypeId,
  anApplication,
  aProfile,
  aRequest,
  aStudent,
  copiesOfApplication,
  pdf,
} from '../fixtures/factories.ts'
import { openPageClient, withoutBrowser } from '../fixtures/page-client.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'
import { getKeyboard } from './keyboard.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

test(
  'three hundred whom a list’s filter finds are asked, those that failed again, on after the page was closed, each once',
  inBrowser,
  async () => {
    const tenant = await service.tenant()
    await aProfile(service, tenant, 'application', [{ key: 'birth_certificate' }])
    const made = Array.from({ length: 300 }, (_, index) => index)
    for (let first = 0; first < made.length; first += 10) {
      await Promise.all(
        made
          .slice(first, first + 10)
          .map((index) => anApplication(tenant.api, { givenNames: `Child ${index}`, familyNames: 'Quispe' })),
      )
    }
    await anApplication(tenant.api, { givenNames: 'Other', familyNames: 'Mamani' })
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'] })
    const { page } = staff
    await staff.open('/records/student-applicant?f=last_name%3Aeq%3AQuispe')
    await page.getByText('300 records', { exact: true }).waitFor()
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('button', { name: /300/ }).click()
    await page.getByRole('link', { name: 'Request documents…' }).click()
    await page.getByText('300 people', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Preview recipients' }).click()
    // One answer is lost, one call never arrives, and a later one finds the page closed.
    let calls = 0
    let isHeld = false
    await page.route('**/console/v1/vault/requests', async (route) => {
      calls += 1
      if (calls === 3) await route.fetch()
      if (calls === 3 || calls === 5) return route.abort()
      if (calls !== 20) return route.continue()
      isHeld = true
    })
    await page.getByRole('button', { name: 'Send 300 requests' }).click()
    await until(
      async () => isHeld,
      () => 'twenty calls',
    )
    await page.unroute('**/console/v1/vault/requests')
    await page.reload()
    await page.getByText(/^Sending 300 requests was interrupted/).waitFor()
    await staff.assertAccessible('asking that was interrupted')
    await page.getByRole('button', { name: 'Resume' }).click()
    let again = 0
    await page.route('**/console/v1/vault/requests', (route) => {
      again += 1
      return again === 7 || again === 8 ? route.abort() : route.continue()
    })
    await page.getByRole('button', { name: 'Send 300 requests' }).click()
    await page.getByText('298 of 300 requests sent').waitFor({ timeout: 180_000 })
    await page.getByRole('button', { name: 'Retry 2' }).click()
    await page.getByText('300 of 300 requests sent').waitFor()
    const asked = new Set<string>()
    const { total } = (await tenant.api.get('/vault/requests?limit=100')).body.pagination
    for (const number of [1, 2, 3]) {
      const { data } = (await tenant.api.get(`/vault/requests?limit=100&page=${number}`)).body
      for (const { entityId } of data) asked.add(entityId)
    }
    assert.deepEqual([total, asked.size], [300, 300])
    await staff.open('/admissions/requests/new')
    await page.getByRole('button', { name: 'Preview recipients' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Resume' }).count(), 0)
    await staff.leave()
  },
)

test(
  'all of a status are asked by a job, that goes on when the page is closed, and who has no address is listed for links',
  inBrowser,
  async () => {
    const tenant = await service.tenant()
    await aProfile(service, tenant, 'application', [{ key: 'birth_certificate' }])
    const { id } = await anApplication(tenant.api, { fullName: 'Rosa Quispe', email: 'rosa@example.org' })
    await anApplication(tenant.api, { fullName: 'Ugo Unreached' })
    await copiesOfApplication(service, tenant, id, 304)
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'] })
    const { page } = staff
    await staff.open('/admissions/requests/new?status=new')
    await page.getByText('306 people', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Preview recipients' }).click()
    await page.getByText('305 requests will be e-mailed.').waitFor()
    await staff.assertAccessible('how many get what')
    await staff.picture('console-ask-many-desktop')
    await page.getByRole('button', { name: 'Send 305 requests' }).dblclick()
    await page.getByText('This continues if you close the page.').waitFor()
    await page.reload()
    await page.getByText('305 requests sent').waitFor({ timeout: 180_000 })
    await page.getByRole('button', { name: 'Show those without an e-mail address (1)' }).waitFor()
    await staff.assertAccessible('asked by a job')
    const { total } = (await tenant.api.get('/vault/requests?limit=1')).body.pagination
    assert.equal(total, 305)
    await staff.leave()
    const phone = await aStaffMember(service, tenant, { roles: ['Admissions Officer'], screen: 'phone' })
    await phone.open('/admissions/requests/new?status=new')
    await phone.page.getByRole('button', { name: 'Preview recipients' }).click()
    await phone.page.getByText('305 already requested, skipped.').waitFor()
    await phone.page.getByText('No requests will be e-mailed.').waitFor()
    await phone.assertAccessible('who is left')
    await phone.picture('console-ask-many-phone')
    await phone.page.getByRole('button', { name: 'Show those without an e-mail address (1)' }).click()
    await phone.page.getByRole('button', { name: 'Send 1 request' }).click()
    await phone.page.getByRole('button', { name: 'Copy link' }).waitFor()
    await phone.leave()
  },
)

test(
  'families are asked from a column and a card of the board, and from a list of students, by keyboard alone',
  inBrowser,
  async () => {
    const tenant = await service.tenant()
    await anApplication(tenant.api, { fullName: 'Nora Asked' })
    await anApplication(tenant.api, { fullName: 'Otto Asked' })
    await aStudent(tenant.api, { fullName: 'Ada Byron' })
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    const press = async (role: 'link' | 'button' | 'menuitem' | 'checkbox', name: string, key: string) => {
      await page.getByRole(role, { name, exact: true }).first().focus()
      await page.keyboard.press(key)
    }
    await staff.open('/admissions/board')
    await press('link', 'Request documents from all in New…', 'Enter')
    await page.getByText('2 people', { exact: true }).waitFor()
    await staff.open('/admissions/board')
    await press('button', 'Move Otto Asked to…', 'Enter')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByText('1 person', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove Otto Asked' }).waitFor()
    await staff.open('/records/student')
    await press('checkbox', 'Select all on this page', 'Space')
    await press('link', 'Request documents…', 'Enter')
    await page.getByRole('button', { name: 'Remove Ada Byron' }).waitFor()
    await staff.leave()
  },
)

test(
  'papers of a request are judged by keys alone, two never judge one, and the family’s page shows why one was rejected',
  inBrowser,
  async () => {
    const tenant = await service.tenant()
    const { id: entityId } = await anApplication(tenant.api, { fullName: 'Zoë Reviewed' })
    const documentTypeIds = [
      await aDocumentTypeId(tenant.api, 'birth_certificate'),
      await aDocumentTypeId(tenant.api, 'transcript'),
    ]
    const { publicUrl } = await aRequest(tenant.api, {
      entityType: 'application',
      entityId,
      documentTypeIds,
      locale: 'es',
    })
    const family = await openPageClient(service.address, { locale: 'es-MX' })
    const address = String(publicUrl).replace('https://matricula.example', service.address)
    for (const at of [0, 1]) {
      await family.page.goto(address)
      const fields = family.page.locator('input[type=file]')
      const file = { name: `paper-${at}.pdf`, mimeType: 'application/pdf', buffer: pdf }
      await (at === 0 ? fields.first() : fields.last()).setInputFiles(file)
      await until(
        async () => (await tenant.api.get('/vault/documents?limit=10')).body.data.length === at + 1,
        () => `${at + 1} papers`,
      )
    }
    const [first, second] = [
      await aStaffMember(service, tenant, { roles: ['Admissions Officer'] }),
      await aStaffMember(service, tenant, { roles: ['Admissions Officer'], screen: 'phone' }),
    ]
    const shown = ({ page }: typeof first) => page.getByRole('link', { name: /^Open: paper-\d\.pdf$/ }).innerText()
    const isClaimed = (response: { url(): string; request(): { method(): string }; ok(): boolean }) =>
      response.url().endsWith('/review-queue/claims') && response.request().method() === 'POST' && response.ok()
    const claimed = first.page.waitForResponse(isClaimed)
    await first.open('/admissions/review')
    await claimed
    const others = second.page.waitForResponse(isClaimed)
    await second.open('/admissions/review')
    await others
    assert.notEqual(await shown(first), await shown(second))
    const keys = getKeyboard(first.page)
    await keys.press('a')
    await first.page.getByText('Approved', { exact: true }).waitFor()
    await second.leave()
    // What somebody else looks at is free again as soon as it was left; until then nothing of it is judged here.
    await service.database.inspect('delete from review_claims where tenant_id = $1', [tenant.id])
    await first.open('/admissions/review')
    await first.page.getByText('1 waiting').waitFor()
    await keys.press('r')
    await first.page.getByRole('dialog').waitFor()
    await keys.tabTo(/^Falta una página\.$/)
    await keys.press('Enter')
    await keys.tabTo(/^Reject…$/)
    await keys.press('Enter')
    await first.page.getByRole('heading', { name: 'No documents to review' }).waitFor()
    // What the other one had was asked for, and refused, before it was read that it was taken.
    const rejected = first.refusedCalls().filter((call) => !/^409 POST .*\/review-queue\/claims$/.test(call))
    assert.deepEqual(rejected, [])
    await first.leave()
    await family.page.goto(address)
    await family.page.getByText('Falta una página.').first().waitFor()
    await family.leave()
  },
)

test('who was pointed at by keys is chosen, whatever else is found meanwhile', inBrowser, async () => {
  const tenant = await service.tenant()
  await anApplication(tenant.api, { fullName: 'Pina Soto' })
  await anApplication(tenant.api, { fullName: 'Pia Roca' })
  const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'] })
  const { page } = staff
  const { press, type } = getKeyboard(page)
  let letGo = () => {}
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/console/v1/search?*', async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: { title: string }[] }
    if (new URL(route.request().url()).searchParams.get('q') === 'Pia') await isLetGo
    await route.fulfill({ response, json: { data: data.sort((a, b) => b.title.localeCompare(a.title)) } })
  })
  await staff.open('/admissions/requests/new')
  await page.getByLabel('Add by name').focus()
  await type('Pi')
  await page.getByRole('option', { name: /Pina Soto/ }).waitFor()
  await type('a')
  await press('ArrowDown', 'ArrowDown')
  await page.getByRole('option', { name: /Pia Roca/, selected: true }).waitFor()
  letGo()
  await page.getByRole('option', { name: /Pina Soto/ }).waitFor({ state: 'detached' })
  await press('Enter')
  await page.getByRole('button', { name: 'Remove Pia Roca' }).waitFor()
  await staff.leave()
})
