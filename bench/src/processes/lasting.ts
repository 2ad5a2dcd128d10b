import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { Caller } from '../../../server/dist/testing/fixtures/client.js'
import { RecordCaller } from '../../../server/dist/testing/fixtures/record-caller.js'
import type { BenchService } from '../services/bench-service.ts'
import { farDueDate } from '../services/load.ts'

const parts = 10
const connections = 32
/** What the bars ask for: resident memory after all requests, in MiB, and its growth from the second part to the last. */
const maxMebibytes = 200
const maxGrowth = 1.1
/** With how many connections, and for how many seconds, the delay of the event loop is looked at, and what it may be, in milliseconds. */
const manyConnections = 256
const manySeconds = 10
const maxDelay = 50

/** One request of the mixture, as autocannon takes it. */
type Kind = autocannon.Request

/**
 * Prints what memory the service holds after each tenth of very many requests of all kinds on both surfaces, and then by how much its event
 * loop is late with 256 connections: `npm run bench -- lasting 1000000`.
 */
export async function printLasting(bench: BenchService): Promise<void> {
  const requests = Number(process.argv[3] ?? 1_000_000)
  const tenant = await bench.fill('lasting', 500, 10_000)
  const kinds = await loadKinds(bench.address, 'lasting', tenant)
  const seen: number[] = []
  for (let part = 1; part <= parts; part += 1) {
    const { failed, perSecond } = await load(bench.address, kinds, { connections, amount: Math.ceil(requests / parts) })
    const resident = await bench.residentMebibytes()
    seen.push(resident)
    print(
      `${((requests / parts) * part).toFixed(0)} requests: ${resident.toFixed(0)} MiB; ${perSecond.toFixed(0)} a second, ${failed} failed`,
    )
  }
  const growth = (seen.at(-1) as number) / (seen[1] as number)
  print(
    `after all ${seen.at(-1)?.toFixed(0)} MiB (wanted ${maxMebibytes} at most), last part ÷ second ${growth.toFixed(2)} (wanted ${maxGrowth} at most)`,
  )
  for (const path of ['/v1/payments?limit=20', '/v1/payments?limit=100']) {
    const page = { method: 'GET', path, headers: { authorization: `Bearer ${tenant.token}` } } as const
    await load(bench.address, [page], { connections: manyConnections, duration: 2 })
    await eventLoopDelay(bench.address)
    const { failed, perSecond } = await load(bench.address, [page], {
      connections: manyConnections,
      duration: manySeconds,
    })
    const delay = await eventLoopDelay(bench.address)
    print(
      `${path} over ${manyConnections} connections: event loop late by ${delay.toFixed(1)} ms (p99, wanted ${maxDelay} at most); ` +
        `${perSecond.toFixed(0)} a second, ${failed} failed`,
    )
  }
}

/** Reads and writes of both surfaces and pages, about two reads to a write. */
async function loadKinds(
  address: string,
  slug: string,
  { token, key }: { token: string; key: string },
): Promise<Kind[]> {
  const api = new Caller(address, token)
  const records = new RecordCaller(`${address}/t/${slug}`, { authorization: key })
  const first = await api.get('/payments?limit=100')
  const { data: payments } = first.body
  const watermark = encodeURIComponent(first.headers.get('sync-watermark') as string)
  const { data: students } = (await api.get('/students?limit=100')).body
  const invoiced = {
    studentId: students[0].id,
    description: 'Tuition',
    amount: 12.5,
    currency: 'USD',
    dueDate: farDueDate,
  }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const asRecords = { authorization: key, 'content-type': 'application/json' }
  const read = (path: string, of: Record<string, string> = headers): Kind => ({ method: 'GET', path, headers: of })
  let number = 0
  const write = (
    method: 'POST' | 'PATCH' | 'PUT',
    fresh: (number: number) => { path: string; body: object },
  ): Kind => ({
    method,
    setupRequest: (request) => {
      number += 1
      const { path, body } = fresh(number)
      const isRecord = path.startsWith('/api/')
      const own = isRecord ? { ...asRecords } : { ...headers, 'idempotency-key': randomUUID() }
      return { ...request, path, headers: own, body: JSON.stringify(body) }
    },
  })
  const oneOf = (list: readonly { readonly id: string }[], index: number) => list[index % list.length]?.id as string
  const name = (await records.get('/api/resource/Student?limit_page_length=1')).body.data[0].name
  return [
    read('/v1/payments?limit=20'),
    write('POST', () => ({ path: '/v1/payments', body: invoiced })),
    read(`/v1/payments/${payments[0].id}`),
    read('/v1/students?limit=100'),
    write('PATCH', (n) => ({
      path: `/v1/payments/${oneOf(payments, n)}`,
      body: { description: `for the ${n}th time` },
    })),
    read(`/v1/payments?updatedSince=${watermark}`),
    read('/v1/payments?status=pending&limit=20'),
    write('PUT', (n) => ({
      path: `/v1/payments/external/sis-${n % 5000}`,
      body: { ...invoiced, description: `${n}` },
    })),
    read('/v1/admissions/applications?limit=20'),
    read('/api/resource/Student?fields=["*"]&limit_page_length=20', asRecords),
    write('POST', (n) => ({ path: '/v1/students', body: { fullName: `Student Number ${n}` } })),
    read(`/api/resource/Student/${encodeURIComponent(name)}`, asRecords),
    read('/api/method/frappe.client.get_count?doctype=Fees', asRecords),
    write('PUT', (n) => ({ path: `/api/resource/Student/${encodeURIComponent(name)}`, body: { city: `Town ${n}` } })),
    read('/docs'),
    read(`/t/${slug}/login`, { accept: 'text/html' }),
  ]
}

async function load(
  url: string,
  kinds: readonly Kind[],
  size: { connections: number; amount?: number; duration?: number },
) {
  // It puts what it sends into the requests that it is given.
  const requests = kinds.map((kind) => ({ ...kind, headers: { ...kind.headers } }))
  const result = await autocannon({ url, requests, ...size })
  return { failed: result.non2xx + result.errors, perSecond: result['2xx'] / result.duration }
}

/** By how much the event loop of the service was late since it was asked last, in milliseconds, at the 99th percentile. */
async function eventLoopDelay(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1]) * 1000
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
