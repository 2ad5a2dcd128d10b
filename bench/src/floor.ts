import { type Cost, loadCost } from './load-cost.ts'
import { loadLoads } from './ratios.ts'
import { asOwner } from './services/bench-database.ts'
import { type BenchService, end, startTunedServer } from './services/bench-service.ts'
import { median, putLoad } from './services/load.ts'
import { createReportedTables, makeTunedTables } from './services/tuned-tables.ts'

const connections = 16
const seconds = 3
const repetitions = 5

/**
 * Tells what a write costs at least that keeps its audit entry, its event and its Idempotency-Key in the transaction of the change: the
 * hand-tuned server without them, the same server with them, and the service, in turn.
 */
export async function printFloor(service: BenchService): Promise<void> {
  const { tenantId, token } = await service.fill('floor', 1_000, 10_000)
  await asOwner(service, async (owner, connection) => {
    await makeTunedTables(owner, tenantId)
    await createReportedTables(owner)
    const environment = { BENCH_TENANT: tenantId, BENCH_TOKEN: token, BENCH_CONNECTION: JSON.stringify(connection) }
    const [plain, reported] = await Promise.all([
      startTunedServer('tuned-server.js', environment),
      startTunedServer('tuned-server.js', { ...environment, BENCH_TOLD: '1' }),
    ])
    try {
      const servers = {
        'by hand': { address: plain.address, pid: plain.child.pid as number },
        'by hand, told': { address: reported.address, pid: reported.child.pid as number },
        service: { address: service.address, pid: service.pid },
      }
      const postmaster = await service.postmasterPid()
      const { patch, create } = await loadLoads(owner, tenantId, token)
      for (const [request, load] of Object.entries({ patch, create })) {
        if (load === undefined) throw new Error(`there is no load ${request}`)
        for (const { address } of Object.values(servers)) await putLoad(address, load, 1, connections)
        const costs = new Map<string, Cost[]>(Object.keys(servers).map((name) => [name, []]))
        for (let repetition = 0; repetition < repetitions; repetition += 1) {
          for (const [name, { address, pid }] of Object.entries(servers)) {
            const cost = await loadCost(pid, postmaster, () => putLoad(address, load, seconds, connections))
            costs.get(name)?.push(cost)
          }
        }
        print(request, costs)
      }
    } finally {
      await Promise.all([end(plain.child), end(reported.child)])
    }
  })
}

function print(request: string, costs: ReadonlyMap<string, readonly Cost[]>): void {
  const head = ['answers/s', 'ratio', 'ms CPU', 'of it PG', 'ratio']
  process.stdout.write(
    `\n${`${request}, ${connections}`.padEnd(20)}${head.map((word) => word.padStart(10)).join('')}\n`,
  )
  let min: { readonly rate: number; readonly processor: number } | undefined
  for (const [name, all] of costs) {
    const rate = median(all.map((cost) => cost.rate))
    const database = median(all.map((cost) => cost.database))
    const processor = median(all.map((cost) => cost.server + cost.database))
    min ??= { rate, processor }
    const columns = [
      rate.toFixed(0),
      (rate / min.rate).toFixed(2),
      processor.toFixed(3),
      database.toFixed(3),
      (processor / min.processor).toFixed(2),
    ]
    process.stdout.write(`${name.padEnd(20)}${columns.map((column) => column.padStart(10)).join('')}\n`)
  }
}
