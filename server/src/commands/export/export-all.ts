import { Readable } from 'node:stream'
import { importKinds } from '@matricula/contract'
import type { Command } from 'commander'
import yazl from 'yazl'
import { exportedKind, writeRecordsFile } from '../../features/imports/index.ts'
import { importCaller } from '../import/import-caller.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { ProgressLine } from '../progress-line.ts'
import { disclosedByKinds, disclosingExport } from './export-disclosures.ts'
import { type ExportOptions, getFormat, getSince, recordExport, writeTarget } from './export-target.ts'

/** `matricula export all`: every kind of records, as files of one archive. */
export function addAllCommand(family: Command): void {
  family
    .command('all')
    .description('Exports every kind of records as the files of a zip archive.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('-o, --output <file>', 'the zip archive; - for standard output')
    .option('--format <format>', 'the format of the files: csv, xlsx or ndjson', 'csv')
    .option('--since <time>', 'only records that changed at or after this moment')
    .option('--json', 'print one JSON object')
    .action(async (options: ExportOptions) => {
      const format = getFormat(options)
      const since = getSince(options)
      const progress = new ProgressLine('Exporting', options.json === true)
      const counts: Record<string, number> = {}
      await withOperator(async (operator) => {
        const record = await operator.requireTenant(options.tenant)
        const { tenant } = await importCaller(operator, record)
        await recordExport(operator, record, { kind: 'all', since })
        const asked = { operation: 'export all', filter: { since } }
        await disclosingExport(operator, record, asked, async (disclosures) => {
          const zip = new yazl.ZipFile()
          const fill = async () => {
            for (const kind of importKinds) {
              const records = disclosures.follow(
                exportedKind(operator.database, tenant, kind, since),
                disclosedByKinds[kind],
              )
              counts[kind] = 0
              const content = writeRecordsFile(records, format, (count) => {
                counts[kind] = (counts[kind] ?? 0) + count
                progress.tell(`${kind}: ${counts[kind]} rows`)
              })
              const file = Readable.from(content)
              const isRead = new Promise<void>((resolve, reject) => file.once('close', resolve).once('error', reject))
              zip.addReadStream(file, `${kind}.${format}`)
              // One file after the other: each takes a connection.
              await isRead
            }
            zip.end()
          }
          const output = zip.outputStream as Readable
          const filled = fill().catch((error: Error) => void output.destroy(error))
          await writeTarget(options.output, output as AsyncIterable<Uint8Array>)
          await filled
        })
      })
      progress.end()
      if (options.output === '-') return
      const lines = Object.entries(counts).map(([kind, rows]) => `${kind.padEnd(18)} ${rows}`)
      print(options.json, { export: { kind: 'all', format, file: options.output, counts } }, lines.join('\n'))
    })
}
