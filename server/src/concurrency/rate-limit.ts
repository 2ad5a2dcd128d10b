import { type Database, DatabaseUnavailable, sql } from '../database/index.ts'

/** What is left of a key's quota. */
export interface Quota {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number
}

interface Lease {
  left: number
  /** What no process has leased yet, as of the last lease. */
  unleased: number
  endsAt: number
  pending: Promise<void> | undefined
}

/** A process takes this part of a quota at once. What a process leases and does not use is lost to the others. */
const leasedPart = 1 / 100
const maxLeases = 20_000
const windowMilliseconds = 60_000

/**
 * A quota of requests per minute and API key, exact over all processes of a deployment: each process leases small parts
 * of the key's current window from the database and spends them in memory, so the sum never passes the quota. Only the
 * key's own row is ever locked, for the length of one statement. While the database takes no lease, because its disk is full or
 * too many want one, each process spends what is left as if it were alone, so that reads go on.
 */
export class RateLimiter {
  readonly #database: Database
  readonly #leases = new Map<string, Lease>()

  constructor(database: Database) {
    this.#database = database.for({ partition: 'notes' })
  }

  /** Takes one request off the quota, at once where the process still has a lease, else after asking for one. */
  take(tenantId: string, apiKeyId: string, limit: number): Quota | Promise<Quota> {
    const lease = this.#leases.get(apiKeyId)
    if (lease !== undefined && performance.now() < lease.endsAt) {
      if (lease.left > 0) return spend(lease, limit)
      if (lease.unleased === 0) return refuse(lease, limit)
    }
    return this.#takeAfterLease(tenantId, apiKeyId, limit)
  }

  async #takeAfterLease(tenantId: string, apiKeyId: string, limit: number): Promise<Quota> {
    const lease = this.#leases.get(apiKeyId) ?? this.#newLease(apiKeyId)
    for (;;) {
      lease.pending ??= this.#lease(lease, tenantId, apiKeyId, limit).finally(() => {
        lease.pending = undefined
      })
      await lease.pending
      if (lease.left > 0) return spend(lease, limit)
      if (lease.unleased === 0) return refuse(lease, limit)
    }
  }

  #newLease(apiKeyId: string): Lease {
    if (this.#leases.size >= maxLeases) this.#leases.delete(this.#leases.keys().next().value as string)
    const lease: Lease = { left: 0, unleased: 0, endsAt: 0, pending: undefined }
    this.#leases.set(apiKeyId, lease)
    return lease
  }

  async #lease(lease: Lease, tenantId: string, apiKeyId: string, limit: number): Promise<void> {
    const part = Math.max(1, Math.ceil(limit * leasedPart))
    const leasing = this.#database.transaction(tenantId, async (tx) => {
      const [leased] = await tx.query<{ granted: number; leased: number; milliseconds: number }>(sql`
        with minute as (
          insert into rate_limit_windows as w (tenant_id, api_key_id, started_at, leased, granted)
          values (${tenantId}, ${apiKeyId}, clock_timestamp(), ${part}, ${part})
          on conflict (tenant_id, api_key_id) do update set
            started_at = case when extract(epoch from excluded.started_at - w.started_at) >= 60 then excluded.started_at
                              else w.started_at end,
            granted = case when extract(epoch from excluded.started_at - w.started_at) >= 60 then excluded.granted
                           else greatest(0, least(${part}, ${limit} - w.leased)) end,
            leased = case when extract(epoch from excluded.started_at - w.started_at) >= 60 then excluded.leased
                          else greatest(w.leased, least(w.leased + ${part}, ${limit})) end
          returning w.granted, w.leased, w.started_at
        )
        select granted, leased,
               extract(epoch from started_at + interval '60 s' - clock_timestamp())::float8 * 1000 as milliseconds
          from minute`)
      return leased
    })
    const row = await leasing.catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable) return null
      throw error
    })
    if (row === null) return leaseAlone(lease, limit)
    lease.left = row?.granted ?? 0
    lease.unleased = Math.max(0, limit - (row?.leased ?? limit))
    lease.endsAt = performance.now() + Math.max(0, row?.milliseconds ?? 0)
  }
}

/** Takes what was left of the window for this process, or a window of its own. */
function leaseAlone(lease: Lease, limit: number): void {
  const now = performance.now()
  const isOver = now >= lease.endsAt
  lease.left = isOver ? limit : lease.unleased
  lease.unleased = 0
  if (isOver) lease.endsAt = now + windowMilliseconds
}

function spend(lease: Lease, limit: number): Quota {
  lease.left -= 1
  return { allowed: true, limit, remaining: lease.left + lease.unleased, resetSeconds: secondsLeft(lease) }
}

function refuse(lease: Lease, limit: number): Quota {
  return { allowed: false, limit, remaining: 0, resetSeconds: secondsLeft(lease) }
}

function secondsLeft(lease: Lease): number {
  return Math.max(1, Math.ceil((lease.endsAt - performance.now()) / 1000))
}
