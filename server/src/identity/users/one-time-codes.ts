import { hash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import type { SecretSeal } from '../sealed-secrets.ts'
import type { Proof } from './sessions.ts'
import { putOutSignInMail } from './sign-in-mails.ts'

/** Time step of a code, in seconds (RFC 6238 §5.2). */
const period = 30

/** Accepted clock drift in steps, before and after (RFC 6238 §5.2). */
const window = 1

/**
 * Failures in a row after which each further one doubles the pause, from a minute to an hour, from whatever address.
 */
const maxFailures = 5

/** Number of recovery codes per user. */
const recoveryCodes = 10

function getCodes(secret: string, label = ''): TOTP {
  return new TOTP({ secret: Secret.fromBase32(secret), label, algorithm: 'SHA1', digits: 6, period })
}

/** A new secret of 160 bits (RFC 4226 §4), in base32. */
export function newCodeSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The otpauth address of a secret for an authenticator app, with the user and the institution. */
export function codeAddress(secret: string, user: string, institution: string): string {
  const named = getCodes(secret, user)
  // A colon would end the issuer part of the label.
  named.issuer = institution.replaceAll(':', ' ')
  return named.toString()
}

/** The time step of a code, or null. */
function findStep(secret: string, typed: string): number | null {
  const timestamp = Date.now()
  const delta = getCodes(secret).validate({ token: typed, window, timestamp })
  return delta === null ? null : Math.floor(timestamp / 1000 / period) + delta
}

function sealPurpose(tenantId: string, userId: string): string {
  return `one-time codes ${tenantId} ${userId}`
}

/** Whether one-time codes are set up, and the number of remaining recovery codes. */
export async function findCodes(
  database: Database,
  tenantId: string,
  userId: string,
): Promise<{ readonly createdAt: string; readonly recoveryLeft: number } | null> {
  const [row] = await database.read<{ createdAt: string; recoveryLeft: number }>(
    tenantId,
    sql`
      select c.created_at as "createdAt",
             (select count(*) from recovery_codes r
               where r.tenant_id = c.tenant_id and r.user_id = c.user_id) as "recoveryLeft"
        from one_time_codes c where c.tenant_id = ${tenantId} and c.user_id = ${userId}`,
  )
  return row ?? null
}

/** Whether a user has set up one-time codes. */
export async function isAskedForCode(tx: Transaction, userId: string): Promise<boolean> {
  const asked = await tx.query(sql`
    select user_id from one_time_codes where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  return asked.length > 0
}

/** Whether a code matches a secret. */
export function isCodeOf(secret: string, typed: string): boolean {
  return findStep(secret, typed.replace(/\s/g, '')) !== null
}

/**
 * Sets up one-time codes with a new secret, once a correct code was entered. Returns new recovery codes, which are
 * shown once; null for a wrong code.
 */
export async function setUpCodes(
  tx: Transaction,
  context: ChangeContext,
  seal: SecretSeal,
  { userId, secret, typed }: { readonly userId: string; readonly secret: string; readonly typed: string },
): Promise<string[] | null> {
  const step = findStep(secret, typed.replace(/\s/g, ''))
  if (step === null) return null
  const sealed = seal.seal(secret, sealPurpose(tx.tenantId, userId))
  await tx.query(sql`
    insert into one_time_codes (tenant_id, user_id, secret, last_step)
    values (${tx.tenantId}, ${userId}, ${sealed}, ${step})
    on conflict (tenant_id, user_id) do update set
      secret = excluded.secret, last_step = excluded.last_step, failures = 0, failed_at = null,
      created_at = excluded.created_at`)
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
  tx.send(sql`delete from recovery_codes where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  tx.send(sql`
    insert into recovery_codes (tenant_id, user_id, code_hash)
    select ${tx.tenantId}, ${userId}, code_hash from unnest(${codes.map(hashOfCode)}::bytea[]) as made (code_hash)`)
  recordAccess(tx, context, { action: 'user.codes_added', entityType: 'user', entityId: userId, facts: {} })
  await putOutSignInMail(tx, userId, 'sign_in_added')
  return codes
}

/** Turns off one-time codes. Idempotent. */
export async function removeCodes(tx: Transaction, context: ChangeContext, userId: string): Promise<boolean> {
  tx.send(sql`delete from log_in_steps where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  const gone = await tx.query(sql`
    delete from one_time_codes where tenant_id = ${tx.tenantId} and user_id = ${userId} returning user_id`)
  tx.send(sql`delete from recovery_codes where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  if (gone.length === 0) return false
  recordAccess(tx, context, { action: 'user.codes_removed', entityType: 'user', entityId: userId, facts: {} })
  await putOutSignInMail(tx, userId, 'sign_in_removed')
  return true
}

/**
 * Whether a logged-in user may change their codes: with a code or recovery code, by a passkey session, or where none
 * are set up. So an unattended browser is not enough.
 */
export async function mayChangeCodes(
  tx: Transaction,
  seal: SecretSeal,
  { userId, proofs }: { readonly userId: string; readonly proofs: readonly Proof[] },
  typed: unknown,
): Promise<true | 'wrong' | { readonly retryAfterSeconds: number }> {
  if (proofs.includes('passkey')) return true
  const trial = await tryCode(tx, seal, userId, typeof typed === 'string' ? typed.slice(0, 100) : '')
  if (typeof trial === 'object') return trial
  return trial === 'wrong' ? 'wrong' : true
}

/** The outcome of a code. */
export type CodeTrial = 'right' | 'recovery' | 'wrong' | { readonly retryAfterSeconds: number } | 'none'

/**
 * Verifies a code or recovery code of a user. A code is accepted once (RFC 6238 §5.2) and only if newer than the last
 * one; a recovery code is consumed. Failures count over all log-ins and addresses, against guessing by somebody who
 * knows the password.
 */
export async function tryCode(tx: Transaction, seal: SecretSeal, userId: string, typed: string): Promise<CodeTrial> {
  const [codes] = await tx.query<{ secret: string; last_step: number; failures: number; seconds: number }>(sql`
    select secret, last_step, failures,
           coalesce(date_part('epoch', failed_at - clock_timestamp()), -3600)::float8 as seconds
      from one_time_codes where tenant_id = ${tx.tenantId} and user_id = ${userId} for update`)
  if (codes === undefined) return 'none'
  const pause = codes.failures < maxFailures ? 0 : Math.min(60, 2 ** (codes.failures - maxFailures)) * 60
  const wait = Math.ceil(pause + codes.seconds)
  const plain = typed.replace(/[\s-]/g, '').toUpperCase()
  const isCode = /^\d{6}$/.test(plain)
  // A recovery code cannot be guessed, so it is accepted during the pause too.
  const isRecovery = !isCode && (await useRecoveryCode(tx, userId, plain))
  if (!isRecovery && pause > 0 && wait > 0) return { retryAfterSeconds: wait }
  const isReadable = isCode && seal.isOwn(codes.secret)
  const step = isReadable ? findStep(seal.open(codes.secret, sealPurpose(tx.tenantId, userId)), plain) : null
  const isNew = step !== null && step > Number(codes.last_step)
  if (isNew || isRecovery) {
    tx.send(sql`
      update one_time_codes set failures = 0, failed_at = null, last_step = greatest(last_step, ${step ?? 0}::bigint)
       where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
    return isRecovery ? 'recovery' : 'right'
  }
  tx.send(sql`
    update one_time_codes set failures = failures + 1, failed_at = current_stamp()
     where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  return 'wrong'
}

/**
 * Resets the failures of a user who has proved control of the mailbox, so that somebody with the old password cannot
 * lock them out; at most once a day, so that the mailbox gives few further attempts.
 */
export function forgiveCodes(tx: Transaction, userId: string): void {
  tx.send(sql`
    update one_time_codes set failures = 0, failed_at = null, forgiven_at = current_stamp()
     where tenant_id = ${tx.tenantId} and user_id = ${userId} and failures > 0
       and (forgiven_at is null or forgiven_at < now() - interval '1 day')`)
}

async function useRecoveryCode(tx: Transaction, userId: string, code: string): Promise<boolean> {
  const used = await tx.query(sql`
    delete from recovery_codes
     where tenant_id = ${tx.tenantId} and user_id = ${userId} and code_hash = ${hashOfCode(code)} returning user_id`)
  return used.length > 0
}

/** 80 random bits in base32, in groups of four. */
function newRecoveryCode(): string {
  return (new Secret({ buffer: new Uint8Array(randomBytes(10)).buffer }).base32.match(/.{4}/g) ?? []).join('-')
}

function hashOfCode(code: string): Buffer {
  return hash('sha256', code.replaceAll('-', ''), 'buffer')
}
