import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type LargestRequest,
  largestRequests,
  mebibyte,
} from '../../server/dist/testing/fixtures/hostile-requests/largest-requests.js'
import { RecordCaller } from '../../server/dist/testing/fixtures/record-caller.js'
import { cookieOfSomebody } from './console/console.ts'
import type { BenchService } from './services/bench-service.ts'

/** How long a request may hold the event loop, in milliseconds, and what memory it may take beside its body, in MiB. */
const maxHold = 100
const maxMemory = 32

const form = `billing:
  bankAccounts:
    - { key: main, iban: DE89370400440532013000, currency: EUR }
formTemplates:
  - key: leave
    name: Leave of absence
    status: published
    isPublic: true
    entityType: none
    fields:
      - { key: reason, label: Why?, type: text }
`

/**
 * Prints for the largest request of each shape how long it held the event loop, how much memory the process took beside the body, and how
 * long its answer took; the first line is the body of a mebibyte that does nothing. With a word behind it, only the shapes that have it in
 * their names.
 */
export async function printLargest(service: BenchService): Promise<void> {
  const slug = 'largest'
  const { key } = await service.make(slug)
  const all = ['--scopes', 'all,extensions', '--domains', 'students,enrollment,payments']
  const { token } = await service.command('token', 'create', '--tenant', slug, '--name', 'largest', ...all)
  const file = join(service.dataDir, 'largest.yaml')
  await writeFile(file, form)
  await service.command('apply', file, '--tenant', slug, '--yes')
  const session = await openSession(service, slug)
  const location = { address: service.address, slug, token, key, form: 'leave', session }
  const wanted = process.argv[3] ?? ''
  const harmless: LargestRequest = {
    name: 'a text that is too long',
    method: 'POST',
    path: '/v1/students',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'a' },
    body: `{"fullName":"${'x'.repeat(mebibyte - 20)}"}`,
    outcome: { status: 400 },
  }
  print('', 'status', 'held', 'memory', 'answer')
  const requests = (await largestRequests(location)).filter(({ name }) => name.includes(wanted))
  let worst = 0
  for (const request of [harmless, ...requests]) {
    const { status, text, hold, memory, milliseconds } = await measured(service, request)
    const isOver = hold > maxHold || memory > maxMemory
    if (isOver) worst += 1
    const columns = [
      String(status),
      `${hold.toFixed(0)} ms`,
      `${memory.toFixed(0)} MiB`,
      `${milliseconds.toFixed(0)} ms`,
    ]
    print(
      request.name,
      ...columns,
      isOver ? '<--' : '',
      process.env.BENCH_ANSWERS === undefined ? '' : text.slice(0, 240),
    )
  }
  print(
    `${worst} of ${requests.length} held the event loop for more than ${maxHold} ms, or took more than ${maxMemory} MiB (wanted 0)`,
  )
}

/** The headers of somebody who is logged in and may do everything. */
async function openSession(service: BenchService, slug: string): Promise<Record<string, string>> {
  const cookie = await cookieOfSomebody(service, slug)
  const { body } = await new RecordCaller(`${service.address}/t/${slug}`, { cookie }).get(
    '/api/method/frappe.sessions.get_csrf_token',
  )
  return { cookie, 'x-frappe-csrf-token': body.message }
}

/** Sends a request twice, the first time so that what is compiled and planned once is there, and measures the second. */
async function measured(service: BenchService, request: LargestRequest) {
  await send(service, request)
  await lateness(service)
  await writeFile(`/proc/${service.pid}/clear_refs`, '5')
  const before = await loadMemory(service, 'VmRSS')
  const busyBefore = await busyMilliseconds(service)
  const begun = performance.now()
  const { status, text } = await send(service, request)
  const milliseconds = performance.now() - begun
  const busy = (await busyMilliseconds(service)) - busyBefore
  // Whatever else the machine does makes the loop late as well, but does not hold it.
  const hold = Math.min(await lateness(service), busy)
  const max = await loadMemory(service, 'VmHWM')
  const bytes = request.body === null ? 0 : (await new Response(request.body).arrayBuffer()).byteLength
  return { status, text, hold, milliseconds, memory: Math.max(0, max - before - Math.min(bytes, mebibyte) / mebibyte) }
}

async function send({ address }: BenchService, { method, path, headers, body }: LargestRequest) {
  const again = headers['idempotency-key'] === undefined ? {} : { 'idempotency-key': crypto.randomUUID() }
  try {
    const response = await fetch(address + path, {
      method,
      headers: { ...headers, ...again },
      body,
      redirect: 'manual',
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    return { status: 0, text: String((error as Error).cause ?? error) }
  }
}

/** By how much the event loop was late at most since it was asked last, in milliseconds. */
async function lateness({ address }: BenchService): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1]) * 1000
}

/** For how long the thread of the event loop has had a processor (proc(5), `schedstat`). */
async function busyMilliseconds({ pid }: BenchService): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1e6
}

async function loadMemory({ pid }: BenchService, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}

function print(name: string, ...columns: string[]): void {
  process.stdout.write(`${name.padEnd(62)}${columns.map((column) => column.padStart(10)).join('')}\n`)
}
