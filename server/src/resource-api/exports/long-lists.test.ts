import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { database } = service
const tenant = await service.tenant()
const api = await aRecordCaller(service, tenant)
const { secret } = await tenant.token({ kind: 'resource', scopes: [], masterDomains: [], roles: ['System Manager'] })

const count = 20_000
await database.load(
  tenant.id,
  `insert into gl_entries (tenant_id, id, name, posting_date, account, debit, voucher_type, voucher_no, remarks)
   select $1, gen_random_uuid(), 'ENTRY-' || lpad(n::text, 8, '0'), date '2026-01-01' + n % 365, 'Account ' || n % 100,
          n / 4.0, 'Fees', 'V-' || n, case when n % 3 = 0 then 'Größe "' || n || '"' end
     from generate_series(1, $2::integer) n`,
  [tenant.id, count],
)

const fields = '["name","posting_date","account","debit","remarks","creation"]'
const all = (more: Record<string, string> = {}) =>
  new URLSearchParams({ fields, limit_page_length: '0', ...more }).toString()

/** More than what the system takes for a client that does not read. */
const everything = `/api/resource/GL%20Entry?${all({ fields: '["*"]' })}`

/** The same rows as pages of a hundred, which are read as a whole. */
async function inPages(): Promise<object[]> {
  const rows: object[] = []
  for (let start = 0; start < count; start += 5000) {
    const pages = Array.from({ length: 50 }, (_, page) =>
      api.get(`/api/resource/GL%20Entry?${all({ limit_page_length: '100', limit_start: String(start + page * 100) })}`),
    )
    for (const { body } of await Promise.all(pages)) rows.push(...body.data)
  }
  return rows
}

/** The sessions that read a list, or have read one and are not done with it. */
const readings = () =>
  database.inspectEach<{ pid: number }>(
    `select pid from pg_stat_activity
      where datname = current_database() and state <> 'idle' and (query like '%listed%' or xact_start is not null)
        and pid <> pg_backend_pid()`,
  )

/** A client that has asked for a list and has got the first bytes of it. */
async function asking(path: string): Promise<Socket> {
  const { hostname, port, pathname } = new URL(api.address + path)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const query = path.split('?')[1]
  socket.write(`GET ${pathname}?${query} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${secret}\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

test('a list without a limit is sent while it is read, to the letter as it is when read whole', async () => {
  const rows = await inPages()
  const one = await api.get(`/api/resource/GL%20Entry?${all()}`)
  assert.deepEqual([one.status, one.headers.get('content-type')], [200, 'application/json; charset=utf-8'])
  assert.equal(one.headers.get('content-length'), null)
  assert.equal(one.text, JSON.stringify({ data: rows }))
  const method = await api.get(`/api/method/frappe.client.get_list?${all({ doctype: 'GL Entry' })}`)
  assert.equal(method.text, JSON.stringify({ message: rows }))
  const second = await api.get(`/api/v2/document/GL%20Entry?${all({ order_by: 'name asc' })}`)
  assert.equal(second.text, JSON.stringify({ data: rows, has_next_page: false }))
  const values = rows.map((row) => Object.values(row))
  const lists = await api.get(`/api/method/frappe.client.get_list?${all({ doctype: 'GL Entry', as_dict: '0' })}`)
  assert.equal(lists.text, JSON.stringify({ message: values }))
  const view = await api.get(
    `/api/method/frappe.desk.reportview.get?${new URLSearchParams({ doctype: 'GL Entry', fields, page_length: '0' })}`,
  )
  assert.equal(view.text, JSON.stringify({ message: { keys: JSON.parse(fields), values, user_info: {} } }))
  const debug = await api.get(`/api/resource/GL%20Entry?${all({ debug: '1' })}`)
  assert.deepEqual([debug.body.data.length, /Execution time/.test(debug.body._debug_messages)], [count, true])
})

test('a short list says how long it is, whatever its limit', async () => {
  const few = JSON.stringify({ account: 'Account 7', posting_date: '2026-01-08' })
  for (const limit of ['0', '20', '500']) {
    const { headers, bytes, body } = await api.get(
      `/api/resource/GL%20Entry?${all({ filters: few, limit_page_length: limit })}`,
    )
    assert.equal(headers.get('content-length'), String(bytes.length))
    assert.equal(body.data.length, 3)
  }
  const none = await api.get(`/api/resource/GL%20Entry?${all({ filters: '{"account":"None"}' })}`)
  assert.equal(none.text, '{"data":[]}')
  const view = `/api/method/frappe.desk.reportview.get?doctype=GL%20Entry&page_length=0&filters={"account":"None"}`
  assert.equal((await api.get(view)).text, '{"message":[]}')
})

test('what is refused before the first row is an ordinary refusal', async () => {
  const filters = JSON.stringify([['debit', '>', 10]])
  assert.equal((await api.get(`/api/resource/GL%20Entry?${all({ filters })}`)).status, 200)
  const { status, body } = await api.get(`/api/resource/GL%20Entry?${all({ fields: '["no_such_field"]' })}`)
  assert.deepEqual([status, body.exc_type], [417, 'DataError'])
})

test('HEAD of a long list gives its head, and nothing is left open', async () => {
  const { status, text } = await api.send('HEAD', `/api/resource/GL%20Entry?${all()}`)
  assert.deepEqual([status, text], [200, ''])
  await until(async () => (await readings()).length === 0, 'the list is closed')
})

test('a client that reads slowly holds its list open, and one that hangs up ends it', async () => {
  const sockets = await Promise.all(Array.from({ length: 3 }, () => asking(everything)))
  await until(async () => (await readings()).length === 3, 'three lists are read')
  for (const socket of sockets) socket.destroy()
  await until(async () => (await readings()).length === 0, 'all lists are closed')
  assert.equal((await api.get('/api/resource/GL%20Entry?limit=1')).status, 200)
})

test('a list that fails on its way ends the connection, never as a list that lacks rows, and is logged', async () => {
  const socket = await asking(everything)
  let text = ''
  const [reading] = await readings()
  await database.inspectAt(tenant.id, 'select pg_terminate_backend($1::int, 5000)', [reading?.pid])
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
  })
  socket.on('error', () => {})
  await once(socket, 'close')
  assert.ok(text.includes('HTTP/1.1 200') && !text.includes(']}'), text.slice(-100))
  await until(() => service.logged.some((line) => line.includes('response aborted')), 'the failure is logged')
})

test('a long list is exported whole, numbered on from batch to batch', async () => {
  const made = await api.post('/api/method/frappe.desk.reportview.export_query', {
    doctype: 'GL Entry',
    fields: ['name', 'debit'],
    order_by: 'name asc',
  })
  assert.equal(made.status, 200)
  const lines = made.bytes.toString().split('\r\n')
  assert.equal(lines.length, count + 2)
  assert.equal(lines[1], '1,"ENTRY-00000001",0.25')
  assert.equal(lines[count], `${count},"ENTRY-00020000",5000`)
})
