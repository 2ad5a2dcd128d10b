import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Answer, api, type Place, resource, send, v1 } from './place.ts'

/** A rule of the contract, and how to see that an installation keeps it. What it makes is called `conformance-…`. */
interface Rule {
  readonly rule: string
  check(location: Place): Promise<void>
}

const newName = () => `conformance-${randomUUID()}`
const post = (body: object, key: string = randomUUID()) => ({
  method: 'POST',
  headers: { 'idempotency-key': key },
  body,
})

function isProblem(response: Answer, status: number, code: string): void {
  assert.equal(response.status, status, response.bytes.toString())
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
  const { body } = response
  assert.equal(body.code, code)
  assert.equal(body.status, status)
  for (const member of ['type', 'title', 'detail', 'requestId']) assert.equal(typeof body[member], 'string', member)
}

async function aStudent(location: Place, fields: object = {}): Promise<{ body: Record<string, string>; etag: string }> {
  const made = await v1(location, '/students', post({ fullName: newName(), ...fields }))
  assert.equal(made.status, 201, made.bytes.toString())
  return { body: made.body.data, etag: made.headers.get('etag') ?? '' }
}

const clientApi: readonly Rule[] = [
  {
    rule: 'GET /me tells what the token is and may do',
    check: async (location) => {
      const { status, body, headers } = await v1(location, '/me')
      assert.equal(status, 200)
      assert.ok(Array.isArray(body.data.apiKey?.scopes ?? body.data.scopes))
      assert.match(headers.get('request-id') ?? '', /^[0-9a-f-]{36}$/)
    },
  },
  {
    rule: 'without a token the answer is 401 authentication_required, with a wrong one invalid_token',
    check: async ({ address }) => {
      isProblem(await send(`${address}/v1/me`), 401, 'authentication_required')
      const headers = { authorization: 'Bearer mtc_wrong' }
      isProblem(await send(`${address}/v1/me`, { headers }), 401, 'invalid_token')
    },
  },
  {
    rule: 'what does not exist is 404, a method that is none 405 with Allow',
    check: async (location) => {
      isProblem(await v1(location, '/nothing-of-this-name'), 404, 'route_not_found')
      isProblem(await v1(location, `/students/${randomUUID()}`), 404, 'resource_not_found')
      const wrong = await v1(location, '/me', { method: 'DELETE' })
      isProblem(wrong, 405, 'method_not_allowed')
      assert.match(wrong.headers.get('allow') ?? '', /GET/)
    },
  },
  {
    rule: 'every fault of a body is named at once, with its pointer',
    check: async (location) => {
      const response = await v1(location, '/students', post({ email: 'none', dateOfBirth: '2026-02-30', ofNoField: 1 }))
      isProblem(response, 400, 'validation_failed')
      assert.ok(response.body.errors.length >= 3, response.bytes.toString())
    },
  },
  {
    rule: 'a creation needs an Idempotency-Key; the same one gives the same answer, another body with it 422',
    check: async (location) => {
      const body = { fullName: newName() }
      isProblem(await v1(location, '/students', { method: 'POST', body }), 400, 'idempotency_key_missing')
      const key = randomUUID()
      const first = await v1(location, '/students', post(body, key))
      const second = await v1(location, '/students', post(body, key))
      assert.deepEqual([first.status, second.status], [201, 201])
      assert.deepEqual(second.body, first.body)
      isProblem(await v1(location, '/students', post({ fullName: newName() }, key)), 422, 'idempotency_key_reused')
    },
  },
  {
    rule: 'thirty requests with one key at once make one record',
    check: async (location) => {
      const key = randomUUID()
      const body = { fullName: newName(), externalId: key }
      const answers = await Promise.all(Array.from({ length: 30 }, () => v1(location, '/students', post(body, key))))
      const made = answers.filter(({ status }) => status === 201).map((response) => response.body.data.id)
      assert.ok(made.length >= 1)
      assert.equal(new Set(made).size, 1)
      for (const response of answers) {
        if (response.status !== 201) isProblem(response, 409, 'idempotency_key_in_use')
      }
    },
  },
  {
    rule: 'a change with an old ETag is 412 and changes nothing, with the present one it is done',
    check: async (location) => {
      const { body, etag } = await aStudent(location)
      const change = (city: string, match: string) =>
        v1(location, `/students/${body.id}`, { method: 'PATCH', headers: { 'if-match': match }, body: { city } })
      assert.equal((await change('Hillside', etag)).status, 200)
      isProblem(await change('Riverside', etag), 412, 'precondition_failed')
      assert.equal((await v1(location, `/students/${body.id}`)).body.data.city, 'Hillside')
    },
  },
  {
    rule: 'an externalId is of one record: an upsert makes it and then finds it, a creation with it is 409',
    check: async (location) => {
      const externalId = newName()
      const put = { method: 'PUT', body: { fullName: externalId } }
      const [made, found] = [
        await v1(location, `/students/external/${externalId}`, put),
        await v1(location, `/students/external/${externalId}`, put),
      ]
      assert.deepEqual([made.status, found.status], [201, 200])
      assert.equal(found.body.data.id, made.body.data.id)
      assert.equal(found.headers.get('etag'), made.headers.get('etag'))
      isProblem(await v1(location, '/students', post({ fullName: 'Other', externalId })), 409, 'external_id_taken')
    },
  },
  {
    rule: 'an amount is kept to the cent',
    check: async (location) => {
      const { body: student } = await aStudent(location)
      for (const amount of [0.01, 0.29, 1234567.89, 99999999999.99]) {
        const body = { studentId: student.id, amount, description: newName(), dueDate: '2026-09-01' }
        const made = await v1(location, '/payments', post(body))
        assert.equal(made.status, 201, made.bytes.toString())
        assert.equal((await v1(location, `/payments/${made.body.data.id}`)).body.data.amount, amount)
      }
    },
  },
  {
    rule: 'a list tells its exact total, its next page and a watermark; a walk by cursor finds each record once',
    check: async (location) => {
      const first = await v1(location, '/students?limit=2')
      const { total } = first.body.pagination
      assert.match(first.headers.get('sync-watermark') ?? '', /^\d{4}-.*Z$/)
      const ids: string[] = []
      for (let cursor: string | null = '*'; cursor !== null && ids.length < 3_000; ) {
        const page: Answer = await v1(location, `/students?limit=100&cursor=${encodeURIComponent(cursor)}`)
        ids.push(...page.body.data.map(({ id }: { id: string }) => id))
        cursor = page.headers.get('next-cursor')
      }
      assert.equal(new Set(ids).size, ids.length)
      if (ids.length < 3_000) assert.ok(ids.length >= total, `${ids.length} of ${total}`)
    },
  },
  {
    rule: 'a change is found by updatedSince with the watermark from before it',
    check: async (location) => {
      const before = (await v1(location, '/students?limit=1')).headers.get('sync-watermark') as string
      const { body } = await aStudent(location)
      const { body: page } = await v1(location, `/students?updatedSince=${encodeURIComponent(before)}&limit=100`)
      assert.ok(page.data.some(({ id }: { id: string }) => id === body.id))
    },
  },
  {
    rule: 'a change is told in the event feed, once',
    check: async (location) => {
      const { next } = (await v1(location, '/events?after=latest')).body
      const { body } = await aStudent(location)
      const reported = (await v1(location, `/events?after=${next}&limit=1000&wait=5`)).body.data
      const own = reported.filter(({ entityId }: { entityId: string }) => entityId === body.id)
      assert.deepEqual(
        own.map(({ type }: { type: string }) => type),
        ['student.created'],
      )
    },
  },
  {
    rule: 'hostile and broken bodies are refused at once, and nobody sees a trace of the program',
    check: async (location) => {
      const json = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      for (const body of [
        '{',
        '[]',
        '"text"',
        '{"fullName":"a","fullName":',
        `{"a":${'['.repeat(5000)}`,
        '\uFFFF\u0000',
      ]) {
        const begun = performance.now()
        const response = await v1(location, '/students', { method: 'POST', headers: json, body: Buffer.from(body) })
        assert.equal(response.status, 400, response.bytes.toString())
        assert.doesNotMatch(response.bytes.toString(), /\bat .*\.[jt]s:\d+|node_modules/)
        assert.ok(performance.now() - begun < 5_000)
      }
    },
  },
]

const resourceApi: readonly Rule[] = [
  {
    rule: 'a record of the Resource API is made, read, changed, listed, counted and deleted',
    check: async (location) => {
      const name = newName()
      const path = resource('Topic', name)
      const made = await api(location, resource('Topic'), { method: 'POST', body: { topic_name: name } })
      assert.equal(made.status, 200, made.bytes.toString())
      assert.equal((await api(location, path)).body.data.topic_name, name)
      const changed = await api(location, path, { method: 'PUT', body: { description: 'Changed' } })
      assert.equal(changed.body.data.description, 'Changed')
      const filters = encodeURIComponent(JSON.stringify([['name', '=', name]]))
      assert.equal((await api(location, `${resource('Topic')}?filters=${filters}`)).body.data.length, 1)
      const count = await api(location, `/api/method/frappe.client.get_count?doctype=Topic&filters=${filters}`)
      assert.equal(count.body.message, 1)
      assert.equal((await api(location, path, { method: 'DELETE' })).status, 202)
      assert.equal((await api(location, path)).status, 404)
    },
  },
  {
    rule: 'a name that is taken is a DuplicateEntryError, a link to nothing a LinkValidationError',
    check: async (location) => {
      const body = { topic_name: newName() }
      await api(location, resource('Topic'), { method: 'POST', body })
      const again = await api(location, resource('Topic'), { method: 'POST', body })
      assert.deepEqual([again.status, again.body.exc_type], [409, 'DuplicateEntryError'])
      const lost = { program: 'There is no such program', academic_year: 'None', docstatus: 0 }
      const linked = await api(location, resource('Fee Structure'), { method: 'POST', body: lost })
      assert.equal(linked.status, 417)
      await api(location, resource('Topic', body.topic_name), { method: 'DELETE' })
    },
  },
  {
    rule: 'a record of the Client API is the same record on the Resource API',
    check: async (location) => {
      const { body } = await aStudent(location, { city: 'Hillside' })
      const { body: record } = await api(location, resource('Student', body.studentCode))
      assert.equal(record.data.city, 'Hillside')
    },
  },
  {
    rule: 'a token of one surface does not open the other',
    check: async ({ address, token, key }) => {
      assert.equal((await send(`${address}/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status, 401)
      assert.equal((await send(address + resource('Topic'), { headers: { authorization: token } })).status, 401)
    },
  },
]

const operation: readonly Rule[] = [
  {
    rule: 'health, readiness, the OpenAPI document and the reference are there',
    check: async ({ address }) => {
      for (const path of ['/healthz', '/readyz', '/v1/openapi.json', '/docs']) {
        assert.equal((await send(address + path)).status, 200, path)
      }
    },
  },
]

/**
 * Checks the rules of the contract against a running installation, in an institution that is there for trying: records called
 * `conformance-…` stay in it. Prints a line for each rule; returns whether all are kept.
 */
export async function proveConformance(location: Place): Promise<boolean> {
  let broken = 0
  const rules = [...operation, ...clientApi, ...resourceApi]
  for (const { rule, check } of rules) {
    try {
      await check(location)
      process.stdout.write(`kept    ${rule}\n`)
    } catch (error) {
      broken += 1
      process.stdout.write(`BROKEN  ${rule}\n        ${(error as Error).message.replaceAll('\n', '\n        ')}\n`)
    }
  }
  process.stdout.write(`${rules.length} rules, ${broken} broken\n`)
  return broken === 0
}
