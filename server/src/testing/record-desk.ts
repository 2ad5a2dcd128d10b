import assert from 'node:assert/strict'
import { recordRegistry } from '../record-definitions.ts'
import type { RecordEngine } from '../records/record-engine.ts'
import { RecordEngine as Engine } from '../records/record-engine.ts'
import { RecordError } from '../records/record-error.ts'
import {
  cancelRecord,
  createRecord,
  deleteRecord,
  readRecord,
  runRecordMethod,
  updateRecord,
} from '../records/record-requests.ts'
import type { TestService, TestTenant } from './test-service.ts'

/** What came of something that was asked. */
export interface Outcome {
  readonly status: number
  /** The class of the refusal, or null. */
  readonly error: string | null
  /** What was said, also beside a success. */
  readonly told: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly data: any
}

/** Works with the records of a tenant as its staff does. */
export class RecordDesk {
  readonly #service: TestService
  readonly #tenant: TestTenant
  readonly #roles: string[]

  constructor(service: TestService, tenant: TestTenant, roles: string[] = ['System Manager']) {
    this.#service = service
    this.#tenant = tenant
    this.#roles = roles
  }

  as(...roles: string[]): RecordDesk {
    return new RecordDesk(this.#service, this.#tenant, roles)
  }

  try(work: (engine: RecordEngine) => Promise<unknown>): Promise<Outcome> {
    return this.#run(work)
  }

  create(type: string, fields: object): Promise<Outcome> {
    return this.#run((engine) => createRecord(engine, type, fields as Record<string, unknown>))
  }

  update(type: string, name: string, fields: object): Promise<Outcome> {
    return this.#run((engine) => updateRecord(engine, type, name, fields as Record<string, unknown>))
  }

  submit(type: string, name: string): Promise<Outcome> {
    return this.update(type, name, { docstatus: 1 })
  }

  cancel(type: string, name: string): Promise<Outcome> {
    return this.#run((engine) => cancelRecord(engine, type, name))
  }

  remove(type: string, name: string): Promise<Outcome> {
    return this.#run((engine) => deleteRecord(engine, type, name))
  }

  read(type: string, name: string): Promise<Outcome> {
    return this.#run((engine) => readRecord(engine, type, name))
  }

  runMethod(type: string, name: string, method: string, args: object = {}): Promise<Outcome> {
    return this.#run(async (engine) =>
      runRecordMethod(engine, await readRecord(engine, type, name), type, method, args as Record<string, unknown>),
    )
  }

  /** Makes a record that must be made. */
  async make(type: string, fields: object): Promise<{ name: string } & Record<string, unknown>> {
    const outcome = await this.create(type, fields)
    assert.equal(outcome.error, null, outcome.told)
    return outcome.data
  }

  async #run(work: (engine: RecordEngine) => Promise<unknown>): Promise<Outcome> {
    const tenant = this.#tenant
    const registry = recordRegistry
    let messages: { message: string }[] = []
    try {
      const data = await this.#service.data.transaction(tenant.id, async (tx) => {
        const engine = new Engine(
          tx,
          {
            tenant: { ...tenant, systemOfRecord: tenant.sorByDomain },
            kind: 'key',
            user: 'Administrator',
            fullName: 'Administrator',
            roles: new Set(this.#roles),
            actor: { type: 'api_key', id: null, name: 'test' },
            requestId: null,
            address: null,
          },
          registry,
        )
        const result = await work(engine)
        messages = engine.messages
        return result
      })
      return { status: 200, error: null, told: messages.map(({ message }) => message).join('\n'), data }
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      return { status: error.status, error: error.type, told: error.message, data: null }
    }
  }
}
