import { sql, type Transaction } from '../../database/index.ts'
import { hashOf } from './sessions.ts'

/** So many attempts in a row, about one subject from one address, then this pause in seconds. */
const subjectAttempts = { most: 10, pauseSeconds: 60 } as const

/** So many failures from one address within this time in seconds, whatever they are about; then its end is waited for. */
const addressFailures = { most: 100, withinSeconds: 60 } as const

/**
 * What is counted by subject and address: passwords by the user's name; mails by whoever asks, with no subject of their own. Each kind
 * counts for itself.
 */
export type SubjectKind = 'password' | 'password_reset_mail' | 'form_draft_mail'

/** What is counted by address alone: log-ins that failed, and keys of mailed links that open nothing. */
export type AddressKind = 'log_in' | 'reset_key'

/** What an attempt is about. */
export interface Attempt {
  readonly kind: SubjectKind
  /** Such as a user's name in lower case; empty where only the address counts. */
  readonly subject: string
  readonly address: string
}

/**
 * Counts an attempt, by its kind, what it is about and where it came from, as failed until it succeeds: many at once are counted
 * too, over all processes. Gives the seconds to wait, 0 when it may go on.
 */
export async function countAttempt(tx: Transaction, { kind, subject, address }: Attempt): Promise<number> {
  const { most: max, pauseSeconds } = subjectAttempts
  const isOver = sql`extract(epoch from excluded.counted_at - c.counted_at) >= ${pauseSeconds}`
  const [row] = await tx.query<{ attempts: number; seconds: number }>(sql`
    with attempt as (
      insert into attempt_counts as c (tenant_id, kind, subject_hash, address, attempts, counted_at)
      values (${tx.tenantId}, ${kind}, ${hashOf(subject)}, ${address}, 1, clock_timestamp())
      on conflict (tenant_id, kind, subject_hash, address) do update set
        attempts = case when ${isOver} then 1 else least(c.attempts, ${max}) + 1 end,
        counted_at = case when not ${isOver} and c.attempts >= ${max} then c.counted_at else excluded.counted_at end
      returning c.attempts, c.counted_at
    )
    select attempts,
           extract(epoch from counted_at + make_interval(secs => ${pauseSeconds}) - clock_timestamp())::float8 as seconds
      from attempt`)
  if (row === undefined || row.attempts <= max) return 0
  return Math.max(1, Math.ceil(row.seconds))
}

/** Takes an attempt back that was not looked at. */
export function takeBackAttempt(tx: Transaction, { kind, subject, address }: Attempt): void {
  tx.send(sql`
    update attempt_counts set attempts = attempts - 1
     where tenant_id = ${tx.tenantId} and kind = ${kind} and subject_hash = ${hashOf(subject)} and address = ${address}
       and attempts > 0`)
}

/** Forgets the failed attempts about something from an address. */
export function forgetAttempts(tx: Transaction, { kind, subject, address }: Attempt): void {
  tx.send(sql`
    delete from attempt_counts
     where tenant_id = ${tx.tenantId} and kind = ${kind} and subject_hash = ${hashOf(subject)} and address = ${address}`)
}

/** Counts a failure of an address. Those that succeed are not counted: a school's people share one. Nothing resets the count but time. */
export function countAddressFailure(tx: Transaction, kind: AddressKind, address: string): void {
  const isOver = sql`extract(epoch from excluded.counted_at - c.counted_at) >= ${addressFailures.withinSeconds}`
  tx.send(sql`
    insert into attempt_counts as c (tenant_id, kind, subject_hash, address, attempts, counted_at)
    values (${tx.tenantId}, ${kind}, ${hashOf('')}, ${address}, 1, clock_timestamp())
    on conflict (tenant_id, kind, subject_hash, address) do update set
      attempts = case when ${isOver} then 1 else c.attempts + 1 end,
      counted_at = case when ${isOver} then excluded.counted_at else c.counted_at end`)
}

/** The seconds that everybody at an address has to wait because of its failures, 0 when they may go on. */
export async function pauseOfAddress(tx: Transaction, kind: AddressKind, address: string): Promise<number> {
  const { most: max, withinSeconds } = addressFailures
  const [row] = await tx.query<{ seconds: number }>(sql`
    select extract(epoch from counted_at + make_interval(secs => ${withinSeconds}) - clock_timestamp())::float8 as seconds
      from attempt_counts
     where tenant_id = ${tx.tenantId} and kind = ${kind} and subject_hash = ${hashOf('')} and address = ${address}
       and attempts >= ${max}`)
  return Math.max(0, Math.ceil(row?.seconds ?? 0))
}
