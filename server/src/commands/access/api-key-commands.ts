import { type ApiKeyKind, requestsPerMinute } from '@matricula/contract'
import type { Command } from 'commander'
import { withSecretKey } from '../../app/keys/keyed-config.ts'
import type { ChangeContext } from '../../changes/index.ts'
import { noTenant, type Transaction } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import {
  type ApiKeyRecord,
  createApiKey,
  isOAuthConsumer,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
  SecretSeal,
  storeConsumerSecret,
  tenantOfApiKey,
} from '../../identity/index.ts'
import { listTenants } from '../../tenancy/index.ts'
import { isUuid, parseDuration } from '../../values/index.ts'
import { parseRequestsPerMinute } from '../arguments.ts'
import { type Operator, operatorContext, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

/** How the commands for one kind of key speak of it. */
export interface KeyMessages {
  readonly kind: ApiKeyKind
  readonly noun: 'token' | 'key'
}

/** What is asked of every new key. */
export interface NewKeyOptions {
  readonly tenant: string
  readonly name: string
  readonly requestsPerMinute?: string
  readonly expiresIn?: string
  readonly json?: boolean
}

/** Adds the options that the creation of both kinds of keys takes at its end. */
export function addLimitOptions(command: Command): Command {
  return command
    .option('--requests-per-minute <number>', `its quota (default: ${requestsPerMinute.default})`)
    .option('--expires-in <duration>', 'such as 90d (default: it does not expire)')
    .option('--json', 'print one JSON object')
}

/** The quota and the life of a new key. Throws `CommandError`. */
export function readLimits(options: NewKeyOptions): Pick<NewApiKey, 'requestsPerMinute' | 'expiresInSeconds'> {
  const { requestsPerMinute: quota, expiresIn } = options
  return {
    requestsPerMinute: quota === undefined ? requestsPerMinute.default : parseRequestsPerMinute(quota),
    expiresInSeconds: expiresIn === undefined ? null : parseDuration(expiresIn),
  }
}

/** Makes a key of the tenant and prints its secret, once. */
export async function createAndPrint(
  { noun }: KeyMessages,
  tenantSlug: string,
  key: NewApiKey,
  isJson: boolean | undefined,
  { isOAuthConsumer = false } = {},
): Promise<void> {
  const { apiKey, secret } = await withOperator((operator) => createFor(operator, tenantSlug, key, isOAuthConsumer))
  print(isJson, { apiKey, [noun]: secret }, `${describe(apiKey)}\n\n${secret}\n\nThis ${noun} is shown only now.`)
}

/** Makes a key of the tenant. */
async function createFor(operator: Operator, tenantSlug: string, key: NewApiKey, isConsumer: boolean) {
  const tenant = await operator.requireTenant(tenantSlug)
  const seal = isConsumer ? await buildSeal(operator) : null
  return operator.database.transaction(tenant.id, async (tx) => {
    const created = await createApiKey(tx, operatorContext(tenant), key)
    if (seal !== null) storeConsumerSecret(tx, seal, created.apiKey.id, created.secret)
    return created
  })
}

async function buildSeal({ config }: Operator): Promise<SecretSeal> {
  return new SecretSeal((await withSecretKey(config)).secretKey)
}

/** Adds `list`, `rotate` and `revoke`, which are the same for both kinds of keys. */
export function addKeyCare(parent: Command, { kind, noun }: KeyMessages): void {
  parent
    .command('list')
    .description(`Lists the ${noun}s of a tenant, including revoked ones.`)
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (options: { tenant: string; json?: boolean }) => {
      const apiKeys = await withOperator(async (operator) => {
        const tenant = await operator.requireTenant(options.tenant)
        return operator.database.transaction(tenant.id, (tx) => listApiKeys(tx, kind))
      })
      print(options.json, { apiKeys }, apiKeys.map(describe).join('\n') || `No ${noun} yet.`)
    })

  parent
    .command('rotate')
    .description(`Adds a second secret to the ${noun}; the first expires after the overlap.`)
    .argument('<id>')
    .option('--overlap <duration>', 'how long the first secret stays valid: 0 to 7d', '24h')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: { overlap: string; json?: boolean }) => {
      const overlapSeconds = parseDuration(options.overlap)
      const { apiKey, secret } = await onKey(id, noun, async (tx, context, operator) => {
        const rotated = await rotateApiKey(tx, context, id, kind, overlapSeconds)
        if (await isOAuthConsumer(tx, id)) storeConsumerSecret(tx, await buildSeal(operator), id, rotated.secret)
        return rotated
      })
      print(
        options.json,
        { apiKey, [noun]: secret },
        `${describe(apiKey)}\n\n${secret}\n\nThis ${noun} is shown only now.`,
      )
    })

  parent
    .command('revoke')
    .description(`Revokes the ${noun} with all its secrets, in every process within a second.`)
    .argument('<id>')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: { json?: boolean }) => {
      const apiKey = await onKey(id, noun, (tx, context) => revokeApiKey(tx, context, id, kind))
      print(options.json, { apiKey }, describe(apiKey))
    })
}

function onKey<Result>(
  id: string,
  noun: string,
  change: (tx: Transaction, context: ChangeContext, operator: Operator) => Promise<Result>,
): Promise<Result> {
  return withOperator(async (operator) => {
    const tenantId = isUuid(id) ? await operator.asOwner(noTenant, (tx) => tenantOfApiKey(tx, id)) : null
    const tenant = (await listTenants(operator.database)).find((candidate) => candidate.id === tenantId)
    if (tenant === undefined)
      throw new CommandError('not_found', `There is no ${noun} ${id}. matricula ${noun} list shows them.`)
    await operator.noteCommand(tenant)
    return operator.database.transaction(tenant.id, (tx) => change(tx, operatorContext(tenant), operator))
  })
}

function describe(apiKey: ApiKeyRecord): string {
  const state = apiKey.revokedAt === null ? 'live' : `revoked ${apiKey.revokedAt}`
  const grants =
    apiKey.kind === 'client'
      ? [
          `  scopes            ${apiKey.scopes.join(', ') || '-'}`,
          `  domains           ${apiKey.masterDomains.join(', ') || '-'}`,
        ]
      : [`  roles             ${apiKey.roles.join(', ')}`]
  const secrets = apiKey.secrets.map(
    (secret) =>
      `  secret            …${secret.lastFour}, ${secret.expiresAt === null ? 'never expires' : `until ${secret.expiresAt}`}`,
  )
  return [
    `${apiKey.name} (${apiKey.id}), ${state}`,
    ...grants,
    `  requests/minute   ${apiKey.requestsPerMinute}`,
    ...secrets,
  ].join('\n')
}
