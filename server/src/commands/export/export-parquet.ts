import type { Command } from 'commander'
import { CommandError } from '../../errors/index.ts'
import { exportParquet } from '../../features/imports/index.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'
import { disclosingExport } from './export-disclosures.ts'
import { recordExport, writeFolder } from './export-target.ts'

interface ParquetOptions {
  readonly tenant: string
  readonly output: string
  readonly since?: string
  readonly json?: boolean
}

/** `matricula export parquet`: the tables of an institution for analysis. */
export function addParquetCommand(family: Command): void {
  family
    .command('parquet')
    .description('Exports every table of an institution as Parquet files with a manifest, for analysis.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('-o, --output <place>', 'a folder, or s3://bucket/prefix?endpoint=…&region=…')
    .option('--since <position>', 'only what changed after the eventPosition of an earlier export')
    .option('--json', 'print one JSON object')
    .action(async (options: ParquetOptions) => {
      const { output, since } = options
      if (since !== undefined && !/^\d{1,15}$/.test(since)) {
        throw new CommandError('invalid_value', `${since} must be the eventPosition of a manifest, such as 4711.`)
      }
      const progress = new ProgressLine('Exporting', options.json === true)
      const manifest = await withOperator(async (operator) => {
        const record = await operator.requireTenant(options.tenant)
        return writeFolder(output, async (folder) => {
          await recordExport(operator, record, { kind: 'parquet', since: since ?? null })
          const asked = { operation: 'export parquet', filter: { since: since ?? null } }
          await disclosingExport(operator, record, asked, (disclosures) => disclosures.addEverybody())
          return exportParquet(operator.database, record.id, folder, since ?? null, (table, rows) => {
            progress.tell(`${table}: ${rows} rows`)
          })
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
