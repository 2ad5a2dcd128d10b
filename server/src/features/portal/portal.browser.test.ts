import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPageClient, withoutBrowser } from '../../testing/fixtures/page-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'
import { aFamily, loggedIn } from './family.fixture.ts'
import { aFolder, buildOfOurOwn } from './portal-build.fixture.ts'
import { readPortalBuild } from './portal-build.ts'

const { folder, remove } = await aFolder(buildOfOurOwn)
afterFile(remove)
const service = await startTestService({ portal: await readPortalBuild(folder) })
const host = 'localhost'
const origin = service.address.replace('127.0.0.1', host)

test('the portal in a browser: a student and a guardian of two each see only their own data', {
  skip: withoutBrowser,
}, async () => {
  const family = await aFamily(service)
  const { seededTenant, children } = family
  await seededTenant.tenant.change({ host })
  const { password } = await loggedIn(service, seededTenant, 'ada.b@example.org', ['Student'])
  assert.equal(
    (await seededTenant.resourceClient.update('Student', children[0], { user: 'ada.b@example.org' })).error,
    null,
  )
  const pageClient = await openPageClient(origin, { screen: 'desktop' })
  const { page } = pageClient
  const enter = async (email: string, secret: string) => {
    await page.getByLabel('E-mail address').first().fill(email)
    await page.getByLabel('Password', { exact: true }).fill(secret)
    await page.getByRole('button', { name: 'Log in' }).click()
  }

  await page.goto(`${origin}/edu-portal/fees`)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await enter('ada.b@example.org', password)
  await page.getByText('Ada Byron in Nursing, 1 enrolment').waitFor()
  assert.equal(new URL(page.url()).pathname, '/edu-portal/grades')
  assert.equal(await page.title(), 'SCH')
  for (const text of ['Lessons: Anatomy', 'Grades: Anatomy A', 'Fees: $ 1,200.50', '2026-09-03 Present']) {
    assert.match(await page.locator('section').innerText(), new RegExp(text.replace(/[$.]/g, '\\$&')), text)
  }
  await page.getByRole('button', { name: 'Ask for leave' }).click()
  await page.getByText('2026-10-07 Leave,2026-10-08 Leave').waitFor()
  const [leave] = (
    await seededTenant.resourceClient.list('Student Leave Application', {
      filters: JSON.stringify({ from_date: '2026-10-07' }),
      fields: '["student", "reason", "docstatus", "total_leave_days"]',
    })
  ).data
  assert.deepEqual(leave, { student: children[0], reason: 'A wedding', docstatus: 1, total_leave_days: 2 })
  await page.reload()
  await page.getByText('Ada Byron in Nursing').waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()

  await enter('annabella@example.org', family.password)
  await page.getByText('Hello Annabella Milbanke').waitFor()
  assert.equal(new URL(page.url()).pathname, '/edu-portal')
  await page.getByRole('button', { name: 'Alan Turing (Mother)' }).click()
  await page.getByText('Alan Turing in Nursing, 1 enrolment').waitFor()
  await page.getByRole('button', { name: 'Ada Byron (Mother)' }).click()
  await page.getByText('Ada Byron in Nursing, 1 enrolment').waitFor()
  await page.getByText('2026-10-07 Leave').waitFor()
  await page.getByRole('button', { name: 'Ask for leave' }).click()
  await page.getByText('Refused: Not permitted').waitFor()

  // The session ends elsewhere: the next page redirects to the log-in and shows no user.
  await service.database.inspect('delete from sessions where tenant_id = $1', [seededTenant.tenant.id])
  await page.goto(`${origin}/edu-portal/grades`)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  assert.match((await page.evaluate('document.cookie')) as string, /user_id=Guest/)
  await pageClient.leave()
})

test('the portal in a browser: a build that uses the institution’s path works below /t/{slug}', {
  skip: withoutBrowser,
}, async () => {
  const relocatable = await aFolder({
    ...buildOfOurOwn,
    'index.html':
      buildOfOurOwn['index.html']?.replace('<main id="app">', '<main id="app" data-path="{{ tenant_path }}">') ?? '',
  })
  after(relocatable.remove)
  const build = await readPortalBuild(relocatable.folder)
  assert.equal(build.usesInstitutionPath, true)
  const other = await startTestService({ portal: build })
  const family = await aFamily(other)
  const root = `${other.address}/t/${family.seededTenant.tenant.slug}`
  const pageClient = await openPageClient(other.address, { screen: 'desktop' })
  const { page } = pageClient
  await page.goto(`${root}/login`)
  await page.getByLabel('E-mail address').first().fill('annabella@example.org')
  await page.getByLabel('Password', { exact: true }).fill(family.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Alan Turing (Mother)' }).click()
  await page.getByText('Alan Turing in Nursing, 1 enrolment').waitFor()
  assert.equal(page.url(), `${root}/edu-portal/grades`)
  await pageClient.leave()
})
