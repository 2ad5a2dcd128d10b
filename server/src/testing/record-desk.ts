import assert from 'node:assert/strict'
import { type RecordType, recordTypes } from '@matricula/contract/record-types'
import { aRecordCaller } from './factories.ts'
import type { RecordAnswer, RecordCaller } from './record-caller.ts'
import type { TestService, TestTenant } from './test-service.ts'

/** What came of something that was asked. */
export interface Outcome {
  readonly status: number
  /** The class of the refusal, or null. */
  readonly error: string | null
  /** What was said to people, also beside a success. */
  readonly told: string
  /** What was asked for; fields that a record has no value in, which are left out on the way, are null. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly data: any
  readonly answer: RecordAnswer
}

/** Works with the records of a tenant over HTTP, as its staff does. */
export class RecordDesk {
  readonly #service: TestService
  readonly #tenant: TestTenant
  readonly #caller: Promise<RecordCaller>

  constructor(service: TestService, tenant: TestTenant, roles?: string[]) {
    this.#service = service
    this.#tenant = tenant
    this.#caller = aRecordCaller(service, tenant, roles)
  }

  /** Somebody else's desk in the same institution. */
  as(...roles: string[]): RecordDesk {
    return new RecordDesk(this.#service, this.#tenant, roles)
  }

  create(type: string, fields: object): Promise<Outcome> {
    return this.#send('POST', `/api/resource/${encodeURIComponent(type)}`, fields)
  }

  read(type: string, name: string): Promise<Outcome> {
    return this.#send('GET', pathOf(type, name))
  }

  /** Lists records as the arguments of a list ask for. */
  list(type: string, args: Record<string, string>): Promise<Outcome> {
    return this.#send('GET', `/api/resource/${encodeURIComponent(type)}?${new URLSearchParams(args)}`)
  }

  update(type: string, name: string, fields: object): Promise<Outcome> {
    return this.#send('PUT', pathOf(type, name), fields)
  }

  submit(type: string, name: string): Promise<Outcome> {
    return this.update(type, name, { docstatus: 1 })
  }

  cancel(type: string, name: string): Promise<Outcome> {
    return this.update(type, name, { docstatus: 2 })
  }

  remove(type: string, name: string): Promise<Outcome> {
    return this.#send('DELETE', pathOf(type, name))
  }

  rename(type: string, from: string, to: string, merge: 0 | 1 = 0): Promise<Outcome> {
    const names = { doctype: type, old_name: from, new_name: to, merge }
    return this.#send('POST', '/api/method/frappe.client.rename_doc', names)
  }

  /** Runs a method of a record. */
  run(type: string, name: string, method: string, args: object = {}): Promise<Outcome> {
    return this.#send('POST', pathOf(type, name), { run_method: method, ...args })
  }

  /** Calls a method by its path, below `education.education` unless it is whole. */
  call(method: string, args: object = {}): Promise<Outcome> {
    return this.#send('POST', `/api/method/education.education.${method}`, args)
  }

  /** Makes a record that must be made. */
  async make(type: string, fields: object): Promise<{ name: string } & Record<string, unknown>> {
    const outcome = await this.create(type, fields)
    assert.equal(outcome.error, null, outcome.told)
    return outcome.data
  }

  /** The types of the events that a record left behind, oldest first, of which each has an audit row. */
  async traces(type: string, name: string): Promise<string[]> {
    const noun = type.toLowerCase().replaceAll(' ', '_')
    const select = (table: string, verb: string) => `
      select ${verb} as type from ${table} t
       where t.tenant_id = $1 and t.entity_type = $2
         and t.entity_id in (select a.entity_id from audit_entries a
                              where a.tenant_id = $1 and a.entity_type = $2
                                and coalesce(a.after, a.before) ->> 'name' = $3)
       order by t.occurred_at, t.id`
    const parameters = [this.#tenant.id, noun, name]
    const { inspect } = this.#service.database
    const events = await inspect<{ type: string }>(select('events', 'type'), parameters)
    const audit = await inspect<{ type: string }>(select('audit_entries', 'action'), parameters)
    const types = events.map((event) => event.type)
    assert.deepEqual(audit.map((entry) => entry.type).sort(), [...types].sort())
    return types
  }

  async #send(verb: string, path: string, body?: object): Promise<Outcome> {
    const answer = await (await this.#caller).send(verb, path, body)
    const { exc_type, data, message, _server_messages } = answer.body ?? {}
    const messages = JSON.parse(_server_messages ?? '[]').map((text: string) => JSON.parse(text).message)
    return {
      status: answer.status,
      error: exc_type ?? null,
      told: messages.join('\n'),
      data: withNulls(data ?? message ?? null),
      answer,
    }
  }
}

const pathOf = (type: string, name: string) => `/api/resource/${encodeURIComponent(type)}/${encodeURIComponent(name)}`

function withNulls(value: unknown): unknown {
  const record = value as Record<string, unknown> | null
  const type = recordTypes.find(({ name }) => name === record?.doctype)
  return type === undefined || record === null ? value : filled(type, record)
}

function filled(type: RecordType, record: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(type.fields).map(([name, field]) => {
    const value = record[name] ?? null
    return [name, field.type === 'Table' ? (value as (typeof record)[]).map((row) => filled(field.rows, row)) : value]
  })
  return { ...record, ...Object.fromEntries(fields) }
}
