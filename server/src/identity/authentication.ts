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
  /** When it was last read from the database, on the monotonic clock. */
  readonly confirmedAt: number
  /** Addresses from which its use is recorded in the audit. */
  readonly recordedAddresses: Set<string>
  /** Addresses that need no further check, including those that could not be recorded. */
  readonly passedAddresses: Set<string>
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
  /** Failures per minute and address, over all processes, beyond which unknown secrets from there must wait. */
  readonly failuresPerMinute: number
  readonly customFields?: CachedCustomFields
  /** Shared counters of all processes; each process counts by itself without them. */
  readonly counts?: CountBook | null
}

/** How long a valid secret is cached, in milliseconds: it bounds the delay of a revocation below one second. */
const trustMilliseconds = 900
const maxKnown = 20_000
const maxAddressesOfKey = 1000
const lastUsedEveryMilliseconds = 5 * 60_000

/**
 * Authenticates secrets. A valid one is cached for less than a second. After too many failures from an address,
 * unknown secrets from there are rejected without a query, while cached ones still pass.
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

  /** The outcome: at once from the cache, else a promise. */
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
    const recorded = this.#known.get(digest)?.recordedAddresses ?? new Set()
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
    const known = {
      credentials,
      expiresAt,
      confirmedAt,
      recordedAddresses: recorded,
      passedAddresses: new Set(recorded),
    }
    this.#known.set(digest, known)
    this.#recordUse(row)
    return known
  }

  /** The credentials, once the use of the key from this address is in the audit. */
  #from(address: string, known: Known): Authentication | Promise<Authentication> {
    const { credentials, recordedAddresses: recorded, passedAddresses } = known
    const network = getNetwork(address)
    if (passedAddresses.has(network)) return { credentials }
    passedAddresses.add(network)
    return recordKeyAddress(this.#database, credentials, address).then(
      () => {
        if (recorded.size >= maxAddressesOfKey) recorded.clear()
        recorded.add(network)
        return { credentials }
      },
      // A failure does not prevent the use of the key; the next attempt is within a second.
      () => ({ credentials }),
    )
  }

  /** Writes `last_used_at` at most every five minutes, without delaying the request. */
  #recordUse(row: AuthenticatedRow): void {
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
