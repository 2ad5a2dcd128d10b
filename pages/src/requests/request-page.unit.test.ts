import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderClosedPage } from '../closed-page.ts'
import { aLocation, anItem, aRequestView } from '../example-views.fixture.ts'
import { locales, messagesIn } from '../messages/index.ts'
import { renderReceipt } from '../receipt.ts'
import { renderRequestPage } from './request-page.ts'

test('whatever an institution or a family wrote is text on the page, never markup', () => {
  const evil = `<script>alert(1)</script>" onload='x' &amp;`
  const item = anItem({ label: evil, instructions: evil, status: 'rejected', rejectionReason: evil, fileName: evil })
  const view = aRequestView({ institution: evil, firstName: evil, title: evil, message: evil, contact: evil })
  const html = renderRequestPage({ ...view, items: [item], fault: { itemId: item.id, text: evil } })
  assert.ok(!html.includes('<script>alert') && !html.includes("onload='") && !html.includes('" onload'))
  assert.ok(html.includes('&#60;script&#62;'))
})

test('a page asks for nothing but its own style and script, and is not to be indexed', () => {
  const html = renderRequestPage(aRequestView())
  const addresses = [...html.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, address]) => address as string)
  assert.ok(addresses.length > 4)
  for (const address of addresses) assert.match(address, /^(\.\.\/(pages\/hash|r\/token)|#|data:,$)/)
  assert.match(html, /<meta name="robots" content="noindex/)
  assert.doesNotMatch(html, / style="| on[a-z]+="/)
})

test('a chosen language stays in every address, and each page names its own', () => {
  for (const locale of locales) {
    const html = renderRequestPage(aRequestView({ place: aLocation(locale, { isLocaleChosen: true }) }))
    assert.ok(html.includes(`<html lang="${locale}">`))
    const actions = [...html.matchAll(/action="([^"]*)"/g)].map(([, action]) => action)
    assert.ok(actions.length > 1 && actions.every((action) => action?.endsWith(`?lang=${locale}`)))
  }
})

test('the button says why it waits until all that is required is there', () => {
  const waiting = renderRequestPage(aRequestView())
  assert.match(waiting, /aria-disabled="true"/)
  assert.match(waiting, /Still missing: Birth certificate/)
  const ready = renderRequestPage(aRequestView({ items: [anItem({ status: 'uploaded' })], canSubmit: true }))
  assert.doesNotMatch(ready, /aria-disabled/)
})

test('a fault stands at the top with a link, and at its item, tied to the control', () => {
  const html = renderRequestPage(aRequestView({ fault: { itemId: 'item-1', text: 'Too large.' } }))
  assert.match(html, /<title>Error: /)
  assert.match(html, /<a href="#file-item-1">Birth certificate: Too large\.<\/a>/)
  assert.match(html, /id="fault-item-1">Too large\./)
  assert.match(html, /id="file-item-1"[^>]*aria-describedby="limits-item-1 fault-item-1" aria-invalid="true"/)
})

test('days are the institution’s days', () => {
  assert.match(renderRequestPage(aRequestView()), /December 4, 2026/)
  assert.match(renderRequestPage(aRequestView({ timeZone: 'UTC' })), /December 5, 2026/)
})

test('an item that is done or closed offers no upload, and a camera only where photos are taken', () => {
  const accepted = aRequestView({ items: [anItem({ status: 'accepted', isOpen: false })] })
  assert.doesNotMatch(renderRequestPage(accepted), /type="file"/)
  const onlyPdf = aRequestView({ items: [anItem({ allowedMimeTypes: ['application/pdf'] })] })
  assert.doesNotMatch(renderRequestPage(onlyPdf), /capture/)
  assert.match(renderRequestPage(aRequestView()), /capture="environment"/)
})

test('a request of five items has less than 20 kB of HTML in every language', () => {
  const five = Array.from({ length: 5 }, (_, index) => anItem({ id: `0191-${index}-aaaa-bbbb-cccccccccccc` }))
  for (const locale of locales) {
    assert.ok(Buffer.byteLength(renderRequestPage(aRequestView({ place: aLocation(locale), items: five }))) < 20_000)
  }
})

test('a receipt names for whom, what arrived, and when, in the institution’s time zone', () => {
  const html = renderReceipt({
    ...aRequestView(),
    items: [{ label: 'Passport', fileName: 'a.pdf', receivedAt: '2026-11-20T15:00:00.000Z' }],
    forWhom: 'Ada Byron (EDU-1)',
    submittedAt: '2026-11-21T15:00:00.000Z',
    reference: 'R-1',
  })
  assert.match(html, /For Ada Byron \(EDU-1\)/)
  assert.match(html, /Passport[\s\S]*a\.pdf[\s\S]*November 20, 2026 at 09:00 AM/)
  assert.match(html, /a\.pdf/)
  assert.match(html, /R-1/)
  assert.match(html, /November 21, 2026 at 09:00 AM/)
})

test('a closed page says why and whom to ask, and names no institution to who guesses', () => {
  const facts = { retryAfterSeconds: null, detail: null }
  for (const locale of locales) {
    const { closed } = messagesIn(locale)
    const expired = renderClosedPage({
      ...facts,
      place: aLocation(locale),
      reason: 'expired',
      institution: 'Hillside School',
      contact: 'office@school.example',
    })
    assert.ok(expired.includes(closed.expired.title) && expired.includes('office@school.example'))
    const unknown = renderClosedPage({
      ...facts,
      place: aLocation(locale),
      reason: 'unknown',
      institution: null,
      contact: null,
    })
    assert.ok(unknown.includes(`<h1>${closed.unknown.title}</h1>`) && unknown.includes(closed.askNobody))
  }
})
