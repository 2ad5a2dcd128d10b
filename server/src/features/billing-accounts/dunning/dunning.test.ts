import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCommandLine } from '../../../testing/fixtures/command-line.ts'
import { printedText } from '../../../testing/fixtures/files/printed-text.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import { dunningMailComposer } from '../index.ts'

const mail = { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'billing@school.example' }
const service = await startTestService({ mail })
const { folder, json } = await loadCommandLine(service)

const levels = [
  { level: 1, daysOverdue: 10, texts: { en: '{name}: {amount} since {dueDate}, {days} days.\n{list}' } },
  { level: 2, daysOverdue: 30, fee: 15 },
  { level: 3, daysOverdue: 60, percent: 5 },
]

let count = 0
async function aSchool(dunning: readonly object[] = levels, settings: object = {}): Promise<TestTenant> {
  const tenant = await service.tenant(settings)
  count += 1
  const file = join(folder, `dunning-${count}.json`)
  await writeFile(file, JSON.stringify({ billing: { dunning } }))
  await json(['apply', file, '--tenant', tenant.slug, '--yes'])
  return tenant
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** An account that pays for a student, and what each of its payments asks for, due so many days ago. */
async function aDebtor(tenant: TestTenant, fields: object, debts: readonly (readonly [number, number])[]) {
  const { api } = tenant
  const student = (await api.post('/students', { fullName: 'Tyrone Dyer' })).body.data.id
  const account = await api.post('/billing/accounts', { name: 'Family Dyer', ...fields })
  assert.equal(account.status, 201, account.text)
  const accountId = account.body.data.id
  const shares = [{ accountId, percent: 100 }]
  assert.equal((await api.put(`/billing/students/${student}/shares`, { shares })).status, 200)
  const payments: string[] = []
  for (const [amount, days] of debts) {
    const made = await api.post('/payments', {
      studentId: student,
      amount,
      description: 'Tuition',
      dueDate: daysAgo(days),
    })
    assert.equal(made.status, 201, made.text)
    payments.push(made.body.data.id)
  }
  return { accountId, payments }
}

async function run({ api }: TestTenant) {
  const made = await api.post('/billing/dunning-runs', undefined)
  assert.equal(made.status, 201, made.text)
  return made.body.data
}

const send = ({ api }: TestTenant, id: string, body: unknown = {}) => api.post(`/billing/dunning-runs/${id}/send`, body)

const summary = (notices: Record<string, unknown>[]) =>
  notices.map(({ level, amount, fee, status }) => [level, amount, fee, status])

/** Lets what was sent of a tenant be sent so many days earlier. */
const passDays = ({ id }: TestTenant, days: number) =>
  service.database.inspect('update obligations set dunning_sent_on = dunning_sent_on - $2::int where tenant_id = $1', [
    id,
    days,
  ])

test('a run proposes a notice for each account with something overdue by the levels, and sends nothing', async () => {
  const tenant = await aSchool()
  const { accountId, payments } = await aDebtor(tenant, {}, [
    [100, 45],
    [50, 10],
    [70, 9],
    [30, -5],
  ])
  const made = await run(tenant)
  assert.deepEqual(summary(made.notices), [[1, 150, 0, 'proposed']])
  const [notice] = made.notices
  assert.deepEqual(
    [notice.accountId, notice.currency, notice.items.map((item: Record<string, unknown>) => Object.values(item))],
    [
      accountId,
      'USD',
      [
        [payments[0], 100, 45, 1],
        [payments[1], 50, 10, 1],
      ].map(([paymentId, amount, days, level]) => [level, amount, paymentId, days]),
    ],
  )
  const read = await tenant.api.get(`/billing/dunning-runs/${made.id}`)
  assert.deepEqual(read.body.data, made)
  assert.deepEqual((await tenant.api.get(`/billing/accounts/${accountId}/timeline`)).body.data, [])
  const events = (await tenant.api.get('/events?after=0&types=dunning_run.created')).body.data
  assert.deepEqual(
    events.map(({ entityId }: { entityId: string }) => entityId),
    [made.id],
  )
})

test('what is sent stands in the timeline of the account, is audited, and is not proposed again', async () => {
  const tenant = await aSchool()
  const { accountId } = await aDebtor(tenant, { address: '1 Main Street', city: 'Springfield' }, [[100, 45]])
  const made = await run(tenant)
  const sent = await send(tenant, made.id)
  assert.equal(sent.status, 200, sent.text)
  const [notice] = sent.body.data.notices
  assert.deepEqual([notice.status, notice.channel], ['sent', 'print'])
  const timeline = (await tenant.api.get(`/billing/accounts/${accountId}/timeline`)).body.data
  assert.equal(timeline.length, 1)
  const [{ id, at, by, subject, text, ...entry }] = timeline
  assert.deepEqual(entry, {
    kind: 'dunning_notice',
    level: 1,
    channel: 'print',
    recipient: 'Family Dyer, 1 Main Street, Springfield',
    amount: 100,
    currency: 'USD',
  })
  assert.deepEqual([id, by.type, at], [notice.id, 'api_key', notice.sentAt])
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(subject, `${tenant.name}: reminder of USD 100.00`)
  assert.match(text, new RegExp(`^Family Dyer: USD 100.00 since ${daysAgo(45)}, 45 days.\nTuition: USD 100.00, due`))
  const audit = (await tenant.api.get('/audit?action=dunning_notice.sent')).body.data
  assert.deepEqual(
    audit.map(({ entityId }: { entityId: string }) => entityId),
    [notice.id],
  )
  assert.deepEqual((await run(tenant)).notices, [])
  const again = await send(tenant, made.id, { noticeIds: [notice.id] })
  assert.deepEqual([again.status, again.body.code], [409, 'state_conflict'])
})

test('the next level waits as long as lies between the two, and its fee becomes an obligation of the account', async () => {
  const tenant = await aSchool()
  const { accountId } = await aDebtor(tenant, {}, [[100, 100]])
  await send(tenant, (await run(tenant)).id)
  await passDays(tenant, 19)
  assert.deepEqual((await run(tenant)).notices, [])
  await passDays(tenant, 1)
  const second = await run(tenant)
  assert.deepEqual(summary(second.notices), [[2, 100, 15, 'proposed']])
  const sent = await send(tenant, second.id)
  const [notice] = sent.body.data.notices
  const owed = (await tenant.api.get(`/billing/accounts/${accountId}/obligations`)).body.data
  const fee = owed.find(({ paymentId }: { paymentId: string }) => paymentId === notice.feePaymentId)
  assert.deepEqual([fee.amount, fee.openAmount, fee.description], [15, 15, 'Reminder fee, level 2'])
  assert.equal((await tenant.api.get(`/billing/accounts/${accountId}`)).body.data.balance, 115)
  await passDays(tenant, 30)
  assert.deepEqual(summary((await run(tenant)).notices), [[3, 100, 5, 'proposed']])
})

test('what is disputed or agreed stops, and goes on when it is released', async () => {
  const tenant = await aSchool()
  const { payments } = await aDebtor(tenant, {}, [
    [100, 45],
    [50, 45],
  ])
  const hold = (id: string, body: object) => tenant.api.put(`/billing/obligations/${id}/dunning-hold`, body)
  const [one, other] = payments as [string, string]
  const disputed = await hold(one, { hold: 'disputed', note: 'Was never enrolled' })
  assert.deepEqual(
    [disputed.status, disputed.body.data],
    [200, { paymentId: one, hold: 'disputed', note: 'Was never enrolled', level: null, sentOn: null }],
  )
  assert.equal((await hold(other, { hold: 'agreed' })).status, 200)
  assert.deepEqual((await run(tenant)).notices, [])
  assert.equal((await hold(other, { hold: null })).status, 200)
  assert.deepEqual(summary((await run(tenant)).notices), [[1, 50, 0, 'proposed']])
  assert.equal((await hold(one, { hold: 'forgotten' })).status, 400)
  assert.equal((await hold('01985b2e-5a00-7000-8000-000000000001', { hold: 'agreed' })).status, 404)
  const audit = (await tenant.api.get('/audit?action=obligation.dunning_changed')).body.data
  assert.equal(audit.length, 3)
})

test('what was paid or held since the run is left out, and a notice of which nothing is left is dropped', async () => {
  const tenant = await aSchool()
  const first = await aDebtor(tenant, {}, [
    [100, 45],
    [50, 45],
  ])
  const second = await aDebtor(tenant, {}, [[30, 45]])
  const made = await run(tenant)
  assert.deepEqual(summary(made.notices), [
    [1, 150, 0, 'proposed'],
    [1, 30, 0, 'proposed'],
  ])
  for (const id of [first.payments[0], second.payments[0]])
    assert.equal((await tenant.api.patch(`/payments/${id}`, { status: 'paid' })).status, 200)
  const sent = await send(tenant, made.id)
  assert.deepEqual(summary(sent.body.data.notices), [
    [1, 50, 0, 'sent'],
    [1, 30, 0, 'dropped'],
  ])
})

test('a new run drops what waits; notices are sent once, also when two people send at once', async () => {
  const tenant = await aSchool()
  const { accountId } = await aDebtor(tenant, {}, [[100, 45]])
  const old = await run(tenant)
  const made = await run(tenant)
  const read = (await tenant.api.get(`/billing/dunning-runs/${old.id}`)).body.data
  assert.deepEqual(summary(read.notices), [[1, 100, 0, 'dropped']])
  const [notice] = made.notices
  const both = await Promise.all([1, 2].map(() => send(tenant, made.id, { noticeIds: [notice.id] })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  assert.equal((await tenant.api.get(`/billing/accounts/${accountId}/timeline`)).body.data.length, 1)
  const foreign = await send(tenant, made.id, { noticeIds: [old.notices[0].id] })
  assert.deepEqual([foreign.status, foreign.body.code], [422, 'reference_not_found'])
})

test('a run for some accounts leaves the others and what was proposed to them as they are', async () => {
  const tenant = await aSchool()
  const [one, other] = [await aDebtor(tenant, {}, [[100, 45]]), await aDebtor(tenant, {}, [[30, 45]])]
  const all = await run(tenant)
  const made = await tenant.api.post('/billing/dunning-runs', { accountIds: [other.accountId] })
  assert.deepEqual(summary(made.body.data.notices), [[1, 30, 0, 'proposed']])
  const { notices } = (await tenant.api.get(`/billing/dunning-runs/${all.id}`)).body.data
  assert.deepEqual(summary(notices), [
    [1, 100, 0, 'proposed'],
    [1, 30, 0, 'dropped'],
  ])
  const unknown = await tenant.api.post('/billing/dunning-runs', { accountIds: [one.accountId, one.payments[0]] })
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'reference_not_found'])
})

test('another institution neither reads nor sends runs, and without levels nothing is proposed', async () => {
  const [tenant, other] = [await aSchool(), await aSchool([])]
  await aDebtor(tenant, {}, [[100, 45]])
  await aDebtor(other, {}, [[100, 45]])
  const made = await run(tenant)
  assert.deepEqual((await run(other)).notices, [])
  assert.equal((await other.api.get(`/billing/dunning-runs/${made.id}`)).status, 404)
  assert.equal((await send(other, made.id)).status, 404)
  const { notices } = (await tenant.api.get(`/billing/dunning-runs/${made.id}`)).body.data
  assert.deepEqual(summary(notices), [[1, 100, 0, 'proposed']])
})

test('in closed books a notice with a fee is refused by the rule, and nothing is sent', async () => {
  const tenant = await aSchool([{ level: 1, daysOverdue: 10, fee: 5 }])
  await aDebtor(tenant, {}, [[100, 45]])
  const made = await run(tenant)
  await service.database.inspect('update education_settings set books_closed_until = $2 where tenant_id = $1', [
    tenant.id,
    daysAgo(-2),
  ])
  const sent = await send(tenant, made.id)
  assert.deepEqual([sent.status, sent.body.rule], [422, 'books_closed'])
  const { notices } = (await tenant.api.get(`/billing/dunning-runs/${made.id}`)).body.data
  assert.deepEqual(summary(notices), [[1, 100, 5, 'proposed']])
})

test('where mails are sent, a payer who wants them has the notice by mail in the language of the account', async () => {
  const tenant = await aSchool([{ level: 1, daysOverdue: 10, fee: 5 }])
  const fields = { deliverBy: 'mail', email: 'dyer@example.org', language: 'es' }
  const { accountId } = await aDebtor(tenant, fields, [[100, 45]])
  const sent = await send(tenant, (await run(tenant)).id)
  const [notice] = sent.body.data.notices
  assert.deepEqual([notice.channel, notice.recipient], ['mail', 'dyer@example.org'])
  const queued = await service.database.inspect<{ entityId: string; recipient: string; locale: string }>(
    `select entity_id as "entityId", recipient, locale from outgoing_mails where tenant_id = $1 and kind = 'dunning_notice'`,
    [tenant.id],
  )
  assert.deepEqual(queued, [{ entityId: notice.id, recipient: 'dyer@example.org', locale: 'es' }])
  const letter = await dunningMailComposer(service.data, { ...tenant } as never, queued[0] as never)
  assert.deepEqual(letter?.to, { name: '', address: 'dyer@example.org' })
  assert.equal(letter?.subject, `${tenant.name}: recordatorio de pago de USD 100.00`)
  assert.match(letter?.text ?? '', /Este recordatorio agrega un cargo de USD 5\.00\./)
  const [statement, ...further] = letter?.attachments ?? []
  assert.deepEqual([further.length, statement?.mediaType], [0, 'application/pdf'])
  const shown = printedText(statement?.bytes as Buffer)
  for (const text of ['Estado de cuenta', 'Family Dyer', '100.00', '5.00']) assert.ok(shown.includes(text), shown)
  assert.equal((await tenant.api.get(`/billing/accounts/${accountId}/timeline`)).body.data[0].channel, 'mail')
})

test('GET /v1/billing/dunning-runs/{id}/notices/{noticeId}: what a payer would be sent by each level in its language, and nothing is sent', async () => {
  const tenant = await aSchool()
  const mailed = { deliverBy: 'mail', email: 'dyer@example.org', language: 'es', name: 'Familia Dyer' }
  const one = await aDebtor(tenant, mailed, [[100, 45]])
  const other = await aDebtor(tenant, { language: 'fr', address: '1 Rue Haute', city: 'Lyon' }, [[30, 12]])
  const preview = async (made: { id: string; notices: { id: string; accountId: string }[] }, accountId: string) => {
    const { id } = made.notices.find((each) => each.accountId === accountId) as { id: string }
    const address = `/billing/dunning-runs/${made.id}/notices/${id}`
    const read = await tenant.api.get(address)
    assert.equal(read.status, 200, read.text)
    return { address, notice: read.body.data }
  }
  const first = await run(tenant)
  const { notice } = await preview(first, one.accountId)
  assert.deepEqual(
    [notice.status, notice.level, notice.fee, notice.channel, notice.recipient, notice.sentAt],
    ['proposed', 1, 0, 'mail', 'dyer@example.org', null],
  )
  assert.equal(notice.subject, `${tenant.name}: recordatorio de pago de USD 100.00`)
  assert.match(notice.text, /^Familia Dyer: USD 100\.00 since /)
  const { notice: french } = await preview(first, other.accountId)
  assert.deepEqual([french.channel, french.recipient], ['print', 'Family Dyer, 1 Rue Haute, Lyon'])
  assert.match(french.subject, /rappel/)
  for (const { accountId } of [one, other]) {
    assert.deepEqual((await tenant.api.get(`/billing/accounts/${accountId}/timeline`)).body.data, [])
  }
  const sent = (await send(tenant, first.id)).body.data.notices
  const stored = sent.find((each: { accountId: string }) => each.accountId === one.accountId)
  assert.deepEqual([stored.subject, stored.text], [notice.subject, notice.text], 'what was shown is what was sent')
  assert.deepEqual((await preview(first, one.accountId)).notice, stored)
  await passDays(tenant, 20)
  const second = await preview(await run(tenant), one.accountId)
  assert.deepEqual([second.notice.level, second.notice.fee, second.notice.status], [2, 15, 'proposed'])
  assert.match(second.notice.text, /Este recordatorio agrega un cargo de USD 15\.00\./)
  const pdf = await tenant.api.get(second.address, { accept: 'application/pdf' })
  assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf'])
  assert.match(pdf.text, /\/Lang \(es\)/)
  assert.match(pdf.text, /\/Marked true/)
})

test('a preview says that nothing is left to remind of, and is found by its own run and institution alone', async () => {
  const [tenant, foreign] = [await aSchool(), await aSchool()]
  const { payments } = await aDebtor(tenant, {}, [[100, 45]])
  const made = await run(tenant)
  const of = (runId: string, noticeId: string) => `/billing/dunning-runs/${runId}/notices/${noticeId}`
  const address = of(made.id, made.notices[0].id)
  assert.equal((await tenant.api.patch(`/payments/${payments[0]}`, { status: 'paid' })).status, 200)
  const { status, text } = (await tenant.api.get(address)).body.data
  assert.deepEqual([status, text], ['dropped', null])
  const pdf = await tenant.api.get(address, { accept: 'application/pdf' })
  assert.deepEqual([pdf.status, pdf.body.code], [409, 'state_conflict'])
  for (const missing of [of(made.id, made.id), of(made.notices[0].id, made.notices[0].id), of(made.id, 'no-uuid')]) {
    assert.equal((await tenant.api.get(missing)).status, 404)
  }
  assert.equal((await foreign.api.get(address)).status, 404)
})

test('a reminder at night leaves in the morning of the institution, one by day at once', async () => {
  const hour = new Date().getUTCHours()
  // Zones in which it is about ten at night and about noon now; those of this name count from Greenwich to the west.
  const zoneAt = (wanted: number) => {
    const offset = ((wanted - hour + 36) % 24) - 12
    return offset === 0 ? 'UTC' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
  }
  const waits: number[] = []
  for (const timeZone of [zoneAt(22), zoneAt(12)]) {
    const tenant = await aSchool(levels, { timeZone })
    await aDebtor(tenant, { deliverBy: 'mail', email: 'dyer@example.org' }, [[100, 45]])
    assert.equal((await send(tenant, (await run(tenant)).id)).body.data.notices[0].channel, 'mail')
    const [mail] = await service.database.inspect<{ hours: number }>(
      `select extract(epoch from next_attempt_at - created_at)::float8 / 3600 as hours
         from outgoing_mails where tenant_id = $1 and kind = 'dunning_notice'`,
      [tenant.id],
    )
    waits.push(mail?.hours ?? -1)
  }
  const [atNight, byDay] = waits as [number, number]
  assert.ok(atNight > 9 - 0.1 && atNight <= 10 && byDay < 0.1, waits.join(' '))
})

test('an account is reminded at most once a week, whatever comes due', async () => {
  const tenant = await aSchool()
  const { accountId, payments } = await aDebtor(tenant, {}, [
    [100, 45],
    [70, 9],
  ])
  await send(tenant, (await run(tenant)).id)
  await service.database.inspect(
    'update obligations set due_on = due_on - 5 where tenant_id = $1 and payment_id = $2',
    [tenant.id, payments[1]],
  )
  assert.deepEqual((await run(tenant)).notices, [])
  await passDays(tenant, 6)
  assert.deepEqual((await run(tenant)).notices, [])
  await passDays(tenant, 1)
  const made = await run(tenant)
  assert.deepEqual(summary(made.notices), [[1, 70, 0, 'proposed']])
  assert.equal((await send(tenant, made.id)).body.data.notices[0].status, 'sent')
  assert.equal((await tenant.api.get(`/billing/accounts/${accountId}/timeline`)).body.data.length, 2)
})

test('reading runs and timelines takes billing:read, and proposing, sending and holding billing:write', async () => {
  const tenant = await aSchool()
  const { accountId, payments } = await aDebtor(tenant, {}, [[100, 45]])
  const made = await run(tenant)
  const { api: reader } = await tenant.token({ scopes: ['billing:read'] })
  assert.equal((await reader.get('/billing/dunning-runs')).body.pagination.total, 1)
  assert.equal((await reader.get(`/billing/accounts/${accountId}/timeline`)).status, 200)
  for (const response of [
    await reader.post('/billing/dunning-runs', undefined),
    await reader.post(`/billing/dunning-runs/${made.id}/send`, {}),
    await reader.put(`/billing/obligations/${payments[0]}/dunning-hold`, { hold: 'agreed' }),
  ]) {
    assert.deepEqual([response.status, response.body.code], [403, 'insufficient_scope'])
  }
})
