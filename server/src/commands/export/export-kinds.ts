import { importKinds } from '@matricula/contract'
import type { Command } from 'commander'
import { exportedKind, writeRecordsFile } from '../../features/imports/index.ts'
import { importCaller } from '../import/import-caller.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'
import { disclosedByKinds, disclosingExport } from './export-disclosures.ts'
import { type ExportOptions, getFormat, getSince, recordExport, writeTarget } from './export-target.ts'

/** `matricula export <kind>`, for each kind of records. */
export function addKindCommands(family: Command): void {
  for (const kind of importKinds) {
    family
      .command(kind)
      .description(`Exports ${kind.replace('-', ' ')}.`)
      .requiredOption('--tenant <slug>', 'the tenant')
      .requiredOption('-o, --output <file>', 'the file; - for standard output')
      .option('--format <format>', 'csv, xlsx or ndjson (default: by the ending of the file, else csv)')
      .option('--since <time>', 'only records that changed at or after this moment')
      .option('--json', 'print one JSON object')
      .action(async (options: ExportOptions) => {
        const format = getFormat(options)
        const since = getSince(options)
        const progress = new ProgressLine(`Exporting ${kind}`, options.json === true)
        let rows = 0
        await withOperator(async (operator) => {
          const record = await operator.requireTenant(options.tenant)
          const { tenant } = await importCaller(operator, record)
          await recordExport(operator, record, { kind, since })
          await disclosingExport(
            operator,
            record,
            { operation: `export ${kind}`, filter: { since } },
            (disclosures) => {
              const exported = exportedKind(operator.database, tenant, kind, since)
              const records = disclosures.follow(exported, disclosedByKinds[kind])
              const content = writeRecordsFile(records, format, (count) => {
                rows += count
                progress.tell(`${rows} rows`)
              })
              return writeTarget(options.output, content)
            },
          )
        })
        progress.end()
        if (options.output === '-') return
        const exported = { kind, format, file: options.output, rows }
        print(options.json, { export: exported }, `${rows} ${kind} in ${options.output}`)
      })
  }
}
