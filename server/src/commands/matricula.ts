import { Command, CommanderError } from 'commander'
import { endWhenStopped, StopRequested } from '../stopping.ts'
import { addApplyCommand } from './apply.ts'
import { addAuditCommand } from './audit.ts'
import { addDemoCommand } from './demo.ts'
import { addDoctorCommand } from './doctor.ts'
import { addEventsCommand } from './events.ts'
import { addFormCommand } from './form.ts'
import { addImportCommand } from './import.ts'
import { addKeyCommand } from './key.ts'
import { addMigrateCommand } from './migrate.ts'
import { nameCommand } from './operator.ts'
import { exitCodeOf, explain } from './outcome.ts'
import { addRoleCommand } from './role.ts'
import { addTenantCommand } from './tenant.ts'
import { addTokenCommand } from './token.ts'
import { addUserCommand } from './user.ts'

const matricula = new Command('matricula')
  .description('Operates a Matricula service: its tenants, their tokens and keys, its database. Works while it runs.')
  .helpCommand(false)
  .showHelpAfterError('Add --help to see how it is used.')
  .exitOverride()
  .configureHelp({ showGlobalOptions: false })
  .addHelpText(
    'after',
    `
The commands read the same environment as the service (DATABASE_URL, DATA_DIR, SECRET_KEY …); without DATABASE_URL they
use the embedded database under ./data. Every command takes --json, which prints one JSON object and nothing else.
They end with 0 on success, 1 on failure and 2 on wrong usage.

First steps:
  matricula tenant create --slug hillside --name "Hillside College"
  matricula token create --tenant hillside --name "ERP sync" --scopes all --domains students,enrollment,payments`,
  )

matricula.hook('preAction', (_, command) => nameCommand(nameOf(command), Object.keys(command.opts())))

addTenantCommand(matricula)
addTokenCommand(matricula)
addKeyCommand(matricula)
addUserCommand(matricula)
addRoleCommand(matricula)
addImportCommand(matricula)
addApplyCommand(matricula)
addFormCommand(matricula)
addDemoCommand(matricula)
addMigrateCommand(matricula)
addDoctorCommand(matricula)
addEventsCommand(matricula)
addAuditCommand(matricula)

/** The words of a command, such as `token create`. */
function nameOf(command: Command): string {
  const { parent } = command
  return parent === null || parent === matricula ? command.name() : `${nameOf(parent)} ${command.name()}`
}

/** Runs the command that this process was started with, and sets its exit code. */
export async function runCommand(): Promise<void> {
  endWhenStopped()
  try {
    await matricula.parseAsync()
  } catch (error) {
    if (error instanceof StopRequested) return
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2
      return
    }
    const message = explain(error)
    if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: { message } })}\n`)
    process.stderr.write(`matricula: ${message}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
