import { allParts, leastParts } from './partitions.ts'

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
const besideRooms = 3
/** That which shows that the service is there. */
const presence = 1

/**
 * Over how many connections a process reads what is cheap: one that is alone keeps its database busy over four, each answering while others
 * are asked, and can do with two; of several, each does with one. What is brief has one where there are enough.
 */
const readersOf = (workers: number) => (workers === 1 ? { least: 2, most: 4 } : { least: 1, most: 1 })

/** The first process of several answers nothing and does jobs only, which take turns. */
const firstOfSeveral: ProcessShare = { connections: leastParts, readers: 1, hasBriefReader: false }

const sizeOf = ({ connections, readers, hasBriefReader }: ProcessShare) =>
  connections + readers + (hasBriefReader ? 1 : 0) + besideRooms

const forAll = (workers: number, share: ProcessShare) => {
  const one = sizeOf(share)
  return presence + (workers === 1 ? one : sizeOf(firstOfSeveral) + workers * one)
}

/** The connections that a service with so many processes for requests can use. */
export function mostConnectionsOf(workers: number): number {
  return forAll(workers, { connections: allParts, readers: readersOf(workers).most, hasBriefReader: true })
}

/** The connections without which it cannot work. */
export function leastConnectionsOf(workers: number): number {
  return forAll(workers, { connections: leastParts, readers: readersOf(workers).least, hasBriefReader: false })
}

/** What its first process takes of a service's connections, and what each worker; where there are no workers, the first has all. */
export function sharesOf(
  connections: number,
  workers: number,
): { readonly first: ProcessShare; readonly worker: ProcessShare } {
  const { least, most } = readersOf(workers)
  const left = connections - presence - (workers === 1 ? 0 : sizeOf(firstOfSeveral))
  const places = Math.floor(left / workers) - besideRooms
  const ofRooms = Math.min(allParts, Math.max(leastParts, places - least))
  const shared = places - ofRooms
  const hasBriefReader = shared > least
  const readers = Math.min(most, Math.max(least, hasBriefReader ? shared - 1 : shared))
  const worker = { connections: ofRooms, readers, hasBriefReader }
  return { first: workers === 1 ? worker : firstOfSeveral, worker }
}
