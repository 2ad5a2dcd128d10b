import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../testing/test-service.ts'
import { aVisitor, withoutBrowser } from '../../testing/visitor.ts'
import { aResetKey, somebody } from './account-pages.fixture.ts'

const service = await startTestService()
const chosen = 'correct horse battery staple'

test('the pages are used on a phone without scripts, and are accessible', { skip: withoutBrowser }, async () => {
  const { tenant, email, password } = await somebody(service)
  const visitor = await aVisitor(service.address, { javaScript: false })
  const { page } = visitor
  await page.goto(`${service.address}/t/${tenant.slug}/login`)
  await page.getByLabel('E-mail address').first().fill(email)
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('There is a problem').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('You are logged in as Ada Byron').waitFor()
  await page.getByRole('link', { name: 'Change password' }).click()
  await page.getByLabel('Old password').fill(password)
  await page.getByLabel('New password', { exact: true }).fill(chosen)
  await page.getByLabel('Repeat the new password').fill(chosen)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Your password has been changed').waitFor()
  const width = await page.evaluate('document.documentElement.scrollWidth')
  assert.ok((width as number) <= 360)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await visitor.leave()
})

test('no page of them has a fault of accessibility that a program can find', { skip: withoutBrowser }, async () => {
  const { tenant, email, password } = await somebody(service)
  const visitor = await aVisitor(service.address)
  const { page } = visitor
  const root = `${service.address}/t/${tenant.slug}`
  await page.goto(`${root}/login`)
  await visitor.assertAccessible('to log in')
  await page.goto(`${root}/update-password?key=${await aResetKey(service, tenant, email)}`)
  await visitor.assertAccessible('to set a password')
  await page.getByLabel('New password', { exact: true }).fill('short')
  await page.getByLabel('Repeat the new password').fill('other')
  await page.getByRole('button', { name: 'Set password' }).click()
  await visitor.assertAccessible('to set a password again')
  await page.goto(`${root}/login`)
  await page.getByLabel('E-mail address').first().fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('You are logged in').waitFor()
  await visitor.assertAccessible('who is logged in')
  await visitor.leave()
})
