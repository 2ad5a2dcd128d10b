import { type PartitionState, PoolPartition } from './pool-partition.ts'

/**
 * The partitions of the connection pool (bulkheads), by kind of work, so that no kind starves another: writes of requests,
 * slower reads, long lists that last as long as their clients read them, work that is declared to be long, the service's own
 * small writes, and jobs.
 */
export type PartitionName = 'writes' | 'reads' | 'lists' | 'long' | 'notes' | 'jobs'

/** The slots of each partition; a tenant that is alone takes half of them. */
const parts: Readonly<Record<PartitionName, number>> = { writes: 12, reads: 6, lists: 8, long: 4, notes: 2, jobs: 2 }
/** Partitions of background priority: their work has no deadline and yields to that of the others. */
const patient: ReadonlySet<PartitionName> = new Set(['lists', 'long', 'jobs'])

/** Whether work of a partition runs at background priority. */
export function isPatient(partition: PartitionName): boolean {
  return patient.has(partition)
}

/** The default sum of the slots of all partitions. */
export const allParts = Object.values(parts).reduce((sum, part) => sum + part, 0)
/** The minimum sum of slots: one in each partition. */
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
 * How many statements may be in flight over the connections that cheap reads share. A tenant that is alone gets half of
 * them, as many as the process handles of its requests at once, so that those do not queue a second time.
 */
const readsAtOnce = 48

/** How many batches of long lists are computed and received at once; one per tenant, so that its lists alternate. */
const batchesAtOnce = 2

/** `pages` bounds the cheap reads on shared connections, `batches` the concurrent batches of long lists. */
export type Partitions = Readonly<Record<PartitionName | 'pages' | 'batches', PoolPartition>>

/**
 * The slots of each partition: at least one each, in sum `connections`. What exceeds the minimum is apportioned by the
 * largest remainder.
 */
export function getLocations(connections: number): Readonly<Record<PartitionName, number>> {
  const more = Math.max(0, connections - minPartitions)
  const shares = Object.entries(parts).map(([name, part]) => {
    const share = (more * (part - 1)) / (allParts - minPartitions)
    return { name, places: 1 + Math.floor(share), rest: share % 1 }
  })
  const given = shares.reduce((sum, { places: slots }) => sum + slots, 0)
  const lacking = shares.toSorted((one, other) => other.rest - one.rest).slice(0, minPartitions + more - given)
  for (const share of lacking) share.places += 1
  return Object.fromEntries(shares.map(({ name, places: slots }) => [name, slots])) as Record<PartitionName, number>
}

/** Opens the partitions with `connections` slots in sum, at least one each, besides `pages` and `batches`. */
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

/** The number of connections that the partitions of one priority take when all their slots are held. */
export function getConnections(
  { pages: _, batches: __, ...partitions }: Partitions,
  { patient }: { patient: boolean },
): number {
  const ofKind = Object.entries(partitions).filter(([name]) => isPatient(name as PartitionName) === patient)
  return ofKind.reduce((sum, [, { state }]) => sum + state.places, 0)
}

/** The current use of each partition. */
export function getStates(partitions: Partitions): PartitionState[] {
  return Object.values(partitions).map(({ state }) => state)
}
