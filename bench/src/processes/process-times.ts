import { readdir, readFile } from 'node:fs/promises'

/** A tick of the clock by which Linux counts processor time, in milliseconds: 100 in a second on every platform of ours. */
const tick = 10

interface Times {
  readonly parent: number
  /** Its own processor time, in milliseconds. */
  readonly own: number
  /** That of the processes that it has started and that have ended, in milliseconds. */
  readonly ended: number
}

/** The processor time that a process has used, in milliseconds (proc(5), `/proc/PID/stat`). */
export async function processorTime(pid: number): Promise<number> {
  return (await findTimes(pid))?.own ?? 0
}

/** The processor time of a process and of each that it has started, by process id, in milliseconds. */
export async function processorTimesOfTree(pid: number): Promise<Map<number, number>> {
  const all = await allTimes()
  const times = new Map<number, number>()
  for (let generation = [pid]; generation.length > 0; ) {
    for (const id of generation) times.set(id, all.get(id)?.own ?? 0)
    generation = [...all].filter(([, { parent }]) => generation.includes(parent)).map(([id]) => id)
  }
  return times
}

/** The processor time that a process and all that it has started have used, those that have ended among them, in milliseconds. */
export async function processorTimeOfTree(pid: number): Promise<number> {
  const all = await allTimes()
  let sum = 0
  for (let generation = [pid]; generation.length > 0; ) {
    for (const id of generation) sum += (all.get(id)?.own ?? 0) + (all.get(id)?.ended ?? 0)
    generation = [...all].filter(([, { parent }]) => generation.includes(parent)).map(([id]) => id)
  }
  return sum
}

async function allTimes(): Promise<Map<number, Times>> {
  const all = new Map<number, Times>()
  for (const name of await readdir('/proc')) {
    const times = /^\d+$/.test(name) ? await findTimes(Number(name)) : undefined
    if (times !== undefined) all.set(Number(name), times)
  }
  return all
}

async function findTimes(pid: number): Promise<Times | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The name of the program stands in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const at = (position: number) => Number(fields[position - 3])
  return { parent: at(4), own: (at(14) + at(15)) * tick, ended: (at(16) + at(17)) * tick }
}
