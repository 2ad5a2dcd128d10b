import type { ApiKeyKind, Domain, Module, PublicLocale, Scope, SystemOfRecord } from '@matricula/contract'
import type { CustomFields } from './custom-fields/index.ts'
import type { RoleLimits } from './role-limits.ts'

/** The institution that a request speaks for. */
export interface Tenant {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly status: 'active' | 'suspended'
  readonly timeZone: string
  readonly currency: string
  /** The language of its own texts, and of its pages and mails where nothing else says one. */
  readonly language: PublicLocale
  readonly enabledModules: readonly Module[]
  readonly systemOfRecord: Readonly<Record<Domain, SystemOfRecord>>
  /** The fields that it has added to types of records. */
  readonly customFields: CustomFields
  /** What it has taken from its roles; absent where roles do not matter, as for tokens of the Client API. */
  readonly roleLimits?: RoleLimits
}

/** What a valid secret opens. */
export interface Credentials {
  readonly tenant: Tenant
  readonly apiKeyId: string
  readonly apiKeyName: string
  readonly kind: ApiKeyKind
  readonly scopes: ReadonlySet<Scope>
  readonly masterDomains: ReadonlySet<Domain>
  readonly roles: readonly string[]
  readonly requestsPerMinute: number
}
