import type { Command } from 'commander'
import {
  createRole,
  deleteRole,
  grantRoles,
  listRoles,
  type RoleRecord,
  revokeRoles,
} from '../../identity/users/index.ts'
import { print } from '../outcome.ts'
import { describeUser, onTenant } from './user.ts'

interface RoleOptions {
  readonly tenant: string
  readonly deskAccess: boolean
  readonly json?: boolean
}

/** `matricula role …`: what users and keys may do. */
export function addRoleCommand(role: Command): void {
  role
    .command('list')
    .description('The roles of a tenant.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (options: RoleOptions) => {
      const roles = await onTenant(options.tenant, listRoles)
      print(options.json, { roles }, roles.map(describe).join('\n'))
    })

  role
    .command('create')
    .description('Creates a custom role.')
    .argument('<name>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--no-desk-access', 'for people who are not staff')
    .option('--json', 'print one JSON object')
    .action(async (name: string, { tenant, deskAccess, json }: RoleOptions) => {
      const created = await onTenant(tenant, (tx, context) => createRole(tx, context, { name, deskAccess }))
      print(json, { role: created }, describe(created))
    })

  role
    .command('delete')
    .description('Deletes a custom role that no user has.')
    .argument('<name>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (name: string, options: RoleOptions) => {
      const deleted = await onTenant(options.tenant, (tx, context) => deleteRole(tx, context, name))
      print(options.json, { role: deleted }, `Deleted: ${describe(deleted)}`)
    })

  for (const [name, change, description] of [
    ['grant', grantRoles, 'Grants roles to a user in addition to their present ones.'],
    ['revoke', revokeRoles, 'Takes roles from a user.'],
  ] as const) {
    role
      .command(name)
      .description(description)
      .argument('<email>', 'the user')
      .argument('<roles...>', 'such as "Academics User"')
      .requiredOption('--tenant <slug>', 'the tenant')
      .option('--json', 'print one JSON object')
      .action(async (email: string, roles: string[], options: RoleOptions) => {
        const changed = await onTenant(options.tenant, (tx, context) => change(tx, context, email, roles))
        print(options.json, { user: changed }, describeUser(changed))
      })
  }
}

function describe(role: RoleRecord): string {
  const facts = [role.deskAccess ? 'staff' : 'not staff', ...(role.isCustom ? ['own'] : [])]
  return `${role.name.padEnd(24)} ${facts.join(', ')}${role.disabled ? ', disabled' : ''}`
}
