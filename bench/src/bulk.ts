import type { BenchService } from './services/bench-service.ts'
import { type Fresh, farDueDate, type Load, putRequests } from './services/load.ts'

const connections = 16
const rows = 20_000
const batchSize = 500

/** Prints how many payments a second 16 connections upsert, one by one and in batches: new, as they are, and changed. */
export async function printBulk({ address, fill }: BenchService): Promise<void> {
  const { token } = await fill('bulk', 50, 0)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const list = await fetch(`${address}/v1/students?limit=1`, { headers })
  const [{ id: studentId }] = ((await list.json()) as { data: [{ id: string }] }).data
  const payment = (description: string) => ({ studentId, amount: 120.5, description, dueDate: farDueDate })
  const measure = async (title: string, method: Load['method'], requests: number, of: (index: number) => Fresh) => {
    const load: Load = {
      method,
      path: '/v1/payments',
      headers,
      fresh: (number) => of(number % requests),
      isWell: (body) => !body.includes('"refused"'),
    }
    const { perSecond } = await putRequests(address, load, requests, connections)
    process.stdout.write(`${title.padEnd(24)}${((perSecond * rows) / requests).toFixed(0).padStart(8)} rows/s\n`)
  }
  for (const [title, description] of [
    ['new', 'Tuition'],
    ['as they are', 'Tuition'],
    ['changed', 'Tuition of the year'],
  ] as const) {
    await measure(`one by one, ${title}`, 'PUT', rows, (index) => ({
      path: `/v1/payments/external/one-${index}`,
      body: JSON.stringify(payment(description)),
    }))
    await measure(`in batches, ${title}`, 'POST', rows / batchSize, (index) => ({
      path: '/v1/payments/batch',
      headers: { 'idempotency-key': `bulk ${title} ${index}` },
      body: JSON.stringify({
        items: Array.from({ length: batchSize }, (_, item) => ({
          ...payment(description),
          externalId: `batch-${index * batchSize + item}`,
        })),
      }),
    }))
  }
}
