import { readFile } from 'node:fs/promises'
import { type AnyImportKind, importKinds, setupKinds } from '@matricula/contract'
import type { Command } from 'commander'
import { parseDocument } from 'yaml'
import { recordRegistry } from '../../app/record-definitions.ts'
import { CommandError, Problem, unreadableFile } from '../../errors/index.ts'
import {
  type ImportError,
  type ImportReport,
  inspectFile,
  readMapping,
  runImport,
  UnreadableFile,
  unreadableReport,
} from '../../features/imports/index.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'
import { importCaller } from './import-caller.ts'

interface ImportOptions {
  readonly tenant: string
  readonly dryRun?: boolean
  readonly map?: string
  readonly maxChange?: string
  readonly report?: string
  readonly skipFaulty?: boolean
  readonly json?: boolean
}

/** `matricula import <kind> FILE`, for each kind of records. */
export function addKindCommands(family: Command): void {
  for (const kind of [...importKinds, ...setupKinds]) {
    family
      .command(kind)
      .description(`Imports ${kind.replace('-', ' ')}; the same file again changes nothing.`)
      .argument('<file>', 'a CSV, .xlsx or NDJSON file')
      .requiredOption('--tenant <slug>', 'the tenant')
      .option('--dry-run', 'check everything and write nothing')
      .option('--map <file>', 'YAML: which column is which field, how dates and decimals are written')
      .option('--max-change <share>', 'refuse to change more of the existing records than this, such as 20%')
      .option('--skip-faulty', 'import the other rows, and write the faulty ones to a report')
      .option(
        '--report <file>',
        'where faulty rows go, also of a dry run (default with --skip-faulty: FILE.refused.csv)',
      )
      .option('--json', 'print one JSON object')
      .action((file: string, options: ImportOptions) => importFile(kind, file, options))
  }
}

async function importFile(kind: AnyImportKind, fileName: string, options: ImportOptions): Promise<void> {
  const maxChange = options.maxChange === undefined ? null : parseShare(options.maxChange)
  const mapping = options.map === undefined ? {} : await readMap(options.map)
  const isDryRun = options.dryRun === true
  const skipsRefused = options.skipFaulty === true
  const report = await withOperator(async (operator) => {
    const tenant = await operator.requireTenant(options.tenant)
    const caller = await importCaller(operator, tenant)
    const progress = new ProgressLine(`Importing ${kind}`, options.json === true)
    try {
      const file = await inspectFile(fileName)
      const reportPath = options.report ?? (skipsRefused ? `${fileName}.refused.${file.format}` : null)
      return await runImport({ database: operator.database, registry: recordRegistry }, caller, {
        kind,
        file,
        fileName,
        mapping,
        isDryRun,
        skipsRefused,
        maxChange,
        reportPath,
        progress: (rows) => progress.tell(`${rows} rows`),
      })
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      return unreadableReport({ kind, fileName, isDryRun }, error)
    } finally {
      progress.end()
    }
  })
  printReport(report, options)
}

/** A share such as 20%, from 0 to 1. Throws `CommandError`. */
function parseShare(text: string): number {
  const number = /^(\d+(?:\.\d+)?)%?$/.exec(text)?.[1]
  const share = Number(number) / 100
  if (number !== undefined && share <= 1) return share
  throw new CommandError('invalid_value', `${text} must be a share from 0% to 100%.`)
}

async function readMap(path: string) {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unreadableFile(path, error)
  })
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) throw new CommandError('invalid_file', `${path} is not valid YAML: ${error.message}`)
  try {
    return readMapping(document.toJS())
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    const { errors = [] } = problem.extra as { errors?: readonly { pointer?: string; detail: string }[] }
    const lines = errors.map(({ pointer, detail }) => `  ${pointer}: ${detail}`).join('\n')
    throw new CommandError('invalid_file', `${path} is no map of an import:\n${lines}`)
  }
}

function printReport(report: ImportReport, { json, maxChange }: ImportOptions): void {
  const { run, errors, errorCount, conflicts, refusal } = report
  const message =
    refusal === 'too_many_changes'
      ? `More than ${maxChange} of the existing records would change. Nothing was written.`
      : `${run.file} has faults. Nothing was written.`
  const found = {
    run,
    faults: errors,
    faultCount: errorCount,
    conflicts,
    ...(report.report !== null && { report: report.report }),
  }
  const error = refusal === null ? {} : { error: { code: refusal, message } }
  const lines = [
    ...errors.map((error) => (error.line === null ? `${error.file}: ${toLine(error)}` : toLine(error))),
    ...(errorCount > errors.length ? [`… and ${errorCount - errors.length} more`] : []),
    ...conflicts.map((conflict) => `${toLine(conflict)} (kept)`),
    `${run.created} created, ${run.updated} updated, ${run.unchanged} unchanged, ${run.refused} refused${run.dryRun ? ' (dry run: nothing was written)' : ''}`,
    ...(report.report === null ? [] : [`Refused rows: ${report.report}`]),
    ...(refusal === null && !run.dryRun ? [`Run ${run.id}`] : []),
  ]
  print(json, { ...found, ...error }, lines.join('\n'))
  if (refusal === null) return
  process.stderr.write(`matricula: ${message}\n`)
  process.exitCode = refusal === 'invalid_file' ? 2 : 1
}

/** A fault as a line of text. */
export function toLine({ sheet, line, column, heading, code, detail, remedy }: ImportError): string {
  const places = [
    sheet === null ? null : `sheet ${sheet}`,
    line === null ? null : `line ${line}`,
    column === null ? null : `column ${column}`,
    heading === null ? null : JSON.stringify(heading),
  ]
  return `${places.filter((place) => place !== null).join(', ')}: ${code}: ${detail}. ${remedy}`.replace(/^: /, '')
}
