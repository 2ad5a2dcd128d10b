import { requestsPerMinute } from '@matricula/contract'
import type { Command } from 'commander'
import { addKeyCare, createAndPrint } from './api-key-commands.ts'
import { parseDomains, parseDuration, parseRequestsPerMinute, parseScopes } from './words.ts'

interface TokenOptions {
  tenant: string
  name: string
  scopes: string
  domains?: string
  requestsPerMinute?: string
  expiresIn?: string
  json?: boolean
}

const words = { kind: 'client', noun: 'token' } as const

/** `matricula token …`: tokens of the Client API. */
export function addTokenCommand(program: Command): void {
  const token = program.command('token').description('Tokens of the Client API: create, list, rotate, revoke.')
  token
    .command('create')
    .description('Makes a token. It is shown once.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('--name <name>', 'what it is for, such as "ERP sync"')
    .requiredOption('--scopes <list>', 'all, or scopes separated by commas, such as students:read,payments:write')
    .option('--domains <list>', 'domains that it may write: students, enrollment, payments (none by default)')
    .option('--requests-per-minute <number>', `its quota (default: ${requestsPerMinute.default})`)
    .option('--expires-in <duration>', 'such as 90d (default: it does not expire)')
    .option('--json', 'print one JSON object')
    .action(async (options: TokenOptions) => {
      const key = {
        kind: words.kind,
        name: options.name,
        scopes: parseScopes(options.scopes),
        masterDomains: options.domains === undefined ? [] : parseDomains(options.domains),
        roles: [],
        requestsPerMinute:
          options.requestsPerMinute === undefined
            ? requestsPerMinute.default
            : parseRequestsPerMinute(options.requestsPerMinute),
        expiresInSeconds: options.expiresIn === undefined ? null : parseDuration(options.expiresIn),
      }
      await createAndPrint(words, options.tenant, key, options.json)
    })
  addKeyCare(token, words)
}
