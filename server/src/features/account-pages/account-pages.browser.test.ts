import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openPageClient, withoutBrowser } from '../../testing/fixtures/page-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aPageUser, aResetKey, requireFactors } from './account-pages.fixture.ts'

const service = await startTestService()
const chosen = 'correct horse battery staple'

test('account pages: work on a phone without scripts, and are accessible', { skip: withoutBrowser }, async () => {
  const { tenant, email, password } = await aPageUser(service)
  const pageClient = await openPageClient(service.address, { javaScript: false })
  const { page } = pageClient
  await page.goto(`${service.address}/t/${tenant.slug}/login`)
  await page.getByLabel('E-mail address').first().fill(email)
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('There is a problem').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('You are logged in as Ada Byron').waitFor()
  await page.getByRole('link', { name: 'Change password' }).click()
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password', { exact: true }).fill(chosen)
  await page.getByLabel('Repeat the new password').fill(chosen)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Your password has been changed').waitFor()
  const width = await page.evaluate('document.documentElement.scrollWidth')
  assert.ok((width as number) <= 360)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await pageClient.leave()
})

test('account pages: no page has an accessibility error that a program can find', {
  skip: withoutBrowser,
}, async () => {
  const { tenant, email, password } = await aPageUser(service)
  const pageClient = await openPageClient(service.address)
  const { page } = pageClient
  const root = `${service.address}/t/${tenant.slug}`
  await page.goto(`${root}/login`)
  await pageClient.assertAccessible('to log in')
  await page.goto(`${root}/update-password?key=${await aResetKey(service, tenant, email)}`)
  await pageClient.assertAccessible('to set a password')
  await page.getByLabel('New password', { exact: true }).fill('short')
  await page.getByLabel('Repeat the new password').fill('other')
  await page.getByRole('button', { name: 'Set password' }).click()
  await pageClient.assertAccessible('to set a password again')
  await page.goto(`${root}/login`)
  await page.getByLabel('E-mail address').first().fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('You are logged in').waitFor()
  await pageClient.assertAccessible('who is logged in')
  await pageClient.leave()
})

/** Adds a virtual authenticator to a browser; its user is verified at first. */
async function aDevice(page: Page) {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return (isUserVerified: boolean) => device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

test('passkeys in a browser: added and used without a password; a rejection is explained', {
  skip: withoutBrowser,
}, async () => {
  const { tenant, email, password } = await aPageUser(service, ['Guardian'])
  const origin = service.address.replace('127.0.0.1', 'localhost')
  const root = `${origin}/t/${tenant.slug}`
  const pageClient = await openPageClient(origin)
  const { page } = pageClient
  const unlocks = await aDevice(page)
  await page.goto(`${root}/login?redirect-to=/t/${tenant.slug}/sign-in`)
  await page.getByLabel('E-mail address').first().fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await pageClient.assertAccessible('to add a passkey')
  await page.getByLabel('Name').fill('My phone')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Not used yet').waitFor()
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name').fill('The same phone')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('already has a passkey for your account').waitFor()
  await pageClient.assertAccessible('a device that has one already')
  await page.context().clearCookies()
  await unlocks(false)
  await page.goto(`${root}/login?redirect-to=/t/${tenant.slug}/sign-in`)
  await page.getByRole('link', { name: 'Log in with a passkey' }).click()
  await page.locator('button:enabled', { hasText: 'Use my passkey' }).click()
  await page.getByText('Your device did not respond').waitFor()
  await pageClient.assertAccessible('to log in with a passkey')
  await unlocks(true)
  await page.getByRole('button', { name: 'Use my passkey' }).click()
  await page.getByText('My phone').waitFor()
  assert.match((await page.textContent('main')) ?? '', /with a passkey/)
  await pageClient.leave()
})

test('the passkey page without scripts: says so, and links to the password page', {
  skip: withoutBrowser,
}, async () => {
  const { tenant } = await aPageUser(service)
  const pageClient = await openPageClient(service.address, { javaScript: false })
  const { page } = pageClient
  await page.goto(`${service.address}/t/${tenant.slug}/login`)
  await page.getByRole('link', { name: 'Log in with a passkey' }).click()
  await page.getByText('Passkeys are not available in this browser').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Use my passkey' }).isVisible(), false)
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
  await pageClient.leave()
})

test('a required passkey in a browser: added after the password, then redirected on', {
  skip: withoutBrowser,
}, async () => {
  const { tenant, email, password } = await aPageUser(service, ['Guardian'])
  await requireFactors(service, tenant, 'Guardian', ['passkey'])
  const origin = service.address.replace('127.0.0.1', 'localhost')
  const pageClient = await openPageClient(origin)
  const { page } = pageClient
  await aDevice(page)
  await page.goto(`${origin}/t/${tenant.slug}/login?redirect-to=/t/${tenant.slug}/sign-in`)
  await page.getByLabel('E-mail address').first().fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await pageClient.assertAccessible('to whom a passkey is required')
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name').fill('My phone')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('with the password, with a passkey').waitFor()
  assert.equal(new URL(page.url()).pathname, `/t/${tenant.slug}/sign-in`)
  await pageClient.leave()
})
