import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { ChangeContext } from '../../changes/index.ts'
import type { Transaction } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { unlinkAccounts } from '../../identity/identity-providers/index.ts'
import { forgetPasskeys, forgetPasskeysOf } from '../../identity/passkeys/index.ts'
import {
  createUser,
  deleteUser,
  forgetCodes,
  hashOfPassword,
  listUsers,
  newPassword,
  putOutWelcome,
  requirePassword,
  setEnabled,
  setPassword,
  type UserRecord,
} from '../../identity/users/index.ts'
import { parseArgs } from '../arguments.ts'
import { operatorContext, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

interface UserOptions {
  readonly tenant: string
  readonly passwordStdin?: boolean
  readonly json?: boolean
}

interface NewUserOptions extends UserOptions {
  readonly email: string
  readonly name: string
  readonly roles: string
}

/** `matricula user …`: people who log in. */
export function addUserCommand(user: Command): void {
  user
    .command('create')
    .description('Creates a user. Without --password-stdin a password is generated and shown once.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('--email <address>', 'what they log in with')
    .requiredOption('--name <name>', 'their full name')
    .option('--roles <list>', 'roles separated by commas (none by default)', '')
    .option('--password-stdin', 'read the password from standard input')
    .option('--json', 'print one JSON object')
    .action(async ({ email, name, roles, ...options }: NewUserOptions) => {
      await withPassword(options, (passwordHash) => (tx, context) => {
        return createUser(tx, context, { email, name, roles: parseArgs(roles), passwordHash })
      })
    })

  user
    .command('invite')
    .description('Creates a user and mails a link to set a password. An existing user is mailed a new link.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('--email <address>', 'what they log in with')
    .requiredOption('--name <name>', 'their full name')
    .option('--roles <list>', 'roles separated by commas (none by default)', '')
    .option('--json', 'print one JSON object')
    .action(async ({ email, name, roles, tenant: slug, json }: NewUserOptions) => {
      const passwordHash = await hashOfPassword(newPassword())
      const user = await withOperator(async ({ config, database, requireTenant }) => {
        const tenant = await requireTenant(slug)
        if (config.mail === null) {
          const advice = 'Set SMTP_URL and MAIL_FROM, or create the user with a password: matricula user create.'
          throw new CommandError('state_conflict', `This service sends no mail. ${advice}`)
        }
        return database.transaction(tenant.id, async (tx) => {
          const context = operatorContext(tenant)
          const known = (await listUsers(tx)).find((other) => other.email === email.trim().toLowerCase())
          const wanted = { email, name, roles: parseArgs(roles), passwordHash }
          const invited = known ?? (await createUser(tx, context, wanted))
          await putOutWelcome(tx, context, invited.email)
          return invited
        })
      })
      print(json, { user }, `${describeUser(user)}\n\nA mail with a link is on its way.`)
    })

  user
    .command('delete')
    .description('Deletes a user whom no record refers to, and ends their sessions.')
    .argument('<email>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (email: string, options: UserOptions) => {
      const deleted = await onTenant(options.tenant, (tx, context) => deleteUser(tx, context, email))
      print(options.json, { user: deleted }, `Deleted: ${describeUser(deleted)}`)
    })

  user
    .command('list')
    .description('Lists the users of a tenant, including disabled ones.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (options: UserOptions) => {
      const users = await onTenant(options.tenant, listUsers)
      print(options.json, { users }, users.map(describeUser).join('\n') || 'No user yet.')
    })

  for (const [name, enabled, description] of [
    ['disable', false, 'Disables the log-in of a user and ends their sessions, in every process within a second.'],
    ['enable', true, 'Enables the log-in of a disabled user.'],
  ] as const) {
    user
      .command(name)
      .description(description)
      .argument('<email>')
      .requiredOption('--tenant <slug>', 'the tenant')
      .option('--json', 'print one JSON object')
      .action(async (email: string, options: UserOptions) => {
        const changed = await onTenant(options.tenant, (tx, context) => setEnabled(tx, context, email, enabled))
        print(options.json, { user: changed }, describeUser(changed))
      })
  }

  user
    .command('forget-codes')
    .description(
      'Turns off the one-time codes of a user who has lost their authenticator app, and ends their sessions.',
    )
    .argument('<email>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (email: string, options: UserOptions) => {
      const forgotten = await onTenant(options.tenant, (tx, context) => forgetCodes(tx, context, email))
      const outcome = forgotten ? `One-time codes of ${email} are turned off.` : `${email} had no one-time codes.`
      print(options.json, { forgotten }, outcome)
    })

  user
    .command('forget-passkeys')
    .description(
      'Removes all passkeys of a user who has lost their device, and ends their sessions; or all passkeys of a host name.',
    )
    .argument('[email]')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--made-for <host>', 'instead of a user: the former host name of the institution')
    .option('--json', 'print one JSON object')
    .action(async (email: string | undefined, { madeFor, ...options }: UserOptions & { readonly madeFor?: string }) => {
      if ((email === undefined) === (madeFor === undefined)) {
        throw new CommandError('invalid_value', 'Name a user by e-mail address, or a host name with --made-for.')
      }
      if (email === undefined) {
        const host = String(madeFor).toLowerCase()
        const people = await onTenant(options.tenant, (tx, context) => forgetPasskeysOf(tx, context, host))
        print(options.json, { people }, `The passkeys of ${host} are removed (users: ${people}).`)
        return
      }
      const forgotten = await onTenant(options.tenant, (tx, context) => forgetPasskeys(tx, context, email))
      const outcome = forgotten > 0 ? `The passkeys of ${email} are removed.` : `${email} had none.`
      print(options.json, { forgotten }, outcome)
    })

  user
    .command('unlink-accounts')
    .description(
      'Unlinks the accounts of a user at identity providers and ends their sessions. The next account with their address is linked.',
    )
    .argument('<email>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (email: string, options: UserOptions) => {
      const unlinked = await onTenant(options.tenant, (tx, context) => unlinkAccounts(tx, context, email))
      const outcome = unlinked > 0 ? `The accounts of ${email} are unlinked.` : `${email} had none.`
      print(options.json, { unlinked }, outcome)
    })

  user
    .command('password')
    .description('Sets a new password for a user and ends their sessions. Without --password-stdin one is generated.')
    .argument('<email>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--password-stdin', 'read the password from standard input')
    .option('--json', 'print one JSON object')
    .action(async (email: string, options: UserOptions) => {
      await withPassword(options, (passwordHash) => (tx, context) => setPassword(tx, context, email, passwordHash))
    })
}

type UserChange<Result> = (tx: Transaction, context: ChangeContext) => Promise<Result>

/** Runs a change in a transaction of the tenant, as the operator. */
export function onTenant<Result>(tenantSlug: string, change: UserChange<Result>): Promise<Result> {
  return withOperator(async (operator) => {
    const tenant = await operator.requireTenant(tenantSlug)
    return operator.database.transaction(tenant.id, (tx) => change(tx, operatorContext(tenant)))
  })
}

/** Runs a change with a password, from standard input or made up, and prints the user; a made up one is shown once. */
async function withPassword(
  { tenant, passwordStdin, json }: UserOptions,
  change: (passwordHash: string) => UserChange<UserRecord>,
): Promise<void> {
  const madeUp = passwordStdin ? null : newPassword()
  const password = madeUp ?? (await text(process.stdin)).replace(/\r?\n$/, '')
  requirePassword(password)
  const user = await onTenant(tenant, change(await hashOfPassword(password)))
  const lines = madeUp === null ? '' : `\n\n${madeUp}\n\nThis password is shown only now.`
  print(json, { user, ...(madeUp !== null && { password: madeUp }) }, describeUser(user) + lines)
}

/** A user in lines for people. */
export function describeUser(user: UserRecord): string {
  return [
    `${user.fullName} <${user.email}>, ${user.enabled ? 'may log in' : 'disabled'}`,
    `  roles             ${user.roles.join(', ') || '-'}`,
    `  last log-in       ${user.lastLogin ?? '-'}`,
  ].join('\n')
}
