import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aPerson, aRecordCaller } from '../../testing/fixtures/factories.ts'
import { printedText } from '../../testing/fixtures/files/printed-text.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

/** A mother with two children, each of whom owes something by itself, and a bursar. */
async function aFamily() {
  const tenant = await service.tenant()
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  const children: { id: string; fullName: string; studentCode: string }[] = []
  for (const fullName of ['Luis Núñez', 'Ana Núñez']) {
    const made = await tenant.api.post('/students', { fullName })
    assert.equal(made.status, 201, made.text)
    children.push(made.body.data)
  }
  const [luis, ana] = children as [(typeof children)[number], (typeof children)[number]]
  const records = await aRecordCaller(service, tenant)
  const guardian = { guardian_name: 'Rosa Núñez', email_address: 'rosa@home.example' }
  const { name } = (await records.post('/api/resource/Guardian', guardian)).body.data
  for (const { studentCode } of children) {
    const guardians = [{ guardian: name, relation: 'Mother' }]
    assert.equal((await records.put(`/api/resource/Student/${studentCode}`, { guardians })).status, 200)
  }
  const owes = async (studentId: string, amount: number, dueDate: string, description = 'Tuition') => {
    const made = await tenant.api.post('/payments', { studentId, amount, dueDate, description })
    assert.equal(made.status, 201, made.text)
    return made.body.data.id as string
  }
  return { tenant, bursar, luis, ana, owes }
}

type Caller = Awaited<ReturnType<typeof aPerson>>
const find = async ({ caller }: Caller, q: string) =>
  (await caller.get(`/console/v1/fee-desk/families?${new URLSearchParams({ q })}`)).body.data
const read = ({ caller }: Caller, of: string, id: string) =>
  caller.get(`/console/v1/fee-desk/family?${new URLSearchParams({ of, id })}`)
const take = ({ caller }: Caller, body: object, key: string = randomUUID()) =>
  caller.with({ 'idempotency-key': key }).post('/console/v1/fee-desk/payments', body)

const today = () => new Date().toISOString().slice(0, 10)
const cash = (...parts: object[]) => ({ receivedOn: today(), method: 'cash', parts })
const auditOf = async (tenant: TestTenant, action: string): Promise<string[]> => {
  const { data } = (await tenant.api.get(`/audit?action=${action}`)).body
  return data.map(({ actor }: { actor: { type: string } }) => actor.type)
}

test('a family is found by a child, a guardian or a payer, by parts of names without accents, with a typo, and by its numbers', async () => {
  const { tenant, bursar, luis, owes } = await aFamily()
  await owes(luis.id, 100, '2026-09-01')
  const payer = await tenant.api.post('/billing/accounts', { name: 'Empresa Ñandú', kind: 'company' })
  assert.equal(payer.status, 201)
  const names = async (q: string) =>
    (await find(bursar, q)).map(({ of, name }: Record<string, string>) => `${of} ${name}`)
  assert.ok((await names('nunez luis')).includes('student Luis Núñez'))
  assert.ok((await names('rosa nun')).includes('guardian Rosa Núñez'))
  assert.ok((await names('rosa@home.example')).includes('guardian Rosa Núñez'))
  assert.deepEqual(await names('luis nunes'), ['student Luis Núñez'])
  assert.deepEqual(await names('nandu'), ['account Empresa Ñandú'])
  assert.deepEqual(await names(payer.body.data.accountNumber.toLowerCase()), ['account Empresa Ñandú'])
  assert.deepEqual(await names('nobody at all'), [])
  for (const odd of [' ', '%', "'; drop table students; --", 'BA-99999999999999', '😀'])
    assert.deepEqual(await names(odd), [])
})

test('a family shows the children with a guardian in common, who pays, and what is open by due date', async () => {
  const { tenant, bursar, luis, ana, owes } = await aFamily()
  const later = await owes(luis.id, 100, '2999-09-01')
  const earlier = await owes(ana.id, 40, '2026-01-01', 'Bus')
  const { status, body, text } = await read(bursar, 'student', luis.id)
  assert.equal(status, 200, text)
  const { data } = body
  assert.deepEqual(
    data.students.map(({ fullName }: Record<string, string>) => fullName),
    ['Ana Núñez', 'Luis Núñez'],
  )
  assert.deepEqual(
    data.obligations.map(({ paymentId, studentName, openAmount }: Record<string, unknown>) => [
      paymentId,
      studentName,
      openAmount,
    ]),
    [
      [earlier, 'Ana Núñez', 40],
      [later, 'Luis Núñez', 100],
    ],
  )
  assert.deepEqual(
    data.accounts.map(({ name, open, overdue }: Record<string, unknown>) => [name, open, overdue]),
    [
      ['Luis Núñez', 100, 0],
      ['Ana Núñez', 40, 40],
    ],
  )
  const [guardian] = (await find(bursar, 'rosa')).filter(({ of }: Record<string, string>) => of === 'guardian')
  assert.deepEqual((await read(bursar, 'guardian', guardian.id)).body.data.obligations, data.obligations)
  const foreign = await aPerson(service, await service.tenant(), ['Accounts User'])
  assert.equal((await read(foreign, 'student', luis.id)).status, 404)
  for (const of of ['account', 'guardian']) {
    const { status, body } = await read(bursar, of, randomUUID())
    assert.deepEqual([status, body.code], [404, 'resource_not_found'])
  }
  assert.equal((await read(bursar, 'student', 'x')).status, 400)
  const teacher = await aPerson(service, tenant, ['Instructor'])
  assert.equal((await read(teacher, 'student', luis.id)).status, 403)
})

test('what a company owes for other children is shown where the family is found by the company alone', async () => {
  const { tenant, bursar, luis, ana, owes } = await aFamily()
  const account = (await tenant.api.post('/billing/accounts', { name: 'Sponsor', kind: 'sponsor' })).body.data.id
  const unrelated = (await tenant.api.post('/students', { fullName: 'Someone Else' })).body.data.id
  for (const id of [luis.id, unrelated]) {
    const shares = [{ accountId: account, percent: 100 }]
    assert.equal((await tenant.api.put(`/billing/students/${id}/shares`, { shares })).status, 200)
    await owes(id, 10, '2026-09-01')
  }
  await owes(ana.id, 5, '2026-09-01')
  const open = async (of: string, id: string) =>
    (await read(bursar, of, id)).body.data.obligations
      .map(({ studentName }: Record<string, string>) => studentName)
      .sort()
  assert.deepEqual(await open('student', luis.id), ['Ana Núñez', 'Luis Núñez'])
  assert.deepEqual(await open('account', account), ['Luis Núñez', 'Someone Else'])
})

test('whoever may not read students finds families by payers alone, and is shown no siblings', async () => {
  const { tenant, bursar, luis, ana, owes } = await aFamily()
  await owes(luis.id, 100, '2026-09-01')
  await owes(ana.id, 50, '2026-09-01')
  const [guardian] = (await find(bursar, 'rosa@home.example')).filter(({ of }: { of: string }) => of === 'guardian')
  const { caller: manager } = await aPerson(service, tenant)
  const rule = { takenScopes: ['students:read'], takenRights: [] }
  assert.equal((await manager.send('PATCH', '/console/v1/access-rules/Accounts%20User', rule)).status, 200)
  // What a process knows of an institution is less than a second old.
  await until(async () => (await find(bursar, 'rosa@home.example')).length === 0, 'the scope taken')
  for (const typed of ['Luis Núñez', luis.studentCode, 'rosa']) assert.deepEqual(await find(bursar, typed), [], typed)
  const refused = await read(bursar, 'guardian', guardian.id)
  assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'])
  const [{ accountNumber, id }] = (await tenant.api.get(`/billing/accounts?studentId=${luis.id}`)).body.data
  assert.deepEqual(
    (await find(bursar, accountNumber)).map((hit: { id: string }) => hit.id),
    [id],
  )
  const { students } = (await read(bursar, 'account', id)).body.data
  assert.deepEqual(
    students.map(({ fullName }: { fullName: string }) => fullName),
    ['Luis Núñez'],
  )
})

test('money for two children posts a receipt for each account, all or none, and once however often it is sent', async () => {
  const { tenant, bursar, luis, ana, owes } = await aFamily()
  const one = await owes(luis.id, 100, '2026-09-01')
  const other = await owes(ana.id, 40, '2026-09-01')
  const { accounts } = (await read(bursar, 'student', luis.id)).body.data
  const accountOf = (name: string) => accounts.find((each: Record<string, string>) => each.name === name).id
  const part = (accountId: string, paymentId: string, amount: number, pays = amount) => ({
    accountId,
    amount,
    allocations: [{ paymentId, amount: pays }],
  })
  const luisPays = part(accountOf('Luis Núñez'), one, 60)
  const refused = await take(bursar, cash(luisPays, part(accountOf('Ana Núñez'), other, 41)))
  assert.deepEqual([refused.status, refused.body.rule], [422, 'allocation_exceeds_open'])
  const twice = await take(bursar, cash(luisPays, luisPays))
  assert.deepEqual([twice.status, twice.body.code], [400, 'validation_failed'])
  assert.deepEqual((await read(bursar, 'student', luis.id)).body.data.receipts, [])

  const key = randomUUID()
  const body = cash(luisPays, part(accountOf('Ana Núñez'), other, 50, 40))
  const responses = await Promise.all([take(bursar, body, key), take(bursar, body, key), take(bursar, body, key)])
  const posted = responses.filter(({ status }) => status === 201)
  assert.ok(posted.length > 0, JSON.stringify(responses.map(({ body }) => body)))
  const again = await take(bursar, body, key)
  assert.deepEqual(again.body, posted[0]?.body)
  const after = (await read(bursar, 'student', luis.id)).body.data
  assert.deepEqual(
    after.accounts.map(({ name, open, credit }: Record<string, unknown>) => [name, open, credit]),
    [
      ['Luis Núñez', 40, 0],
      ['Ana Núñez', 0, 10],
    ],
  )
  assert.equal(after.receipts.length, 2)
  assert.deepEqual(await auditOf(tenant, 'receipt.posted'), ['user', 'user'])
  const { data } = (await tenant.api.get('/events?types=receipt.posted')).body
  assert.equal(data.length, 2)
})

test('money is refused of somebody without the right, and in the future', async () => {
  const { tenant, bursar, luis, owes } = await aFamily()
  const paymentId = await owes(luis.id, 100, '2026-09-01')
  const [{ id: accountId }] = (await read(bursar, 'student', luis.id)).body.data.accounts
  const parts = [{ accountId, amount: 1, allocations: [{ paymentId, amount: 1 }] }]
  const registrar = await aPerson(service, tenant, ['Academics User'])
  assert.equal((await take(registrar, cash(...parts))).status, 403)
  const ahead = await take(bursar, { ...cash(...parts), receivedOn: '2999-01-01' })
  assert.deepEqual([ahead.status, ahead.body.code], [400, 'validation_failed'])
  const unknown = await take(bursar, cash({ accountId: randomUUID(), amount: 1, allocations: [] }))
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'reference_not_found'])
  assert.equal((await take(bursar, cash())).status, 400)
})

test('what a family brought for several accounts is one paper: each receipt with its number, and the sum', async () => {
  const { tenant, bursar, luis, ana, owes } = await aFamily()
  const one = await owes(luis.id, 100, '2026-09-01', 'Tuition of autumn')
  await owes(ana.id, 40, '2026-09-01', 'School bus')
  const { accounts } = (await read(bursar, 'student', luis.id)).body.data
  const accountOf = (name: string) => accounts.find((each: Record<string, string>) => each.name === name).id
  const part = (accountId: string, amount: number, ...allocations: object[]) => ({ accountId, amount, allocations })
  const paid = await take(
    bursar,
    cash(part(accountOf('Luis Núñez'), 60, { paymentId: one, amount: 60 }), part(accountOf('Ana Núñez'), 40.5)),
  )
  assert.equal(paid.status, 201, paid.text)
  const { receipts } = paid.body.data
  const ids = receipts.map(({ id }: { id: string }) => id)
  const address = (of: readonly string[]) =>
    `/console/v1/fee-desk/receipt?${new URLSearchParams({ ids: of.join(',') })}`
  const listed = await bursar.caller.get(address(ids))
  assert.deepEqual([listed.status, listed.body.data.receipts], [200, receipts])
  const printing = bursar.caller.with({ accept: 'application/pdf' })
  const printed = await printing.get(address(ids))
  assert.deepEqual([printed.status, printed.headers.get('content-type')], [200, 'application/pdf'])
  const shown = printedText(printed.bytes)
  const numbers = receipts.map(({ receiptNumber }: { receiptNumber: string }) => receiptNumber)
  for (const text of [
    ...numbers,
    'Luis',
    'Ana',
    'Tuition of autumn',
    '60.00 USD',
    '40.50 USD',
    'USD 100.50',
    'Total',
  ]) {
    assert.ok(shown.includes(text), `${text} is missing in\n${shown}`)
  }
  const foreign = await aPerson(service, await service.tenant(), ['Accounts User'])
  assert.equal((await foreign.caller.get(address(ids))).status, 404)
  assert.equal((await bursar.caller.get(address([...ids, randomUUID()]))).status, 404)
  const teacher = await aPerson(service, tenant, ['Instructor'])
  assert.equal((await teacher.caller.get(address(ids))).status, 403)
  assert.equal((await tenant.api.post(`/billing/receipts/${ids[0]}/reverse`, {})).status, 200)
  const reversed = await printing.get(address(ids))
  assert.deepEqual([reversed.status, reversed.body.code], [409, 'state_conflict'])
})
