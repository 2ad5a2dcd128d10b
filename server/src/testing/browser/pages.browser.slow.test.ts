import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type FieldType,
  type FieldView,
  type FormView,
  type Locale,
  locales,
  messagesIn,
  type PageContext,
  type RequestItemView,
  type RequestView,
  renderAccountPage,
  renderClosedPage,
  renderCodePage,
  renderCodeSetUpPage,
  renderFactorPage,
  renderFormPage,
  renderFormReceipt,
  renderLogInPage,
  renderPasskeyPage,
  renderPasskeySetUpPage,
  renderPasswordPage,
  renderReceipt,
  renderRecoveryCodes,
  renderRequestPage,
  renderSignInPage,
} from '@matricula/pages'
import { openPageClient, withoutBrowser } from '../fixtures/page-client.ts'

const origin = 'http://pages.test'

/** What people write on a page: as usual, or in words of eighty letters. */
interface Texts {
  readonly of: (usual: string) => string
}
const usual: Texts = { of: (text) => text }
const endless: Texts = { of: (text) => `${text.slice(0, 1)}${'ö'.repeat(79)} ${text}` }

const timeZone = 'America/Mexico_City'
const moment = '2026-11-21T15:00:00.000Z'
const photos = ['application/pdf', 'image/jpeg']

function request(context: PageContext, { of }: Texts, more: Partial<RequestView> = {}): string {
  const item = (status: RequestItemView['status'], isRequired = true, index = 0): RequestItemView => ({
    id: `${status}-${index}`,
    label: of('Birth certificate'),
    instructions: of('Both sides.'),
    isRequired,
    status,
    rejectionReason: status === 'rejected' ? of('Not legible.') : null,
    fileName: status === 'pending' ? null : `${of('certificate')}.pdf`,
    allowedMimeTypes: photos,
    maxSizeBytes: 20 * 1024 * 1024,
    isOpen: status !== 'accepted',
  })
  return renderRequestPage({
    place: context,
    institution: of('Hillside School'),
    timeZone,
    firstName: of('Ada'),
    title: of('Enrolment'),
    message: of('Until Friday, please.'),
    contact: of('office@school.example'),
    expiresAt: moment,
    submittedAt: null,
    items: [item('pending'), item('pending', false, 1), item('uploaded'), item('accepted'), item('rejected')],
    canSubmit: false,
    fault: null,
    ...more,
  })
}

const types: readonly FieldType[] = [
  ...(['text', 'textarea', 'number', 'date', 'email', 'phone'] as const),
  ...(['select', 'multiselect', 'checkbox', 'file', 'signature'] as const),
]

function form(context: PageContext, { of }: Texts, more: Partial<FormView> = {}): string {
  const fields = types.map((type, index): FieldView => {
    const isChoice = type === 'select' || type === 'multiselect'
    return {
      key: type,
      label: of(`Question ${index}`),
      type,
      isRequired: index % 2 === 0,
      options: isChoice ? ['yes', 'no'].map((value) => ({ value, label: of(value) })) : [],
      helpText: of('In a few words.'),
      validation: type === 'file' ? { mediaTypes: photos, maxSizeBytes: 1024 } : {},
      visibleWhen: index === 1 ? { field: 'text', isSet: true } : { all: [] },
    }
  })
  return renderFormPage({
    place: context,
    institution: of('Hillside School'),
    title: of('Application'),
    description: of('It takes ten minutes.'),
    forWhom: of('Ada'),
    sections: [{ title: of('About you'), fields }],
    answers: {},
    faults: [],
    problem: null,
    submissionKey: 'key',
    draft: null,
    isLinkMailed: false,
    ...more,
  })
}

function closed(context: PageContext, { of }: Texts, reason: Parameters<typeof renderClosedPage>[0]['reason']): string {
  const isKnown = reason === 'expired' || reason === 'revoked'
  return renderClosedPage({
    place: context,
    reason,
    institution: isKnown ? of('Hillside School') : null,
    contact: isKnown ? of('office@school.example') : null,
    retryAfterSeconds: reason === 'too_many_requests' ? 30 : null,
    detail: null,
  })
}

function logIn(context: PageContext, { of }: Texts, more: Partial<Parameters<typeof renderLogInPage>[0]> = {}): string {
  const facts = {
    user: '',
    fault: null,
    isForgotten: false,
    linkSentFor: null,
    sendsMail: true,
    goesTo: null,
    issuers: [],
    passkeyAddress: './login-passkey',
  }
  return renderLogInPage({ place: context, institution: of('Hillside School'), ...facts, ...more })
}

function signIn(
  context: PageContext,
  { of }: Texts,
  more: Partial<Parameters<typeof renderSignInPage>[0]> = {},
): string {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const session = { proofs: ['password'], agent, network: '192.0.2.1', createdAt: moment, lastSeenAt: moment } as const
  return renderSignInPage({
    ...{
      place: context,
      timeZone,
      csrfToken: 'token',
      fault: null,
      isDone: true,
      isFresh: true,
      isCodeAsked: true,
      removedIssuers: [{ id: 'one', name: 'Microsoft' }],
      backPath: 'app',
      passwordPath: 'pass',
    },
    institution: of('Hillside School'),
    sessions: [
      { ...session, id: 'one', isThis: true },
      { ...session, id: 'two', isThis: false, proofs: ['issuer'], agent: of('a-browser'), network: null },
    ],
    codes: { createdAt: moment, recoveryLeft: 9 },
    codesPath: 'sign-in-code',
    passkeys: [
      { id: 'one', name: of('Phone'), createdAt: moment, lastUsedAt: moment },
      { id: 'two', name: 'Key', createdAt: moment, lastUsedAt: null },
    ],
    passkeyPath: 'sign-in-passkey',
    accounts: [{ id: 'one', issuer: of('Google'), email: of('ada@school.example'), linkedAt: moment }],
    ...more,
  })
}

/** Every page in every state that it has. */
const states: Readonly<Record<string, (context: PageContext, texts: Texts) => string>> = {
  'request, some of it there': (context, texts) => request(context, texts),
  'request, ready': (context, texts) => request(context, texts, { canSubmit: true, submittedAt: moment }),
  'request, a file refused': (context, texts) => {
    return request(context, texts, {
      fault: { itemId: 'pending-0', text: messagesIn(context.locale).faults.otherContent },
    })
  },
  'request, not sent': (context, texts) => {
    return request(context, texts, { fault: { itemId: null, text: messagesIn(context.locale).faults.failed } })
  },
  'receipt of a request': (context, { of }) =>
    renderReceipt({
      ...{ place: context, timeZone, submittedAt: moment, reference: '9F3A1-C075B', contact: null },
      institution: of('Hillside School'),
      firstName: of('Ada'),
      forWhom: of('Ada Byron (EDU-STU-2026-00001)'),
      items: [{ label: of('Birth certificate'), fileName: `${of('certificate')}.pdf`, receivedAt: moment }],
    }),
  'closed, expired': (context, texts) => closed(context, texts, 'expired'),
  'closed, revoked': (context, texts) => closed(context, texts, 'revoked'),
  'closed, unknown': (context, texts) => closed(context, texts, 'unknown'),
  'closed, too many': (context, texts) => closed(context, texts, 'too_many_requests'),
  'form, open': (context, texts) => form(context, texts),
  'form, with faults': (context, texts) =>
    form(context, texts, {
      faults: types.map((fieldKey) => ({ fieldKey, code: 'required', bounds: {} })),
      problem: messagesIn(context.locale).faults.formChanged,
    }),
  'form, saved': (context, texts) => {
    const files = [{ fieldKey: 'file', documentId: 'document', fileName: `${texts.of('certificate')}.pdf` }]
    return form(context, texts, { draft: { expiresAt: moment, timeZone, files, sendsMail: true }, isLinkMailed: true })
  },
  'receipt of a form': (context, { of }) =>
    renderFormReceipt({
      ...{ place: context, timeZone, submittedAt: moment, reference: '9F3A1-C075B' },
      institution: of('Hillside School'),
      title: of('Application'),
      forWhom: of('Ada Byron (EDU-APP-2026-00001)'),
      fileNames: [`${of('certificate')}.pdf`],
    }),
  'log-in': (context, texts) => logIn(context, texts),
  'log-in, wrong': (context, texts) => logIn(context, texts, { fault: { kind: 'wrong' }, user: 'ada@school.example' }),
  'log-in, forgotten': (context, texts) => logIn(context, texts, { isForgotten: true, linkSentFor: 20 }),
  'log-in, no mail': (context, texts) => logIn(context, texts, { isForgotten: true, sendsMail: false }),
  'log-in, by an issuer': (context, texts) => {
    const issuers = [{ name: texts.of('Google'), address: './login-with?issuer=google' }]
    return logIn(context, texts, { issuers, fault: { kind: 'issuer', reason: 'unknown' } })
  },
  'signing in': (context, texts) => signIn(context, texts),
  'signing in, a while ago': (context, texts) => signIn(context, texts, { isFresh: false, accounts: [] }),
  'signing in, without codes': (context, texts) => signIn(context, texts, { codes: null }),
  'log-in with a passkey': (context, { of }) =>
    renderPasskeyPage({
      ...{ place: context, institution: of('Hillside School'), options: {}, otherPath: 'login', goesTo: '/me' },
      fault: { kind: 'passkey', reason: 'unknown' },
    }),
  'adding a passkey': (context, { of }) =>
    renderPasskeySetUpPage({
      ...{ place: context, institution: of('Hillside School'), options: {}, otherPath: 'sign-in', fault: null },
      ...{ csrfToken: 'token', sealed: 'sealed', name: of('Phone'), goesTo: null },
    }),
  'a code is asked': (context, { of }) =>
    renderCodePage({ place: context, institution: of('Hillside School'), fault: { kind: 'wrongCode' }, goesTo: '/me' }),
  'setting up codes': (context, { of }) =>
    renderCodeSetUpPage({
      ...{
        place: context,
        institution: of('Hillside School'),
        fault: null,
        csrfToken: 'token',
        sealed: 'sealed',
        goesTo: null,
        isCodeAsked: true,
      },
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      picture: [
        [true, false],
        [false, true],
      ],
    }),
  'a factor is required': (context, { of }) =>
    renderFactorPage({
      ...{ place: context, institution: of('Hillside School') },
      ways: [{ name: of('Log in with Google'), address: './login-with?issuer=google' }],
    }),
  'recovery codes': (context, { of }) =>
    renderRecoveryCodes({
      ...{ place: context, institution: of('Hillside School'), fault: null, nextAddress: './sign-in' },
      codes: ['ABCD-EFGH-IJKL-MNOP'],
    }),
  'new password': (context, { of }) =>
    renderPasswordPage({
      place: context,
      institution: of('Hillside School'),
      by: { csrfToken: 'token' },
      length: { minimum: 10, maximum: 200 },
      fault: { kind: 'different' },
    }),
  account: (context, { of }) =>
    renderAccountPage({
      place: context,
      institution: of('Hillside School'),
      fullName: of('Ada Byron'),
      user: 'ada@school.example',
      csrfToken: 'token',
      isPasswordSet: true,
      passwordPath: 'update-password',
      signInPath: 'sign-in',
    }),
}

function placeIn(locale: Locale): PageContext {
  return { locale, isLocaleChosen: true, root: '/', path: 'page', below: '', assets: 'assets' }
}

/** A window at pages that are made for it, with their style and scripts. */
async function aWindow(screen: 'phone' | 'desktop') {
  const pageClient = await openPageClient(origin, { screen })
  const { page } = pageClient
  let html = ''
  await page.route(`${origin}/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice('/assets/'.length)
    if (!route.request().url().includes('/assets/')) return route.fulfill({ contentType: 'text/html', body: html })
    const file = name === 'style.css' ? '@matricula/pages/style.css' : `@matricula/pages/browser/${name}`
    const contentType = name === 'style.css' ? 'text/css' : 'text/javascript'
    return route.fulfill({ contentType, body: readFileSync(new URL(import.meta.resolve(file)), 'utf8') })
  })
  const show = async (made: string) => {
    html = made
    await page.goto(`${origin}/page`)
  }
  return { ...pageClient, show }
}

test('no page is at fault by WCAG 2.2 A and AA, in any state and language, light or dark', {
  skip: withoutBrowser,
}, async () => {
  const { page, show, assertAccessible, leave } = await aWindow('phone')
  for (const [state, make] of Object.entries(states)) {
    for (const locale of locales) {
      await show(make(placeIn(locale), usual))
      assert.equal(await page.getAttribute('html', 'lang'), locale)
      await page.emulateMedia({ colorScheme: 'light' })
      await assertAccessible(`${state}, ${locale}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await assertAccessible(`${state}, ${locale}, dark`, ['color-contrast'])
    }
  }
  await leave()
})

test('words of eighty letters, a width of 320 pixels and text of four times its size break no page', {
  skip: withoutBrowser,
}, async () => {
  const { page, show, leave } = await aWindow('desktop')
  const overhang = () =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  const validationErrors: string[] = []
  for (const [state, make] of Object.entries(states)) {
    for (const texts of [usual, endless]) {
      // The longest words of the catalogues are in the languages other than English.
      for (const locale of texts === usual ? locales : (['en'] as const)) {
        await show(make(placeIn(locale), texts))
        const name = `${state}, ${locale}${texts === endless ? ', endless words' : ''}`
        await page.setViewportSize({ width: 320, height: 640 })
        if ((await overhang()) > 0) validationErrors.push(`${name} at 320 px: ${await overhang()} px`)
        await page.setViewportSize({ width: 1280, height: 1024 })
        await page.evaluate(`document.documentElement.style.fontSize = '400%'`)
        if ((await overhang()) > 0) validationErrors.push(`${name} at 400 %: ${await overhang()} px`)
      }
    }
  }
  assert.deepEqual(validationErrors, [])
  await leave()
})
