import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCommandLine } from '../../../testing/fixtures/command-line.ts'
import { printedText } from '../../../testing/fixtures/files/printed-text.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import { afterFile } from '../../../testing/runner/file-end.ts'

const service = await startTestService()
const { folder: commands, run } = await loadCommandLine(service)
const folder = await mkdtemp(join(tmpdir(), 'matricula-letters-'))
afterFile(() => rm(folder, { recursive: true }))
const today = () => new Date().toISOString().slice(0, 10)
const hasReader = spawnSync('pdftotext', ['-v']).error === undefined

let count = 0
async function apply({ slug }: TestTenant, billing: object): Promise<void> {
  count += 1
  const file = join(commands, `documents-${count}.json`)
  await writeFile(file, JSON.stringify({ billing }))
  assert.equal((await run(['apply', file, '--tenant', slug, '--yes'])).stderr, '')
}

/** An account that owes 100 for a student. */
async function aDebtor({ api }: TestTenant, fields: object) {
  const account = (await api.post('/billing/accounts', { name: 'Familie Muster', ...fields })).body.data
  const studentId = (await api.post('/students', { fullName: 'Ida Muster' })).body.data.id
  await api.put(`/billing/students/${studentId}/shares`, { shares: [{ accountId: account.id, percent: 100 }] })
  const owed = { studentId, amount: 100, currency: account.currency, description: 'Tuition', dueDate: '2026-01-05' }
  const made = await api.post('/payments', owed)
  assert.equal(made.status, 201, made.text)
  return { id: account.id as string, payment: made.body.data.id as string }
}

const path = (id: string, number: string) => `/billing/accounts/${id}/documents/${encodeURIComponent(number)}`

/** The number of the last document of a kind on an account. */
async function numberOf({ api }: TestTenant, id: string, kind: string): Promise<string> {
  const { lines } = (await api.get(`/billing/accounts/${id}/statement`)).body.data
  return lines.filter((line: { kind: string }) => line.kind === kind).at(-1).number
}

/** The words of a document as a reader has them, and its bytes. */
async function print(tenant: TestTenant, id: string, number: string) {
  const { secret } = await tenant.token({ scopes: ['billing:read'] })
  const headers = { accept: 'application/pdf', authorization: `Bearer ${secret}` }
  const response = await fetch(`${service.address}/v1${path(id, number)}`, { headers })
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/pdf'])
  const bytes = Buffer.from(await response.arrayBuffer())
  const source = bytes.toString('latin1')
  if (!hasReader) return { text: printedText(bytes), source }
  const file = join(folder, 'printed.pdf')
  await writeFile(file, bytes)
  return { text: spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout, source }
}

function assertTexts({ text }: { readonly text: string }, texts: readonly string[]): void {
  for (const each of texts) assert.ok(text.includes(each), `${each} is missing in\n${text}`)
}

const titles = {
  en: ['Invoice', 'Credit note', 'What is charged', 'What is taken back'],
  es: ['Factura', 'Nota de crédito', 'Qué se cobra', 'Qué se descuenta'],
  pt: ['Fatura', 'Nota de crédito', 'O que é cobrado', 'O que é descontado'],
  fr: ['Facture', 'Note de crédit', 'Ce qui est facturé', 'Ce qui est déduit'],
} as const

for (const [language, [invoice, creditTitle, charged, credited]] of Object.entries(titles)) {
  test(`invoice and credit note are letters in the language of the payer (${language}), tagged, with texts of the institution`, async () => {
    const tenant = await service.tenant()
    const notes = { invoice: { [language]: 'Please pay in time.' }, credit_note: { [language]: 'With kind regards.' } }
    await apply(tenant, {
      print: { footer: 'Northfield School', notes },
      bankAccounts: [{ key: 'main', iban: 'DE89370400440532013000', currency: 'EUR' }],
    })
    const { id, payment } = await aDebtor(tenant, { language, currency: 'EUR', city: 'Lyon' })
    const number = await numberOf(tenant, id, 'invoice')
    const first = await print(tenant, id, number)
    assertTexts(first, [invoice, charged, 'Familie Muster', 'Lyon', 'Tuition', 'Ida Muster', 'EUR 100.00', number])
    assertTexts(first, ['Please pay in time.', 'Northfield School', 'DE89 3704 0044 0532 0130 00', '2026-01-05'])
    assert.match(first.source, /\/Marked true/)
    assert.ok(first.source.includes(`/Lang (${language})`))
    // The code that banking apps read.
    assert.match(first.source, /\/S \/Figure/)
    const credit = await tenant.api.post(`/billing/obligations/${payment}/credit`, { amount: 30, reason: 'Sibling' })
    assert.equal(credit.status, 201, credit.text)
    const second = await print(tenant, id, credit.body.data.number)
    assertTexts(second, [creditTitle, credited, 'Sibling', 'EUR 30.00', credit.body.data.number, 'With kind regards.'])
    assert.ok(!second.text.includes('DE89'))
  })
}

test('GET /v1/billing/accounts/{id}/documents/{number}: what stands on the statement, by its number', async () => {
  const tenant = await service.tenant()
  const { id, payment } = await aDebtor(tenant, {})
  const { api } = tenant
  const number = await numberOf(tenant, id, 'invoice')
  const receipt = { accountId: id, receivedOn: today(), method: 'cash', amount: 40, reference: 'C-1' }
  const { receiptNumber } = (await api.post('/billing/receipts', receipt)).body.data
  const read = async (of: string) => (await api.get(path(id, of))).body.data
  const { paymentReference, ...instalment } = (await read(number)).instalments[0]
  assert.match(paymentReference, /^RF/)
  assert.deepEqual(instalment, { paymentId: payment, dueDate: '2026-01-05', amount: 100, openAmount: 60 })
  const shared = { accountId: id, date: today(), isCancelled: false, currency: 'USD', reason: null, reference: null }
  const item = { description: 'Tuition', studentName: 'Ida Muster' }
  assert.deepEqual(
    { ...(await read(number)), instalments: [] },
    {
      ...shared,
      kind: 'invoice',
      number,
      amount: 100,
      openAmount: 60,
      items: [{ ...item, amount: 100 }],
      instalments: [],
    },
  )
  assert.deepEqual(await read(receiptNumber), {
    ...{ ...shared, reference: 'C-1', kind: 'receipt', number: receiptNumber, amount: 40, openAmount: 0 },
    ...{ items: [{ ...item, amount: 40 }], instalments: [] },
  })
  const written = await api.post(`/billing/obligations/${payment}/write-off`, { amount: 5, reason: 'Hardship' })
  const { kind, reason, items } = await read(written.body.data.number)
  assert.deepEqual([kind, reason, items], ['write_off', 'Hardship', [{ ...item, amount: 5 }]])
  assertTexts(await print(tenant, id, receiptNumber), ['Receipt', 'USD 40.00', 'cash'])
  assertTexts(await print(tenant, id, written.body.data.number), ['Write-off', 'Hardship'])
})

test('an invoice in instalments asks for what is due next, and a cancelled one for nothing', async () => {
  const tenant = await service.tenant()
  await apply(tenant, { bankAccounts: [{ key: 'main', iban: 'DE89370400440532013000', currency: 'EUR' }] })
  const { id, payment } = await aDebtor(tenant, { currency: 'EUR' })
  const number = await numberOf(tenant, id, 'invoice')
  const parts = [
    { amount: 60, dueDate: '2999-01-01' },
    { amount: 40, dueDate: '2999-02-01' },
  ]
  assert.equal((await tenant.api.post(`/billing/obligations/${payment}/split`, { parts })).status, 200)
  const printed = await print(tenant, id, number)
  assertTexts(printed, ['2999-01-01', '2999-02-01', 'EUR 100.00', 'EUR 60.00'])
  const { instalments } = (await tenant.api.get(path(id, number))).body.data
  for (const { paymentId } of instalments) await tenant.api.patch(`/payments/${paymentId}`, { status: 'cancelled' })
  const cancelled = await print(tenant, id, number)
  assertTexts(cancelled, ['Invoice (cancelled)'])
  assert.ok(!cancelled.text.includes('DE89'))
})

test('an invoice in Swiss francs has a QR bill with the reference of what is due', async () => {
  const tenant = await service.tenant()
  const address = { street: 'Bahnhofstrasse 1', postalCode: '8001', city: 'Zürich', country: 'CH' }
  const bankAccounts = [{ key: 'main', iban: 'CH9300762011623852957', currency: 'CHF' }]
  await apply(tenant, { bankAccounts, print: { address } })
  const { id } = await aDebtor(tenant, { currency: 'CHF', language: 'fr' })
  assertTexts(await print(tenant, id, await numberOf(tenant, id, 'invoice')), ['Section paiement', 'Familie Muster'])
})

test('a document is found only on its own account, and a payout prints as one', async () => {
  const [tenant, foreign] = [await service.tenant(), await service.tenant()]
  const [one, other] = [await aDebtor(tenant, {}), await aDebtor(tenant, {})]
  const number = await numberOf(tenant, one.id, 'invoice')
  for (const [api, id, of] of [
    [tenant.api, other.id, number],
    [foreign.api, one.id, number],
    [tenant.api, one.id, 'none'],
    [tenant.api, one.id, '\0'],
    [tenant.api, 'no-uuid', number],
  ] as const) {
    const { status, body } = await api.get(path(id, of))
    assert.deepEqual([status, body.code], [404, 'resource_not_found'], of)
  }
  const receipt = { accountId: one.id, receivedOn: today(), method: 'cash', amount: 150 }
  assert.equal((await tenant.api.post('/billing/receipts', receipt)).status, 201)
  const sent = { accountId: one.id, paidOn: today(), method: 'cash', amount: 50, reason: 'Left' }
  const { payoutNumber } = (await tenant.api.post('/billing/payouts', sent)).body.data
  assertTexts(await print(tenant, one.id, payoutNumber), ['Payment to you', 'USD 50.00', 'Left'])
})
