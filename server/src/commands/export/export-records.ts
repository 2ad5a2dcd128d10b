import type { Command } from 'commander'
import { recordRegistry } from '../../app/record-definitions.ts'
import { CommandError } from '../../errors/index.ts'
import { exportedType, writeRecordsFile } from '../../features/imports/index.ts'
import { RecordError, recordsOfTenant } from '../../record-engine/index.ts'
import { importCaller } from '../import/import-caller.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { disclosingExport, getDisclosedRows } from './export-disclosures.ts'
import { type ExportOptions, getFormat, getSince, recordExport, writeTarget } from './export-target.ts'

/** `matricula export records "Doctype"`: the records of one type of the Resource API. */
export function addRecordsCommand(family: Command): void {
  family
    .command('records')
    .description('Exports the records of one type of the Resource API, such as "Student Group".')
    .argument('<type>', 'the record type')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('-o, --output <file>', 'the file; - for standard output')
    .option('--format <format>', 'csv, xlsx or ndjson (default: by the ending of the file, else csv)')
    .option('--since <time>', 'only records that changed at or after this moment')
    .option('--json', 'print one JSON object')
    .action(async (typeName: string, options: ExportOptions) => {
      const format = getFormat(options)
      const since = getSince(options)
      let rows = 0
      await withOperator(async (operator) => {
        const record = await operator.requireTenant(options.tenant)
        const { tenant, actor } = await importCaller(operator, record)
        const caller = {
          tenant,
          kind: 'key',
          user: 'Administrator',
          fullName: 'Administrator',
          roles: new Set(['System Manager']),
          actor,
          requestId: null,
          address: null,
        } as const
        const registry = recordsOfTenant(recordRegistry, tenant.customFields)
        try {
          const records = await exportedType(operator.database, registry, caller, typeName, since)
          await recordExport(operator, record, { type: typeName, since })
          const disclosed = getDisclosedRows(registry.require(typeName).type)
          const asked = { operation: 'export records', filter: { type: typeName, since } }
          await disclosingExport(operator, record, asked, (disclosures) =>
            writeTarget(
              options.output,
              writeRecordsFile(disclosures.follow(records, disclosed), format, (count) => {
                rows += count
              }),
            ),
          )
        } catch (error) {
          if (!(error instanceof RecordError)) throw error
          throw new CommandError('not_found', error.message)
        }
      })
      if (options.output === '-') return
      const exported = { type: typeName, format, file: options.output, rows }
      print(options.json, { export: exported }, `${rows} records in ${options.output}`)
    })
}
