import type { Command } from 'commander'
import { recordRegistry } from '../../app/record-definitions.ts'
import { recordAccess } from '../../changes/index.ts'
import { getRemedy, type ImportErrorCode } from '../../features/imports/index.ts'
import { type BundleReport, importBundle, openBundle, RejectedBundle } from '../../features/oneroster/index.ts'
import { readCustomFields } from '../../tenancy/custom-fields/index.ts'
import { updateTenant } from '../../tenancy/index.ts'
import { operatorContext, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'
import { recordTenant } from '../tenants/tenant-changes.ts'

interface ImportOptions {
  readonly tenant: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** Ends a transaction that only tried, with what came of it. */
class NothingWritten extends Error {
  readonly report: BundleReport

  constructor(report: BundleReport) {
    super('the import is rolled back')
    this.report = report
  }
}

/** `matricula import oneroster`: a bundle of OneRoster CSV. */
export function addImportOneRosterCommand(family: Command): void {
  family
    .command('oneroster')
    .description(
      'Imports a OneRoster CSV bundle of version 1.0, 1.1 or 1.2: all of it, or nothing where it has faults.',
    )
    .argument('<file>', 'the zip file')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--dry-run', 'only report what it would do')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: ImportOptions) => {
      const report = await importFile(file, options).catch((error: unknown) => {
        if (!(error instanceof RejectedBundle)) throw error
        const faults = { first: [error.fault], count: 1 }
        return { created: 0, updated: 0, unchanged: 0, institutionName: null, faults }
      })
      const { created, updated, unchanged, faults } = report
      const run = {
        kind: 'oneroster',
        created,
        updated,
        unchanged,
        refused: faults.count,
        file,
        dryRun: options.dryRun === true,
      }
      const message = `The bundle has ${faults.count} faults; nothing was imported.`
      const object = {
        run,
        faults: faults.first.map(({ file: name, line, column, heading, code, detail }) => ({
          ...{ file: name === '' ? file : name, sheet: null, line, column, heading, code, detail },
          remedy: getRemedy(code as ImportErrorCode),
        })),
        faultCount: faults.count,
        conflicts: [],
        ...(faults.count > 0 && { error: { code: 'invalid_file', message } }),
      }
      const lines = faults.first.map(
        ({ file: name, line, heading, detail }) =>
          `  ${name}${line === null ? '' : `, line ${line}`}${heading === null ? '' : `, ${heading}`}: ${detail}`,
      )
      const counts = `${created} created, ${updated} updated, ${unchanged} unchanged`
      print(options.json, object, faults.count > 0 ? [message, ...lines].join('\n') : counts)
      if (faults.count > 0) process.exitCode = 2
    })
}

/** Imports a bundle in one transaction, which is undone for a dry run and where there are faults. */
async function importFile(file: string, { tenant: slug, dryRun = false }: ImportOptions): Promise<BundleReport> {
  const bundle = await openBundle(file)
  try {
    return await withOperator(async (operator) => {
      const record = await operator.requireTenant(slug)
      const { database } = operator
      const customFields = await readCustomFields((statement) => database.readSlowly(record.id, statement), record.id)
      const tenant = { ...record, systemOfRecord: record.sorByDomain, customFields }
      const context = operatorContext(record)
      const report = await database
        .transaction(record.id, async (tx) => {
          const report = await importBundle(tx, tenant, context, recordRegistry, bundle)
          if (dryRun || report.faults.count > 0) throw new NothingWritten(report)
          const { created, updated, unchanged } = report
          const facts = { created, updated, unchanged }
          recordAccess(tx, context, { action: 'oneroster.imported', entityType: 'tenant', entityId: record.id, facts })
          return report
        })
        .catch((error: unknown) => {
          if (error instanceof NothingWritten) return error.report
          throw error
        })
      const { institutionName: name } = report
      if (name !== null && name !== record.name && !dryRun && report.faults.count === 0) {
        await operator.asOwner(record.id, async (tx) =>
          recordTenant(tx, record, await updateTenant(tx, slug, { name })),
        )
      }
      return report
    })
  } finally {
    bundle.close()
  }
}
