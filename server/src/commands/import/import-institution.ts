import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { type AnyImportKind, institutionKinds } from '@matricula/contract'
import type { Command } from 'commander'
import { recordRegistry } from '../../app/record-definitions.ts'
import { CommandError } from '../../errors/index.ts'
import {
  type ImportReport,
  type ImportRequest,
  inspectFile,
  runImports,
  UnreadableFile,
  unreadableReport,
} from '../../features/imports/index.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'
import { importCaller } from './import-caller.ts'
import { toLine } from './import-kinds.ts'

interface InstitutionOptions {
  readonly tenant: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

interface KindFile {
  readonly kind: AnyImportKind
  readonly path: string
}

const extensions: ReadonlySet<string> = new Set(['.csv', '.xlsx', '.ndjson'])

/** `matricula import institution FOLDER`: all that a new institution begins with, as one import. */
export function addInstitutionCommand(family: Command): void {
  family
    .command('institution')
    .description('Imports a folder of files, one for each kind of records, all or nothing; see import template.')
    .argument('<folder>', `a folder with files such as ${institutionKinds.slice(0, 3).join('.csv, ')}.csv`)
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--dry-run', 'check everything and write nothing')
    .option('--json', 'print one JSON object')
    .action(async (folder: string, options: InstitutionOptions) => {
      const files = await findFiles(folder)
      const reports = await withOperator(async (operator) => {
        const tenant = await operator.requireTenant(options.tenant)
        const caller = await importCaller(operator, tenant)
        const progress = new ProgressLine('Importing', options.json === true)
        try {
          const { requests, unreadable } = await inspectFiles(files, options.dryRun === true, progress)
          if (unreadable !== null) return [unreadable]
          return await runImports({ database: operator.database, registry: recordRegistry }, caller, requests)
        } finally {
          progress.end()
        }
      })
      printReports(reports, options)
    })
}

/** The files of a folder in the order of their kinds. Throws `CommandError` for one that is of no kind, and for none at all. */
async function findFiles(folder: string): Promise<KindFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`
    throw new CommandError('invalid_value', `The folder ${folder} ${reason}.`)
  })
  const files = names
    .filter((name) => extensions.has(extname(name).toLowerCase()) && !name.startsWith('.'))
    .map((name) => ({ path: join(folder, name), kind: basename(name, extname(name)) }))
  const unknown = files.find(({ kind }) => !institutionKinds.some((each) => each === kind))
  if (unknown !== undefined) {
    const known = institutionKinds.join(', ')
    throw new CommandError('invalid_value', `${unknown.path} is of no kind. Name each file by what it has: ${known}.`)
  }
  const found = institutionKinds.flatMap((kind) => files.filter((file) => file.kind === kind))
  const twice = found.find(({ kind }, index) => found[index + 1]?.kind === kind)
  if (twice !== undefined) throw new CommandError('invalid_value', `There are two files of ${twice.kind}. Remove one.`)
  if (found.length === 0) {
    throw new CommandError('invalid_value', `${folder} has no files. matricula import template writes empty ones.`)
  }
  return found as KindFile[]
}

async function inspectFiles(
  files: readonly KindFile[],
  isDryRun: boolean,
  progress: ProgressLine,
): Promise<{ readonly requests: ImportRequest[]; readonly unreadable: ImportReport | null }> {
  const requests: ImportRequest[] = []
  for (const { kind, path } of files) {
    try {
      requests.push({
        kind,
        file: await inspectFile(path),
        fileName: path,
        mapping: {},
        isDryRun,
        skipsRefused: false,
        maxChange: null,
        reportPath: null,
        progress: (rows) => progress.tell(`${kind}: ${rows} rows`),
      })
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      return { requests, unreadable: unreadableReport({ kind, fileName: path, isDryRun }, error) }
    }
  }
  return { requests, unreadable: null }
}

function printReports(reports: readonly ImportReport[], { json, tenant }: InstitutionOptions): void {
  const faults = reports.flatMap(({ errors }) => errors).slice(0, 100)
  const faultCount = reports.reduce((sum, { errorCount }) => sum + errorCount, 0)
  const conflicts = reports.flatMap((report) => report.conflicts).slice(0, 100)
  const isRefused = reports.some(({ refusal }) => refusal !== null)
  const message = 'The files have faults. Nothing was written.'
  const error = isRefused ? { error: { code: 'invalid_file', message } } : {}
  const runs = reports.map(({ run }) => run)
  const lines = [
    ...faults.map((fault) => `${fault.file}: ${toLine(fault)}`),
    ...(faultCount > faults.length ? [`… and ${faultCount - faults.length} more`] : []),
    ...conflicts.map((conflict) => `${conflict.file}: ${toLine(conflict)} (kept)`),
    ...runs.map(
      ({ id, kind, created, updated, unchanged, refused, dryRun }) =>
        `${kind.padEnd(18)} ${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused` +
        `${isRefused ? '' : dryRun ? ' (dry run: nothing was written)' : `  ${id}`}`,
    ),
    ...(isRefused ? [] : undoing(runs, tenant)),
  ]
  print(json, { runs, faults, faultCount, conflicts, ...error }, lines.join('\n'))
  if (!isRefused) return
  process.stderr.write(`matricula: ${message}\n`)
  process.exitCode = 2
}

/** How to take all of it back: what came last first. */
function undoing(runs: readonly ImportReport['run'][], tenant: string): string[] {
  const written = runs.filter(({ dryRun, created, updated }) => !dryRun && created + updated > 0)
  if (written.length === 0) return []
  const ids = written.map(({ id }) => id).toReversed()
  return [`To take it back: matricula import undo --tenant ${tenant} ${ids.join(' ')}`]
}
