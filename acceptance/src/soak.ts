import { setTimeout as pause } from 'node:timers/promises'
import { loadMark, makeSchool } from './deeds.ts'
import { tell } from './kills.ts'
import { type Place, v1 } from './place.ts'
import { ServiceUnderProof } from './service.ts'
import { Writers } from './writers.ts'

/** How many reads a second come in, and how often each kind of write, in milliseconds. */
const readsPerSecond = 100
const everyMilliseconds = 125
/** How many parts the time is looked at in. */
const parts = 6
/** What the last part may take more than the first, and how much the memory may grow from the second part to the last. */
const maxOfTimes = 1.2
const maxOfMemory = 1.1

const paths = [
  '/payments?limit=20',
  '/students?limit=100',
  '/admissions/applications?limit=20',
  '/events?limit=10',
  '/me',
]

/**
 * Puts a fixed load on a service for some minutes and prints, for each sixth of the time, how long reads took and how much memory the
 * service held. Returns whether both stayed the same, no read failed, and no write was lost or doubled.
 */
export async function proveSoak(minutes: number): Promise<boolean> {
  const service = await ServiceUnderProof.start()
  try {
    const { place: location } = service
    const school = await makeSchool(location)
    const mark = await loadMark(location, `s${Date.now().toString(36)}-`)
    const writers = new Writers(location, school, mark, { clientsOfEach: 1, everyMilliseconds })
    const seen: { p99: number; memory: number; failed: number }[] = []
    for (let part = 0; part < parts; part += 1) {
      const { times, failed } = await readFor(location, (minutes * 60_000) / parts)
      const p99 = times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)] as number
      const memory = await service.residentMebibytes()
      seen.push({ p99, memory, failed })
      const done = `${(((part + 1) * minutes) / parts).toFixed(1)} min`
      process.stdout.write(
        `${done}: ${times.length} reads, p99 ${p99.toFixed(1)} ms, ${failed} failed; ${writers.acknowledged} writes; ${memory.toFixed(0)} MiB\n`,
      )
    }
    const balance = await writers.stop()
    tell(balance)
    const [first, second, last] = [seen[0], seen[1], seen.at(-1)] as [
      (typeof seen)[0],
      (typeof seen)[0],
      (typeof seen)[0],
    ]
    const ofTimes = last.p99 / first.p99
    const ofMemory = last.memory / second.memory
    const failed = seen.reduce((all, part) => all + part.failed, 0)
    process.stdout.write(
      `${minutes} minutes: p99 of the last part ÷ the first ${ofTimes.toFixed(2)} (at most ${maxOfTimes}), memory at the end ÷ after the second part ` +
        `${ofMemory.toFixed(2)} (at most ${maxOfMemory}); ${failed} reads failed; ${balance.acknowledged} writes acknowledged, ` +
        `${balance.lost.length} lost, ${balance.doubled.length} doubled\n`,
    )
    const isSteady = ofTimes <= maxOfTimes && ofMemory <= maxOfMemory
    return isSteady && failed + balance.lost.length + balance.doubled.length === 0
  } finally {
    await service.stop()
  }
}

/** Reads at a fixed rate, whatever the answers take. */
async function readFor(location: Place, milliseconds: number): Promise<{ times: number[]; failed: number }> {
  const times: number[] = []
  let failed = 0
  const begun = performance.now()
  const running = new Set<Promise<void>>()
  for (let number = 0; ; number += 1) {
    const due = begun + (number * 1000) / readsPerSecond
    if (due > begun + milliseconds) break
    await pause(Math.max(0, due - performance.now()))
    const read = async () => {
      const from = performance.now()
      const status = await v1(location, paths[number % paths.length] as string).then(
        (response) => response.status,
        () => 0,
      )
      times.push(performance.now() - from)
      if (status !== 200) failed += 1
    }
    const reading = read().finally(() => running.delete(reading))
    running.add(reading)
  }
  await Promise.all(running)
  return { times, failed }
}
