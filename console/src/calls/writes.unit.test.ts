import './without-channels.fixture.ts'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, test } from 'node:test'
import { english } from '../messages/english.ts'
import { portuguese } from '../messages/portuguese.ts'
import { spanish } from '../messages/spanish.ts'
import { getErrorText } from '../session/telling.ts'
import * as grades from './academics/grade-sheet-api.ts'
import * as groups from './academics/groups-api.ts'
import * as cards from './academics/report-card-api.ts'
import * as rolls from './academics/roll-call-api.ts'
import * as administration from './administration-api.ts'
import * as admissions from './admissions/admissions-api.ts'
import * as application from './admissions/application-api.ts'
import * as brought from './admissions/brought-documents.ts'
import * as requests from './admissions/requests-api.ts'
import * as bulk from './bulk-jobs.ts'
import * as views from './console-api.ts'
import { exportList } from './export-list.ts'
import * as billing from './fees/billing-api.ts'
import * as collecting from './fees/collecting-api.ts'
import { CallError, onSessionOver } from './http.ts'
import * as imports from './imports-api.ts'
import * as people from './people-api.ts'
import * as records from './resource-api.ts'
import { logOut } from './session-calls.ts'
import * as settings from './settings-api.ts'

const key = 'key-of-an-intention'
const tag = '"7"'
const question = { fields: ['name'], filters: [], orFilters: [], order: 'name asc', start: 0, length: 20 }
const work = { type: 'Student', action: 'update', changes: {}, names: ['A'] } as unknown as bulk.BulkWork

/** What keeps a write that is sent again from being done twice. */
type Safe =
  /** The key of the intention: the service answers it again with what it did. */
  | 'key'
  /** The version that was read: after it was done, it is another one. */
  | 'version'
  /** It says what shall be, or begins nothing that is kept. */
  | 'same'
  /** The service refuses a second time, because what it needs is gone then. */
  | 'once'
  /** Whoever sends it again looks first whether it is there. */
  | 'looks'

/** Every write of the console. */
const writes: Readonly<Record<string, readonly [Safe, () => Promise<unknown>]>> = {
  create: ['key', () => records.create('Student', {}, key)],
  update: ['same', () => records.update('Student', 'A', { city: 'Lima' })],
  remove: ['once', () => records.remove('Student', 'A')],
  rename: ['once', () => records.rename('Student', 'A', 'B')],
  attach: ['looks', () => records.attach('Student', 'A', new File(['x'], 'x.txt'))],
  move: ['version', () => admissions.move('id', tag, 'new')],
  claim: ['same', () => admissions.claim('id', 'version')],
  release: ['same', () => admissions.release('id')],
  judge: ['version', () => admissions.judge('id', tag, { status: 'approved' })],
  changeApplication: ['version', () => application.changeApplication('id', tag, { status: 'new' })],
  makeApplication: ['key', () => application.makeApplication(key, {})],
  linkContact: ['key', () => application.linkContact(key, 'id', {} as Parameters<typeof application.linkContact>[2])],
  changeContact: ['version', () => application.changeContact('id', 'link', tag, { isPrimary: true })],
  removeContact: ['version', () => application.removeContact('id', 'link', tag)],
  recordDocument: [
    'key',
    () =>
      brought.recordDocument(key, {
        documentTypeId: 'type',
        entityType: 'application',
        entityId: 'id',
        file: new File(['x'], 'x.pdf', { type: 'application/pdf' }),
      }),
  ],
  splitPerson: ['key', () => people.splitPerson(key, 'EDU-GRD-1', { name: 'a', linkIds: [] })],
  enrol: ['once', () => application.enrol('code')],
  previewBulk: ['same', () => bulk.previewBulk(work)],
  beginBulk: ['key', () => bulk.beginBulk(key, work, 1)],
  cancelBulk: ['same', () => bulk.cancelBulk('id')],
  undoBulk: ['key', () => bulk.undoBulk(key, 'id')],
  saveView: ['key', () => views.saveView(key, { list: 'Student', title: 'Mine', audience: 'mine', settings: {} })],
  removeView: ['same', () => views.removeView('id')],
  savePreferences: ['same', () => views.savePreferences({ density: 'compact' })],
  exportList: ['same', () => exportList('Student', question, 'CSV', 'Students')],
  previewRequests: ['same', () => requests.previewRequests('student', ['id'], {})],
  previewJob: ['same', () => requests.previewJob('application', { status: 'new' }, {})],
  beginRequests: ['key', () => requests.beginRequests(key, 'application', { status: 'new' }, {}, '', 1)],
  ask: ['key', () => requests.ask(key, { entityType: 'student', entityId: 'id', notify: true })],
  enterCells: ['same', () => grades.enterCells('EDU-ASP-1', [])],
  submitScores: ['key', () => grades.submitScores('EDU-ASP-1', key)],
  uploadImport: ['same', () => imports.uploadImport('students', new File(['externalId'], 'students.csv'))],
  checkImport: ['same', () => imports.checkImport('id', {})],
  commitImport: ['same', () => imports.commitImport('id', { created: 1, updated: 0, skipFaulty: false })],
  undoImport: ['same', () => imports.undoImport('id')],
  printCards: [
    'key',
    () => cards.printCards(key, { studentGroup: 'A', academicTerm: null, showMarks: true, onlyComplete: false }),
  ],
  cancelCardPrint: ['same', () => cards.cancelCardPrint('id')],
  callRoll: ['key', () => rolls.callRoll({ of: 'EDU-CSH-1', date: '2026-09-01' }, [], key)],
  remind: ['key', () => requests.remind(key, 'id')],
  takePayment: [
    'key',
    () => billing.takePayment(key, { receivedOn: '2026-02-01', method: 'cash', reference: null, parts: [] }),
  ],
  reverseReceipt: ['key', () => billing.reverseReceipt(key, 'id', 'Cheque returned')],
  payOut: [
    'key',
    () =>
      billing.payOut(key, {
        ...{ accountId: 'id', paidOn: '2026-02-01', method: 'cash', amount: 1, reference: null, reason: null },
      }),
  ],
  proposeReminders: ['key', () => collecting.proposeReminders(key)],
  sendReminders: ['key', () => collecting.sendReminders(key, 'id', ['notice'])],
  importStatement: ['same', () => collecting.importStatement(new Blob(['x']), 'text/plain', '')],
  matchLine: ['once', () => collecting.matchLine('id', 'line', { accountId: 'id' })],
  unmatchLine: ['once', () => collecting.unmatchLine('id', 'line')],
  collect: ['key', () => collecting.collect(key, '2026-03-02', '2026-03-31')],
  returnDebit: [
    'key',
    () => collecting.returnDebit(key, 'id', { endToEndId: 'E', reasonCode: 'AM04', returnedOn: '2026-03-04' }),
  ],
  moveStudent: ['once', () => groups.moveStudent('A', 'one', 'other', '2026-09-01')],
  offerPlaces: ['same', () => groups.offerPlaces('one')],
  acceptOffer: ['once', () => groups.acceptOffer('entry')],
  leaveWaitingList: ['once', () => groups.leaveWaitingList('entry')],
  previewPromotion: ['same', () => groups.previewPromotion('promotion')],
  startPromotion: ['same', () => groups.startPromotion('promotion')],
  undoPromotion: ['same', () => groups.undoPromotion('promotion')],
  inviteUser: ['key', () => administration.inviteUser(key, { email: 'a@b.example', name: 'A', roles: [] })],
  planSettings: ['same', () => settings.planSettings({})],
  applySettings: ['version', () => settings.applySettings(tag, {})],
  setLogIn: ['same', () => administration.setLogIn('id', false)],
  mailPasswordLink: ['looks', () => administration.mailPasswordLink('id')],
  unlockUser: ['same', () => administration.unlockUser('id')],
  endSessionsOf: ['same', () => administration.endSessionsOf('id')],
  createToken: [
    'looks',
    () => administration.createToken({ name: 'ERP', scopes: [], masterDomains: [], expiresInDays: null }),
  ],
  rotateToken: ['looks', () => administration.rotateToken('id')],
  revokeToken: ['same', () => administration.revokeToken('id')],
  createWebhook: ['key', () => administration.createWebhook(key, { url: 'https://a.example', types: ['*'] })],
  enableWebhook: ['same', () => administration.enableWebhook('id', true)],
  removeWebhook: ['once', () => administration.removeWebhook('id')],
  testWebhook: ['key', () => administration.testWebhook(key, 'id')],
  redeliver: ['key', () => administration.redeliver(key, 'id', 'delivery')],
  revoke: ['same', () => requests.revoke('id', 'On paper')],
  restore: ['same', () => requests.restore('id')],
}

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const { fetch } = globalThis
afterEach(() => {
  globalThis.fetch = fetch
})

/** Answers what is sent, one after the other, and says what that was. */
function answering(...answers: readonly (() => Response | Promise<Response>)[]): Sent[] {
  const sent: Sent[] = []
  globalThis.fetch = (async (url: string, { method = 'GET', headers = {}, body }: RequestInit = {}) => {
    const response = answers[sent.length] ?? answers.at(-1)
    sent.push({ method, url, headers: headers as Record<string, string>, body })
    return response?.()
  }) as unknown as typeof fetch
  return sent
}

const json = (status: number, body: object) => () =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const page = (status: number) => () =>
  new Response('<h1>Bad Gateway</h1>', { status, headers: { 'content-type': 'text/html' } })
const unreached = () => Promise.reject(new TypeError('fetch failed'))

/** What can come of a write instead of what it is for, with the status that somebody is told about: 0 for whatever did not arrive. */
const validationErrors: readonly (readonly [string, () => Response | Promise<Response>, number, RegExp])[] = [
  ['a lost network', unreached, 0, /cannot be reached. Nothing was lost/],
  ['an answer that broke off', () => new Response(broken(), { status: 200 }), 0, /cannot be reached. Nothing was lost/],
  ['400', json(400, { code: 'validation_failed', detail: 'The field city is too long.' }), 400, /city is too long/],
  ['404', json(404, { code: 'resource_not_found', detail: 'No such thing.' }), 404, /no longer exists/],
  ['409', json(409, { code: 'state_conflict', detail: 'Somebody was faster.' }), 409, /Somebody was faster/],
  ['412', json(412, { code: 'precondition_failed', detail: 'It was changed meanwhile.' }), 412, /changed meanwhile/],
  [
    '417',
    json(417, { exc_type: 'ValidationError', exception: 'ValidationError: The term is over.' }),
    417,
    /term is over/,
  ],
  ['429', json(429, { code: 'rate_limit_exceeded', detail: 'Too many.' }), 429, /busy. Nothing was changed/],
  ['500', json(500, { exc_type: 'InternalError' }), 500, /failed. Nothing was changed/],
  ['502 of a proxy', page(502), 502, /failed. Nothing was changed/],
  ['503', page(503), 503, /busy. Nothing was changed/],
  ['504 of a proxy', page(504), 504, /failed. Nothing was changed/],
]

function broken(): ReadableStream {
  return new ReadableStream({ pull: (stream) => stream.error(new TypeError('terminated')) })
}

test('whatever the console writes goes through one function, and each write is known here', () => {
  const folder = new URL('../', import.meta.url).pathname.replace('/dist/', '/src/')
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\./.test(path),
  )
  const known = new Set([...Object.keys(writes), 'logIn', 'logOut', 'loadPeople', 'countBy'])
  for (const path of files) {
    const text = readFileSync(folder + path, 'utf8')
    // What listens, and what reads a file of an address that was given out or of the build, write nothing.
    if (!/calls\/(http|live)\.ts$|documents\/(preview|pdf-pages)\.tsx$/.test(path)) {
      assert.doesNotMatch(text, /(?<![.\w])fetch\(|XMLHttpRequest|sendBeacon/, path)
    }
    for (const [before] of text.matchAll(/export (?:async )?function[\s\S]*?call\('(?:POST|PUT|PATCH|DELETE)'/g)) {
      const name = /.*export (?:async )?function (\w+)/s.exec(before)?.[1] as string
      assert.ok(known.has(name), `${name} in ${path} is a write that this test does not know`)
    }
    if (!path.startsWith('calls/')) assert.doesNotMatch(text, /call\('(?!GET)/, path)
  }
})

for (const [name, [safe, write]] of Object.entries(writes)) {
  test(`${name}: whatever goes wrong is told in words, in each language, and nothing is sent again unasked`, async () => {
    for (const [what, response, status, reported] of validationErrors) {
      const sent = answering(response)
      const rejection = await write().then(
        () => assert.fail(`${name} took ${what} for done`),
        (error: unknown) => error,
      )
      assert.ok(rejection instanceof CallError && rejection.status === status, `${name}, ${what}: ${rejection}`)
      assert.match(getErrorText(rejection, english), reported, what)
      for (const messages of [spanish, portuguese]) assert.ok(getErrorText(rejection, messages).length > 8, what)
      assert.equal(sent.length, 1, what)
      const [{ headers, body }] = sent as [Sent]
      if (safe === 'key') assert.equal(headers['idempotency-key'], key)
      if (safe === 'version') assert.equal(headers['if-match'], tag)
      if (safe !== 'key') assert.equal(headers['idempotency-key'], undefined, `${name} is safe by a key: ${body}`)
    }
  })

  test(`${name}: where the session is over somebody logs in, and the very same is sent again, once`, async () => {
    let asked = 0
    onSessionOver(async () => {
      asked += 1
    })
    const sent = answering(json(401, { session_expired: 1, exc_type: 'AuthenticationError' }), page(500))
    await assert.rejects(write(), (error: unknown) => error instanceof CallError && error.status === 500)
    assert.deepEqual([asked, sent.length], [1, 2])
    const [first, again] = sent as [Sent, Sent]
    assert.deepEqual(again, first)
  })
}

test('somebody who logs out and is not reached is told so', async () => {
  answering(unreached)
  await assert.rejects(logOut(), (error: unknown) => getErrorText(error, english).includes('cannot be reached'))
})
