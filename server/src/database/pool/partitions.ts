import { type PartitionState, PoolPartition } from './pool-partition.ts'

/**
 * What connections are for. Each kind has places of its own, so that none of them takes what another one needs: the requests'
 * writes, reads that may take their time, long lists that last as long as their clients take them, work that is declared to take
 * long, the service's own small notes, and jobs.
 */
export type PartitionName = 'writes' | 'reads' | 'lists' | 'long' | 'notes' | 'jobs'

/** The places of each room; a tenant by itself takes half of them. */
const parts: Readonly<Record<PartitionName, number>> = { writes: 12, reads: 6, lists: 8, long: 4, notes: 2, jobs: 2 }
/** Whose work takes as long as it takes, and steps back before that of the others. */
const patient: ReadonlySet<PartitionName> = new Set(['lists', 'long', 'jobs'])

/** Whether what is done in a room may step back before what is done in the others. */
export function isPatient(partition: PartitionName): boolean {
  return patient.has(partition)
}

/** How many places all rooms have together unless told otherwise. */
export const allParts = Object.values(parts).reduce((sum, part) => sum + part, 0)
/** One in each. */
export const minPartitions = Object.keys(parts).length

const lines: Readonly<Record<PartitionName, { readonly longestLine: number; readonly timeoutMs: number }>> = {
  writes: { longestLine: 200, timeoutMs: 20_000 },
  reads: { longestLine: 200, timeoutMs: 20_000 },
  lists: { longestLine: 100, timeoutMs: 30_000 },
  long: { longestLine: 30, timeoutMs: 120_000 },
  notes: { longestLine: 200, timeoutMs: 5_000 },
  jobs: { longestLine: 1000, timeoutMs: 600_000 },
}

/**
 * How many statements may be on their way over the connections that cheap reads share: of a tenant that is alone half of them, as many as
 * the process works on of its requests, so that those do not wait a second time.
 */
const readsAtOnce = 48

/** How many batches of long lists are computed and taken in at once; of one tenant one, so that its lists take turns. */
const batchesAtOnce = 2

/** `pages` bounds the cheap reads on shared connections, `batches` what long lists do at the same moment. */
export type Partitions = Readonly<Record<PartitionName | 'pages' | 'batches', PoolPartition>>

/**
 * The places of each room, as many together as there may be connections, and at least one each: what is more is given out in
 * proportion, the rest to those who lack most.
 */
export function getLocations(connections: number): Readonly<Record<PartitionName, number>> {
  const more = Math.max(0, connections - minPartitions)
  const shares = Object.entries(parts).map(([name, part]) => {
    const share = (more * (part - 1)) / (allParts - minPartitions)
    return { name, places: 1 + Math.floor(share), rest: share % 1 }
  })
  const given = shares.reduce((sum, { places: locations }) => sum + locations, 0)
  const lacking = shares.toSorted((one, other) => other.rest - one.rest).slice(0, minPartitions + more - given)
  for (const share of lacking) share.places += 1
  return Object.fromEntries(shares.map(({ name, places: locations }) => [name, locations])) as Record<
    PartitionName,
    number
  >
}

/** Rooms with as many places together as there may be connections, and at least one each, beside that of cheap reads. */
export function openPartitions(connections: number): Partitions {
  const locations = getLocations(connections)
  const open = (name: PartitionName) => new PoolPartition({ name, places: locations[name], ...lines[name] })
  return {
    writes: open('writes'),
    reads: open('reads'),
    lists: open('lists'),
    long: open('long'),
    notes: open('notes'),
    jobs: open('jobs'),
    pages: new PoolPartition({
      name: 'pages',
      places: readsAtOnce,
      longestLine: 1000,
      timeoutMs: 10_000,
    }),
    batches: new PoolPartition({ name: 'batches', places: batchesAtOnce, longestLine: 100, timeoutMs: 60_000 }),
  }
}

/** How many connections the rooms of a kind take when all their places are held. */
export function getConnections(
  { pages: _, batches: __, ...partitions }: Partitions,
  { patient }: { patient: boolean },
): number {
  const ofKind = Object.entries(partitions).filter(([name]) => isPatient(name as PartitionName) === patient)
  return ofKind.reduce((sum, [, { state }]) => sum + state.places, 0)
}

/** What each room is doing. */
export function getStates(partitions: Partitions): PartitionState[] {
  return Object.values(partitions).map(({ state }) => state)
}
