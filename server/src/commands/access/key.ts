import type { Command } from 'commander'
import { CommandError } from '../../errors/index.ts'
import { parseArgs } from '../arguments.ts'
import { addKeyCare, addLimitOptions, createAndPrint, type NewKeyOptions, readLimits } from './api-key-commands.ts'

interface KeyOptions extends NewKeyOptions {
  readonly roles: string
}

const naming = { kind: 'resource', noun: 'key' } as const

/** `matricula key …`: keys of the Resource and Method API. */
export function addKeyCommand(key: Command): void {
  const create = key
    .command('create')
    .description('Creates an API key. It is shown once.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('--name <name>', 'what it is for')
    .option('--roles <list>', 'roles separated by commas', 'System Manager')
  addLimitOptions(create).action(async (options: KeyOptions) => {
    const roles = parseArgs(options.roles)
    if (roles.length === 0) throw new CommandError('invalid_value', 'Name at least one role, such as "System Manager".')
    const newKey = {
      kind: naming.kind,
      name: options.name,
      scopes: [],
      masterDomains: [],
      roles,
      ...readLimits(options),
    }
    await createAndPrint(naming, options.tenant, newKey, options.json)
  })
  addKeyCare(key, naming)
}
