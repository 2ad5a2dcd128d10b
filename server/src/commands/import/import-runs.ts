import type { Command } from 'commander'
import { recordRegistry } from '../../app/record-definitions.ts'
import { listRuns, type StoredRun, type UndoReport, undoImport } from '../../features/imports/index.ts'
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
    .argument('<runs...>', 'the ids of the imports, the latest first')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nEnds with 1 where records were to be taken back and all of them had to stay.')
    .action(async (runIds: string[], options: RunOptions) => {
      const reports = await withOperator(async (operator) => {
        const tenant = await operator.requireTenant(options.tenant)
        const caller = await importCaller(operator, tenant)
        const platform = { database: operator.database, registry: recordRegistry }
        const done: UndoReport[] = []
        for (const runId of runIds) done.push(await undoImport(platform, caller, runId))
        return done
      })
      const [only, ...others] = reports
      const facts = others.length === 0 ? only : { undone: reports }
      print(options.json, facts as object, reports.map((report) => toText(report, others.length > 0)).join('\n'))
      const undone = reports.reduce((sum, { run }) => sum + run.undone, 0)
      if (undone === 0 && reports.some(({ run }) => run.kept > 0)) process.exitCode = 1
    })
}

function toText({ run, kept }: UndoReport, isOneOfMany: boolean): string {
  const lines = kept.slice(0, shownKept).map(({ externalId, id, detail }) => `${externalId ?? id}: ${detail}`)
  if (kept.length > shownKept) lines.push(`… and ${kept.length - shownKept} more (all of them with --json)`)
  return [...lines, `${isOneOfMany ? `${run.id}  ` : ''}${run.undone} undone, ${run.kept} kept`].join('\n')
}

/** How many records that stay are named. */
const shownKept = 10

function toLine({ id, startedAt, kind, file, created, updated, ...run }: StoredRun): string {
  const undone = run.undoneAt === null ? '' : `, ${run.undone} undone${run.kept === 0 ? '' : `, ${run.kept} kept`}`
  return `${id}  ${startedAt.slice(0, 16)}  ${kind}  ${file}: ${created} created, ${updated} updated${undone}`
}
