import { setTimeout } from 'node:timers/promises'
import type { Caller } from './caller.ts'
import type { RecordCaller } from './record-caller.ts'

/** What a race came to: the records that were written last, and those of them that no sweep saw as they are. */
export interface RaceResult {
  readonly written: number
  readonly missed: readonly string[]
  readonly sweeps: number
}

/** One process of a service, with a token and a key of the same tenant. */
export interface Runner {
  readonly api: Caller
  readonly desk: RecordCaller
}

/**
 * Sweeps the students with every runner, as an integrator does who keeps the watermark of each sweep's first page, while both
 * surfaces write with pauses: transactions of one record and of as many as `most`, so that they take very different times. Every
 * record is written twice at most, so that a later write does not hide that an earlier one was missed.
 */
export async function raceSweeps(runners: readonly Runner[], seconds: number, most: number): Promise<RaceResult> {
  const until = Date.now() + seconds * 1000
  const latest = new Map<string, string>()
  const pause = () => setTimeout(Math.random() * 150)

  const throughClientApi = async ({ api }: Runner, name: string) => {
    for (let round = 0; Date.now() < until; round += 1) {
      const { id } = requireDone(await api.post('/students', { fullName: `${name} ${round}`, city: 'first' })).body.data
      latest.set(id, 'first')
      await pause()
      if (round % 2 === 0) continue
      requireDone(await api.patch(`/students/${id}`, { city: 'second' }))
      latest.set(id, 'second')
      await pause()
    }
  }
  const throughRecords = async ({ api, desk }: Runner, name: string) => {
    for (let round = 0; Date.now() < until; round += 1) {
      const many = Math.ceil(most * Math.random() ** 2)
      const docs = Array.from({ length: many }, (_, index) => {
        return { doctype: 'Student', first_name: `${name} ${round} ${index}`, city: 'made' }
      })
      requireDone(await desk.post('/api/method/frappe.client.insert_many', { docs }))
      const made = requireDone(await api.get(`/students?limit=100&search=${encodeURIComponent(`${name} ${round} `)}`))
      if (made.body.data.length !== many) throw new Error(`${made.body.data.length} of ${many} records were made`)
      for (const { id } of made.body.data) latest.set(id, 'made')
      await pause()
    }
  }

  const seen = runners.map(() => new Map<string, string>())
  let sweeps = 0
  const sweeper = (runner: Runner, found: Map<string, string>) => {
    let since = '2020-01-01'
    return async () => {
      let watermark: string | null = null
      for (let cursor: string | null = '*'; cursor !== null; ) {
        const query = new URLSearchParams({ limit: '100', updatedSince: since, cursor })
        const { headers, body } = requireDone(await runner.api.get(`/students?${query}`))
        watermark ??= headers.get('sync-watermark')
        for (const { id, city } of body.data) found.set(id, city)
        cursor = headers.get('next-cursor')
      }
      since = watermark as string
      sweeps += 1
    }
  }
  const all = runners.map((runner, index) => sweeper(runner, seen[index] as Map<string, string>))
  // In turns, so that there are moments in which no transaction is open: only then the watermark is the clock's.
  const writers = runners.map((runner, index) =>
    index % 2 === 0 ? throughClientApi(runner, `Client ${index}`) : throughRecords(runner, `Record ${index}`),
  )
  const whileWriting = all.map(async (sweep) => {
    while (Date.now() < until) await sweep()
  })
  await Promise.all([...writers, ...whileWriting])
  for (const sweep of all) await sweep()
  const missed = [...latest].filter(([id, city]) => seen.some((found) => found.get(id) !== city)).map(([id]) => id)
  return { written: latest.size, missed, sweeps }
}

function requireDone<Answer extends { status: number; text: string }>(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`refused with ${answer.status}: ${answer.text.slice(0, 300)}`)
  return answer
}
