import type { Command } from 'commander'
import { parseDomains, parseScopes } from '../arguments.ts'
import { addKeyCare, addLimitOptions, createAndPrint, type NewKeyOptions, readLimits } from './api-key-commands.ts'

interface TokenOptions extends NewKeyOptions {
  readonly scopes: string
  readonly domains?: string
  readonly oauth1?: boolean
}

const naming = { kind: 'client', noun: 'token' } as const

/** `matricula token …`: tokens of the Client API. */
export function addTokenCommand(token: Command): void {
  const create = token
    .command('create')
    .description('Creates a token. It is shown once.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('--name <name>', 'what it is for, such as "ERP sync"')
    .requiredOption(
      '--scopes <list>',
      'scopes separated by commas, such as students:read,payments:write; all: the eleven of the interface; extensions: events, audit, webhooks, OneRoster',
    )
    .option('--domains <list>', 'domains it may write: students, enrollment, payments (none by default)')
    .option('--oauth1', 'also for OneRoster clients that sign requests by OAuth 1.0a: the id is the consumer key')
  addLimitOptions(create).action(async (options: TokenOptions) => {
    const key = {
      kind: naming.kind,
      name: options.name,
      scopes: parseScopes(options.scopes),
      masterDomains: options.domains === undefined ? [] : parseDomains(options.domains),
      roles: [],
      ...readLimits(options),
    }
    await createAndPrint(naming, options.tenant, key, options.json, { isOAuthConsumer: options.oauth1 === true })
  })
  addKeyCare(token, naming)
}
