import { sql, type Transaction } from '../../database/index.ts'
import { hashOf } from './sessions.ts'

/** Failed attempts per subject and address before a pause, in seconds. */
const subjectAttempts = { maxCount: 10, pauseSeconds: 60 } as const

/** Failures per address within a time window, in seconds, whatever their subject. */
const addressFailures = { maxCount: 100, withinSeconds: 60 } as const

/** Counters by subject and address: passwords by user name; mails by the requesting address, without a subject. */
export type SubjectKind = 'password' | 'password_reset_mail' | 'form_draft_mail'

/** Counters by address alone: failed log-ins, and invalid keys of mailed links. */
export type AddressKind = 'log_in' | 'reset_key'

/** An attempt to count. */
export interface Attempt {
  readonly kind: SubjectKind
  /** Such as a user name in lower case; empty where only the address counts. */
  readonly subject: string
  readonly address: string
}

/**
 * Counts an attempt, by kind, subject and address, as failed until it succeeds: concurrent ones count too, over all
 * processes. Returns the seconds to wait, 0 when it may continue.
 */
export async function countAttempt(tx: Transaction, { kind, subject, address }: Attempt): Promise<number> {
  const { maxCount: max, pauseSeconds } = subjectAttempts
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

/** Uncounts an attempt that was not evaluated. */
export function takeBackAttempt(tx: Transaction, { kind, subject, address }: Attempt): void {
  tx.send(sql`
    update attempt_counts set attempts = attempts - 1
     where tenant_id = ${tx.tenantId} and kind = ${kind} and subject_hash = ${hashOf(subject)} and address = ${address}
       and attempts > 0`)
}

/** Resets the failed attempts on a subject from an address. */
export function forgetAttempts(tx: Transaction, { kind, subject, address }: Attempt): void {
  tx.send(sql`
    delete from attempt_counts
     where tenant_id = ${tx.tenantId} and kind = ${kind} and subject_hash = ${hashOf(subject)} and address = ${address}`)
}

/**
 * Counts a failure of an address. Successes are not counted, because the people of a school share an address; the
 * count expires with time only.
 */
export function countAddressFailure(tx: Transaction, kind: AddressKind, address: string): void {
  const isOver = sql`extract(epoch from excluded.counted_at - c.counted_at) >= ${addressFailures.withinSeconds}`
  tx.send(sql`
    insert into attempt_counts as c (tenant_id, kind, subject_hash, address, attempts, counted_at)
    values (${tx.tenantId}, ${kind}, ${hashOf('')}, ${address}, 1, clock_timestamp())
    on conflict (tenant_id, kind, subject_hash, address) do update set
      attempts = case when ${isOver} then 1 else c.attempts + 1 end,
      counted_at = case when ${isOver} then excluded.counted_at else c.counted_at end`)
}

/** The seconds to wait for an address because of its failures, 0 when it may continue. */
export async function pauseOfAddress(tx: Transaction, kind: AddressKind, address: string): Promise<number> {
  const { maxCount: max, withinSeconds } = addressFailures
  const [row] = await tx.query<{ seconds: number }>(sql`
    select extract(epoch from counted_at + make_interval(secs => ${withinSeconds}) - clock_timestamp())::float8 as seconds
      from attempt_counts
     where tenant_id = ${tx.tenantId} and kind = ${kind} and subject_hash = ${hashOf('')} and address = ${address}
       and attempts >= ${max}`)
  return Math.max(0, Math.ceil(row?.seconds ?? 0))
}

/** Resets the failed attempts on a subject from every address. */
export function forgetAllAttempts(tx: Transaction, { kind, subject }: Omit<Attempt, 'address'>): void {
  tx.send(sql`
    delete from attempt_counts
     where tenant_id = ${tx.tenantId} and kind = ${kind} and subject_hash = ${hashOf(subject)}`)
}

/** Of the subjects those for which attempts of a kind pause now, from some address. */
export async function pausedSubjects(
  tx: Transaction,
  kind: SubjectKind,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const { maxCount: max, pauseSeconds } = subjectAttempts
  const byHash = new Map(subjects.map((subject) => [hashOf(subject).toString('hex'), subject]))
  const rows = await tx.query<{ hash: string }>(sql`
    select encode(subject_hash, 'hex') as hash from attempt_counts
     where tenant_id = ${tx.tenantId} and kind = ${kind} and attempts > ${max}
       and counted_at > clock_timestamp() - make_interval(secs => ${pauseSeconds})`)
  return new Set(rows.flatMap(({ hash }) => byHash.get(hash) ?? []))
}
