import { hash } from 'node:crypto'
import type { ApiKeyKind, Domain, ProblemCode, Scope } from '@matricula/contract'
import { type CountBook, MinuteCounts } from '../concurrency/index.ts'
import { type Database, sql } from '../database/index.ts'
import { CachedCustomFields, type CustomFields } from '../tenancy/custom-fields/index.ts'
import type { Credentials } from '../tenancy/index.ts'
import { type TenantRow, toTenant } from '../tenancy/index.ts'
import { getNetwork } from '../values/index.ts'
import { recordKeyAddress } from './key-addresses.ts'
import { kindOfSecret } from './secrets.ts'

export type AuthenticationFailure = Extract<ProblemCode, 'invalid_token' | 'token_expired' | 'token_revoked'>

/** The outcome of an attempt: credentials, a failure, or the seconds to wait after too many failures. */
export type Authentication =
  | { readonly credentials: Credentials }
  | { readonly failure: AuthenticationFailure }
  | { readonly retryAfterSeconds: number }

interface Known {
  readonly credentials: Credentials
  readonly expiresAt: number
  /** When it was last asked for in the database, on the monotonic clock. */
  readonly confirmedAt: number
  /** The addresses of which the audit knows that the key was used from there. */
  readonly noted: Set<string>
  /** The addresses from which it may be used without looking again, those that could not be noted too. */
  readonly passed: Set<string>
}

interface AuthenticatedRow extends TenantRow {
  api_key_id: string
  api_key_name: string
  kind: ApiKeyKind
  scopes: Scope[]
  master_domains: Domain[]
  roles: string[]
  requests_per_minute: number
  revoked_at: string | null
  secret_id: string
  expires_at: string | null
  last_used_at: string | null
}

interface AuthenticatorOptions {
  /** So many failures a minute from an address, over all processes; then unknown secrets from there have to wait. */
  readonly failuresPerMinute: number
  readonly customFields?: CachedCustomFields
  /** Where failures are counted over all processes; each counts by itself where it is absent. */
  readonly counts?: CountBook | null
}

/** A secret found valid is trusted this long, which bounds how late a revocation takes effect: under one second. */
const trustMilliseconds = 900
const maxKnown = 20_000
const maxAddressesOfKey = 1000
const lastUsedEveryMilliseconds = 5 * 60_000

/**
 * Tells what a secret opens. A valid one is remembered for less than a second; after too many failures from an address
 * unknown secrets from there are refused without touching the database, while known ones still pass.
 */
export class Authenticator {
  readonly #database: Database
  readonly #customFields: CachedCustomFields
  readonly #known = new Map<string, Known>()
  readonly #asked = new Map<string, Promise<Known | AuthenticationFailure>>()
  readonly #failures: MinuteCounts

  constructor(database: Database, { failuresPerMinute, customFields, counts = null }: AuthenticatorOptions) {
    this.#database = database
    this.#customFields = customFields ?? new CachedCustomFields(database)
    this.#failures = new MinuteCounts('token failure', failuresPerMinute, counts)
  }

  /** The outcome when it is known without asking the database, or a promise of it. */
  authenticate(secret: string, address: string): Authentication | Promise<Authentication> {
    const digest = hash('sha256', secret, 'base64')
    const known = this.#known.get(digest)
    if (known !== undefined && performance.now() - known.confirmedAt < trustMilliseconds) {
      if (known.expiresAt > Date.now()) return this.#from(address, known)
    }
    if (known === undefined) {
      const wait = this.#failures.wait(getNetwork(address))
      if (wait > 0) return { retryAfterSeconds: wait }
      if (kindOfSecret(secret) === null) return this.#fail(address, 'invalid_token')
    }
    let asked = this.#asked.get(digest)
    if (asked === undefined) {
      asked = this.#ask(digest).finally(() => this.#asked.delete(digest))
      this.#asked.set(digest, asked)
    }
    return asked.then((response) =>
      typeof response === 'string' ? this.#fail(address, response) : this.#from(address, response),
    )
  }

  async #ask(digest: string): Promise<Known | AuthenticationFailure> {
    const confirmedAt = performance.now()
    const recorded = this.#known.get(digest)?.noted ?? new Set()
    const [row] = await this.#database.readGlobal<AuthenticatedRow>(
      sql`select * from authenticate_api_key(${Buffer.from(digest, 'base64')})`,
    )
    this.#known.delete(digest)
    if (row === undefined) return 'invalid_token'
    if (row.revoked_at !== null) return 'token_revoked'
    const expiresAt = row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at)
    if (expiresAt <= Date.now()) return 'token_expired'
    const customFields = await this.#customFields.of(row.tenant_id, row.custom_fields_at)
    const credentials = toCredentials(row, customFields)
    if (this.#known.size >= maxKnown) this.#known.delete(this.#known.keys().next().value as string)
    const known = { credentials, expiresAt, confirmedAt, noted: recorded, passed: new Set(recorded) }
    this.#known.set(digest, known)
    this.#noteUse(row)
    return known
  }

  /** The credentials, once the audit tells that the key is used from this address. */
  #from(address: string, known: Known): Authentication | Promise<Authentication> {
    const { credentials, noted: recorded, passed } = known
    const network = getNetwork(address)
    if (passed.has(network)) return { credentials }
    passed.add(network)
    return recordKeyAddress(this.#database, credentials, address).then(
      () => {
        if (recorded.size >= maxAddressesOfKey) recorded.clear()
        recorded.add(network)
        return { credentials }
      },
      // It does not keep the key from being used; within a second it is tried again.
      () => ({ credentials }),
    )
  }

  /** Writes `last_used_at` at most every five minutes, and lets nobody wait for it. */
  #noteUse(row: AuthenticatedRow): void {
    const last = row.last_used_at === null ? 0 : Date.parse(row.last_used_at)
    if (Date.now() - last < lastUsedEveryMilliseconds) return
    const note = sql`
      update api_key_secrets set last_used_at = current_stamp()
       where tenant_id = ${row.tenant_id} and id = ${row.secret_id}
         and (last_used_at is null or last_used_at < now() - interval '5 minutes')`
    this.#database.note(row.tenant_id, note) // else the next use does
  }

  #fail(address: string, failure: AuthenticationFailure): Authentication {
    this.#failures.take(getNetwork(address))
    return { failure }
  }
}

function toCredentials(row: AuthenticatedRow, customFields: CustomFields): Credentials {
  return {
    tenant: toTenant(row, customFields),
    apiKeyId: row.api_key_id,
    apiKeyName: row.api_key_name,
    kind: row.kind,
    scopes: new Set(row.scopes),
    masterDomains: new Set(row.master_domains),
    roles: row.roles,
    requestsPerMinute: row.requests_per_minute,
  }
}
