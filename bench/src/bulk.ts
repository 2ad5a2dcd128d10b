import type { BenchService } from './bench-service.ts'
import { farDueDate } from './load.ts'

const connections = 16
const rows = 20_000
const batchSize = 500

/** Prints how many payments a second 16 connections upsert, one by one and in batches: new, as they are, and changed. */
export async function printBulk(service: BenchService): Promise<void> {
  const { token } = await service.fill('bulk', 50, 0)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: object, key?: string) => {
    const response = await fetch(`${service.address}/v1${path}`, {
      method,
      headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok || text.includes('"refused"')) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  }
  const list = await fetch(`${service.address}/v1/students?limit=1`, { headers })
  const [{ id: studentId }] = ((await list.json()) as { data: [{ id: string }] }).data
  const payment = (description: string) => ({ studentId, amount: 120.5, description, dueDate: farDueDate })
  const measure = async (title: string, requests: number, request: (index: number) => Promise<void>) => {
    let next = 0
    const started = performance.now()
    const connection = async () => {
      while (next < requests) await request(next++)
    }
    await Promise.all(Array.from({ length: connections }, connection))
    const perSecond = rows / ((performance.now() - started) / 1000)
    process.stdout.write(`${title.padEnd(24)}${perSecond.toFixed(0).padStart(8)} rows/s\n`)
  }
  for (const [title, description] of [
    ['new', 'Tuition'],
    ['as they are', 'Tuition'],
    ['changed', 'Tuition of the year'],
  ] as const) {
    await measure(`one by one, ${title}`, rows, (index) =>
      send('PUT', `/payments/external/one-${index}`, payment(description)),
    )
    await measure(`in batches, ${title}`, rows / batchSize, (index) => {
      const items = Array.from({ length: batchSize }, (_, item) => {
        return { ...payment(description), externalId: `batch-${index * batchSize + item}` }
      })
      return send('POST', '/payments/batch', { items }, `bulk ${title} ${index}`)
    })
  }
}
