import tab from '@bomb.sh/tab/commander'
import { Command, CommanderError, type Option } from 'commander'
import { StopRequested, stopRequest } from '../app/shutdown.ts'
import { programVersion } from '../values/index.ts'
import { getFailure } from './outcome.ts'
import { nameCommand } from './running-command.ts'

type AddCommand = (program: Command) => void

/**
 * The commands in the order in which the help tells them, and where each is declared: only the one that is asked for
 * is loaded, because to load them all takes most of a second.
 */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  tenant: async () => (await import('./tenants/tenant.ts')).addTenantCommand,
  token: async () => (await import('./access/token.ts')).addTokenCommand,
  key: async () => (await import('./access/key.ts')).addKeyCommand,
  user: async () => (await import('./access/user.ts')).addUserCommand,
  role: async () => (await import('./access/role.ts')).addRoleCommand,
  import: async () => (await import('./import/import.ts')).addImportCommand,
  export: async () => (await import('./export/export.ts')).addExportCommand,
  billing: async () => (await import('./billing.ts')).addBillingCommand,
  apply: async () => (await import('./settings/apply.ts')).addApplyCommand,
  request: async () => (await import('./request.ts')).addRequestCommand,
  receipt: async () => (await import('./receipt.ts')).addReceiptCommand,
  form: async () => (await import('./form.ts')).addFormCommand,
  demo: async () => (await import('./demo.ts')).addDemoCommand,
  migrate: async () => (await import('./backup/migrate.ts')).addMigrateCommand,
  doctor: async () => (await import('./diagnostics/doctor.ts')).addDoctorCommand,
  backup: async () => (await import('./backup/backup.ts')).addBackupCommand,
  restore: async () => (await import('./backup/restore.ts')).addRestoreCommand,
  'upgrade-database': async () => (await import('./backup/upgrade-database.ts')).addUpgradeDatabaseCommand,
  'refresh-collations': async () => (await import('./diagnostics/collations.ts')).addRefreshCollationsCommand,
  storage: async () => (await import('./backup/storage.ts')).addStorageCommand,
  'encrypt-files': async () => (await import('./backup/encrypt-files.ts')).addEncryptFilesCommand,
  stats: async () => (await import('./tenants/stats.ts')).addStatsCommand,
  events: async () => (await import('./events.ts')).addEventsCommand,
  webhook: async () => (await import('./webhook.ts')).addWebhookCommand,
  audit: async () => (await import('./access/audit.ts')).addAuditCommand,
  disclosures: async () => (await import('./access/disclosures.ts')).addDisclosuresCommand,
  'archive-audit': async () => (await import('./access/archive-audit.ts')).addArchiveAuditCommand,
  mcp: async () => (await import('./mcp.ts')).addMcpCommand,
  'line-item': async () => (await import('./oneroster/line-item.ts')).addLineItemCommands,
  person: async () => (await import('./person.ts')).addPersonCommand,
  retention: async () => (await import('./tenants/retention.ts')).addRetentionCommand,
}

/**
 * The program with the command of this name, or with all of them where there is none such: for the help, and for what
 * completes words.
 */
async function programFor(name: string | undefined): Promise<Command> {
  const matricula = rootCommand()
  const one = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (one !== undefined) {
    const add = await one()
    add(matricula)
    return matricula
  }
  for (const load of Object.values(commands)) {
    const add = await load()
    add(matricula)
  }
  tab(matricula, { completionCommandName: 'completion' })
  matricula.commands
    .find((command) => command.name() === 'completion')
    ?.description('Completes these commands as you type: add eval "$(matricula completion bash)" to your ~/.bashrc.')
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
    .configureHelp({ showGlobalOptions: false, optionDescription: describeOption })
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
    const matricula = await programFor(process.argv[2])
    await matricula.parseAsync()
  } catch (error) {
    if (error instanceof StopRequested || isReaderGone(error)) return
    const isCommander = error instanceof CommanderError
    if (isCommander && error.exitCode === 0) return // help or the version was asked for
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
