import type { Domain, EntityType } from '@matricula/contract'
import type { FastifyRequest } from 'fastify'
import type { ChangeContext } from '../../changes/index.ts'
import { recordAccess } from '../../changes/index.ts'
import type { Database } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import { isUuid } from '../../values/index.ts'
import { errorFacts } from './error-facts.ts'

/** The entity type that the path of an operation of a domain identifies. */
const entityTypes: Readonly<Record<Domain, EntityType>> = {
  students: 'student',
  enrollment: 'admission_application',
  payments: 'payment',
}

const codes: ReadonlySet<string> = new Set(['domain_not_granted', 'system_of_record_elsewhere'])

/**
 * Writes an audit row for a write that was rejected because of its domain, with the record of its path. The rejection
 * does not depend on it: a failure is only logged.
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

/** A rejected write, and the record that it would have changed where known. */
interface RejectedWrite {
  readonly domain: Domain
  readonly entityId?: string | null
  readonly externalId?: string | null
  readonly facts: object
}

/** Writes the audit row of a rejected write. A failure is logged. */
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
    request.log.error(
      { requestId: request.id, error: errorFacts(failure) },
      'could not write the audit row of a rejected write',
    )
  }
}
