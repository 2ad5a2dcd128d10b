import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { openDatabase } from '../database/index.ts'
import { bringUpToDate } from '../tenant-seeds.ts'
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
      const log = { info: () => {}, warn: (message: string) => process.stderr.write(`${message}\n`) }
      const opened = await openDatabase({ ...config, purpose: 'command', log })
      try {
        const report = await bringUpToDate(opened.connection)
        const applied = report.applied.length === 0 ? 'Nothing to do' : `Applied ${report.applied.join(', ')}`
        print(options.json, report, `${applied}. The database is at ${report.current}.`)
      } finally {
        await opened.close()
      }
    })
}
