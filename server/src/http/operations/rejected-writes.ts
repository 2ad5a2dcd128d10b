import type { Domain, EntityType } from '@matricula/contract'
import type { FastifyRequest } from 'fastify'
import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import type { Database } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import { isUuid } from '../../values/index.ts'
import { errorFacts } from './error-facts.ts'

/** The records that an address of a domain names by their id. */
const entityTypes: Readonly<Record<Domain, EntityType>> = {
  students: 'student',
  enrollment: 'admission_application',
  payments: 'payment',
}

const codes: ReadonlySet<string> = new Set(['domain_not_granted', 'system_of_record_elsewhere'])

/**
 * Writes an audit row of a write that was refused because of its domain, with the record that its address names. It is refused
 * whether or not that can be written; what cannot is logged.
 */
export async function recordRejectedWrite(database: Database, request: FastifyRequest, error: unknown): Promise<void> {
  const { operation, operationId } = request.routeOptions.config
  const { caller } = request
  if (!(error instanceof Problem) || !codes.has(error.code) || operation?.domain == null || caller === null) return
  const { id, externalId = null } = request.params as { readonly id?: string; readonly externalId?: string }
  await recordRejection(database, request, caller, {
    domain: operation.domain,
    entityId: id !== undefined && isUuid(id) ? id : null,
    externalId: externalId === null ? null : externalId.replaceAll('\0', '').slice(0, 160),
    facts: { operation: operationId ?? null, code: error.code, ...error.extra },
  })
}

/** What was refused, and whom it would have changed where that is known. */
interface RejectedWrite {
  readonly domain: Domain
  readonly entityId?: string | null
  readonly externalId?: string | null
  readonly facts: object
}

/** Writes the audit row of a refused write. What cannot be written is logged. */
export async function recordRejection(
  database: Database,
  request: FastifyRequest,
  { tenant, actor }: Pick<ChangeContext, 'actor'> & { readonly tenant: Pick<Tenant, 'id'> },
  { domain, entityId = null, externalId = null, facts }: RejectedWrite,
): Promise<void> {
  const context = { actor, requestId: request.id, address: request.ip }
  const access = { action: 'write.refused', entityType: entityTypes[domain], entityId, externalId, facts }
  try {
    await database.transaction(tenant.id, async (tx) => recordAccess(tx, context, access))
  } catch (failure) {
    request.log.error({ requestId: request.id, error: errorFacts(failure) }, 'a refused write is not in the audit')
  }
}
