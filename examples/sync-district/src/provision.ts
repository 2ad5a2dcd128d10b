import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const matricula = fileURLToPath(new URL('../../../node_modules/.bin/matricula', import.meta.url))
const run = promisify(execFile)

const ownName = 'sync-district'
const scopes = ['students', 'admissions', 'payments'].flatMap((resource) => [`${resource}:read`, `${resource}:write`])
const domains = ['students', 'enrollment', 'payments']
const roles = ['Academics User', 'Education Manager']
const requestsPerMinute = 60_000

interface ApiKey {
  readonly id: string
  readonly name: string
  readonly revokedAt: string | null
}

/** The command line of the service could not do what it was asked. */
export class ProvisionError extends Error {}

/**
 * A token and a key for a tenant, which is made when it is missing. A second run gives the same ones new secrets instead of
 * making others: Idempotency-Keys belong to the token, whatever its secret. Throws `ProvisionError`.
 */
export async function provision(slug: string): Promise<{ token: string; key: string }> {
  const shown = await command(['tenant', 'show', slug]).catch(() => null)
  if (shown === null) await command(['tenant', 'create', '--slug', slug, '--name', getName(slug)])
  const token = await loadSecret('token', slug, ['--scopes', scopes.join(','), '--domains', domains.join(',')])
  return { token, key: await loadSecret('key', slug, ['--roles', roles.join(',')]) }
}

async function loadSecret(noun: 'token' | 'key', slug: string, grants: string[]): Promise<string> {
  const { apiKeys } = await command<{ apiKeys: ApiKey[] }>([noun, 'list', '--tenant', slug])
  const own = apiKeys.find(({ name, revokedAt }) => name === ownName && revokedAt === null)
  const quota = ['--requests-per-minute', String(requestsPerMinute)]
  const create = [noun, 'create', '--tenant', slug, '--name', ownName, ...grants, ...quota]
  const made = await command<Record<typeof noun, string>>(
    own === undefined ? create : [noun, 'rotate', own.id, '--overlap', '0'],
  )
  return made[noun]
}

async function command<Result>(args: string[]): Promise<Result> {
  try {
    const { stdout } = await run(process.execPath, [matricula, ...args, '--json'], { cwd: root })
    return JSON.parse(stdout)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new ProvisionError(`npx matricula ${args.slice(0, 2).join(' ')}: ${stderr?.trim() || message}`)
  }
}

/** `grand-bend` → `Grand Bend`. */
function getName(slug: string): string {
  return slug.replace(/(^|-)([a-z])/g, (_, hyphen: string, letter: string) => (hyphen && ' ') + letter.toUpperCase())
}
