import { requestsPerMinute } from '@matricula/contract'
import type { Command } from 'commander'
import { addKeyCare, createAndPrint } from './api-key-commands.ts'
import { UsageError } from './outcome.ts'
import { parseDuration, parseRequestsPerMinute, parseWords } from './words.ts'

interface KeyOptions {
  tenant: string
  name: string
  roles: string
  requestsPerMinute?: string
  expiresIn?: string
  json?: boolean
}

const words = { kind: 'resource', noun: 'key' } as const

/** `matricula key …`: keys of the Resource and Method API. */
export function addKeyCommand(program: Command): void {
  const key = program.command('key').description('Keys of the Resource and Method API: create, list, rotate, revoke.')
  key
    .command('create')
    .description('Makes a key. It is shown once.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('--name <name>', 'what it is for')
    .option('--roles <list>', 'roles separated by commas', 'System Manager')
    .option('--requests-per-minute <number>', `its quota (default: ${requestsPerMinute.default})`)
    .option('--expires-in <duration>', 'such as 90d (default: it does not expire)')
    .option('--json', 'print one JSON object')
    .action(async (options: KeyOptions) => {
      const roles = parseWords(options.roles)
      if (roles.length === 0) throw new UsageError('Name at least one role, such as "System Manager".')
      const newKey = {
        kind: words.kind,
        name: options.name,
        scopes: [],
        masterDomains: [],
        roles,
        requestsPerMinute:
          options.requestsPerMinute === undefined
            ? requestsPerMinute.default
            : parseRequestsPerMinute(options.requestsPerMinute),
        expiresInSeconds: options.expiresIn === undefined ? null : parseDuration(options.expiresIn),
      }
      await createAndPrint(words, options.tenant, newKey, options.json)
    })
  addKeyCare(key, words)
}
