import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCommandLine } from '../testing/fixtures/command-line.ts'
import { startTestService, type TestTenant } from '../testing/fixtures/test-service.ts'

const service = await startTestService()
const commandLine = await loadCommandLine(service)
const today = () => new Date().toISOString().slice(0, 10)

/** A family that owes 100, of which 40 came in. */
async function aDebtor(tenant: TestTenant) {
  const mandate = { id: 'M-1', iban: 'DE89370400440532013000', signedAt: '2026-01-02' }
  const sent = { name: 'Family Dyer', externalId: 'FAM-1', currency: 'EUR', mandate }
  const account = (await tenant.api.post('/billing/accounts', sent)).body.data
  const studentId = (await tenant.api.post('/students', { fullName: 'Tyrone Dyer' })).body.data.id
  const shares = [{ accountId: account.id, percent: 100 }]
  await tenant.api.put(`/billing/students/${studentId}/shares`, { shares })
  const owed = { studentId, amount: 100, currency: 'EUR', description: 'Tuition', dueDate: '2020-01-01' }
  assert.equal((await tenant.api.post('/payments', owed)).status, 201)
  const receipt = { accountId: account.id, receivedOn: today(), method: 'cash', amount: 40 }
  assert.equal((await tenant.api.post('/billing/receipts', receipt)).status, 201)
  return account
}

test('matricula billing: accounts, statement and ageing are what the API says', async () => {
  const tenant = await service.tenant()
  const { id, accountNumber } = await aDebtor(tenant)
  const json = (...args: string[]) => commandLine.json(['billing', ...args, '--tenant', tenant.slug])
  const { accounts } = await json('accounts', '--search', 'dyer')
  assert.deepEqual(accounts, [(await tenant.api.get(`/billing/accounts/${id}`)).body.data])
  assert.deepEqual((await json('accounts', '--search', 'nobody')).accounts, [])
  const expected = (await tenant.api.get(`/billing/accounts/${id}/statement`)).body.data
  for (const named of [id, accountNumber, 'FAM-1']) {
    assert.deepEqual((await json('statement', named)).statement, expected)
  }
  assert.equal((await json('statement', 'FAM-1', '--to', '2019-12-31')).statement.closingBalance, 0)
  const { ageing } = await json('ageing', '--by', 'student')
  assert.deepEqual(ageing, (await tenant.api.get('/billing/ageing?by=student')).body.data)
  const shown = await commandLine.run(['billing', 'accounts', '--tenant', tenant.slug])
  assert.match(shown.stdout, new RegExp(`^${accountNumber} +EUR 60\\.00 +Family Dyer\\n$`))
})

test('matricula billing: journal and direct-debit write files, in the formats of the API', async () => {
  const tenant = await service.tenant()
  await aDebtor(tenant)
  const run = (...args: string[]) => commandLine.run(['billing', ...args, '--tenant', tenant.slug])
  const days = ['--from', '2000-01-01', '--to', today()]
  for (const [format, mediaType] of [
    ['csv', 'text/csv'],
    ['hledger', 'text/x-hledger'],
    ['beancount', 'text/x-beancount'],
  ] as const) {
    const file = join(commandLine.folder, `journal.${format}`)
    const { code, stderr } = await run('journal', ...days, '--format', format, '--output', file)
    assert.equal(code, 0, stderr)
    const path = `/billing/journal?from=2000-01-01&to=${today()}`
    assert.equal(await readFile(file, 'utf8'), (await tenant.api.get(path, { accept: mediaType })).text)
  }
  await service.database.inspect('insert into billing_settings (tenant_id, settings) values ($1, $2::jsonb)', [
    tenant.id,
    JSON.stringify({
      creditor: {
        ...{ name: 'Academy', creditorId: 'DE98ZZZ09999999999', iban: 'DE75512108001245126199', bic: null },
        ...{ preNotificationDays: 0, painVersion: 'pain.008.001.02' },
      },
    }),
  ])
  const sent = { collectionDate: '2999-01-01', dueTo: '2999-01-01' }
  const { id } = (await tenant.api.post('/billing/direct-debits', sent)).body.data
  const printed = await run('direct-debit', id)
  assert.equal(printed.code, 0, printed.stderr)
  const file = await tenant.api.get(`/billing/direct-debits/${id}`, { accept: 'application/xml' })
  assert.equal(printed.stdout, file.text)
})

test('matricula billing: what is wrong is refused with what to do', async () => {
  const tenant = await service.tenant()
  const run = async (...args: string[]) => {
    const { code, stdout } = await commandLine.run(['billing', ...args, '--tenant', tenant.slug, '--json'])
    return [code, JSON.parse(stdout).error.code]
  }
  assert.deepEqual(await run('statement', 'nobody'), [1, 'not_found'])
  assert.deepEqual(await run('statement', 'nobody', '--from', '2026-02-30'), [2, 'invalid_value'])
  assert.deepEqual(await run('ageing', '--by', 'house'), [2, 'invalid_value'])
  const unknown = await commandLine.run(['billing', 'direct-debit', tenant.id, '--tenant', tenant.slug])
  assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
  const days = ['--from', '2026-02-01', '--to', '2026-01-01']
  const turned = await commandLine.run(['billing', 'journal', '--tenant', tenant.slug, ...days])
  assert.equal(turned.code, 2, turned.stderr)
})
