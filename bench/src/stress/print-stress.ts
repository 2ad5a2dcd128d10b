import { asOwner } from '../services/bench-database.ts'
import type { BenchService } from '../services/bench-service.ts'
import { brokenInvariants } from './broken-invariants.ts'
import { answersIn, percentile, runStress, type StressReport } from './run-stress.ts'

/**
 * Puts 32 clients, or as many as the first number says, for 60 seconds, or as many as the second says, on few records, and prints
 * what came of it.
 */
export async function printStress(service: BenchService): Promise<void> {
  const [clients = 32, seconds = 60, seed = 1] = process.argv.slice(3).map(Number)
  const { tenantId, token, key } = await service.make('stress')
  await asOwner(service, async (owner) => {
    const query = async <Row extends object>(text: string, values: unknown[] = []) =>
      (await owner.query(text, values)).rows as Row[]
    const location = { address: service.address, tenantId, token, key, query }
    const report = await runStress(location, { clients, seconds, seed })
    print(report, clients, seconds)
    const broken = await brokenInvariants(location)
    process.stdout.write(`${['', ...(broken.length === 0 ? ['every invariant holds'] : broken), ''].join('\n')}`)
    process.stdout.write(`${await retries(service.address)}\n`)
  })
}

function print(report: StressReport, clients: number, seconds: number): void {
  const { answers, milliseconds, deadlocks, refusals: rejections, failures } = report
  const statuses = [...new Set([...answers.values()].flatMap((counts) => [...counts.keys()]))].sort()
  const line = (name: string, cells: readonly (number | string)[]) =>
    `${name.padEnd(58)}${cells.map((cell) => String(cell).padStart(7)).join('')}`
  const rows = [...answers]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([call, counts]) =>
      line(
        call,
        statuses.map((status) => counts.get(status) ?? ''),
      ),
    )
  const times = [0.5, 0.99, 1].map((share) => `${percentile(milliseconds, share).toFixed(0)} ms`)
  const summary = [
    `${clients} clients, ${seconds} s: ${milliseconds.length} answers, ${answersIn(report, 5)} of 5xx`,
    `p50 ${times[0]}, p99 ${times[1]}, longest ${times[2]}`,
    `${deadlocks} deadlocks`,
  ]
  process.stdout.write(
    `${[line('', statuses), ...rows, '', ...rejections, '', ...failures, '', ...summary, ''].join('\n')}`,
  )
}

/** What the service itself tells of transactions that began again. */
async function retries(address: string): Promise<string> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const lines = text.split('\n').filter((line) => /^[^#].*(retr|deadlock|again)/i.test(line))
  return lines.join('\n')
}
