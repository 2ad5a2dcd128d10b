import { hash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import { type Database, sql, type Transaction } from '../../database/index.ts'
import type { SecretSeal } from '../sealed-secrets.ts'
import type { Proof } from './sessions.ts'
import { putOutSignInMail } from './sign-in-mails.ts'

/** For how many seconds a code holds (RFC 6238 §5.2). */
const period = 30

/** A code of the step before and after is taken as well, because clocks differ (RFC 6238 §5.2). */
const window = 1

/** So many failures in a row, then each further one doubles the wait, from a minute to an hour, wherever they come from. */
const maxFailures = 5

/** How many recovery codes somebody gets. */
const recoveryCodes = 10

function getCodes(secret: string, label = ''): TOTP {
  return new TOTP({ secret: Secret.fromBase32(secret), label, algorithm: 'SHA1', digits: 6, period })
}

/** A new secret of 160 bits (RFC 4226 §4), in base32. */
export function newCodeSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** What an authenticator app reads of a secret: for whom the codes are, and at which institution. */
export function codeAddress(secret: string, user: string, institution: string): string {
  const named = getCodes(secret, user)
  // A colon would end the name of the institution.
  named.issuer = institution.replaceAll(':', ' ')
  return named.toString()
}

/** The step of time whose code this is, or null. */
function findStep(secret: string, typed: string): number | null {
  const timestamp = Date.now()
  const delta = getCodes(secret).validate({ token: typed, window, timestamp })
  return delta === null ? null : Math.floor(timestamp / 1000 / period) + delta
}

function sealPurpose(tenantId: string, userId: string): string {
  return `one-time codes ${tenantId} ${userId}`
}

/** Whether somebody is asked for a code after the password, and how many recovery codes are left. */
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

/** Whether somebody is asked for a code. */
export async function isAskedForCode(tx: Transaction, userId: string): Promise<boolean> {
  const asked = await tx.query(sql`
    select user_id from one_time_codes where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  return asked.length > 0
}

/** Whether somebody has typed a code of a secret. */
export function isCodeOf(secret: string, typed: string): boolean {
  return findStep(secret, typed.replace(/\s/g, '')) !== null
}

/**
 * Asks somebody for codes of a secret from now on, in place of those of another one, once they have typed a right one. Gives new recovery
 * codes, which are shown once; null for a wrong code.
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

/** Asks somebody for no codes any more. Whoever has none is passed over. */
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
 * Whether somebody who is logged in may change their codes: with a code or a recovery code, or without one by a passkey, or where
 * there is none. So whoever finds a browser logged in takes nothing away.
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

/** What became of a code that somebody typed. */
export type CodeTrial = 'right' | 'recovery' | 'wrong' | { readonly retryAfterSeconds: number } | 'none'

/**
 * Looks at a code, or a recovery code, of a user. A code is taken once (RFC 6238 §5.2), and only one that is newer than the last; a
 * recovery code goes. Failures are counted over all log-ins and addresses, so that nobody who knows the password tries them all.
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
  // Nobody finds a recovery code by trying, so that it helps while codes have to wait.
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
 * Forgets the wrong codes of somebody who has shown the mailbox, so that who guessed with the password of before makes them wait no more; once
 * a day, so that who has the mailbox gets few tries more.
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
