import type { Scope } from '@matricula/contract'
import { SealError, type SecretSeal } from '../../../identity/index.ts'

/** Lifetime of an access token, in seconds. */
export const tokenSeconds = 3600

const purpose = 'OneRoster access token'
const prefix = 'mto_'

/** What an access token grants. */
export interface AccessGrant {
  /** The token of the key, which is authenticated again on each use: an access token ends with its key. */
  readonly secret: string
  readonly rights: readonly Scope[]
  /** Whether lists of rostering below another object may be read. */
  readonly opensNested: boolean
}

/** Whether a bearer token is an access token. */
export function isAccessToken(token: string): boolean {
  return token.startsWith(prefix)
}

/**
 * Issues an access token: the token of the key and what is granted, encrypted under SECRET_KEY, so that every process can read it
 * and nothing is stored.
 */
export function issueAccessToken(seal: SecretSeal, { secret, rights, opensNested }: AccessGrant, now: number): string {
  const content = JSON.stringify([Math.floor(now / 1000) + tokenSeconds, secret, rights, opensNested])
  return prefix + seal.seal(content, purpose).split(':').slice(2).join('.')
}

/** Reads an access token; null where it is not one of this service or has expired. */
export function readAccessToken(seal: SecretSeal, token: string, now: number): AccessGrant | null {
  try {
    const content = seal.open(`sealed:1:${token.slice(prefix.length).split('.').join(':')}`, purpose)
    const [expiresAt, secret, rights, opensNested] = JSON.parse(content) as [number, string, Scope[], boolean]
    return expiresAt * 1000 > now ? { secret, rights, opensNested } : null
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
