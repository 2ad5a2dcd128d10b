import { Command, CommanderError } from 'commander'
import { addApplyCommand } from './commands/apply.ts'
import { addDemoCommand } from './commands/demo.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addFormCommand } from './commands/form.ts'
import { addImportCommand } from './commands/import.ts'
import { addKeyCommand } from './commands/key.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { exitCodeOf, explain } from './commands/outcome.ts'
import { addRoleCommand } from './commands/role.ts'
import { addTenantCommand } from './commands/tenant.ts'
import { addTokenCommand } from './commands/token.ts'
import { addUserCommand } from './commands/user.ts'

const program = new Command('matricula')
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

addTenantCommand(program)
addTokenCommand(program)
addKeyCommand(program)
addUserCommand(program)
addRoleCommand(program)
addImportCommand(program)
addApplyCommand(program)
addFormCommand(program)
addDemoCommand(program)
addMigrateCommand(program)
addDoctorCommand(program)

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2
  } else {
    const message = explain(error)
    if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: { message } })}\n`)
    process.stderr.write(`matricula: ${message}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
