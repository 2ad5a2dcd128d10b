import { setTimeout as pause } from 'node:timers/promises'
import { Caller } from '../../server/dist/testing/caller.js'
import type { BenchService, BenchTenant } from './bench-service.ts'
import { type Load, median, putLoad } from './load.ts'
import { type Cost, costOf } from './load-cost.ts'

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
  const loads = { on: await loadsOf(service, on), off: await loadsOf(service, off) }
  const cost = async (load: Load): Promise<Cost> => {
    const put = async () => {
      const rate = await putLoad(service.address, load, secondsOfTurn, connections)
      await pause(1_500) // what waits is written, which belongs to its answers
      return rate
    }
    return costOf(service.pid, postmaster, put)
  }
  const head = ['ms CPU on', 'of it PG', 'off', 'of it PG', 'ratio', 'answers/s']
  process.stdout.write(`${'request'.padEnd(16)}${head.map((word) => word.padStart(11)).join('')}\n`)
  for (const request of Object.keys(loads.on) as (keyof typeof loads.on)[]) {
    const [loadOn, loadOff] = [loads.on[request], loads.off[request]]
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

async function loadsOf({ address }: BenchService, { token }: BenchTenant) {
  const api = new Caller(address, token)
  const newest = await api.get('/payments?limit=100')
  const ids = (newest.body.data as { id: string }[]).map(({ id }) => id)
  const load = (path: string): Load => ({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } })
  const since = encodeURIComponent('2020-01-01T00:00:00Z')
  return {
    page: load('/v1/payments?limit=20'),
    one: {
      ...load(`/v1/payments/${ids[0]}`),
      fresh: (number: number) => ({ path: `/v1/payments/${ids[number % ids.length]}` }),
    },
    updatedSince: load(`/v1/payments?limit=20&updatedSince=${since}`),
  }
}
