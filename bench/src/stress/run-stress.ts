import { Chance } from './chance.ts'
import { StressCaller, type StressTarget } from './stress-caller.ts'
import { doSomething } from './stress-calls.ts'
import { makeSchool } from './stress-school.ts'

/** What came of a stress. */
export interface StressReport {
  /** How many answers each call got, by status. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** What was said with the first refusal of each call and status below 500. */
  readonly refusals: readonly string[]
  /** What was said with each answer of 500 and above, at most a few. */
  readonly failures: readonly string[]
  /** The times of all answers in milliseconds, ascending. */
  readonly milliseconds: readonly number[]
  /** How many deadlocks the database counted meanwhile. */
  readonly deadlocks: number
}

/** Lets so many clients change the few records of a school for so many seconds, on both surfaces at once. */
export async function runStress(
  target: StressTarget,
  { clients, seconds, seed = 1 }: { readonly clients: number; readonly seconds: number; readonly seed?: number },
): Promise<StressReport> {
  const school = await makeSchool(target)
  const answers = new Map<string, Map<number, number>>()
  const rejections: string[] = []
  const failures: string[] = []
  const milliseconds: number[] = []
  const before = await deadlocks(target)
  const caller = new StressCaller(target, (call, { status, body }, took) => {
    const counts = answers.get(call) ?? new Map<number, number>()
    if (status >= 400 && status < 500 && !counts.has(status)) {
      rejections.push(`${call}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
    }
    answers.set(call, counts.set(status, (counts.get(status) ?? 0) + 1))
    milliseconds.push(took)
    if (status >= 500 && failures.length < 20) failures.push(`${call}: ${status} ${JSON.stringify(body)}`)
  })
  const end = performance.now() + seconds * 1000
  const work = async (number: number) => {
    const chance = new Chance(seed * 1000 + number)
    while (performance.now() < end) await doSomething({ caller, school, chance })
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => work(number)))
  milliseconds.sort((one, other) => one - other)
  return { answers, refusals: rejections, failures, milliseconds, deadlocks: (await deadlocks(target)) - before }
}

/** The deadlocks of this database. Sessions tell what they counted when they end, so those of the service are ended. */
async function deadlocks({ query }: StressTarget): Promise<number> {
  await query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid() and state = 'idle'
                  and application_name = 'matricula pool'`)
  const [row] = await query<{ deadlocks: number }>(
    'select deadlocks::integer as deadlocks from pg_stat_database where datname = current_database()',
  )
  return row?.deadlocks ?? 0
}

/** The time within which a share of the answers came, in milliseconds. */
export function percentile(milliseconds: readonly number[], share: number): number {
  return milliseconds[Math.min(milliseconds.length - 1, Math.floor(milliseconds.length * share))] ?? 0
}

/** How many answers had a status of a hundred, such as 5 for 500 to 599. */
export function answersIn({ answers }: StressReport, hundred: number): number {
  const counts = [...answers.values()].flatMap((byStatus) => [...byStatus])
  return counts.reduce((sum, [status, count]) => (Math.floor(status / 100) === hundred ? sum + count : sum), 0)
}
