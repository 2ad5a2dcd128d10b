export { findBatched, loadBatched, together } from './batch-loader.ts'
export { atOnce, BatchConflict } from './batch-members.ts'
export { CachedReading } from './cached-reading.ts'
export { giveBackNumber, passNumber, takeNumbers } from './counters.ts'
export { FairQueue, type Origin, QueueFull } from './fair-queue.ts'
export {
  findStored,
  forgetExpiredKeys,
  type KeyedRequest,
  keyError,
  once,
  parseIdempotencyKey,
  type StoredResponse,
  storeWithin,
} from './idempotency.ts'
export type { Lock } from './lock-order.ts'
export {
  hasKey,
  type LockedBefore,
  lockAndRead,
  lockByKey,
  lockInOrder,
  lockRow,
  lockRows,
  lockTenantExclusive,
  lockTenantShared,
  maxWaits,
  type RecordKey,
  takeAdvisoryLock,
} from './locks.ts'
export { type Quota, RateLimiter } from './rate-limit.ts'
export { whileUsed } from './reference-counted.ts'
export { RequestCounts } from './request-counts.ts'
export { undoneByFailure } from './savepoint.ts'
export { type CountBook, MinuteCounts } from './shared-counts.ts'
export { mapSteps, runAtOnce, runInSlices, type Steps, TimeSlice } from './slices.ts'
