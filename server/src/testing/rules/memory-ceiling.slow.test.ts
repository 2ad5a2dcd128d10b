import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Connection } from '../../database/index.ts'
import { fillLargeTenant } from '../fixtures/database/large-tenant.ts'
import { launchService, stop, until, untilReady } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { afterFile } from '../runner/file-end.ts'

const isLinux = process.platform === 'linux'

const service = await startTestService()
const large = await service.tenant()
const small = await service.tenant()
await fillLargeTenant(service.database, large.id)
const { secret: token } = await large.token()
const { secret: key } = await large.token({
  kind: 'resource',
  scopes: [],
  masterDomains: [],
  roles: ['System Manager', 'Academics User', 'Accounts User', 'Education Manager', 'Instructor'],
})
const { secret: smallToken } = await small.token()

/** The service in a process of its own, on the database of this test. */
const running = await launchService({
  DATABASE_URL: getAddress(service.database.connection),
  SECRET_KEY: 'x'.repeat(43),
  LOG_LEVEL: 'error',
})
const { child, address } = running
afterFile(() => stop(running))
await untilReady(running)

function getAddress(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString
  const { host, port, user, database } = connection
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

async function loadMegabytes(field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}

const list = (type: string, more: Record<string, string> = {}) =>
  `/api/resource/${encodeURIComponent(type)}?${new URLSearchParams({ fields: '["*"]', limit_page_length: '0', ...more })}`
const method = (path: string, args: Record<string, string> = {}) => `/api/method/${path}?${new URLSearchParams(args)}`

/** The largest answers that there are. */
const records = [
  list('GL Entry'),
  list('GL Entry', { order_by: 'debit desc', as_dict: '0' }),
  method('frappe.client.get_list', { doctype: 'GL Entry', fields: '["*"]', limit_page_length: '0' }),
  method('frappe.desk.reportview.get', { doctype: 'GL Entry', fields: '["*"]', page_length: '0' }),
  list('Article'),
  list('Article', { limit_page_length: '100' }),
  list('Student Group', { fields: '["*","students.student","students.student_name"]' }),
  list('Student Group Student', { parent: 'Student Group' }),
  '/api/resource/Student%20Group/Everybody',
  '/api/resource/Article/Article%207',
  method('frappe.client.get', { doctype: 'Student Group', name: 'Everybody' }),
  method('education.education.api.get_student_group_students', { student_group: 'Everybody' }),
  method('education.education.doctype.course.course.get_programs_without_course', { course: 'None' }),
  method('education.education.api.get_course_schedule_events', { start: '2026-01-01', end: '2026-12-31' }),
  method('education.education.api.get_course_schedule_for_student', {
    program_name: 'Program 1',
    student_groups: '[{"label":"Everybody"}]',
  }),
  method('education.education.doctype.student_group.student_group.get_students', {
    academic_year: '2026',
    group_based_on: 'Batch',
  }),
  method('education.education.doctype.program_enrollment.program_enrollment.get_students', { page_len: '500' }),
  method('frappe.client.get_count', { doctype: 'GL Entry', filters: '[["remarks","like","%a%"]]' }),
  method('frappe.utils.print_format.download_pdf', { doctype: 'Student Group', name: 'Everybody' }),
].map((path) => ({ path, authorization: key }))

const pages = [
  '/v1/students?limit=100',
  '/v1/students?limit=100&cursor=*',
  '/v1/admissions/applications?limit=100',
  '/v1/programs?limit=100&page=200',
].map((path) => ({ path, authorization: `Bearer ${token}` }))

const requests = [...records, ...pages]

async function asking({ path, authorization }: (typeof requests)[number]): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
  )
  return socket
}

/** What one client read. */
interface Reading {
  readonly status: string
}

async function readWhole(request: (typeof requests)[number]): Promise<Reading> {
  const socket = await asking(request)
  let bytes = 0
  let status = ''
  socket.on('data', (chunk: Buffer) => {
    if (bytes === 0) status = chunk.subarray(9, 12).toString()
    bytes += chunk.length
  })
  await once(socket, 'close')
  return { status }
}

async function readSlowly(request: (typeof requests)[number], milliseconds: number): Promise<void> {
  const socket = await asking(request)
  for (const until = Date.now() + milliseconds; Date.now() < until; ) {
    socket.read(16 * 1024)
    await setTimeout(100)
  }
  socket.destroy()
}

async function hangUp(request: (typeof requests)[number], milliseconds: number): Promise<void> {
  const socket = await asking(request)
  await setTimeout(milliseconds)
  socket.destroy()
}

const sessions = () =>
  service.database.inspect<{ state: string; query: string }>(
    `select state, left(query, 60) as query from pg_stat_activity
      where datname = current_database() and application_name like 'matricula%' and state <> 'idle'
        and pid <> pg_backend_pid()`,
  )

/** What the service says of itself, by the name of the metric. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
}

/** Looks again and again until it is told to end, and gives the milliseconds of each look. */
function watch(look: () => Promise<Response>, expected: readonly number[]): () => Promise<number[]> {
  let isOver = false
  const waits: number[] = []
  const looking = (async () => {
    while (!isOver) {
      const begun = performance.now()
      const { status } = await look()
      assert.ok(expected.includes(status), `${status}`)
      waits.push(performance.now() - begun)
      await setTimeout(50)
    }
  })()
  return async () => {
    isOver = true
    await looking
    return waits.sort((one, other) => one - other)
  }
}

/** What docs/adr/0015 says that a process needs, and a request. */
const ceiling = { process: 150, request: 40 }
const clients = 20

test('twenty clients at once that ask for the largest answers stay below the ceiling, and others are answered', {
  skip: !isLinux && 'memory is read from /proc',
}, async (t) => {
  const handles = await metric('nodejs_active_handles_total')
  const health = watch(() => fetch(`${address}/healthz`), [200])
  const headers = { authorization: `Bearer ${smallToken}` }
  const page = watch(() => fetch(`${address}/v1/students?limit=20`, { headers }), [200, 503])
  const statuses = new Set<string>()
  const client = async (number: number) => {
    const request = requests[number % requests.length] as (typeof requests)[number]
    if (number % 3 === 0) return readSlowly(request, 5000)
    if (number % 3 === 1) return hangUp(request, 100 * number)
    statuses.add((await readWhole(request)).status)
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  await until(async () => (await sessions()).length === 0, 'nothing is left open in the database')
  const [healthy, paged] = [await health(), await page()]
  const most = (waits: number[]) => `${waits.length} times, at most ${waits.at(-1)?.toFixed(0)} ms`
  const peak = await loadMegabytes('VmHWM')
  t.diagnostic(`peak ${peak.toFixed(0)} MB; health ${most(healthy)}; a small page ${most(paged)}; ${[...statuses]}`)
  assert.ok(peak < ceiling.process + clients * ceiling.request, `${peak.toFixed(0)} MB`)
  // A second on a machine that has nothing else to do.
  assert.ok((healthy[Math.floor(healthy.length / 2)] as number) < 1000)
  assert.ok([...statuses].every((status) => status === '200' || status === '503'))
  await until(async () => (await metric('nodejs_active_handles_total')) <= handles + 30, 'handles are closed')
})
