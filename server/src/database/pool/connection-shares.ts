import { allParts, minPartitions } from './partitions.ts'

/** What one process of a service may take of the service's connections. */
export interface ProcessShare {
  /** Those of its rooms. */
  readonly connections: number
  /** Those that cheap reads share. */
  readonly readers: number
  /** Whether brief reads share one, too. */
  readonly hasBriefReader: boolean
}

/** The connections of a process beside rooms and readers: look-ups of no tenant, exclusive locks, and the pulse. */
const besidePartitions = 3
/** That which shows that the service is there. */
const registry = 1

/**
 * Over how many connections a process reads what is cheap: one that is alone keeps its database busy over four, each answering while others
 * are asked, and can do with two; of several, each does with one. What is brief has one where there are enough.
 */
const getReaders = (workers: number) => (workers === 1 ? { least: 2, most: 4 } : { least: 1, most: 1 })

/** The first process of several answers nothing and does jobs only, which take turns. */
const firstOfSeveral: ProcessShare = { connections: minPartitions, readers: 1, hasBriefReader: false }

const getSize = ({ connections, readers, hasBriefReader }: ProcessShare) =>
  connections + readers + (hasBriefReader ? 1 : 0) + besidePartitions

const forAll = (workers: number, share: ProcessShare) => {
  const one = getSize(share)
  return registry + (workers === 1 ? one : getSize(firstOfSeveral) + workers * one)
}

/** The connections that a service with so many processes for requests can use. */
export function getMaxConnections(workers: number): number {
  return forAll(workers, { connections: allParts, readers: getReaders(workers).most, hasBriefReader: true })
}

/** The connections without which it cannot work. */
export function getMinConnections(workers: number): number {
  return forAll(workers, { connections: minPartitions, readers: getReaders(workers).least, hasBriefReader: false })
}

/** What its first process takes of a service's connections, and what each worker; where there are no workers, the first has all. */
export function getShares(
  connections: number,
  workers: number,
): { readonly first: ProcessShare; readonly worker: ProcessShare } {
  const { least: min, most: max } = getReaders(workers)
  const left = connections - registry - (workers === 1 ? 0 : getSize(firstOfSeveral))
  const locations = Math.floor(left / workers) - besidePartitions
  const ofPartitions = Math.min(allParts, Math.max(minPartitions, locations - min))
  const shared = locations - ofPartitions
  const hasBriefReader = shared > min
  const readers = Math.min(max, Math.max(min, hasBriefReader ? shared - 1 : shared))
  const worker = { connections: ofPartitions, readers, hasBriefReader }
  return { first: workers === 1 ? worker : firstOfSeveral, worker }
}
