import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { checkBilling } from '../../../commands/diagnostics/billing-check.ts'
import { Caller } from '../../../testing/fixtures/client.ts'
import { createTestDatabase, getUrl, type TestDatabase } from '../../../testing/fixtures/database/test-database.ts'
import {
  aFolder,
  runCommand,
  type ServiceProcess,
  start,
  untilReady,
} from '../../../testing/fixtures/service-process.ts'
import { afterFile } from '../../../testing/runner/file-end.ts'

/** A school with a process of its own, which a test kills and starts again. */
export class KilledSchool {
  readonly database: TestDatabase
  readonly #folder: string
  readonly #settings: Readonly<Record<string, string>>
  readonly #token: string
  #running: ServiceProcess

  private constructor(
    database: TestDatabase,
    own: { folder: string; settings: Readonly<Record<string, string>>; token: string; running: ServiceProcess },
  ) {
    this.database = database
    this.#folder = own.folder
    this.#settings = own.settings
    this.#token = own.token
    this.#running = own.running
  }

  /** A school whose numbers have no gaps, with further settings of billing, on a database that lasts as long as the file. */
  static async start(billing: object = {}): Promise<KilledSchool> {
    const database = await createTestDatabase({ isEmpty: true })
    afterFile(() => database.drop())
    const folder = await aFolder(afterFile)
    const settings = {
      DATABASE_URL: getUrl(database.connection),
      SECRET_KEY: 'of a service that a test kills while money moves',
      WORKERS: '1',
    }
    const running = await start(folder, settings)
    await untilReady(running)
    const command = (...args: string[]) => runCommand({ ...settings, DATA_DIR: folder }, ...args)
    await command('tenant', 'create', '--slug', 'school', '--name', 'School')
    const file = join(folder, 'billing.json')
    await writeFile(file, JSON.stringify({ billing: { numbering: { gapless: true }, ...billing } }))
    await command('apply', file, '--tenant', 'school', '--yes')
    const all = ['--scopes', 'all,extensions', '--domains', 'students,enrollment,payments']
    const quota = ['--requests-per-minute', '100000']
    const { token } = await command('token', 'create', '--tenant', 'school', '--name', 'desk', ...all, ...quota)
    return new KilledSchool(database, { folder, settings, token, running })
  }

  /** A caller of the process that runs now. */
  get api(): Caller {
    return new Caller(this.#running.address, this.#token)
  }

  /** What is answered with 201, asked again with the same key while nobody listens. */
  async make<Made extends object = { readonly id: string }>(path: string, body: object): Promise<Made> {
    const key = randomUUID()
    for (;;) {
      const response = await this.api.post(path, body, { 'idempotency-key': key }).catch(() => null)
      if (response?.status === 201) return response.body.data
      // Nobody listens, or what was begun with this key has not ended.
      assert.ok(response === null || response.status >= 500 || response.status === 409, response?.text)
      await pause(20)
    }
  }

  /** Kills the process (-9) and starts another at its address. */
  async kill(): Promise<void> {
    const { child, ended, address } = this.#running
    child.kill('SIGKILL')
    await ended
    this.#running = await start(this.#folder, { ...this.#settings, PORT: new URL(address).port })
    await untilReady(this.#running)
  }

  /** The receipts by number, which must be one after the other from 1, in a year. */
  async receiptsWithoutGaps(year: string): Promise<string[]> {
    const rows = await this.database.inspect<{ id: string; number: string }>(
      'select id, receipt_number as number from billing_receipts order by receipt_number',
    )
    assert.deepEqual(
      rows.map(({ number }) => number),
      rows.map((_, index) => `REC-${year}-${String(index + 1).padStart(5, '0')}`),
    )
    return rows.map(({ id }) => id)
  }

  /** Asserts that accounts, obligations, receipts and ledger agree. */
  async assertAgrees(): Promise<void> {
    const { status, detail } = await checkBilling((text, values) => this.database.inspect(text, values as never))
    assert.equal(status, 'ok', detail)
  }
}
