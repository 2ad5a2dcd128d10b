import type { Configuration, CustomFetchOptions, UserInfoResponse } from 'openid-client'
import type { AddressGuard } from '../../outbound-http/index.ts'
import { OutgoingCalls } from '../../outbound-http/index.ts'
import type { SecretSeal } from '../sealed-secrets.ts'
import { issuerSealPurpose, type StoredIssuer } from './issuers.ts'

/** What an issuer says of somebody who has logged in there. */
export interface IssuerClaims {
  /** Names the account at this issuer for good. */
  readonly subject: string
  /** In lower case; null where it tells none. */
  readonly email: string | null
  /** Null where it does not say. */
  readonly isEmailVerified: boolean | null
  /** The domain of the organisation that Google gave the account to, or null. */
  readonly hostedDomain: string | null
  readonly name: string | null
}

/** What the browser keeps, sealed, of a log-in at an issuer until it comes back from there. */
export interface IssuerVisit {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Why nobody came back from an issuer as somebody: it could not be asked, has a fault, it or its visitor refused, or what it said is not true. */
export class IssuerError extends Error {
  readonly reason: 'unreachable' | 'faulty' | 'refused'

  constructor(reason: IssuerError['reason'], cause: unknown) {
    super(`the issuer ${reported[reason]}`, { cause })
    this.reason = reason
  }
}

/** How long what an issuer says of itself holds, in milliseconds. */
const cacheMs = 3600_000

/** The most issuers that a process keeps in mind. */
const maxCached = 1000

/** Loaded when somebody logs in at an issuer. */
const protocol = () => import('openid-client')

const limits = { timeoutMs: 8_000, maxBytes: 512 * 1024 }

/**
 * Asks issuers who somebody is: the authorization code flow of OpenID Connect Core 1.0 with PKCE (RFC 7636), state, nonce, the issuer
 * of the answer (RFC 9207) and the signature of the ID token. What is called is what the guard lets be called. What an issuer says of
 * itself is asked once an hour, its keys when an unknown one signs.
 */
export class IssuerClient {
  readonly #calls: OutgoingCalls
  readonly #seal: SecretSeal
  readonly #stored = new Map<string, { readonly found: Promise<Configuration>; readonly until: number }>()

  constructor(guard: AddressGuard, seal: SecretSeal, tls: { readonly ca?: string } = {}) {
    this.#calls = new OutgoingCalls(guard, limits, tls)
    this.#seal = seal
  }

  /** Where somebody goes to log in at an issuer, and what their browser keeps meanwhile. Throws `IssuerError`, `SealError`. */
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

  /** Who came back from an issuer with this query. Throws `IssuerError`, `SealError`. */
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
    // An issuer may tell the address in the ID token, or only where it is asked for it (OpenID Connect Core 1.0 §5.3, §5.4).
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

  /** Ends the connections that are kept. */
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

/** What an issuer says that is its own fault (RFC 6749 §4.1.2.1). */
const ownErrors: readonly unknown[] = ['server_error', 'temporarily_unavailable']

/** A fault of the network is one of reaching, whatever wrapped it, and an answer of 5xx the issuer's own; everything else is an answer that does not hold. */
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
