import { sql, type Transaction } from '../../database/index.ts'
import { recordChanges } from '../changes.ts'
import type { ChangeContext } from '../request-context.ts'
import type { Proof } from './sessions.ts'

/** What an institution can require of a role: one-time codes, passkeys, or accounts at its issuers. */
export type Factor = Extract<Proof, 'code' | 'passkey' | 'issuer'>

/** What is required of a role: one of these; nothing where there is none. */
export interface RequiredFactors {
  readonly role: string
  readonly anyOf: readonly Factor[]
}

/** What is required of whom, by the name of the role. */
export async function readRequiredFactors(tx: Transaction): Promise<ReadonlyMap<string, RequiredFactors>> {
  const rows = await tx.query<RequiredFactors>(
    sql`select role, any_of as "anyOf" from required_factors where tenant_id = ${tx.tenantId}`,
  )
  return new Map(rows.map((row) => [row.role, row]))
}

/** Requires something else of a role, with audit and event, and ends the sessions that began without it. */
export async function saveRequiredFactors(
  tx: Transaction,
  context: ChangeContext,
  roleId: string,
  before: RequiredFactors,
  after: RequiredFactors,
): Promise<void> {
  const { role, anyOf } = after
  if (anyOf.length === 0) {
    await tx.query(sql`delete from required_factors where tenant_id = ${tx.tenantId} and role = ${role}`)
  } else {
    await tx.query(sql`
      insert into required_factors (tenant_id, role, any_of) values (${tx.tenantId}, ${role}, ${anyOf})
      on conflict (tenant_id, role)
      do update set any_of = excluded.any_of, updated_at = excluded.updated_at`)
  }
  endLackingSessions(tx)
  recordChanges(tx, context, [
    { type: 'required_factors.updated', entityType: 'role', entityId: roleId, before, after },
  ])
}

/** Ends the sessions, of everybody or of one user, that began without what is required of a role of theirs. */
export function endLackingSessions(tx: Transaction, userId: string | null = null): void {
  const ofWhom = userId === null ? sql`true` : sql`s.user_id = ${userId}`
  tx.send(sql`
    delete from sessions s
     using users_roles h, required_factors f
     where s.tenant_id = ${tx.tenantId} and h.tenant_id = ${tx.tenantId} and f.tenant_id = ${tx.tenantId}
       and h.parent_id = s.user_id and f.role = h.role and ${ofWhom}
       and not (s.proofs && case when 'code' = any (f.any_of) then f.any_of || '{passkey}'::text[] else f.any_of end)`)
}

/**
 * What a log-in that has shown these still lacks: one of the factors that are given, or nothing where it is null. A passkey is as good as a
 * password with a code. An institution that has no issuer any more cannot ask for one; then a code or a passkey is asked instead.
 */
export async function lackingFactors(
  tx: Transaction,
  userId: string,
  proofs: readonly Proof[],
): Promise<readonly Factor[] | null> {
  const rows = await tx.query<{ anyOf: Factor[]; hasIssuers: boolean }>(sql`
    select distinct f.any_of as "anyOf",
           exists (select from issuers i where i.tenant_id = ${tx.tenantId} and i.is_active) as "hasIssuers"
      from users_roles h
      join roles r on r.tenant_id = h.tenant_id and r.name = h.role and r.disabled = 0
      join required_factors f on f.tenant_id = h.tenant_id and f.role = h.role
     where h.tenant_id = ${tx.tenantId} and h.parent_id = ${userId} order by f.any_of`)
  const required = rows.map(({ anyOf, hasIssuers }) => {
    const possible = anyOf.filter((factor) => factor !== 'issuer' || hasIssuers)
    return possible.length === 0 ? (['code', 'passkey'] as const) : possible
  })
  const isShown = (factor: Factor) => proofs.includes(factor) || (factor === 'code' && proofs.includes('passkey'))
  return required.find((anyOf) => !anyOf.some(isShown)) ?? null
}
