import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../../fixtures/page-client.ts'
import { startTestService } from '../../fixtures/test-service.ts'
import { aStaffMember } from '../console-staff.ts'
import { aSchoolOnScreens, faultsOf, unfold } from './every-screen.fixture.ts'

const service = await startTestService()
const { tenant, screens } = await aSchoolOnScreens(service)

/** How long a menu or dialog takes to open at most, in milliseconds. */
const openingTime = 600

test('whatever can be pressed in menus and dialogs on a phone is 44 px high and wide, has a name and passes axe', {
  skip: withoutBrowser,
}, async () => {
  const staff = await aStaffMember(service, tenant, { roles: ['System Manager', 'Instructor'], screen: 'phone' })
  const { page } = staff
  // What a button does is not done: each is pressed on the same data.
  await page.route(`${staff.root}/**`, (route) =>
    ['GET', 'HEAD'].includes(route.request().method()) ? route.continue() : route.abort(),
  )
  const buttons = page.locator('main button:not([aria-disabled=true], [role=option], [role=menuitem])')
  const opened = page.locator('dialog[open], [role=menu]').first()
  const found = new Set<string>()
  const seen = new Set<string>()
  for (const path of screens) {
    await unfold(staff, path)
    const count = await buttons.count()
    for (let index = 0; index < count; index += 1) {
      if (index >= (await buttons.count())) break
      const button = buttons.nth(index)
      if (!(await button.isVisible())) continue
      const name = (await button.getAttribute('aria-label')) ?? (await button.innerText())
      await button.click({ timeout: 2_000 }).catch(() => {})
      const isOpen = await opened.waitFor({ timeout: openingTime }).then(
        () => true,
        () => false,
      )
      const location = `${path} › ${name}`
      if (isOpen && !seen.has(location)) {
        seen.add(location)
        for (const fault of await faultsOf(staff, location)) found.add(fault)
        await staff.assertAccessible(location)
      }
      await unfold(staff, path)
    }
  }
  process.stdout.write(`# ${seen.size} menus and dialogs: ${[...seen].join('; ')}\n`)
  staff.refusedCalls()
  await staff.leave()
  assert.ok(seen.size > 15, `only ${seen.size} menus and dialogs opened`)
  assert.deepEqual([...found], [])
})
