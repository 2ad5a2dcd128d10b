/** What a token may be granted, what a tenant may have switched on, and who owns which domain. */

export const activeScopes = [
  'students:read',
  'students:write',
  'admissions:read',
  'admissions:write',
  'payments:read',
  'payments:write',
  'programs:read',
  'courses:read',
  'vault:read',
  'vault:write',
  'forms:read',
] as const

/** Granted only by name; it opens nothing yet. */
export const reservedScopes = ['forms:write'] as const

/**
 * What lies beyond the interface: events, audit, webhooks, OneRoster and billing. None is implied by another scope, nor by
 * `all`.
 */
export const extensionScopes = [
  'events:read',
  'audit:read',
  'webhooks:read',
  'webhooks:write',
  'roster:read',
  'roster-demographics:read',
  'gradebook:read',
  'gradebook:write',
  'billing:read',
  'billing:write',
] as const

export const scopes = [...activeScopes, ...reservedScopes, ...extensionScopes] as const
export type Scope = (typeof scopes)[number]

export const modules = [
  'platform_integrations',
  'staff_students',
  'staff_admissions',
  'staff_payments',
  'staff_programs',
  'staff_courses',
  'staff_vault',
  'staff_forms',
] as const
export type Module = (typeof modules)[number]

/** The domains of data that have a system of record. */
export const domains = ['students', 'enrollment', 'payments'] as const
export type Domain = (typeof domains)[number]

/**
 * Who owns a domain: this service's own console (`platform`: writes on the Client API are refused), an outside system
 * (`integration`), or both (`shared`).
 */
export const systemsOfRecord = ['platform', 'integration', 'shared'] as const
export type SystemOfRecord = (typeof systemsOfRecord)[number]

export const apiKeyKinds = ['client', 'resource'] as const
export type ApiKeyKind = (typeof apiKeyKinds)[number]

/** Bounds and default of an API key's quota. */
export const requestsPerMinute = { minimum: 1, maximum: 1_000_000, default: 600 } as const
