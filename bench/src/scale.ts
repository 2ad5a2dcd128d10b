import { randomUUID } from 'node:crypto'
import { Caller } from '../../server/dist/testing/fixtures/client.js'
import { asOwner } from './services/bench-database.ts'
import type { BenchService, BenchTenant } from './services/bench-service.ts'
import { farDueDate, type Load, median, putLoad } from './services/load.ts'
import { addPayments } from './services/scale-rows.ts'

const few = 10_000
const many = 10_000_000
/** So many payments have a currency of their own. */
const handful = 5
const repetitions = 5
const seconds = 1
const connections = 8
/** What the bar allows: the time of a request where there are many, divided by that where there are few. */
const maxRatio = 1.2

/**
 * Compares a tenant of 10 000 payments with one of 10 000 000, or of as many as the command line says: page 1, one by id, each filter, a page
 * in the middle of a walk, `updatedSince`, and the create. The two take turns within each repetition.
 */
export async function printScale(service: BenchService): Promise<void> {
  const count = Number(process.argv[3] ?? many)
  const small = await filled(service, 'few', few)
  const large = await filled(service, 'many', count)
  const loads = { small: await loadLoads(service.address, small), large: await loadLoads(service.address, large) }
  const head = [`of ${few}`, `of ${count}`, 'ratio'].map((word) => word.padStart(12)).join('')
  process.stdout.write(`\n${'answers a second (time: 1.2 at most)'.padEnd(40)}${head}\n`)
  for (const name of Object.keys(loads.small)) {
    const rates: { small: number[]; large: number[] } = { small: [], large: [] }
    for (let repetition = 0; repetition <= repetitions; repetition += 1) {
      for (const size of ['small', 'large'] as const) {
        if (repetition === 0) await keepTotal(service.address, loads[size][name] as Load)
        const { perSecond } = await putLoad(service.address, loads[size][name] as Load, seconds, connections)
        if (repetition > 0) rates[size].push(perSecond) // the first only warms up
      }
    }
    const [one, other] = [median(rates.small), median(rates.large)]
    const ratio = one / other
    const columns = [one.toFixed(0), other.toFixed(0), `${ratio.toFixed(2)}${ratio > maxRatio ? ' !' : '  '}`]
    process.stdout.write(`${name.padEnd(40)}${columns.map((column) => column.padStart(12)).join('')}\n`)
  }
}

/** A tenant with so many payments, of which each currency, status and student has the same part whatever their number. */
async function filled(service: BenchService, slug: string, count: number): Promise<BenchTenant> {
  const demo = few / 10
  const tenant = await service.fill(slug, demo, demo)
  await asOwner(service, (owner) => addPayments(owner, tenant.tenantId, count - demo))
  return tenant
}

/** Asks for a list once, in peace: where very many match, its total is counted once and then kept. */
async function keepTotal(address: string, { method, path, headers }: Load): Promise<void> {
  if (method !== 'GET') return
  const response = await fetch(address + path, { headers })
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

/** The same requests of each tenant. */
async function loadLoads(address: string, { token }: BenchTenant): Promise<Record<string, Load>> {
  const api = new Caller(address, token)
  const first = await api.get('/payments?limit=100')
  const payments: { id: string; studentId: string }[] = first.body.data
  const oneOf = (number: number) => payments[number % payments.length] as (typeof payments)[number]
  let cursorWalk = await api.get('/payments?limit=20&cursor=*')
  for (let page = 0; page < 3; page += 1) {
    cursorWalk = await api.get(`/payments?limit=20&cursor=${cursorWalk.headers.get('next-cursor')}`)
  }
  const authorization = `Bearer ${token}`
  const get = (query: string, fresh?: (number: number) => string): Load => ({
    method: 'GET',
    path: `/v1/payments${query}`,
    headers: { authorization },
    ...(fresh !== undefined && { fresh: (number) => ({ path: `/v1/payments${fresh(number)}` }) }),
  })
  const body = { studentId: oneOf(0).studentId, amount: 120.5, description: 'Tuition', dueDate: farDueDate }
  for (let made = 0; made < handful; made += 1) await api.post('/payments', { ...body, currency: 'CHF' })
  return {
    'page 1': get('?limit=20'),
    'one by id': get('', (number) => `/${oneOf(number).id}`),
    'a page by cursor': get(`?limit=20&cursor=${cursorWalk.headers.get('next-cursor')}`),
    updatedSince: get(`?limit=20&updatedSince=${encodeURIComponent(first.headers.get('sync-watermark') as string)}`),
    status: get('?limit=20&status=pending'),
    studentId: get('', (number) => `?limit=20&studentId=${oneOf(number).studentId}`),
    externalId: get('?limit=20&externalId=none'),
    'currency of most': get('?limit=20&currency=USD'),
    'currency of few': get('?limit=20&currency=EUR'),
    'currency of a handful': get('?limit=20&currency=CHF'),
    'currency of none': get('?limit=20&currency=GBP'),
    'due in a month': get('?limit=20&dueFrom=2024-03-01&dueTo=2024-03-31'),
    create: {
      method: 'POST',
      path: '/v1/payments',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      fresh: () => ({ headers: { 'idempotency-key': randomUUID() } }),
    },
  }
}
