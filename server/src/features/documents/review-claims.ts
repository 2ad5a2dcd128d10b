import { type ReviewClaim, reviewClaimMinutes, type Static } from '@matricula/contract'
import type { Actor, RequestContext } from '../../changes/index.ts'
import { literal, sql, type Transaction } from '../../database/index.ts'
import { findOne } from '../../entities/index.ts'
import { notFoundProblem, Problem } from '../../errors/index.ts'
import { documents } from './document-store.ts'

type Claim = Static<typeof ReviewClaim>

/** The row of a claim. */
export interface ClaimRow {
  readonly document_id: string
  readonly version_id: string
  readonly user_id: string
  readonly user_name: string
  readonly expires_at: string
}

/**
 * Claims the review of a version, without waiting: of two concurrent claims one succeeds.
 *
 * @throws Problem `resource_not_found`; `state_conflict` when another person holds the claim or a newer version exists.
 */
export async function claimReview(
  tx: Transaction,
  { actor }: Pick<RequestContext, 'actor'>,
  documentId: string,
  versionId: string,
): Promise<Claim> {
  const found = await findOne(tx, documents, sql`d.id = ${documentId}`)
  if (found === null) throw notFoundProblem(documents.noun)
  const { currentVersion, status } = found.record
  if (currentVersion === null || currentVersion.id !== versionId.toLowerCase()) {
    const detail = 'The document has a newer version, or no complete one. Load the document again.'
    throw new Problem('state_conflict', detail, { currentState: status })
  }
  const [claim] = await tx.query<ClaimRow>(sql`
    with moment as materialized (select current_stamp() as at)
    insert into review_claims (tenant_id, document_id, version_id, user_id, user_name, claimed_at, expires_at)
    select ${tx.tenantId}, ${documentId}, ${versionId}, ${actor.id}, ${actor.name}, at,
           at + make_interval(mins => ${literal(reviewClaimMinutes)})
      from moment
    on conflict (tenant_id, document_id) do update
       set version_id = excluded.version_id, user_id = excluded.user_id, user_name = excluded.user_name,
           claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
     where review_claims.user_id = excluded.user_id or review_claims.expires_at <= excluded.claimed_at
    returning document_id, version_id, user_id, user_name, expires_at`)
  if (claim !== undefined) return toClaim(claim, actor)
  const [other] = await tx.query<ClaimRow>(
    sql`select * from review_claims where tenant_id = ${tx.tenantId} and document_id = ${documentId}`,
  )
  throw claimedProblem(other)
}

/** Releases the actor's claim. */
export async function releaseReview(tx: Transaction, actor: Actor, documentId: string): Promise<void> {
  tx.send(sql`delete from review_claims
               where tenant_id = ${tx.tenantId} and document_id = ${documentId} and user_id = ${actor.id}`)
}

/** Throws `state_conflict` when another person holds the claim of a document; releases the actor's own claim. */
export async function endClaim(
  tx: Transaction,
  { actor }: Pick<RequestContext, 'actor'>,
  documentId: string,
): Promise<void> {
  if (actor.type !== 'user') return
  const [claim] = await tx.query<ClaimRow>(sql`
    select * from review_claims
     where tenant_id = ${tx.tenantId} and document_id = ${documentId} and user_id <> ${actor.id} and expires_at > now()`)
  if (claim !== undefined) throw claimedProblem(claim)
  await releaseReview(tx, actor, documentId)
}

/** The claim as the actor reads it. */
export function toClaim(row: ClaimRow, { id }: Pick<Actor, 'id'>): Claim {
  return {
    documentId: row.document_id,
    versionId: row.version_id,
    by: row.user_name,
    isMine: row.user_id === id,
    expiresAt: row.expires_at,
  }
}

function claimedProblem(claim: ClaimRow | undefined): Problem {
  const who = claim?.user_name ?? 'Somebody else'
  return new Problem('state_conflict', `${who} is reviewing this document. Choose another one.`, {
    currentState: 'claimed',
  })
}
