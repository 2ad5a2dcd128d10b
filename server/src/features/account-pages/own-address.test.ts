import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aPageUser } from './account-pages.fixture.ts'

const service = await startTestService()
const form = (fields: Record<string, string>) => new URLSearchParams(fields)

const tricks = [
  'https://evil.example',
  'https://evil.example/t/SLUG/me',
  '//evil.example',
  '///evil.example',
  '////evil.example/t/SLUG/me',
  '/\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\u007f//evil.example',
  ' //evil.example',
  '\u200b//evil.example',
  '/./ /evil.example',
  '/.//evil.example',
  '/t/SLUG/..//evil.example',
  '/t/SLUG/../../..//evil.example/',
  '/%2e%2e//evil.example',
  'https:evil.example',
  'https:/evil.example',
  'http:\\\\evil.example',
  'HTTPS://EVIL.EXAMPLE',
  'https://HOST@evil.example/t/SLUG/me',
  'https://HOST.evil.example/t/SLUG/me',
  'https://evil.example#@HOST/t/SLUG/me',
  'http://user:secret@HOST/t/SLUG/me',
  'https://HOST//evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)//t/SLUG/me',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'mailto:a@evil.example',
  'evil.example',
  'me',
  './me',
  '?x=1',
  '#x',
  '',
  '/',
  '/me',
  '/t/another-school/me',
  '/t/SLUGX/me',
  '/t/SLUG/../another-school/me',
  '/t/SLUG/%2e%2e/another-school/me',
  '/t/SLUG/api/method/login?usr=mallory&pwd=known',
  '/t/SLUG/%61pi/method/login?usr=mallory&pwd=known',
  '/t/SLUG/API/method/logout',
  '/t/SLUG/me?cmd=login&usr=mallory&pwd=known',
  '/t/SLUG/?%63md=logout',
  '/t/SLUG/me?sid=of-somebody-else',
  '/t/SLUG/%zz/me',
  '/t/SLUG/hooks/card-gateway',
  `/t/SLUG/${'a'.repeat(3000)}`,
]

test('redirect-to: accepts addresses of the institution only, after a log-in and when logged in', async () => {
  const { tenant, guest, email, password } = await aPageUser(service)
  const host = new URL(service.address).host
  const root = `/t/${tenant.slug}`
  const sent = (address: string) => address.replaceAll('SLUG', tenant.slug).replaceAll('HOST', host)
  const first = await guest.post('/login', form({ usr: email, pwd: password }))
  const me = guest.with({ cookie: `sid=${first.cookies.get('sid')?.value}` })
  const led = async (caller: RecordCaller, address: string) =>
    (await caller.get(`/login?${form({ 'redirect-to': sent(address) })}`)).headers.get('location')
  for (const trick of tricks) {
    assert.equal(await led(me, trick), './me', JSON.stringify(trick))
    const page = await guest.get(`/login?${form({ 'redirect-to': sent(trick) })}`)
    assert.deepEqual([page.status, page.text.includes('redirect-to')], [200, false], JSON.stringify(trick))
  }
  for (const trick of ['//evil.example', 'https://evil.example', `${root}/api/method/logout`]) {
    const fields = form({ usr: email, pwd: password, 'redirect-to': sent(trick) })
    assert.equal((await guest.post('/login', fields)).headers.get('location'), './me')
  }
  const repeated = await me.get(`/login?redirect-to=${root}/me&redirect-to=//evil.example`)
  assert.ok(['./me', `${root}/me`].includes(repeated.headers.get('location') ?? ''))
  for (const [address, goesTo] of [
    [`${root}/update-password`, `${root}/update-password`],
    [`${root}/me?set=1#top`, `${root}/me?set=1#top`],
    [`${root}/edu-portal/fees?year=2026&next=//evil.example`, `${root}/edu-portal/fees?year=2026&next=//evil.example`],
    [`http://${host}${root}/me`, `${root}/me`],
    [`${root}/a b`.replace(' ', '%20'), `${root}/a%20b`],
    [root, root],
  ] as const) {
    assert.equal(await led(me, address), goesTo)
    const page = await guest.get(`/login?${form({ 'redirect-to': address })}`)
    const stored = /<input type="hidden" name="redirect-to" value="([^"]*)">/.exec(page.text)?.[1] ?? ''
    const fields = form({ usr: email, pwd: password, 'redirect-to': stored.replaceAll('&#38;', '&') })
    const posted = await guest.post('/login', fields)
    assert.deepEqual([posted.status, posted.headers.get('location')], [303, goesTo])
  }
})
