import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { recordRegistry } from '../../app/record-definitions.ts'
import { records } from '../../testing/fixtures/all-records.ts'
import { aRecordCaller, aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService({ authFailuresPerMinute: 1_000_000 })
const mine = await service.tenant()
const other = await service.tenant()
const api = await aRecordCaller(service, mine)

/** Stands in records of the other tenant alone, so that its appearance in an answer is a leak. */
const marker = 'Zanzibar-of-another-tenant'

/** Text that breaks things: quotes, operators, control characters, halves of pairs, names that objects inherit. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    `'; drop table users; --`,
    '%',
    '\\',
    '"',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    '..',
    '<b>x</b>',
    'null',
    '1e999',
    '2026-02-30',
    '2026-08-01',
    marker,
    'x'.repeat(2000),
    '☃'.repeat(200),
  ),
)

const types = recordRegistry.all().map(({ type }) => type.name)
const fieldNames = [...new Set(recordRegistry.all().flatMap(({ type }) => Object.keys(type.fields)))]
const typeName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...types) },
  fc.constantFrom('Has Role', 'DocType'),
  text,
)
const recordName = fc.oneof(fc.constantFrom('2026-2027', 'Education Settings', mine.name, marker), text)
const fieldName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...fieldNames, 'name', 'docstatus', 'modified') },
  text,
)

const json = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    null,
    true,
    -0,
    1e308,
    -1,
    0,
    1,
    2,
    1.5,
    2 ** 53,
    [],
    {},
    [[]],
    { a: { b: null } },
    '[]',
    '{}',
    '[[',
    '1',
  ),
)
const fields = fc.array(fc.tuple(fieldName, json), { maxLength: 6 }).map((pairs) => Object.fromEntries(pairs))
const filter = fc.oneof(
  fields,
  fc.array(fc.tuple(fieldName, fc.constantFrom('=', 'like', 'in', 'between', 'is', '>', 'timespan', 'x'), json), {
    maxLength: 3,
  }),
  json,
)

/** Arguments by the names that methods and lists take, mostly of plausible kinds. */
const argument = fc.oneof(
  fc.tuple(fc.constantFrom('doctype', 'dt', 'parenttype'), typeName),
  fc.tuple(fc.constantFrom('name', 'docname', 'dn', 'old_name', 'new_name'), recordName),
  fc.tuple(fc.constantFrom('filters', 'or_filters'), filter),
  fc.tuple(
    fc.constantFrom('fields', 'fieldname', 'order_by', 'group_by'),
    fc.oneof(fieldName, fc.array(fieldName, { maxLength: 3 }), json),
  ),
  fc.tuple(
    fc.constantFrom('doc', 'doclist', 'docs', 'data', 'args'),
    fc.oneof(
      fields,
      fc.tuple(typeName, fields).map(([doctype, rest]) => ({ doctype, ...rest })),
      json,
    ),
  ),
  fc.tuple(fc.constantFrom('method', 'run_method'), fc.oneof(fc.constantFrom('submit', 'cancel', 'rename'), text)),
  fc.tuple(
    fc.constantFrom(
      'limit',
      'limit_start',
      'as_dict',
      'merge',
      'usr',
      'pwd',
      'user',
      'sid',
      'csrf_token',
      'value',
      'debug',
      'parent',
    ),
    json,
  ),
  fc.tuple(text, json),
)
const args = fc.array(argument, { maxLength: 6 }).map((pairs) => Object.fromEntries(pairs) as Record<string, unknown>)

const segment = (value: string) =>
  [...Buffer.from(value, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('') || '%20'
const methodPaths = [...records.methods.keys(), 'ping', 'logout', 'frappe.auth.get_logged_user', 'nonsense']
const path = fc.oneof(
  typeName.map((type) => `/api/resource/${segment(type)}`),
  fc.tuple(typeName, recordName).map(([type, name]) => `/api/resource/${segment(type)}/${segment(name)}`),
  fc.constantFrom(...methodPaths).map((method) => `/api/method/${method}`),
  fc.tuple(typeName, recordName).map(([type, name]) => `/api/v2/document/${segment(type)}/${segment(name)}`),
  fc
    .tuple(typeName, recordName, text)
    .map(([type, name, method]) => `/api/v2/document/${segment(type)}/${segment(name)}/method/${segment(method)}`),
  fc
    .tuple(typeName, fc.constantFrom('meta', 'count'))
    .map(([type, what]) => `/api/v2/doctype/${segment(type)}/${what}`),
  fc.array(text, { maxLength: 4 }).map((parts) => `/api/${parts.map(segment).join('/')}`),
  fc.constantFrom(...methodPaths).map((method) => `/?cmd=${method}`),
)

const body = fc.oneof(
  { weight: 6, arbitrary: args.map((value) => ({ type: 'application/json', bytes: JSON.stringify(value) })) },
  { weight: 3, arbitrary: fields.map((value) => ({ type: 'application/json', bytes: JSON.stringify(value) })) },
  { weight: 2, arbitrary: args.map((value) => ({ type: 'application/x-www-form-urlencoded', bytes: inQuery(value) })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        text,
        fc.constantFrom('application/json', 'multipart/form-data; boundary=x', 'text/plain', '', ';;', 'a/b'),
      )
      .map(([bytes, type]) => ({ type, bytes })),
  },
)

function inQuery(value: Record<string, unknown>): string {
  return Object.entries(value)
    .map(
      ([name, each]) => `${segment(name)}=${segment(typeof each === 'string' ? each : (JSON.stringify(each) ?? ''))}`,
    )
    .join('&')
}

/** A text without its percent-encoding, as far as it has one of ASCII. */
function decoded(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/** What failed once. */
const examples = [
  // A refusal names the argument that cannot be kept, and its name is the sender's own.
  {
    caller: 0,
    method: 'POST',
    path: '/api/method/ping',
    query: {},
    body: { type: 'application/x-www-form-urlencoded', bytes: `${segment(marker)}=%00` },
  },
]

test('no call, however formed, is a 5xx, shows a traceback or a word of another tenant, or writes when it is refused', async () => {
  const foreign = await aRecordCaller(service, other)
  const secret = { academic_year_name: marker, year_start_date: '2026-08-01', year_end_date: '2027-06-30' }
  assert.equal((await foreign.post('/api/resource/Academic Year', secret)).status, 200)
  await aUser(service, other, { email: `${marker}@school.example`, name: marker })
  await api.post('/api/resource/Academic Year', { ...secret, academic_year_name: '2026-2027' })
  const user = await aUser(service, mine, { roles: ['Academics User'] })
  const login = await new RecordCaller(api.address).post('/api/method/login', { usr: user.email, pwd: user.password })
  const callers = [
    api,
    new RecordCaller(api.address, { cookie: `sid=${login.cookies.get('sid')?.value}` }),
    new RecordCaller(api.address),
    new RecordCaller(service.address),
  ]
  const calls = fc.record({
    caller: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(1, 2, 3)),
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'POST', 'GET', 'HEAD', 'OPTIONS', 'PROPFIND'),
    path,
    query: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, args),
    body,
  })
  const written = async () => {
    const [row] = await service.database.inspect<{ n: number }>('select count(*)::int as n from events')
    return row?.n
  }
  let before = await written()
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(calls, async ({ caller, method, path, query, body }) => {
      const search = inQuery(query)
      const address = `${path}${search === '' ? '' : `${path.includes('?') ? '&' : '?'}${search}`}`
      const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method)
      const response = await (callers[caller] as RecordCaller).send(
        method,
        address,
        hasBody ? body.bytes : undefined,
        hasBody && body.type !== '' ? { 'content-type': body.type } : {},
      )
      seen.add(response.status)
      const call = () => `${method} ${address} ${hasBody ? `${body.type} ${body.bytes}` : ''}: ${response.text}`
      assert.ok(response.status < 500, call())
      assert.ok(!/\n {4}at |node_modules|\.ts:\d/.test(response.text), call())
      // A caller may be told what it sent itself, also where it was percent-encoded.
      if (!decoded(address + body.bytes).includes(marker)) assert.ok(!response.text.includes(marker), call())
      const after = await written()
      const mayWrite = response.status < 300 && !['GET', 'HEAD', 'OPTIONS'].includes(method)
      if (!mayWrite) assert.equal(after, before, call())
      if (response.status >= 400 && method !== 'HEAD')
        assert.ok(response.body !== null || response.status === 431, call())
      before = after
    }),
    { numRuns: 3000, interruptAfterTimeLimit: 25_000, examples: examples.map((example) => [example]) },
  )
  for (const status of [200, 400, 403, 404, 405, 417])
    assert.ok(seen.has(status), `${status} among ${[...seen].join(', ')}`)
  const stored = await foreign.get(`/api/resource/Academic Year/${marker}`)
  assert.equal(stored.status, 200)
})
