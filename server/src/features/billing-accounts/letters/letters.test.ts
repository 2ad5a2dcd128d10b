import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCommandLine } from '../../../testing/fixtures/command-line.ts'
import { printedText } from '../../../testing/fixtures/files/printed-text.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { folder, run } = await loadCommandLine(service)
const today = () => new Date().toISOString().slice(0, 10)

/** A picture of one black pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='
const logo = `data:image/png;base64,${pixel}`
const address = { street: 'Bahnhofstrasse 1', postalCode: '8001', city: 'Zürich', country: 'CH' }

let count = 0
async function apply({ slug }: TestTenant, billing: object): Promise<string> {
  count += 1
  const file = join(folder, `letters-${count}.json`)
  await writeFile(file, JSON.stringify({ billing }))
  return (await run(['apply', file, '--tenant', slug, '--yes'])).stderr
}

/** A payer who owes 100 since long ago, of which 40 came in. */
async function aDebtor(tenant: TestTenant, fields: object) {
  const { api } = tenant
  const account = (await api.post('/billing/accounts', { name: 'Familie Muster', ...fields })).body.data
  const studentId = (await api.post('/students', { fullName: 'Ida Muster' })).body.data.id
  await api.put(`/billing/students/${studentId}/shares`, { shares: [{ accountId: account.id, percent: 100 }] })
  const sent = { studentId, amount: 100, currency: account.currency, description: 'Tuition', dueDate: '2026-01-05' }
  assert.equal((await api.post('/payments', sent)).status, 201)
  const receipt = { accountId: account.id, receivedOn: today(), method: 'transfer', amount: 40 }
  const posted = await api.post('/billing/receipts', receipt)
  assert.equal(posted.status, 201, posted.text)
  return { account, receipt: posted.body.data }
}

/** The words of a document and its bytes. */
async function print({ token }: TestTenant, path: string) {
  const { secret } = await token({ scopes: ['billing:read'] })
  const headers = { accept: 'application/pdf', authorization: `Bearer ${secret}` }
  const response = await fetch(`${service.address}/v1${path}`, { headers })
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/pdf'])
  const bytes = Buffer.from(await response.arrayBuffer())
  return { text: printedText(bytes), source: bytes.toString('latin1') }
}

test('a receipt is printed in the language of the payer with what it pays, as a tagged document', async () => {
  const tenant = await service.tenant()
  const { receipt } = await aDebtor(tenant, { language: 'fr', city: 'Lyon' })
  const { text, source } = await print(tenant, `/billing/receipts/${receipt.id}`)
  for (const phrase of [
    'Reçu',
    'Familie Muster',
    'Lyon',
    'virement bancaire',
    receipt.receiptNumber,
    'Tuition',
    '40.00',
  ]) {
    assert.ok(text.includes(phrase), `${phrase}: ${text}`)
  }
  assert.match(source, /\/Marked true/)
  assert.match(source, /\/Lang \(fr\)/)
})

test('the institution says how documents look: logo, address, foot and texts by language', async () => {
  const tenant = await service.tenant()
  const footer = { en: 'Northfield School, since 1901', es: 'Colegio Northfield' }
  const said = await apply(tenant, {
    print: { logo, address, footer, notes: { statement: { en: 'Thank you.', es: 'Gracias.' } } },
  })
  assert.equal(said, '')
  const { account } = await aDebtor(tenant, { language: 'es' })
  const spanish = await print(tenant, `/billing/accounts/${account.id}/statement`)
  for (const phrase of ['Estado de cuenta', 'Bahnhofstrasse 1', 'Colegio Northfield', 'Gracias.', '60.00']) {
    assert.ok(spanish.text.includes(phrase), `${phrase}: ${spanish.text}`)
  }
  assert.match(spanish.source, /\/Subtype \/Image/)
  const { account: other } = await aDebtor(tenant, { language: 'pt' })
  const portuguese = await print(tenant, `/billing/accounts/${other.id}/statement`)
  // What the institution says in no language of the payer is said in its own.
  assert.ok(portuguese.text.includes('Thank you.') && portuguese.text.includes('Extrato da conta'), portuguese.text)
})

test('a statement in euros has the transfer that banking apps read; one without a bank account has none', async () => {
  const tenant = await service.tenant()
  const { account } = await aDebtor(tenant, { currency: 'EUR' })
  const without = await print(tenant, `/billing/accounts/${account.id}/statement`)
  assert.ok(!without.text.includes('Pay by bank transfer'))
  await apply(tenant, { bankAccounts: [{ key: 'main', iban: 'DE89370400440532013000', currency: 'EUR' }] })
  const { text, source } = await print(tenant, `/billing/accounts/${account.id}/statement`)
  for (const phrase of ['Pay by bank transfer', 'DE89 3704 0044 0532 0130 00', 'EUR 60.00', account.accountNumber]) {
    assert.ok(text.includes(phrase), `${phrase}: ${text}`)
  }
  assert.match(source, /\/S \/Figure/)
})

test('a statement in Swiss francs has a QR bill, where the address of the institution is set', async () => {
  const tenant = await service.tenant()
  await apply(tenant, {
    bankAccounts: [{ key: 'main', iban: 'CH9300762011623852957', currency: 'CHF' }],
    print: { address },
  })
  const { account } = await aDebtor(tenant, { currency: 'CHF', language: 'fr' })
  const { text } = await print(tenant, `/billing/accounts/${account.id}/statement`)
  for (const phrase of ['Section paiement', 'CH93 0076 2011 6238 5295 7', 'Familie Muster']) {
    assert.ok(text.includes(phrase), `${phrase}: ${text}`)
  }
})

test('GET /v1/billing/dunning-runs/{id} as PDF has the reminders that are delivered on paper, in the language of each payer', async () => {
  const tenant = await service.tenant()
  await apply(tenant, {
    dunning: [{ level: 1, daysOverdue: 1, texts: { en: 'Please pay {amount}.', es: 'Pague {amount}.' } }],
    bankAccounts: [{ key: 'main', iban: 'DE89370400440532013000', currency: 'EUR' }],
  })
  await aDebtor(tenant, { currency: 'EUR' })
  await aDebtor(tenant, { currency: 'EUR', language: 'es' })
  const proposed = (await tenant.api.post('/billing/dunning-runs', {})).body.data
  const before = await print(tenant, `/billing/dunning-runs/${proposed.id}`)
  assert.ok(!before.text.includes('Please pay'))
  await tenant.api.post(`/billing/dunning-runs/${proposed.id}/send`, {})
  const { text } = await print(tenant, `/billing/dunning-runs/${proposed.id}`)
  for (const phrase of ['Please pay EUR 60.00.', 'Pague EUR 60.00.', 'Conceptos pendientes', 'RF']) {
    assert.ok(text.includes(phrase), `${phrase}: ${text}`)
  }
})

test('a logo that is no picture is refused, and settings that leave out the print keep it', async () => {
  const tenant = await service.tenant()
  assert.match(await apply(tenant, { print: { logo: 'https://example.org/logo.png' } }), /logo/)
  assert.match(
    await apply(tenant, { print: { logo: `data:image/png;base64,${Buffer.from('no picture').toString('base64')}` } }),
    /logo/,
  )
  await apply(tenant, { print: { address } })
  await apply(tenant, { print: { footer: 'Northfield' } })
  const { account } = await aDebtor(tenant, {})
  const { text } = await print(tenant, `/billing/accounts/${account.id}/statement`)
  assert.ok(text.includes('Bahnhofstrasse 1') && text.includes('Northfield'), text)
})
