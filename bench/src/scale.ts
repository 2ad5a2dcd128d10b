import type { BenchService } from './bench-service.ts'
import { median, requestsPerSecond } from './load.ts'

const repetitions = 5
const seconds = 3

/** Compares page 1 of a tenant with 10 000 payments and of one with 1 000 000, and a page deep in a cursor walk. */
export async function printScale(service: BenchService): Promise<void> {
  const sizes = [10_000, 1_000_000]
  const tenants: { payments: number; headers: { authorization: string } }[] = []
  for (const payments of sizes) {
    const started = Date.now()
    const { token } = await service.fill(`scale-${payments}`, 10_000, payments)
    const spent = ((Date.now() - started) / 1000).toFixed(1)
    process.stdout.write(`Loaded ${payments} payments in ${spent} s\n`)
    tenants.push({ payments, headers: { authorization: `Bearer ${token}` } })
  }
  const measured = new Map<number, number[]>(sizes.map((payments) => [payments, []]))
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    for (const { payments, headers } of tenants) {
      const load = { method: 'GET', path: '/v1/payments?limit=20', headers } as const
      const rate = await requestsPerSecond(service.address, load, seconds)
      if (repetition > 0) measured.get(payments)?.push(rate) // the first round only warms up
    }
  }
  process.stdout.write('\npage 1, requests per second, median of 5\n')
  for (const [payments, rates] of measured) {
    process.stdout.write(`${String(payments).padStart(12)} payments ${String(Math.round(median(rates))).padStart(9)}\n`)
  }
}
