import { isDomainWrite, type Operation } from '@matricula/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseIdempotencyKey } from '../platform/idempotency.ts'
import { Problem } from '../platform/problem.ts'
import type { Quota } from '../platform/rate-limit.ts'
import type { OperationCaller } from '../platform/request-context.ts'

/**
 * What follows from who calls an operation, in the order in which it is told: quota, tenant active, scope, modules, write
 * domain, Idempotency-Key. Throws the problem of the first that is not as it must be.
 */
export function requireMayCall(
  operation: Operation,
  caller: OperationCaller,
  quota: Quota,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  setQuotaHeaders(reply, quota)
  requireActiveTenant(caller)
  requireQuota(quota)
  requireScope(caller, operation)
  requireModules(caller, operation)
  requireDomain(caller, operation)
  if (operation.idempotency === 'required') {
    request.idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key'])
  }
}

/** Throws where somebody may not call any more what was called, such as a token that was revoked meanwhile. */
export function requireStillAllowed(operation: Operation, caller: OperationCaller): void {
  requireActiveTenant(caller)
  requireScope(caller, operation)
  requireModules(caller, operation)
}

function requireActiveTenant({ tenant }: OperationCaller): void {
  if (tenant.status === 'active') return
  throw new Problem('tenant_suspended', `The tenant ${tenant.slug} is suspended.`)
}

/** Tells what is left of a quota (RateLimit headers, IETF draft), and the same under today's names. */
export function setQuotaHeaders(reply: FastifyReply, quota: Quota): void {
  reply.header('ratelimit-policy', `"default";q=${quota.limit};w=60`)
  reply.header('ratelimit', `"default";r=${quota.remaining};t=${quota.resetSeconds}`)
  reply.header('x-ratelimit-limit', quota.limit)
  reply.header('x-ratelimit-remaining', quota.remaining)
  reply.header('x-ratelimit-reset', quota.resetSeconds)
}

function requireQuota(quota: Quota): void {
  if (quota.allowed) return
  const detail = `The quota of ${quota.limit} requests per minute is used up. Wait ${quota.resetSeconds} s.`
  throw new Problem('rate_limit_exceeded', detail, {}, { 'retry-after': String(quota.resetSeconds) })
}

function requireScope({ scopes }: OperationCaller, { scope }: Operation): void {
  if (scope === null || scopes.has(scope)) return
  throw new Problem('insufficient_scope', `This operation needs the scope ${scope}.`, {
    requiredScope: scope,
    grantedScopes: [...scopes],
  })
}

function requireModules({ tenant }: OperationCaller, operation: Operation): void {
  const missingModules = operation.modules.filter((module) => !tenant.enabledModules.includes(module))
  if (missingModules.length === 0) return
  const detail = `The tenant has not enabled ${missingModules.join(', ')}.`
  throw new Problem('module_not_enabled', detail, { missingModules })
}

function requireDomain({ tenant, masterDomains, side }: OperationCaller, operation: Operation): void {
  const { domain } = operation
  if (domain === null || !isDomainWrite(operation)) return
  if (!masterDomains.has(domain)) {
    const who = side === 'integration' ? 'This token' : 'This account'
    const detail = `${who} may not write the domain ${domain}.`
    throw new Problem('domain_not_granted', detail, { domain, masterDomains: [...masterDomains] })
  }
  const systemOfRecord = tenant.systemOfRecord[domain]
  if (systemOfRecord === 'shared' || systemOfRecord === side) return
  const owner = systemOfRecord === 'platform' ? 'the institution’s own console' : 'another system of the institution'
  throw new Problem('system_of_record_elsewhere', `The domain ${domain} is owned by ${owner}.`, {
    domain,
    systemOfRecord,
  })
}
