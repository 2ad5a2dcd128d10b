import tab from '@bomb.sh/tab/commander'
import { Command, CommanderError, Help, type Option } from 'commander'
import { StopRequested, stopRequest } from '../app/shutdown.ts'
import { programVersion } from '../values/index.ts'
import { nameCommand } from './running-command.ts'

interface DeclaredCommand {
  readonly description: string
  /** What gives the command its arguments, options and commands of its own. */
  readonly load: () => Promise<(command: Command) => void>
}

/**
 * The commands in the order in which the help tells them, and where each is declared: only the one that is asked for is loaded,
 * because to load them all takes seconds.
 */
const commands: Readonly<Record<string, DeclaredCommand>> = {
  tenant: {
    description: 'Institutions: create, update, list, show.',
    load: async () => (await import('./tenants/tenant.ts')).addTenantCommand,
  },
  token: {
    description: 'Tokens of the Client API: create, list, rotate, revoke.',
    load: async () => (await import('./access/token.ts')).addTokenCommand,
  },
  key: {
    description: 'Keys of the Resource and Method API: create, list, rotate, revoke.',
    load: async () => (await import('./access/key.ts')).addKeyCommand,
  },
  user: {
    description: 'People who log in: create, invite, list, disable, enable, delete, new password.',
    load: async () => (await import('./access/user.ts')).addUserCommand,
  },
  role: {
    description: 'Roles: list, create, delete; grant them to users and revoke them.',
    load: async () => (await import('./access/role.ts')).addRoleCommand,
  },
  import: {
    description: 'Imports records from CSV, .xlsx and NDJSON files; lists and undoes imports.',
    load: async () => (await import('./import/import.ts')).addImportCommand,
  },
  export: {
    description: 'Writes records to CSV, .xlsx and NDJSON files, which can be imported again.',
    load: async () => (await import('./export/export.ts')).addExportCommand,
  },
  billing: {
    description: 'Billing: accounts, statement, ageing, journal, and the file for the bank of a run of direct debits.',
    load: async () => (await import('./billing.ts')).addBillingCommand,
  },
  apply: {
    description:
      'Applies a configuration file: document types, requirement profiles, pipeline, forms, roles, sessions, disclosures, billing, OneRoster, identity providers, required factors and custom fields.',
    load: async () => (await import('./settings/apply.ts')).addApplyCommand,
  },
  request: {
    description: 'Document requests: create, list, remind, revoke.',
    load: async () => (await import('./request.ts')).addRequestCommand,
  },
  receipt: {
    description: 'Looks up a receipt by its reference: what was received, from whom, and when.',
    load: async () => (await import('./receipt.ts')).addReceiptCommand,
  },
  form: {
    description: 'Forms: a link for one student.',
    load: async () => (await import('./form.ts')).addFormCommand,
  },
  demo: {
    description:
      'Fills a tenant with realistic, linked records, the same for the same seed, and creates credentials for it.',
    load: async () => (await import('./demo.ts')).addDemoCommand,
  },
  migrate: {
    description: 'Applies missing migrations while services run. The service also does so when it starts.',
    load: async () => (await import('./backup/migrate.ts')).addMigrateCommand,
  },
  doctor: {
    description: 'Checks configuration, storage, database, clock and tenant isolation, and says what to do.',
    load: async () => (await import('./diagnostics/doctor.ts')).addDoctorCommand,
  },
  backup: {
    description:
      'Backs up database and documents to one file while the service runs: a consistent snapshot, compressed, with checksums.',
    load: async () => (await import('./backup/backup.ts')).addBackupCommand,
  },
  restore: {
    description:
      'Restores a backup into an empty database, or one institution into a running service. Verifies the backup first and compares everything afterwards.',
    load: async () => (await import('./backup/restore.ts')).addRestoreCommand,
  },
  'upgrade-database': {
    description:
      'Upgrades the embedded database to the PostgreSQL major version of this release, while no service runs. The old one is kept until --confirm.',
    load: async () => (await import('./backup/upgrade-database.ts')).addUpgradeDatabaseCommand,
  },
  'refresh-collations': {
    description:
      'Rebuilds text indexes after an operating system update has changed the sort order, while services run. doctor reports when this is needed.',
    load: async () => (await import('./diagnostics/collations.ts')).addRefreshCollationsCommand,
  },
  storage: {
    description:
      'Shows or changes to which installation the stored files belong: no other one removes or changes them.',
    load: async () => (await import('./backup/storage.ts')).addStorageCommand,
  },
  'encrypt-files': {
    description:
      'Encrypts every stored file under the first key of FILES_KEY, plain ones and those under other keys, while services run. An interrupted run resumes where it stopped.',
    load: async () => (await import('./backup/encrypt-files.ts')).addEncryptFilesCommand,
  },
  stats: {
    description: 'Shows the number of records of each tenant, by type, and the size of the database.',
    load: async () => (await import('./tenants/stats.ts')).addStatsCommand,
  },
  events: {
    description: 'Events of a tenant: tail.',
    load: async () => (await import('./events.ts')).addEventsCommand,
  },
  webhook: {
    description: 'Webhook endpoints: create, list, update, delete, rotate, test, deliveries, redeliver.',
    load: async () => (await import('./webhook.ts')).addWebhookCommand,
  },
  audit: {
    description: 'Shows who changed what in a tenant, newest first: the last 100 without --since.',
    load: async () => (await import('./access/audit.ts')).addAuditCommand,
  },
  disclosures: {
    description:
      'Shows who read the records of a person, and through which integration, newest first: the last 100 without --since.',
    load: async () => (await import('./access/disclosures.ts')).addDisclosuresCommand,
  },
  'archive-audit': {
    description: 'Exports the audit of earlier months to a file, and with --yes deletes it from the database.',
    load: async () => (await import('./access/archive-audit.ts')).addArchiveAuditCommand,
  },
  mcp: {
    description:
      'Serves the operations of the Client API as tools to an assistant, over standard input and output (Model Context Protocol).',
    load: async () => (await import('./mcp.ts')).addMcpCommand,
  },
  'line-item': {
    description: 'Line items that learning platforms put by OneRoster.',
    load: async () => (await import('./oneroster/line-item.ts')).addLineItemCommands,
  },
  person: {
    description: 'Exports, erases or separates the data of one person.',
    load: async () => (await import('./person.ts')).addPersonCommand,
  },
  retention: {
    description:
      'Erases applications and documents whose retention period (retentionDays of their status or type) is over.',
    load: async () => (await import('./tenants/retention.ts')).addRetentionCommand,
  },
}

/** The program with the command that these words name, or whose words they complete; of the others it has name and description. */
async function programFor(words: readonly string[]): Promise<Command> {
  const matricula = rootCommand()
  const name = words[0] === 'complete' ? words[words.indexOf('--') + 1] : words[0]
  for (const [each, { description, load }] of Object.entries(commands)) {
    const command = matricula.command(each).description(description)
    if (each === name) (await load())(command)
  }
  tab(matricula, { completionCommandName: 'completion' })
  matricula.commands
    .find((command) => command.name() === 'completion')
    ?.description(
      'Completes these commands as you type: prints a script for bash, zsh, fish or powershell, see the README.',
    )
  return matricula
}

function rootCommand(): Command {
  return new Command('matricula')
    .description('Administers a Matricula service: tenants, tokens and keys, database. Works while the service runs.')
    .helpCommand(false)
    .enablePositionalOptions() // an option belongs to the command before it, also where that has commands of its own
    .showHelpAfterError('Add --help for usage.')
    .exitOverride()
    .version(programVersion, '-V, --version', 'print the version')
    .configureHelp({
      showGlobalOptions: false,
      optionDescription: describeOption,
      // Of a command that is not loaded only its name is known.
      subcommandTerm: (command) =>
        command.parent?.parent === null ? command.name() : Help.prototype.subcommandTerm(command),
    })
    .addHelpText(
      'after',
      `
The commands read the same environment as the service (DATABASE_URL, DATA_DIR, SECRET_KEY …); without DATABASE_URL they
use the embedded database under ./data. Every command takes --json, which prints one JSON object and nothing else.
Exit codes: 0 success, 1 failure, 2 invalid input. An error with --json is { "error": { "code", "message" } }.

First steps:
  matricula tenant create --slug hillside --name "Hillside College"
  matricula token create --tenant hillside --name "ERP sync" --scopes all --domains students,enrollment,payments`,
    )
    .hook('preAction', (_, command) => {
      const given = Object.keys(command.opts()).filter((name) => command.getOptionValueSource(name) === 'cli')
      nameCommand(getName(command), given)
    })
}

/** An option in the help: whether it must be given, and what it is when it is not. */
function describeOption(option: Option): string {
  const { description, mandatory, defaultValue, hidden } = option
  if (mandatory) return `${description} (required)`
  const isShown = typeof defaultValue === 'string' && defaultValue !== '' && !hidden
  return isShown ? `${description} (default: ${defaultValue})` : description
}

/** The words of a command, such as `token create`. */
function getName(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null ? command.name() : `${getName(parent)} ${command.name()}`
}

/** Runs the command that this process was started with, and sets its exit code. */
export async function runCommand(): Promise<void> {
  try {
    const matricula = await programFor(process.argv.slice(2))
    await matricula.parseAsync()
  } catch (error) {
    if (error instanceof StopRequested || isReaderGone(error)) return
    const isCommander = error instanceof CommanderError
    if (isCommander && error.exitCode === 0) return // help or the version was asked for
    // What helps to tell what failed is not loaded for the help.
    const { getFailure } = await import('./outcome.ts')
    const { code, message, exitCode } = getFailure(error)
    if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`)
    if (!isCommander) process.stderr.write(`matricula: ${message}\n`) // commander has said it
    process.exitCode = exitCode
  }
}

/** Whether a command failed because nobody reads what it writes any more, for which the process ends by itself. */
function isReaderGone(error: unknown): boolean {
  return stopRequest.aborted && (error as { code?: string } | null)?.code === 'EPIPE'
}
