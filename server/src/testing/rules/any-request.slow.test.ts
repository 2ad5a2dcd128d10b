import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { clientApi, type Operation } from '@matricula/contract'
import fc from 'fast-check'
import { anApplication, aPayment, aStudent } from '../fixtures/factories.ts'
import { startTestService } from '../fixtures/test-service.ts'

const service = await startTestService({ authFailuresPerMinute: 1_000_000 })
const operations = Object.values(clientApi) as Operation[]

/** Text that breaks things: quotes, comments, operators, control characters, halves of pairs, names that objects inherit. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    `'; drop table students; --`,
    '$1',
    '%',
    '_',
    '\\',
    '"',
    '\u0000',
    '\ud800',
    '__proto__',
    'null',
    '1e999',
  ),
  fc.constantFrom('2026-02-30', '0000-01-01', '9999-12-31T23:59:59.999-14:00', 'x'.repeat(5000), '☃'.repeat(161)),
)

const json = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, -0, 1e308, -1, 0, 1.5, 2 ** 53, [], {}, [[]], { a: { b: null } }),
)

/** A value that a field may plausibly have, so that requests also get past validation. */
function plausible(ids: string[]) {
  return fc.oneof(
    json,
    fc.constantFrom(...ids, randomUUID()),
    fc.constantFrom('2026-09-01', '2026-09-01T00:00:00Z', 'paid', 'active', 'new', 'enrolled', 'USD', 'a@example.org'),
    fc.constantFrom(1, 0.1, 100, 1_000_000_000_000),
  )
}

test('no request, however formed, is answered with a 5xx, and none that is refused writes anything', async () => {
  const { api } = await service.tenant()
  const student = await aStudent(api, { externalId: 'known' })
  const application = await anApplication(api, { contacts: [{ displayName: 'Carmen', email: 'c@example.org' }] })
  const payment = await aPayment(api, { studentId: student.id })
  const ids = [student.id, application.id, payment.id, application.contacts[0]?.id as string]
  const requests = fc.constantFrom(...operations).chain((operation) => {
    const names = Object.keys(operation.body?.properties ?? { a: 1 })
    const { examples } = (operation.body ?? {}) as { examples?: object[] }
    const example = { ...examples?.[0], studentId: student.id }
    const valid = 'studentId' in (operation.body?.properties ?? {}) ? example : (examples?.[0] ?? {})
    const filters = Object.keys(operation.query?.properties ?? { a: 1 })
    const pair = (keys: string[], value: fc.Arbitrary<unknown>) =>
      fc.tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...keys) }, text), value)
    return fc.record({
      operation: fc.constant(operation),
      path: fc.tuple(fc.oneof(fc.constantFrom(...ids), text), fc.oneof(fc.constantFrom(...ids), text)),
      query: fc.oneof(
        { weight: 3, arbitrary: fc.constant<[string, unknown][]>([]) },
        fc.array(pair(filters, text), { maxLength: 4 }),
      ),
      body: fc.oneof(
        { weight: 6, arbitrary: fc.array(pair(names, plausible(ids)), { maxLength: 8 }).map(Object.fromEntries) },
        // A valid body with a few fields that are not.
        {
          weight: 6,
          arbitrary: fc
            .array(pair(names, plausible(ids)), { maxLength: 3 })
            .map((pairs) => ({ ...valid, ...Object.fromEntries(pairs) })),
        },
        { weight: 1, arbitrary: json },
      ),
      key: fc.oneof({ weight: 8, arbitrary: fc.uuid() }, fc.constantFrom('same', 'x'.repeat(256))),
      ifMatch: fc.constantFrom(undefined, '*', '"1.1"', 'W/"1"', ',,"'),
    })
  })
  const written = async () => {
    const [row] = await service.database.inspect<{ n: number }>('select count(*)::int as n from audit_entries')
    return row?.n
  }
  let before = await written()
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(requests, async ({ operation, path, query, body, key, ifMatch }) => {
      let position = 0
      const filled = operation.path.replace(/\{\w+\}/g, () => encode(path[position++ % 2] as string))
      const search = query.map(([name, value]) => `${encode(String(name))}=${encode(String(value))}`).join('&')
      const response = await api.send(
        operation.method,
        `${filled}${search && `?${search}`}`,
        getBody(operation, body),
        {
          'idempotency-key': key,
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
      )
      seen.add(response.status)
      assert.ok(
        response.status < 500,
        `${operation.method} ${filled}?${search} ${JSON.stringify(body)}: ${response.text}`,
      )
      const after = await written()
      if (response.status >= 400) {
        assert.equal(after, before)
        assert.ok(response.body.detail && !response.text.includes('    at '), response.text)
        assert.ok(response.body.code || response.status === 431)
        // A refusal that was kept says the request that it was first given to.
        const isFirst = response.headers.get('idempotent-replayed') === null
        if (isFirst) assert.equal(response.body.requestId, response.headers.get('request-id'))
      }
      before = after
    }),
    { numRuns: 3000, interruptAfterTimeLimit: 25_000 },
  )
  for (const status of [200, 201, 400, 404]) assert.ok(seen.has(status), `${status} among ${[...seen].join(', ')}`)
})

function getBody(operation: Operation, body: unknown): unknown {
  if (operation.method === 'GET') return undefined
  return typeof body === 'string' ? JSON.stringify(body) : body
}

/** Percent-encodes any text, halves of surrogate pairs too. */
function encode(part: string): string {
  return [...Buffer.from(part, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('') || '%20'
}
