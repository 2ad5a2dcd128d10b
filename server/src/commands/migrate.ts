import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { bringUpToDate } from '../tenant-seeds.ts'
import { warnOnly, withOpened } from './operator.ts'
import { print } from './outcome.ts'

/** `matricula migrate`: brings the database to this version. */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description(
      'Applies the migrations that the database does not have yet. The service does so itself when it starts.',
    )
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const config = readConfig(process.env)
      const report = await withOpened(config, warnOnly, ({ connection }) => bringUpToDate(connection))
      const applied = report.applied.length === 0 ? 'Nothing to do' : `Applied ${report.applied.join(', ')}`
      print(options.json, report, `${applied}. The database is at ${report.current}.`)
    })
}
