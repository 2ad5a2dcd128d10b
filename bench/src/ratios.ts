import { openDatabase } from '../../server/dist/database/index.js'
import { type BenchService, end, startTunedServer } from './bench-service.ts'
import { type Load, median, requestsPerSecond } from './load.ts'

const repetitions = 5
const seconds = 4

/**
 * Compares the service with the hand-tuned server on 200 000 payments of one tenant: the page of 20 with its total, one
 * payment by id, and the idempotent create. The two take turns within each repetition.
 */
export async function printRatios(service: BenchService): Promise<void> {
  process.stdout.write('Loading 200 000 payments\n')
  const { tenantId, token } = await service.fill('ratios', 2_000, 200_000)
  const authorization = `Bearer ${token}`
  const opened = await openDatabase({
    databaseUrl: null,
    dataDir: service.dataDir,
    purpose: 'command',
    log: { info: () => {}, warn: () => {} },
  })
  const tuned = await startTunedServer('tuned-server.js', {
    BENCH_TENANT: tenantId,
    BENCH_CONNECTION: JSON.stringify(opened.connection),
  })
  try {
    const page = await fetch(`${service.address}/v1/payments?limit=20`, { headers: { authorization } })
    const [{ id, studentId }] = ((await page.json()) as { data: [{ id: string; studentId: string }] }).data
    const body = JSON.stringify({ studentId, amount: 120.5, description: 'Tuition', dueDate: '2026-09-01' })
    const loads: Record<string, Load> = {
      'page of 20 with total': { method: 'GET', path: '/v1/payments?limit=20', headers: { authorization } },
      'one payment by id': { method: 'GET', path: `/v1/payments/${id}`, headers: { authorization } },
      'idempotent create': {
        method: 'POST',
        path: '/v1/payments',
        headers: { authorization, 'content-type': 'application/json' },
        body,
        freshHeader: 'idempotency-key',
      },
    }
    process.stdout.write(`\n${'requests per second, median of 5'.padEnd(34)}service     tuned     ratio\n`)
    for (const [name, load] of Object.entries(loads)) {
      const ours: number[] = []
      const theirs: number[] = []
      await requestsPerSecond(service.address, load, 2) // both are warm before they are measured
      await requestsPerSecond(tuned.address, load, 2)
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        ours.push(await requestsPerSecond(service.address, load, seconds))
        theirs.push(await requestsPerSecond(tuned.address, load, seconds))
      }
      const [one, other] = [median(ours), median(theirs)]
      const columns = [Math.round(one), Math.round(other), `${Math.round((100 * one) / other)} %`]
      process.stdout.write(`${name.padEnd(32)}${columns.map((column) => String(column).padStart(9)).join(' ')}\n`)
    }
    process.stdout.write(
      `\nresident memory of the service under this load: ${Math.round(await service.residentMebibytes())} MiB\n`,
    )
  } finally {
    await end(tuned.child)
    await opened.close()
  }
}
