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
export function addUserCommand(program: Command): void {
  const user = program
    .command('user')
    .description('People who log in: create, invite, list, disable, enable, delete, new password.')

  user
    .command('create')
    .description('Makes a user. Without --password-stdin a password is made up and shown once.')
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
    .description(
      'Makes a user, who is mailed a link for setting a password. One who is there already is mailed another link.',
    )
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
          const advice = 'Set SMTP_URL and MAIL_FROM, or make the user with a password: matricula user create.'
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
    .description('Deletes a user whom no record names, and ends their sessions.')
    .argument('<email>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (email: string, options: UserOptions) => {
      const deleted = await onTenant(options.tenant, (tx, context) => deleteUser(tx, context, email))
      print(options.json, { user: deleted }, `Deleted: ${describeUser(deleted)}`)
    })

  user
    .command('list')
    .description('The users of a tenant, the disabled ones too.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (options: UserOptions) => {
      const users = await onTenant(options.tenant, listUsers)
      print(options.json, { users }, users.map(describeUser).join('\n') || 'No user yet.')
    })

  for (const [name, enabled, description] of [
    ['disable', false, 'Ends a user’s sessions, in every process within a second, and lets them log in no more.'],
    ['enable', true, 'Lets a disabled user log in again.'],
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
      'Asks a user for one-time codes no more, for one who has lost what makes them, and ends their sessions.',
    )
    .argument('<email>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (email: string, options: UserOptions) => {
      const forgotten = await onTenant(options.tenant, (tx, context) => forgetCodes(tx, context, email))
      const outcome = forgotten ? `${email} is asked for no codes any more.` : `${email} was asked for none.`
      print(options.json, { forgotten }, outcome)
    })

  user
    .command('forget-passkeys')
    .description(
      'Takes from a user all passkeys, for one who has lost what they are on, and ends their sessions; or from everybody those of a host name.',
    )
    .argument('[email]')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--made-for <host>', 'instead of a user: the host name at which the institution is reached no more')
    .option('--json', 'print one JSON object')
    .action(async (email: string | undefined, { madeFor, ...options }: UserOptions & { readonly madeFor?: string }) => {
      if ((email === undefined) === (madeFor === undefined)) {
        throw new CommandError('invalid_value', 'Name a user by e-mail address, or a host name with --made-for.')
      }
      if (email === undefined) {
        const host = String(madeFor).toLowerCase()
        const people = await onTenant(options.tenant, (tx, context) => forgetPasskeysOf(tx, context, host))
        print(
          options.json,
          { people },
          `Nobody logs in by a passkey of ${host} any more (people who had one: ${people}).`,
        )
        return
      }
      const forgotten = await onTenant(options.tenant, (tx, context) => forgetPasskeys(tx, context, email))
      const outcome = forgotten > 0 ? `${email} logs in by no passkey any more.` : `${email} had none.`
      print(options.json, { forgotten }, outcome)
    })

  user
    .command('unlink-accounts')
    .description(
      'Takes from a user the accounts at issuers that they log in by, and ends their sessions. The next account with their address is linked.',
    )
    .argument('<email>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (email: string, options: UserOptions) => {
      const unlinked = await onTenant(options.tenant, (tx, context) => unlinkAccounts(tx, context, email))
      const outcome = unlinked > 0 ? `${email} logs in by no account any more.` : `${email} logged in by none.`
      print(options.json, { unlinked }, outcome)
    })

  user
    .command('password')
    .description('Gives a user another password and ends their sessions. Without --password-stdin one is made up.')
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
