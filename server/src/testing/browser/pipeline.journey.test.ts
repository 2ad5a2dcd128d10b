import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApplication, aProfile } from '../fixtures/factories.ts'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

/** An institution whose pipeline leads from new to being reviewed or accepted, and there with all papers only. */
async function aPipeline() {
  const tenant = await service.tenant()
  await aProfile(service, tenant, 'application', [{ key: 'birth_certificate' }])
  await service.database.inspect(
    `update pipeline_statuses
        set requires_complete = (key = 'accepted'),
            allowed_next = case key when 'new' then '{in_review,accepted}'::text[] when 'in_review' then '{new}' end
      where tenant_id = $1`,
    [tenant.id],
  )
  const loadStatus = async (id: string) => (await tenant.api.get(`/admissions/applications/${id}`)).body.data.status
  const becomes = (id: string, status: string) =>
    until(
      async () => (await loadStatus(id)) === status,
      () => `an application in ${status}`,
    )
  return { tenant, statusOf: loadStatus, becomes }
}

test(
  'a card is picked up, carried and dropped by keys alone, which is told as it goes; what forbids a move is told by name',
  inBrowser,
  async () => {
    const { tenant, statusOf, becomes } = await aPipeline()
    const { id } = await anApplication(tenant.api, { fullName: 'Tyrone Dyer' })
    await anApplication(tenant.api, { fullName: 'Zoë Second' })
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'] })
    const { page } = staff
    const { keyboard } = page
    const told = (text: string | RegExp) => page.locator('main [role=status]').filter({ hasText: text }).waitFor()
    const noticed = (text: string | RegExp) =>
      page.getByRole('region', { name: 'Notifications' }).getByText(text).first().waitFor()
    const hasFocus = (name: string) =>
      until(
        async () => (await page.evaluate('document.activeElement.textContent')) === name,
        () => `the focus on ${name}`,
      )
    await staff.open('/admissions/board')
    await page.getByRole('link', { name: 'Tyrone Dyer' }).waitFor()
    // From the top of the page to the card, by Tab alone.
    await until(
      async () => {
        await keyboard.press('Tab')
        return (await page.evaluate('document.activeElement.textContent')) === 'Tyrone Dyer'
      },
      () => 'the card by Tab',
    )
    await keyboard.press('ArrowDown')
    await hasFocus('Zoë Second')
    await keyboard.press('ArrowUp')
    await keyboard.press('Space')
    await told('Tyrone Dyer picked up from New.')
    await keyboard.press('ArrowRight')
    await told(/^In review, 2 of \d+\. Press Space to drop\.$/)
    await staff.assertAccessible('a card that is carried')
    await staff.picture('console-board-carried')
    await keyboard.press('Escape')
    await told('Cancelled. Tyrone Dyer stays in New.')
    assert.equal(await statusOf(id), 'new')
    await keyboard.press('Space')
    await keyboard.press('ArrowRight')
    await keyboard.press('Space')
    await noticed('Tyrone Dyer: moved to In review')
    await becomes(id, 'in_review')
    await hasFocus('Tyrone Dyer')
    // Back again, and on to where papers are asked for, which are told by name.
    await keyboard.press('Space')
    await keyboard.press('ArrowLeft')
    await keyboard.press('Space')
    await noticed('Tyrone Dyer: moved to New')
    await becomes(id, 'new')
    await hasFocus('Tyrone Dyer')
    await page.getByRole('region', { name: 'New' }).getByRole('link', { name: 'Tyrone Dyer' }).waitFor()
    await keyboard.press('Space')
    const columns = await page.locator('.column h2').allInnerTexts()
    const carry = async (label: string) => {
      const steps = columns.findIndex((text) => text.startsWith(label))
      for (let step = 0; step < steps; step += 1) await keyboard.press('ArrowRight')
    }
    await carry('Accepted')
    await told(/0 of 1 documents/)
    await keyboard.press('Space')
    await noticed('Tyrone Dyer cannot be moved to Accepted. Missing: Birth certificate')
    await keyboard.press('Space')
    await carry('Rejected')
    await told('Rejected: from New you can move to: In review, Accepted')
    await keyboard.press('Space')
    await noticed('Tyrone Dyer. Rejected: from New you can move to: In review, Accepted')
    assert.equal(await statusOf(id), 'new')
    await staff.leave()
  },
)

test(
  'a card is dragged; a column that takes it not says why; another’s change in between moves it back with the reason',
  inBrowser,
  async () => {
    const { tenant, becomes, statusOf } = await aPipeline()
    const { id } = await anApplication(tenant.api, { fullName: 'Tyrone Dyer' })
    const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'] })
    const { page } = staff
    // All columns are seen at once.
    await page.setViewportSize({ width: 2400, height: 900 })
    await staff.open('/admissions/board')
    const card = page.getByRole('listitem').filter({ hasText: 'Tyrone Dyer' })
    const column = (name: string) => page.getByRole('region', { name, exact: true })
    const notices = page.getByRole('region', { name: 'Notifications' })
    await card.dragTo(column('Rejected'))
    await notices.getByText('Tyrone Dyer. Rejected: from New you can move to: In review, Accepted').waitFor()
    await card.dragTo(column('In review'))
    await page.getByRole('button', { name: 'Undo' }).click()
    await notices.getByText('Tyrone Dyer: moved to New').waitFor()
    await becomes(id, 'new')
    await column('New').getByRole('link', { name: 'Tyrone Dyer' }).waitFor()
    assert.deepEqual(staff.refusedCalls(), [])
    // The next move is sent with the version that somebody else changed meanwhile.
    await page.route(
      `**/console/v1/admissions/applications/${id}`,
      async (route) => {
        await tenant.api.patch(`/admissions/applications/${id}`, { city: 'Cusco' })
        await route.continue()
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Move Tyrone Dyer to…' }).click()
    await staff.assertAccessible('a menu with what is forbidden')
    await staff.picture('console-board-menu')
    await page.getByRole('menuitem', { name: 'In review', exact: true }).click()
    await notices.locator('.bad', { hasText: 'Tyrone Dyer: ' }).last().waitFor()
    await column('New').getByRole('link', { name: 'Tyrone Dyer' }).waitFor()
    assert.deepEqual(staff.refusedCalls(), [`412 PATCH /t/${tenant.slug}/console/v1/admissions/applications/${id}`])
    assert.equal(await statusOf(id), 'new')
    await staff.leave()
  },
)

test(
  'a column of more than fifty says exactly how many, and shows them when asked; the table and the funnel tell the same',
  inBrowser,
  async () => {
    const { tenant } = await aPipeline()
    for (let number = 1; number <= 53; number += 1) {
      await anApplication(tenant.api, { fullName: `Applicant ${number}`, status: 'interview' })
    }
    for (const screen of ['desktop', 'phone'] as const) {
      const staff = await aStaffMember(service, tenant, {
        roles: ['Admissions Officer'],
        screen,
        dark: screen === 'phone',
      })
      const { page } = staff
      await staff.open('/admissions/board')
      const column = page.getByRole('region', { name: 'Interview', exact: true })
      await column.getByRole('heading', { name: 'Interview 53' }).waitFor()
      await column.getByText('and 3 more').waitFor()
      // The column begins beyond the screen: the board is scrolled, and the page is not.
      await staff.assertAccessible('a long column')
      assert.equal(await column.getByRole('listitem').count(), 50)
      await column.getByRole('button', { name: 'Show 3 more' }).click()
      await column.getByRole('link', { name: 'Applicant 53', exact: true }).waitFor()
      assert.equal(await column.getByRole('listitem').count(), 53)
      await page.getByRole('button', { name: 'Table' }).click()
      await page.waitForURL('**/admissions/board?view=table')
      await page.getByRole('row').filter({ hasText: 'Applicant 53' }).waitFor()
      await staff.assertAccessible('pipeline as a table')
      await staff.picture(`console-pipeline-table-${screen}`)
      await page.getByRole('button', { name: 'Funnel' }).click()
      const stage = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^Interview/ }) })
      await stage.getByRole('cell', { name: '53' }).first().waitFor()
      await staff.assertAccessible('funnel')
      await staff.picture(`console-funnel-${screen}`)
      await staff.leave()
    }
  },
)

test('a board without applications is scrolled by keys as well', inBrowser, async () => {
  const { tenant } = await aPipeline()
  const staff = await aStaffMember(service, tenant, { roles: ['Admissions Officer'], screen: 'phone' })
  await staff.open('/admissions/board')
  await staff.page.getByRole('heading', { name: 'New 0' }).waitFor()
  await staff.assertAccessible('empty board')
  await staff.leave()
})
