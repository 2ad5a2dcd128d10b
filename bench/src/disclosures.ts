import { setTimeout as pause } from 'node:timers/promises'
import { type Cost, loadCost } from './load-cost.ts'
import { loadLoads } from './ratios.ts'
import { asOwner } from './services/bench-database.ts'
import type { BenchService } from './services/bench-service.ts'
import { type Load, median, putLoad } from './services/load.ts'

const students = 1_000
const payments = 10_000
const connections = 16
const secondsOfTurn = 4

/**
 * Prints what the record of disclosures costs: the processor time of the service and of PostgreSQL for each answer at an institution that
 * records them, as a ratio to one of the same size that records none, in the same run. The two take turns, in both orders; the ratio is the
 * median of those of a turn each. Wanted: at most 1.05. Of as many turns as the word behind it says.
 */
export async function printDisclosures(service: BenchService): Promise<void> {
  const turns = Number(process.argv[3] ?? 9)
  const on = await service.fill('disclosures-on', students, payments)
  const off = await service.fill('disclosures-off', students, payments)
  await service.command('tenant', 'update', 'disclosures-off', '--disclosures', 'off')
  const postmaster = await service.postmasterPid()
  const loads = await asOwner(service, async (owner) => ({
    on: await loadLoads(owner, on.tenantId, on.token),
    off: await loadLoads(owner, off.tenantId, off.token),
  }))
  const cost = async (load: Load): Promise<Cost> => {
    const put = async () => {
      const rate = await putLoad(service.address, load, secondsOfTurn, connections)
      await pause(1_500) // what waits is written, which belongs to its answers
      return rate
    }
    return loadCost(service.pid, postmaster, put)
  }
  const head = ['ms CPU on', 'of it PG', 'off', 'of it PG', 'ratio', 'answers/s']
  process.stdout.write(`${'request'.padEnd(16)}${head.map((word) => word.padStart(11)).join('')}\n`)
  for (const request of ['page', 'one by id', 'updatedSince']) {
    const [loadOn, loadOff] = [loads.on[request] as Load, loads.off[request] as Load]
    // V8 compiles meanwhile, and the service learns who records nothing.
    for (const load of [loadOn, loadOff]) await cost(load)
    const measured: { readonly on: Cost; readonly off: Cost }[] = []
    for (let turn = 0; turn < turns; turn += 1) {
      const isOnFirst = turn % 2 === 0
      const first = await cost(isOnFirst ? loadOn : loadOff)
      const second = await cost(isOnFirst ? loadOff : loadOn)
      measured.push(isOnFirst ? { on: first, off: second } : { on: second, off: first })
    }
    const whole = ({ server, database }: Cost) => server + database
    const of = (value: (pair: (typeof measured)[number]) => number) => median(measured.map(value))
    const columns = [
      of((pair) => whole(pair.on)).toFixed(3),
      of((pair) => pair.on.database).toFixed(3),
      of((pair) => whole(pair.off)).toFixed(3),
      of((pair) => pair.off.database).toFixed(3),
      of((pair) => whole(pair.on) / whole(pair.off)).toFixed(3),
      of((pair) => pair.on.rate / pair.off.rate).toFixed(3),
    ]
    process.stdout.write(`${request.padEnd(16)}${columns.map((column) => column.padStart(11)).join('')}\n`)
  }
}
