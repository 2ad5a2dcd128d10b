import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const matricula = fileURLToPath(new URL('../../../node_modules/.bin/matricula', import.meta.url))
const run = promisify(execFile)

const tokenName = 'sync-district'
const scopes = ['students', 'admissions', 'payments'].flatMap((resource) => [`${resource}:read`, `${resource}:write`])
const requestsPerMinute = 60_000

interface ApiKey {
  readonly id: string
  readonly name: string
  readonly revokedAt: string | null
}

/** The command line of the service could not do what it was asked. */
export class ProvisionError extends Error {}

/**
 * A token for a tenant, which is made when it is missing. A second run gives the same token a new secret instead of making
 * another: Idempotency-Keys belong to the token, whatever its secret. Throws `ProvisionError`.
 */
export async function provision(slug: string): Promise<string> {
  const shown = await command(['tenant', 'show', slug]).catch(() => null)
  if (shown === null) await command(['tenant', 'create', '--slug', slug, '--name', nameOf(slug)])
  const { apiKeys } = await command<{ apiKeys: ApiKey[] }>(['token', 'list', '--tenant', slug])
  const own = apiKeys.find(({ name, revokedAt }) => name === tokenName && revokedAt === null)
  const { token } = await command<{ token: string }>(
    own === undefined ? createToken(slug) : ['token', 'rotate', own.id, '--overlap', '0'],
  )
  return token
}

function createToken(slug: string): string[] {
  const grants = ['--scopes', scopes.join(','), '--domains', 'students,enrollment,payments']
  const quota = ['--requests-per-minute', String(requestsPerMinute)]
  return ['token', 'create', '--tenant', slug, '--name', tokenName, ...grants, ...quota]
}

async function command<Result>(words: string[]): Promise<Result> {
  try {
    const { stdout } = await run(process.execPath, [matricula, ...words, '--json'], { cwd: root })
    return JSON.parse(stdout)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new ProvisionError(`npx matricula ${words.slice(0, 2).join(' ')}: ${stderr?.trim() || message}`)
  }
}

/** `grand-bend` → `Grand Bend`. */
function nameOf(slug: string): string {
  return slug.replace(/(^|-)([a-z])/g, (_, hyphen: string, letter: string) => (hyphen && ' ') + letter.toUpperCase())
}
