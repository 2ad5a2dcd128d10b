import type { Command } from 'commander'
import { recordRegistry } from '../../app/record-definitions.ts'
import { listRuns, type StoredRun, undoImport } from '../../features/imports/index.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { importCaller } from './import-caller.ts'

interface RunOptions {
  readonly tenant: string
  readonly json?: boolean
}

/** `matricula import list` and `matricula import undo RUN`. */
export function addRunCommands(family: Command): void {
  family
    .command('list')
    .description('Lists the latest imports.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (options: RunOptions) => {
      const runs = await withOperator(async (operator) => {
        const tenant = await operator.requireTenant(options.tenant)
        return listRuns(operator.database, tenant.id)
      })
      print(options.json, { runs }, runs.length === 0 ? 'Nothing was imported yet.' : runs.map(toLine).join('\n'))
    })

  family
    .command('undo')
    .description('Takes back what an import created or changed, where nothing changed since.')
    .argument('<run>', 'the id of the import')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (runId: string, options: RunOptions) => {
      const report = await withOperator(async (operator) => {
        const tenant = await operator.requireTenant(options.tenant)
        const caller = await importCaller(operator, tenant)
        return undoImport({ database: operator.database, registry: recordRegistry }, caller, runId)
      })
      const { run, kept } = report
      const lines = kept.slice(0, shownKept).map(({ externalId, id, detail }) => `${externalId ?? id}: ${detail}`)
      if (kept.length > shownKept) lines.push(`… and ${kept.length - shownKept} more (all of them with --json)`)
      print(options.json, report, [...lines, `${run.undone} undone, ${run.kept} kept`].join('\n'))
      if (run.undone === 0 && run.kept > 0) process.exitCode = 1
    })
}

/** How many records that stay are named. */
const shownKept = 10

function toLine({ id, startedAt, kind, file, created, updated, ...run }: StoredRun): string {
  const undone = run.undoneAt === null ? '' : `, ${run.undone} undone${run.kept === 0 ? '' : `, ${run.kept} kept`}`
  return `${id}  ${startedAt.slice(0, 16)}  ${kind}  ${file}: ${created} created, ${updated} updated${undone}`
}
