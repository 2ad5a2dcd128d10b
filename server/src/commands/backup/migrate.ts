import type { Command } from 'commander'
import { readConfig } from '../../app/config.ts'
import { bringUpToDate } from '../../app/prepare-database.ts'
import { type MigrationLog, planMigrations } from '../../database/index.ts'
import { warnOnly, withOpened } from '../operator.ts'
import { print } from '../outcome.ts'

interface MigrateOptions {
  readonly check?: boolean
  readonly json?: boolean
}

/** `matricula migrate`: brings the database to this version, or tells what that would do. */
export function addMigrateCommand(command: Command): void {
  command
    .option('--check', 'change nothing; list missing migrations, and exit with 1 if there are any')
    .option('--json', 'print one JSON object')
    .action(({ check, json }: MigrateOptions) => (check ? checkMigrations(json) : applyMigrations(json)))
}

async function applyMigrations(isJson: boolean | undefined): Promise<void> {
  const config = readConfig(process.env)
  const report = await withOpened(config, warnOnly, ({ connection }) =>
    bringUpToDate(connection, { log: progress, isByHand: true }),
  )
  const applied = report.applied.length === 0 ? 'Nothing to do' : `Applied ${report.applied.join(', ')}`
  const waiting = report.postponed.map((name) => `\n${name} waits until services of older versions have ended.`)
  print(isJson, report, `${applied}. The database is at ${report.current}.${waiting.join('')}`)
}

async function checkMigrations(isJson: boolean | undefined): Promise<void> {
  const config = readConfig(process.env)
  const plan = await withOpened(config, warnOnly, ({ connection }) => planMigrations(connection))
  const lines = plan.missing.map(({ name, kind, way, waitsFor }) => {
    const waits = waitsFor === null ? '' : `; it would wait: ${waitsFor}`
    return `missing  ${name} (${kind === 'expand' ? 'adds' : 'takes away'}, ${way}${waits})`
  })
  print(isJson, plan, [...lines, `${plan.missing.length} missing of those up to ${plan.current}.`].join('\n'))
  if (plan.missing.length > 0) process.exitCode = 1
}

/** Says on standard error how migrations go on, since standard output is the outcome. */
const progress: MigrationLog = { info: tell, warn: tell }

function tell(facts: object, message: string): void {
  const reported = Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : `${name} ${value}`))
  process.stderr.write(`${[message, ...reported].join(', ')}\n`)
}
