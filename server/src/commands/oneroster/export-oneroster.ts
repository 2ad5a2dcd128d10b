import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { Command } from 'commander'
import { recordAccess } from '../../changes/index.ts'
import { CommandError } from '../../errors/index.ts'
import { type BundleCounts, writeBundle } from '../../features/oneroster/index.ts'
import { parseStamp } from '../../http/index.ts'
import { disclosingExport } from '../export/export-disclosures.ts'
import { operatorContext, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

interface ExportOptions {
  readonly tenant: string
  readonly output: string
  readonly since?: string
  readonly json?: boolean
}

/** `matricula export oneroster`: a bundle of OneRoster CSV 1.2. */
export function addExportOneRosterCommand(family: Command): void {
  family
    .command('oneroster')
    .description('Writes a OneRoster 1.2 CSV bundle: everything (bulk), or what changed since a time (delta).')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('-o, --output <file>', 'the zip file to write; - for standard output')
    .option('--since <time>', 'only what changed since, such as 2026-09-01')
    .option('--json', 'print one JSON object')
    .action(async (options: ExportOptions) => {
      const since = options.since === undefined ? null : parseStamp(options.since)
      if (options.since !== undefined && since === null) {
        throw new CommandError(
          'invalid_value',
          `${options.since} is no time: write 2026-09-01 or 2026-09-01T08:00:00Z.`,
        )
      }
      const rows = await withOperator(async (operator) => {
        const tenant = await operator.requireTenant(options.tenant)
        await operator.database.transaction(tenant.id, async (tx) => {
          const access = { action: 'oneroster.exported', entityType: 'tenant', entityId: tenant.id, facts: { since } }
          recordAccess(tx, operatorContext(tenant), access)
        })
        const asked = { operation: 'export oneroster', filter: { since } }
        await disclosingExport(operator, tenant, asked, (disclosures) => disclosures.addEverybody())
        return toOutput(options.output, (to) => writeBundle(operator.database, tenant, to, since))
      })
      if (options.output === '-') return
      const lines = Object.entries(rows).map(([file, count]) => `${`${file}.csv`.padEnd(26)} ${count}`)
      print(options.json, { file: options.output, rows }, lines.join('\n') || 'Nothing to export.')
    })
}

/** Writes to a file that appears under its name once it is complete, or to standard output. */
async function toOutput(path: string, write: (to: Writable) => Promise<BundleCounts>): Promise<BundleCounts> {
  if (path === '-') return write(process.stdout)
  const partial = `${path}.part`
  try {
    const counts = await write(createWriteStream(partial, { mode: 0o600 }))
    await rename(partial, path)
    return counts
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
