import {
  isDomainWrite,
  type Module,
  modulesForPeople,
  type Operation,
  type Scope,
  scopeModules,
} from '@matricula/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperationCaller } from '../../changes/index.ts'
import type { Quota } from '../../concurrency/index.ts'
import { parseIdempotencyKey } from '../../concurrency/index.ts'
import { Problem } from '../../errors/index.ts'
import { systemManager } from '../../identity/users/index.ts'
import type { Tenant } from '../../tenancy/index.ts'
import { ownedElsewhere } from '../../tenancy/index.ts'

/**
 * Authorizes a call, in this order: quota, active tenant, scope, modules, write domain, Idempotency-Key. Throws the
 * problem of the first check that fails: `tenant_suspended`, `rate_limit_exceeded`, `insufficient_role`,
 * `insufficient_scope`, `module_not_enabled`, `domain_not_granted`, `system_of_record_elsewhere`.
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
  requireRole(caller, operation)
  requireScope(caller, operation)
  requireModules(caller, operation)
  requireDomain(caller, operation)
  if (operation.idempotency === 'required') {
    request.idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key'])
  }
}

/**
 * The caller of a long-lived request, checked again. Throws when the right was withdrawn meanwhile, such as by a
 * revoked token.
 */
export function stillAllowed(operation: Operation, caller: OperationCaller): OperationCaller {
  requireActiveTenant(caller)
  requireRole(caller, operation)
  requireScope(caller, operation)
  requireModules(caller, operation)
  return caller
}

/** Whether a caller has a scope and its tenant has enabled the modules of the scope. */
export function mayUse({ scopes, tenant }: OperationCaller, scope: Scope): boolean {
  return scopes.has(scope) && missingModules(tenant, scopeModules.get(scope) ?? []).length === 0
}

/** Throws `insufficient_scope` or `module_not_enabled` unless the caller may use a scope. */
export function requireUse(caller: OperationCaller, scope: Scope): void {
  const modules = scopeModules.get(scope) ?? []
  requireScope(caller, { scope })
  requireModules(caller, { modules })
}

function requireActiveTenant({ tenant }: OperationCaller): void {
  if (tenant.status === 'active') return
  throw new Problem('tenant_suspended', `The tenant ${tenant.slug} is suspended.`)
}

/** Sets the headers of a quota: RateLimit (IETF draft), and the usual X-RateLimit names. */
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

/** Operations of people are for staff, and some for certain roles only. */
function requireRole({ person }: OperationCaller, { roles = [] }: Operation): void {
  if (person === undefined) return
  if (person.userType !== 'System User') {
    const detail = 'The console is for the staff of the institution. Students and guardians have pages of their own.'
    throw new Problem('insufficient_role', detail, { requiredRoles: [...roles] })
  }
  const opening = [systemManager, ...roles]
  if (roles.length === 0 || opening.some((role) => person.roles.includes(role))) return
  throw new Problem('insufficient_role', `This needs one of the roles ${opening.join(', ')}.`, {
    requiredRoles: opening,
  })
}

function requireScope({ scopes }: OperationCaller, { scope }: Pick<Operation, 'scope'>): void {
  if (scope === null || scopes.has(scope)) return
  throw new Problem('insufficient_scope', `This operation needs the scope ${scope}.`, {
    requiredScope: scope,
    grantedScopes: [...scopes],
  })
}

function requireModules({ tenant, person }: OperationCaller, { modules }: Pick<Operation, 'modules'>): void {
  const missing = missingModules(tenant, person === undefined ? modules : modulesForPeople(modules))
  if (missing.length === 0) return
  const detail = `The tenant has not enabled ${missing.join(', ')}.`
  throw new Problem('module_not_enabled', detail, { missingModules: missing })
}

function missingModules({ enabledModules }: Tenant, modules: readonly Module[]): Module[] {
  return modules.filter((module) => !enabledModules.includes(module))
}

function requireDomain(caller: OperationCaller, operation: Operation): void {
  const { tenant, masterDomains, side, domainOwners } = caller
  const { domain } = operation
  if (domain === null || !isDomainWrite(operation)) return
  if (!masterDomains.has(domain)) {
    const detail = `This token may not write the domain ${domain}.`
    throw new Problem('domain_not_granted', detail, { domain, masterDomains: [...masterDomains] })
  }
  const systemOfRecord = tenant.systemOfRecord[domain]
  if (systemOfRecord === 'shared' || systemOfRecord === side) return
  if (side === 'integration') {
    const detail = `The domain ${domain} is owned by the institution’s own console.`
    throw new Problem('system_of_record_elsewhere', detail, { domain, systemOfRecord })
  }
  const owner = domainOwners?.[domain] ?? null
  const detail = ownedElsewhere(domain, owner)
  throw new Problem('system_of_record_elsewhere', detail, { domain, systemOfRecord, owner })
}
