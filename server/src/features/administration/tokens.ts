import type { ApiToken, NewApiToken, Static } from '@matricula/contract'
import { CommandError, notFoundProblem, Problem } from '../../errors/index.ts'
import type { ApiKeyRecord } from '../../identity/index.ts'

/** A token as administrators see it. */
export function toToken(apiKey: ApiKeyRecord): Static<typeof ApiToken> {
  const { id, name, scopes, masterDomains, requestsPerMinute, createdAt, revokedAt, secrets } = apiKey
  return {
    ...{ id, name, requestsPerMinute, createdAt, revokedAt },
    scopes: [...scopes],
    masterDomains: [...masterDomains],
    secrets: secrets.map(({ lastFour, createdAt, expiresAt, lastUsedAt }) => ({
      ...{ lastFour, createdAt, expiresAt, lastUsedAt },
    })),
  }
}

/** A token with its new secret. */
export function toNewToken(made: {
  readonly apiKey: ApiKeyRecord
  readonly secret: string
}): Static<typeof NewApiToken> {
  return { ...toToken(made.apiKey), secret: made.secret }
}

/** Runs what commands do as well; what they refuse becomes a problem. `noun` is what may not be there; null where a body names it. */
export async function asProblem<Result>(noun: string | null, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (error.code === 'not_found' && noun !== null) throw notFoundProblem(noun)
    if (error.code === 'state_conflict' || error.code === 'already_exists') {
      throw new Problem('state_conflict', error.message)
    }
    throw new Problem('rule_violated', error.message, { rule: error.code })
  }
}
