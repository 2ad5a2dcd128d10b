import { sql, type Transaction } from '../../database/index.ts'
import { hashOf } from './sessions.ts'

/** So many failures in a row, of one user from one address, then this pause in seconds. */
const logInFailures = { most: 10, pauseSeconds: 60 } as const

/** So many failures from one address within this time in seconds, whoever the users are; then its end is waited for. */
const addressFailures = { most: 100, withinSeconds: 60 } as const

/** No user's name, so that what an address failed with altogether stands beside what it failed with for each. */
const anybody = 'any user'

/**
 * Counts an attempt, by what it was about and where it came from, as failed until it succeeds: many at once are counted too,
 * over all processes. Gives the seconds to wait, 0 when it may go on.
 */
export async function countAttempt(tx: Transaction, name: string, address: string): Promise<number> {
  const { most, pauseSeconds } = logInFailures
  const isOver = sql`extract(epoch from excluded.counted_at - f.counted_at) >= ${pauseSeconds}`
  const [row] = await tx.query<{ failures: number; seconds: number }>(sql`
    with attempt as (
      insert into log_in_failures as f (tenant_id, user_hash, address, failures, counted_at)
      values (${tx.tenantId}, ${hashOf(name)}, ${address}, 1, clock_timestamp())
      on conflict (tenant_id, user_hash, address) do update set
        failures = case when ${isOver} then 1 else least(f.failures, ${most}) + 1 end,
        counted_at = case when not ${isOver} and f.failures >= ${most} then f.counted_at else excluded.counted_at end
      returning f.failures, f.counted_at
    )
    select failures,
           extract(epoch from counted_at + make_interval(secs => ${pauseSeconds}) - clock_timestamp())::float8 as seconds
      from attempt`)
  if (row === undefined || row.failures <= most) return 0
  return Math.max(1, Math.ceil(row.seconds))
}

/** Takes an attempt back that was not looked at. */
export function takeBackAttempt(tx: Transaction, name: string, address: string): void {
  tx.send(sql`
    update log_in_failures set failures = failures - 1
     where tenant_id = ${tx.tenantId} and user_hash = ${hashOf(name)} and address = ${address} and failures > 0`)
}

/** Forgets the failed attempts about something from an address. */
export function forgetAttempts(tx: Transaction, name: string, address: string): void {
  tx.send(sql`
    delete from log_in_failures
     where tenant_id = ${tx.tenantId} and user_hash = ${hashOf(name)} and address = ${address}`)
}

/** Counts a failure of an address. Those that succeed are not counted: a school's people share one. */
export function countAddressFailure(tx: Transaction, address: string): void {
  const isOver = sql`extract(epoch from excluded.counted_at - f.counted_at) >= ${addressFailures.withinSeconds}`
  tx.send(sql`
    insert into log_in_failures as f (tenant_id, user_hash, address, failures, counted_at)
    values (${tx.tenantId}, ${hashOf(anybody)}, ${address}, 1, clock_timestamp())
    on conflict (tenant_id, user_hash, address) do update set
      failures = case when ${isOver} then 1 else f.failures + 1 end,
      counted_at = case when ${isOver} then excluded.counted_at else f.counted_at end`)
}

/** The seconds that everybody at an address has to wait because of its failures, 0 when they may go on. */
export async function pauseOfAddress(tx: Transaction, address: string): Promise<number> {
  const { most, withinSeconds } = addressFailures
  const [row] = await tx.query<{ seconds: number }>(sql`
    select extract(epoch from counted_at + make_interval(secs => ${withinSeconds}) - clock_timestamp())::float8 as seconds
      from log_in_failures
     where tenant_id = ${tx.tenantId} and user_hash = ${hashOf(anybody)} and address = ${address}
       and failures >= ${most}`)
  return Math.max(0, Math.ceil(row?.seconds ?? 0))
}
