import { type Load, putLoad } from './load.ts'
import { processorTime, processorTimeOfTree } from './process-times.ts'

/** What answers of a kind cost: how many there are in a second, and the processor time of each, in milliseconds. */
export interface Cost {
  readonly rate: number
  readonly server: number
  readonly database: number
}

/** Puts a server under load over some connections for some seconds, and tells what each answer cost it and PostgreSQL. */
export async function costOf(
  { address, pid }: { readonly address: string; readonly pid: number },
  postmaster: number,
  load: Load,
  connections: number,
  seconds: number,
): Promise<Cost> {
  const times = async () => ({ server: await processorTime(pid), database: await processorTimeOfTree(postmaster) })
  const before = await times()
  const { perSecond, answers } = await putLoad(address, load, seconds, connections)
  const after = await times()
  return {
    rate: perSecond,
    server: (after.server - before.server) / answers,
    database: (after.database - before.database) / answers,
  }
}
