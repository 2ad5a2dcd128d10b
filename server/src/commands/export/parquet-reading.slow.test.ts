import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { findTooling, skipWithout } from '../../testing/fixtures/tooling.ts'

/** What the test uses of `@duckdb/node-api`. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{
        runAndReadAll(statement: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>
        closeSync(): void
      }>
      closeSync(): void
    }>
  }
}

const tooling = findTooling()
const service = await startTestService()
const { folder, json } = await loadCommandLine(service)

test('export parquet: DuckDB reads every file, and its sums are those of the service', {
  skip: skipWithout(tooling),
}, async () => {
  if (tooling === null) return
  const { tenant } = await seedTenant(service)
  const ada = await aStudent(tenant.api, { fullName: 'Zoë "Ada" \u{1f600}', dateOfBirth: '2011-02-03' })
  const amounts = [12.5, 0.01, 1e9, 99.99, 1200]
  for (const [index, amount] of amounts.entries()) {
    const currency = index === 2 ? 'EUR' : 'USD'
    const payment = { studentId: ada.id, amount, currency, description: 'x', dueDate: '2026-09-01' }
    assert.equal((await tenant.api.post('/payments', payment)).status, 201)
  }
  const output = join(folder, 'parquet')
  await json(['export', 'parquet', '--tenant', tenant.slug, '-o', output])
  const manifest = JSON.parse(await readFile(join(output, 'manifest.json'), 'utf8'))
  const { DuckDBInstance } = tooling.load<DuckDb>('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const ask = async (statement: string) => (await connection.runAndReadAll(statement)).getRowObjectsJson()
  const file = (name: string) => `read_parquet('${join(output, `${name}.parquet`)}')`
  try {
    for (const { name, rows, columns } of manifest.tables) {
      const [counted] = await ask(`select count(*) as rows from ${file(name)}`)
      assert.equal(Number(counted?.rows), rows, name)
      const described = await ask(`describe select * from ${file(name)}`)
      const names = columns.map((column: { readonly name: string }) => column.name)
      assert.deepEqual(
        described.map(({ column_name }) => column_name),
        names,
      )
    }
    for (const currency of ['USD', 'EUR']) {
      const [sum] = await ask(`select sum(amount) as total from ${file('payments')} where currency = '${currency}'`)
      const { data } = (await tenant.api.get(`/payments?currency=${currency}&limit=100`)).body
      const total = data.reduce((all: number, { amount }: { readonly amount: number }) => all + amount, 0)
      assert.equal(Number(sum?.total).toFixed(2), total.toFixed(2), currency)
    }
    const [found] = await ask(
      `select full_name, date_of_birth, typeof(created_at) as stamp from ${file('students')} where id = '${ada.id}'`,
    )
    assert.deepEqual([found?.full_name, found?.date_of_birth], ['Zoë "Ada" \u{1f600}', '2011-02-03'])
    assert.match(String(found?.stamp), /^TIMESTAMP/)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
})
