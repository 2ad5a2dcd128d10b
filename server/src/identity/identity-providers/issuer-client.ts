import type { Configuration, CustomFetchOptions, UserInfoResponse } from 'openid-client'
import type { AddressGuard } from '../../outbound-http/index.ts'
import { OutgoingCalls } from '../../outbound-http/index.ts'
import type { SecretSeal } from '../sealed-secrets.ts'
import { issuerSealPurpose, type StoredIssuer } from './issuers.ts'

/** The claims of an identity provider about a person who has logged in there. */
export interface IssuerClaims {
  /** The stable identifier of the account at this identity provider (`sub`). */
  readonly subject: string
  /** In lower case; null where it is not given. */
  readonly email: string | null
  /** Null where it is not given. */
  readonly isEmailVerified: boolean | null
  /** The Google Workspace domain of the account (`hd`), or null. */
  readonly hostedDomain: string | null
  readonly name: string | null
}

/** The encrypted state of a log-in that the browser holds until the redirect back. */
export interface IssuerVisit {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/**
 * Why a log-in at an identity provider failed: it is unreachable or has an error, it or the person denied access, or
 * its response is invalid.
 */
export class IssuerError extends Error {
  readonly reason: 'unreachable' | 'faulty' | 'refused'

  constructor(reason: IssuerError['reason'], cause: unknown) {
    super(`the issuer ${reported[reason]}`, { cause })
    this.reason = reason
  }
}

/** How long the metadata of an identity provider is cached, in milliseconds. */
const cacheMs = 3600_000

/** Maximum number of cached identity providers per process. */
const maxCached = 1000

/** Loaded on the first log-in at an identity provider. */
const protocol = () => import('openid-client')

const limits = { timeoutMs: 8_000, maxBytes: 512 * 1024 }

/**
 * OpenID Connect client: the authorization code flow of OpenID Connect Core 1.0 with PKCE (RFC 7636), state, nonce,
 * the issuer parameter (RFC 9207) and the signature of the ID token. Only addresses that the address guard allows are
 * called. Metadata is read once an hour, keys when an unknown one signs.
 */
export class IssuerClient {
  readonly #calls: OutgoingCalls
  readonly #seal: SecretSeal
  readonly #stored = new Map<string, { readonly found: Promise<Configuration>; readonly until: number }>()

  constructor(guard: AddressGuard, seal: SecretSeal, tls: { readonly ca?: string } = {}) {
    this.#calls = new OutgoingCalls(guard, limits, tls)
    this.#seal = seal
  }

  /** The authorization address, and the state for the browser. Throws `IssuerError`, `SealError`. */
  async begin(
    tenantId: string,
    issuer: StoredIssuer,
    redirectUri: string,
  ): Promise<{ address: string; visit: IssuerVisit }> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
      await protocol()
    const configuration = await this.#configuration(tenantId, issuer)
    const visit = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), redirectUri }
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: visit.state,
      nonce: visit.nonce,
      code_challenge: await calculatePKCECodeChallenge(visit.verifier),
      code_challenge_method: 'S256',
    })
    return { address: address.href, visit }
  }

  /** The claims of the person who returned with this query. Throws `IssuerError`, `SealError`. */
  async finish(tenantId: string, issuer: StoredIssuer, visit: IssuerVisit, query: string): Promise<IssuerClaims> {
    const { authorizationCodeGrant, fetchUserInfo } = await protocol()
    const configuration = await this.#configuration(tenantId, issuer)
    const response = await authorizationCodeGrant(configuration, new URL(`${visit.redirectUri}?${query}`), {
      expectedState: visit.state,
      expectedNonce: visit.nonce,
      pkceCodeVerifier: visit.verifier,
      idTokenExpected: true,
    }).catch((error: unknown) => {
      throw getError(error)
    })
    const claims = response.claims()
    if (claims === undefined) throw new IssuerError('refused', undefined)
    // The e-mail address may be in the ID token or only in the UserInfo response (OpenID Connect Core 1.0 §5.3,
    // §5.4).
    const asksMore = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = asksMore
      ? await fetchUserInfo(configuration, response.access_token, claims.sub).catch((error: unknown) => {
          throw getError(error)
        })
      : {}
    const { sub } = claims
    const { email, email_verified: verified, name, hd }: Partial<UserInfoResponse> = { ...claims, ...more }
    return {
      subject: sub,
      email: typeof email === 'string' && email !== '' ? email.trim().toLowerCase() : null,
      isEmailVerified: typeof verified === 'boolean' ? verified : null,
      hostedDomain: typeof hd === 'string' ? hd.toLowerCase() : null,
      name: typeof name === 'string' && name.trim() !== '' ? name.trim() : null,
    }
  }

  /** Closes the pooled connections. */
  close(): void {
    this.#calls.close()
  }

  async #configuration(
    tenantId: string,
    { key, issuer, clientId, sealedSecret }: StoredIssuer,
  ): Promise<Configuration> {
    const name = JSON.stringify([tenantId, key, issuer, clientId, sealedSecret])
    const known = this.#stored.get(name)
    if (known !== undefined && known.until > performance.now()) return known.found
    const secret = this.#seal.open(sealedSecret, issuerSealPurpose(tenantId, key))
    const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await protocol()
    const found = discovery(new URL(issuer), clientId, secret, undefined, {
      [customFetch]: (url: string, { method, headers, body }: CustomFetchOptions) =>
        this.#calls.fetch(url, { method, headers, body: Buffer.from(body == null ? '' : String(body)) }),
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
      timeout: limits.timeoutMs / 1000,
    }).catch((error: unknown) => {
      this.#stored.delete(name)
      throw getError(error)
    })
    if (this.#stored.size >= maxCached) this.#stored.clear()
    this.#stored.set(name, { found, until: performance.now() + cacheMs })
    return found
  }
}

const reported = { unreachable: 'could not be asked', faulty: 'has a fault', refused: 'did not say who it is' } as const

/** Errors of the identity provider itself (RFC 6749 §4.1.2.1). */
const ownErrors: readonly unknown[] = ['server_error', 'temporarily_unavailable']

/**
 * Maps an error: a network error means unreachable, whatever wrapped it, and a 5xx response an error of the identity
 * provider; everything else is an invalid response.
 */
function getError(error: unknown): IssuerError {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code, status, error: said } = each as NodeJS.ErrnoException & { status?: unknown; error?: unknown }
    const answered = status ?? (each.cause as { status?: unknown } | null | undefined)?.status
    if ((typeof answered === 'number' && answered >= 500) || ownErrors.includes(said))
      return new IssuerError('faulty', error)
    if (typeof code === 'string' && !code.startsWith('OAUTH_')) return new IssuerError('unreachable', error)
  }
  return new IssuerError('refused', error)
}
