import { setTimeout as pause } from 'node:timers/promises'
import { loadMark, makeSchool } from './deeds.ts'
import { ServiceUnderProof } from './service.ts'
import { type Balance, Writers } from './writers.ts'

const targets = ['service', 'database', 'both'] as const
/** So many kills are between two comparisons of what is there. */
const killsOfRound = 10
const clientsOfEach = 2

/**
 * Kills the service, its database or both as often as it is told, while clients write on both surfaces, and compares after each
 * round what they were told with what is there. Prints the outcome; returns whether nothing was lost and nothing doubled.
 */
export async function proveKills(kills: number): Promise<boolean> {
  const service = await ServiceUnderProof.start()
  const { place: location } = service
  const sum = { acknowledged: 0, givenUp: 0, attempts: 0, lost: 0, doubled: 0, slowest: 0 }
  const killed = { service: 0, database: 0, both: 0 }
  try {
    const school = await makeSchool(location)
    for (let done = 0; done < kills; ) {
      const mark = await loadMark(location, `k${done}-${Date.now().toString(36)}-`)
      const writers = new Writers(location, school, mark, { clientsOfEach })
      for (const end = Math.min(kills, done + killsOfRound); done < end; done += 1) {
        const target = targets[Math.floor(Math.random() * targets.length)] as (typeof targets)[number]
        const before = writers.acknowledged
        while (writers.acknowledged < before + 5) await pause(5)
        await pause(Math.random() * 200)
        await service.kill(target)
        killed[target] += 1
        sum.slowest = Math.max(sum.slowest, await service.recover())
      }
      const balance = await writers.stop()
      tell(balance)
      sum.acknowledged += balance.acknowledged
      sum.givenUp += balance.givenUp
      sum.attempts += balance.attempts
      sum.lost += balance.lost.length
      sum.doubled += balance.doubled.length
      process.stdout.write(
        `${done} kills: ${sum.acknowledged} writes acknowledged, ${sum.lost} lost, ${sum.doubled} doubled\n`,
      )
    }
  } finally {
    await service.stop()
  }
  const of = Object.entries(killed).map(([whom, count]) => `${count} of ${whom === 'both' ? 'both' : `the ${whom}`}`)
  process.stdout.write(
    `${kills} kills (${of.join(', ')}): ${sum.acknowledged} writes acknowledged in ${sum.attempts} attempts, ${sum.givenUp} given up; ` +
      `${sum.lost} lost, ${sum.doubled} doubled; ready again within ${(sum.slowest / 1000).toFixed(1)} s\n`,
  )
  return sum.lost + sum.doubled === 0
}

/** Prints what is wrong in a balance. */
export function tell({ lost, doubled }: Balance): void {
  for (const each of lost) process.stdout.write(`LOST ${each}\n`)
  for (const each of doubled) process.stdout.write(`DOUBLED ${each}\n`)
}
