import tab from '@bomb.sh/tab/commander'
import { Command, CommanderError, type Option } from 'commander'
import { programVersion } from '../platform/program-version.ts'
import { StopRequested, stopRequest } from '../stopping.ts'
import { addApplyCommand } from './apply.ts'
import { addArchiveAuditCommand } from './archive-audit.ts'
import { addAuditCommand } from './audit.ts'
import { addBackupCommand } from './backup.ts'
import { addRefreshCollationsCommand } from './collations.ts'
import { addDemoCommand } from './demo.ts'
import { addDoctorCommand } from './doctor.ts'
import { addEncryptFilesCommand } from './encrypt-files.ts'
import { addEventsCommand } from './events.ts'
import { addFormCommand } from './form.ts'
import { addImportCommand } from './import.ts'
import { addKeyCommand } from './key.ts'
import { addMcpCommand } from './mcp.ts'
import { addMigrateCommand } from './migrate.ts'
import { nameCommand } from './operator.ts'
import { failureOf } from './outcome.ts'
import { addPersonCommand } from './person.ts'
import { addReceiptCommand } from './receipt.ts'
import { addRequestCommand } from './request.ts'
import { addRestoreCommand } from './restore.ts'
import { addRetentionCommand } from './retention.ts'
import { addRoleCommand } from './role.ts'
import { addStatsCommand } from './stats.ts'
import { addTenantCommand } from './tenant.ts'
import { addTokenCommand } from './token.ts'
import { addUpgradeDatabaseCommand } from './upgrade-database.ts'
import { addUserCommand } from './user.ts'
import { addWebhookCommand } from './webhook.ts'

const matricula = new Command('matricula')
  .description('Operates a Matricula service: its tenants, their tokens and keys, its database. Works while it runs.')
  .helpCommand(false)
  .enablePositionalOptions() // an option belongs to the command before it, also where that has commands of its own
  .showHelpAfterError('Add --help to see how it is used.')
  .exitOverride()
  .version(programVersion, '-V, --version', 'print the version')
  .configureHelp({ showGlobalOptions: false, optionDescription: describeOption })
  .addHelpText(
    'after',
    `
The commands read the same environment as the service (DATABASE_URL, DATA_DIR, SECRET_KEY …); without DATABASE_URL they
use the embedded database under ./data. Every command takes --json, which prints one JSON object and nothing else.
They end with 0 on success, 1 where something failed, and 2 where something wrong was put in. A refusal with --json is
{ "error": { "code", "message" } }.

First steps:
  matricula tenant create --slug hillside --name "Hillside College"
  matricula token create --tenant hillside --name "ERP sync" --scopes all --domains students,enrollment,payments`,
  )

matricula.hook('preAction', (_, command) => {
  const given = Object.keys(command.opts()).filter((name) => command.getOptionValueSource(name) === 'cli')
  nameCommand(nameOf(command), given)
})

addTenantCommand(matricula)
addTokenCommand(matricula)
addKeyCommand(matricula)
addUserCommand(matricula)
addRoleCommand(matricula)
addImportCommand(matricula)
addApplyCommand(matricula)
addRequestCommand(matricula)
addReceiptCommand(matricula)
addFormCommand(matricula)
addDemoCommand(matricula)
addMigrateCommand(matricula)
addDoctorCommand(matricula)
addBackupCommand(matricula)
addRestoreCommand(matricula)
addUpgradeDatabaseCommand(matricula)
addRefreshCollationsCommand(matricula)
addEncryptFilesCommand(matricula)
addStatsCommand(matricula)
addEventsCommand(matricula)
addWebhookCommand(matricula)
addAuditCommand(matricula)
addArchiveAuditCommand(matricula)
addMcpCommand(matricula)
addPersonCommand(matricula)
addRetentionCommand(matricula)
tab(matricula, { completionCommandName: 'completion' })
matricula.commands
  .find((command) => command.name() === 'completion')
  ?.description('Completes these commands as you type: put eval "$(matricula completion bash)" into your ~/.bashrc.')

/** An option in the help: whether it must be given, and what it is when it is not. */
function describeOption(option: Option): string {
  const { description, mandatory, defaultValue, hidden } = option
  if (mandatory) return `${description} (required)`
  const isShown = typeof defaultValue === 'string' && defaultValue !== '' && !hidden
  return isShown ? `${description} (default: ${defaultValue})` : description
}

/** The words of a command, such as `token create`. */
function nameOf(command: Command): string {
  const { parent } = command
  return parent === null || parent === matricula ? command.name() : `${nameOf(parent)} ${command.name()}`
}

/** Runs the command that this process was started with, and sets its exit code. */
export async function runCommand(): Promise<void> {
  try {
    await matricula.parseAsync()
  } catch (error) {
    if (error instanceof StopRequested || isReaderGone(error)) return
    const isCommander = error instanceof CommanderError
    if (isCommander && error.exitCode === 0) return // help or the version was asked for
    const { code, message, exitCode } = failureOf(error)
    if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`)
    if (!isCommander) process.stderr.write(`matricula: ${message}\n`) // commander has said it
    process.exitCode = exitCode
  }
}

/** Whether a command failed because nobody reads what it writes any more, for which the process ends by itself. */
function isReaderGone(error: unknown): boolean {
  return stopRequest.aborted && (error as { code?: string } | null)?.code === 'EPIPE'
}
