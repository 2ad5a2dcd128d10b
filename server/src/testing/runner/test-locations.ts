import { toUSVString } from 'node:util'
import { clientApi, type Operation } from '@matricula/contract'
import { type Field, type RecordType, recordTypes } from '@matricula/contract/record-types'
import { loadDemoRecords } from '../../commands/demo-records.ts'
import type { Parameter } from '../../resource-api/index.ts'
import { records } from '../fixtures/all-records.ts'
import { aRecordCaller } from '../fixtures/factories.ts'
import type { RecordCaller } from '../fixtures/record-caller.ts'
import type { TestService, TestTenant } from '../fixtures/test-service.ts'

/** Where a request takes a value of its sender. */
export interface Place {
  readonly name: string
  /** What it takes. Places of one kind are read by the same code. */
  readonly kind: string
  /** How often the value stands in the request. */
  readonly times: number
  /** Whether it is in an address, which takes nothing but a text, and a short one. */
  readonly isInAddress: boolean
  /** Sends a request in which everything but this value is as it should be. */
  send(value: unknown): Promise<{ readonly status: number; readonly text: string }>
}

/**
 * Every place of both surfaces where a value arrives, as their declarations have them: parameters and fields of operations,
 * fields of records and of their rows, arguments of methods, filters. The tenant gets the records of a demo.
 */
export async function loadLocations(service: TestService, tenant: TestTenant): Promise<Place[]> {
  const size = { students: 40, payments: 200, seed: 1 }
  const { fillDemoTenant } = await loadDemoRecords()
  await fillDemoTenant(service.database.connection, tenant, size, service.files.store, () => {})
  const caller = await aRecordCaller(service, tenant)
  const ofOperations = await Promise.all(
    (Object.values(clientApi) as Operation[]).map((operation) => operationPlaces(tenant, operation)),
  )
  const ofRecords: Place[][] = []
  for (const type of recordTypes) ofRecords.push(await recordPlaces(caller, type))
  const ofMethods = [...records.methods.values()].map(({ path, parameters }) => methodPlaces(caller, path, parameters))
  return [...ofOperations.flat(), ...ofRecords.flat(), ...ofMethods.flat(), ...filterPlaces(caller)]
}

async function operationPlaces({ api }: TestTenant, operation: Operation): Promise<Place[]> {
  const { method, path, query, body } = operation
  const { data } = (await api.get(path.split('/{')[0] as string)).body ?? {}
  const [known = null] = Array.isArray(data) ? data : []
  const { examples } = (body ?? {}) as { examples?: object[] }
  const example = method === 'GET' ? undefined : (examples?.[0] ?? {})
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const addressWith = (changed: Readonly<Record<string, unknown>>) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(changed[name] ?? known?.[name] ?? known?.id ?? 'x'))
  const place = (name: string, kind: string, isInAddress: boolean, send: Place['send']): Place => ({
    name: `${method} /v1${path} ${name}`,
    kind: `operation ${kind}`,
    times: 1,
    isInAddress,
    send,
  })
  return [
    ...parameters.map((name) =>
      place(name, 'path', true, (value) => api.send(method, addressWith({ [name]: value }), example)),
    ),
    ...Object.keys(query?.properties ?? {}).map((name) =>
      place(`?${name}`, `query ${name}`, true, (value) =>
        api.send(method, `${addressWith({})}?${name}=${encoded(value)}`, example),
      ),
    ),
    ...(body === undefined ? [] : [...Object.keys(body.properties ?? {}), 'noSuchField']).map((name) =>
      place(`#/${name}`, getKind(body?.properties?.[name]), false, (value) =>
        api.send(method, addressWith({}), json({ ...example, [name]: value }), {
          'idempotency-key': crypto.randomUUID(),
        }),
      ),
    ),
  ]
}

function getKind(schema: object = {}): string {
  const { type, format, pattern } = schema as { type?: string; format?: string; pattern?: string }
  return [type, format, pattern].filter((each) => each !== undefined).join(' ')
}

async function recordPlaces(caller: RecordCaller, type: RecordType): Promise<Place[]> {
  const address = `/api/resource/${encodeURIComponent(type.name)}`
  const { body } = await caller.get(`${address}?limit_page_length=1`)
  const name: string = type.kind === 'single' ? type.name : (body.data?.[0]?.name ?? 'x')
  const own = `${address}/${encodeURIComponent(name)}`
  const stored: Record<string, unknown> = (await caller.get(own)).body?.data ?? {}
  // What was taken is put back, so that the record stays as it is for the next value.
  const put = async (fields: object, before: object) => {
    const response = await caller.send('PUT', own, json(fields), { 'content-type': 'application/json' })
    if (response.status === 200) await caller.put(own, before)
    return response
  }
  const ofFields = (fields: Readonly<Record<string, Field>>, prefix: string, send: (name: string) => Place['send']) =>
    Object.entries(fields).map(([name, { type, ...field }]) => ({
      name: prefix + name,
      kind: `field ${type ?? name} ${'format' in field ? field.format : ''}`,
      times: 1,
      isInAddress: false,
      send: send(name),
    }))
  const ofRows = Object.entries(type.fields).flatMap(([table, field]) => {
    if (field.type !== 'Table') return []
    const rows = (stored[table] ?? []) as object[]
    return ofFields(
      field.rows.fields,
      `${type.name}.${table}.`,
      (name) => (value) => put({ [table]: [{ ...rows[0], [name]: value }] }, { [table]: rows }),
    )
  })
  const standard = Object.fromEntries(['name', 'docstatus', 'modified', 'idx'].map((field) => [field, {} as Field]))
  return [
    ...ofFields(
      { ...type.fields, ...standard },
      `${type.name}.`,
      (name) => (value) => put({ [name]: value }, { [name]: stored[name] ?? null }),
    ),
    ...ofRows,
    {
      name: `new ${type.name}`,
      kind: 'record',
      times: Object.keys(type.fields).length + 2,
      isInAddress: false,
      send: (value) => caller.send('POST', address, json(everywhere(type, value)), jsonHeader),
    },
  ]
}

/** A record with a value in every field that is no table. */
function everywhere(type: RecordType, value: unknown): object {
  const plain = Object.entries(type.fields).filter(([, field]) => field.type !== 'Table')
  return Object.fromEntries([...plain.map(([name]) => [name, value]), ['docstatus', value], ['name', value]])
}

const plausible: Readonly<Record<Parameter['type'], unknown>> = {
  string: 'Student',
  integer: 1,
  number: 1,
  boolean: true,
  json: [],
  date: '2026-09-01',
  any: 'name',
}

function methodPlaces(caller: RecordCaller, path: string, parameters: Readonly<Record<string, Parameter>>): Place[] {
  const usual = Object.fromEntries(
    Object.entries(parameters).flatMap(([name, { type, required }]) => (required ? [[name, plausible[type]]] : [])),
  )
  const call = (args: object) => caller.send('POST', `/api/method/${path}`, json({ ...usual, ...args }), jsonHeader)
  const place = (name: string, kind: string, times: number, send: Place['send']): Place => ({
    name: `${path} ${name}`,
    kind,
    times,
    isInAddress: false,
    send,
  })
  return Object.entries(parameters).flatMap(([name, { type }]) => [
    place(name, `argument ${type}`, 1, (value) => call({ [name]: value })),
    ...(type !== 'json' && type !== 'any'
      ? []
      : [
          place(`${name}.*`, 'structure', 50, (value) => call({ [name]: structure(value) })),
          place(`${name}[].*`, 'structures', 50, (value) => call({ [name]: [structure(value), value] })),
        ]),
  ])
}

/** An object with a value under the names that methods look for. */
function structure(value: unknown): object {
  const names =
    'student from_date to_date comment label name modified docname fees_category amount total due_date term percent idx ' +
    'student_group academic_year academic_term assessment_group assessment_terms student_batch parents_meeting ' +
    'parents_attendance razorpay_order_id razorpay_payment_id razorpay_signature address_line_1 city option quiz question'
  const plain = Object.fromEntries(names.split(' ').map((name) => [name, value]))
  const nested = {
    doctype: 'Student',
    assessment_details: { Total: value },
    error: { description: value, metadata: { order_id: value, payment_id: value } },
    distribution: [{ due_date: value, term: value, amount: value }],
    student_groups: [{ student_group: value }],
  }
  return { ...plain, ...nested }
}

const operators = ['=', '!=', '>', 'like', 'not like', 'in', 'between', 'is', 'timespan', 'descendants of']

function filterPlaces(caller: RecordCaller): Place[] {
  const list = (args: object) => caller.send('POST', '/api/method/frappe.client.get_list', json(args), jsonHeader)
  const place = (name: string, args: (value: unknown) => object): Place => ({
    name: `get_list ${name}`,
    kind: `filter ${name.split(' ').slice(1).join(' ')}`,
    times: 2,
    isInAddress: false,
    send: (value) => list({ doctype: 'Student', ...args(value) }),
  })
  return [
    ...['student_name', 'date_of_birth', 'enabled', 'creation', 'gender'].flatMap((field) =>
      operators.map((operator) => place(`${field} ${operator}`, (value) => ({ filters: [[field, operator, value]] }))),
    ),
    place('operator', (value) => ({ filters: [['student_name', value, 'x']] })),
    place('field of a filter', (value) => ({ filters: [[value, '=', 'x']] })),
    place('type of a filter', (value) => ({ filters: [[value, 'student_name', '=', 'x']] })),
    place('in a list', (value) => ({ filters: [['student_name', 'in', [value, value]]] })),
    place('one of fields', (value) => ({ fields: [value] })),
    place('one of order_by', (value) => ({ order_by: [value] })),
  ]
}

const jsonHeader = { 'content-type': 'application/json' }

/** A value as JSON, also one that JavaScript would lose: an own `__proto__`. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('"__proto_of_json__"', '"__proto__"')
}

function encoded(value: unknown): string {
  return encodeURIComponent(typeof value === 'string' ? toUSVString(value) : (JSON.stringify(value) ?? ''))
}
