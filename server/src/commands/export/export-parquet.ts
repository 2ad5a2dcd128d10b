import { mkdir } from 'node:fs/promises'
import type { Command } from 'commander'
import { recordRegistry } from '../../app/record-definitions.ts'
import { CommandError } from '../../errors/index.ts'
import { exportParquet } from '../../features/imports/index.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'
import { recordExport } from './export-target.ts'

interface ParquetOptions {
  readonly tenant: string
  readonly output: string
  readonly json?: boolean
}

/** `matricula export parquet`: the tables of an institution for analysis. */
export function addParquetCommand(family: Command): void {
  family
    .command('parquet')
    .description('Exports every table of an institution as Parquet files with a manifest, for analysis.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('-o, --output <folder>', 'the folder')
    .option('--json', 'print one JSON object')
    .action(async (options: ParquetOptions) => {
      const { output } = options
      if (output.startsWith('s3://')) {
        throw new CommandError('invalid_value', `${output} must be a folder: copy it to the bucket afterwards.`)
      }
      const progress = new ProgressLine('Exporting', options.json === true)
      const manifest = await withOperator(async (operator) => {
        const record = await operator.requireTenant(options.tenant)
        await mkdir(output, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
          throw new CommandError('invalid_value', `${output} cannot be written (${error.code}).`)
        })
        await recordExport(operator, record, { kind: 'parquet' })
        return exportParquet(operator.database, recordRegistry, record.id, output, (table, rows) => {
          progress.tell(`${table}: ${rows} rows`)
        })
      })
      progress.end()
      const { eventPosition, tables } = manifest
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      print(
        options.json,
        { export: { folder: output, eventPosition, tables } },
        `${rows} rows in ${tables.length} files`,
      )
    })
}
