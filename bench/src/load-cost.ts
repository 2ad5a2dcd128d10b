import { processorTime, processorTimeOfTree } from './processes/process-times.ts'
import type { Rate } from './services/load.ts'

/** What answers of a kind cost: how many there are in a second, and the processor time of each, in milliseconds. */
export interface Cost {
  readonly rate: number
  readonly server: number
  readonly database: number
}

/** Puts a server under load, and tells what each answer cost it and PostgreSQL. */
export async function loadCost(server: number, postmaster: number, putLoad: () => Promise<Rate>): Promise<Cost> {
  const times = async () => ({ server: await processorTime(server), database: await processorTimeOfTree(postmaster) })
  const before = await times()
  const { perSecond, answers } = await putLoad()
  const after = await times()
  return {
    rate: perSecond,
    server: (after.server - before.server) / answers,
    database: (after.database - before.database) / answers,
  }
}
