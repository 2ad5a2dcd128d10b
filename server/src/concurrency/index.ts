export { sendTogether, together } from './batch-loader.ts'
export { atOnce, PartsMeet } from './batch-members.ts'
export { KeptReading } from './cached-reading.ts'
export { FairQueue, type Origin, QueueFull } from './fair-queue.ts'
export {
  findKept,
  forgetExpiredKeys,
  type KeyedRequest,
  keepWithin,
  keyRefusal,
  once,
  parseIdempotencyKey,
  type StoredAnswer,
} from './idempotency.ts'
export type { Lock } from './lock-order.ts'
export {
  hasKey,
  type LockedBefore,
  lockAndRead,
  lockByKey,
  lockCounter,
  lockInOrder,
  lockRow,
  lockRows,
  type RecordKey,
  takeTurn,
  workAlone,
  workShared,
} from './locks.ts'
export { type Quota, RateLimiter } from './rate-limit.ts'
export { whileUsed } from './reference-counted.ts'
export { RequestCounts } from './request-counts.ts'
export { undoneByFailure } from './savepoint.ts'
export { type CountBook, MinuteCounts } from './shared-counts.ts'
