import type { Command } from 'commander'
import { recordRegistry } from '../app/record-definitions.ts'
import { DisclosureLog } from '../changes/index.ts'
import type { Database, Transaction } from '../database/index.ts'
import { CommandError } from '../errors/index.ts'
import { personLinks, splitPerson } from '../features/admissions/index.ts'
import { findImportsNaming, forgetImports } from '../features/imports/index.ts'
import {
  erasePerson,
  exportPerson,
  findPerson,
  findRowsOfPerson,
  previewErasure,
} from '../features/personal-data/index.ts'
import { recordChoices } from '../record-engine/index.ts'
import { fileKey } from '../storage/index.ts'
import type { TenantRecord } from '../tenancy/index.ts'
import { isUuid } from '../values/index.ts'
import { openFiles, operatorContext, warnOnly, withOperator } from './operator.ts'
import { print } from './outcome.ts'

interface PersonOptions {
  readonly tenant: string
  readonly json?: boolean
}

interface SplitOptions extends PersonOptions {
  readonly record: string
  readonly name?: string
  readonly links?: string
  readonly email?: string
  readonly phone?: string
  readonly dryRun?: boolean
}

const whoWords = 'id, code or e-mail address of a student, an application, a guardian or a user'

/** `matricula person …`: what is stored of one person, to be handed out or to be forgotten. */
export function addPersonCommand(person: Command): void {
  person
    .command('export')
    .description('Exports all data of one person to a ZIP file: the records as JSON, and the files.')
    .argument('<person>', whoWords)
    .argument('<file>', 'the zip to write')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (who: string, file: string, { tenant: slug, json }: PersonOptions) => {
      const exported = await withOperator(async ({ config, connection, database, asOwner, requireTenant }) => {
        const tenant = await requireTenant(slug)
        const store = await openFiles({ config, connection })
        try {
          let ids: string[] = []
          const work = async (tx: Transaction) => {
            const found = await findRowsOfPerson(tx, await findPerson(tx, who), recordChoices(recordRegistry).types)
            ids = found.person.map(({ id }) => id)
            return exportPerson(tx, found, store, file)
          }
          const exported = await asOwner(tenant.id, work, { isOfOneMoment: true })
          await discloseExport(database, tenant, ids)
          return exported
        } finally {
          await store.close()
        }
      })
      const missing = exported.missing === 0 ? '' : `; ${exported.missing} files are not in the storage`
      print(
        json,
        { exported },
        `${file}: ${toText(exported.records)}; named elsewhere in ${toText(exported.mentions)}; ${exported.files} files${missing}`,
      )
    })

  person
    .command('erase')
    .description(
      'Erases the identity of a person from all stored data; amounts, dates and numbers stay. It cannot be undone.',
    )
    .argument('<person>', whoWords)
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--yes', 'erase; without it, only show what would be erased')
    .option('--json', 'print one JSON object')
    .action(async (who: string, { tenant: slug, yes, json }: PersonOptions & { readonly yes?: boolean }) => {
      await withOperator(async ({ config, connection, database, asOwner, requireTenant }) => {
        const tenant = await requireTenant(slug)
        const { types, columns: keptFields } = recordChoices(recordRegistry)
        const findIn = (tx: Transaction) => async () => findRowsOfPerson(tx, await findPerson(tx, who), types)
        const store = await openFiles({ config, connection })
        try {
          const { records, files, isNamedIn } = await asOwner(tenant.id, (tx) => {
            const options = { find: findIn(tx), retainedFields: keptFields }
            return yes === true ? erasePerson(tx, operatorContext(tenant), options) : previewErasure(tx, options)
          })
          const imports = isNamedIn === null ? [] : await findImportsNaming(database, store, tenant.id, isNamedIn)
          const counts = { records, files: files.length, ...(imports.length > 0 && { importFiles: imports.length }) }
          const uploads = imports.length > 0 ? `; ${imports.length} files of imports` : ''
          const text = `${toText(records)}; ${files.length} files${uploads}`
          if (yes !== true) {
            const advice = 'Nothing was erased. Add --yes to do it; it cannot be undone.'
            print(json, { wouldErase: counts }, `would erase: ${text}\n${advice}`)
            process.exitCode = 1
            return
          }
          // Once nothing leads to them any more; told to do it again, it removes what a break left behind.
          for (const id of files) {
            for (const state of ['upload', 'frozen'] as const) await store.remove(state, fileKey(tenant.id, id))
          }
          await forgetImports(database, store, tenant.id, imports)
          print(json, { erased: counts }, `erased: ${text}`)
        } finally {
          await store.close()
        }
      })
    })

  person
    .command('split')
    .description(
      'Splits a person merged from two by mistake, and moves links of applications and students to the other one.',
    )
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('--record <id>', 'id or code of the guardian')
    .option('--name <name>', 'name of the other person; without --links, only links with a similar name in the audit')
    .option(
      '--links <ids>',
      'ids of the links to move, separated by commas; by default those with another name in the audit',
    )
    .option('--email <address>', 'e-mail address of the other person')
    .option('--phone <number>', 'telephone number of the other person')
    .option('--dry-run', 'only list the links and the names in the audit')
    .option('--json', 'print one JSON object')
    .action(async ({ tenant: slug, record, links, dryRun, json, ...named }: SplitOptions) => {
      const linkIds = links?.split(',').map((id) => id.trim())
      const wrong = linkIds?.find((id) => !isUuid(id))
      if (wrong !== undefined)
        throw new CommandError('invalid_value', `${wrong} is not the id of a link. --dry-run lists them.`)
      if (linkIds !== undefined && !named.name) throw new CommandError('wrong_usage', '--links needs --name as well.')
      for (const field of ['name', 'email', 'phone'] as const) {
        if ((named[field]?.length ?? 0) > 255) throw new CommandError('invalid_value', `--${field} is too long.`)
      }
      await withOperator(async ({ database, requireTenant }) => {
        const tenant = await requireTenant(slug)
        if (dryRun === true) {
          const found = await database.transaction(tenant.id, (tx) => personLinks(tx, record))
          const lines = found.links.map(
            ({ id, entityType, entityLabel, role, linkedAs, hasOtherName }) =>
              `${hasOtherName ? 'moves' : 'stays'}  ${id}  ${entityType} of ${entityLabel}, ${role}, linked as ${linkedAs ?? '(not in the audit)'}`,
          )
          print(json, { person: found }, [`${found.guardian} ${found.displayName}`, ...lines].join('\n'))
          return
        }
        const split = await database.transaction(tenant.id, (tx) =>
          splitPerson(tx, operatorContext(tenant), record, { ...named, ...(linkIds !== undefined && { linkIds }) }),
        )
        const made = split.made.map(
          ({ guardian, displayName, linkIds: moved }) => `${guardian} ${displayName}: ${moved.length} links`,
        )
        print(json, { split }, made.length === 0 ? 'nothing to split' : `made: ${made.join('; ')}`)
      })
    })
}

function toText(records: Readonly<Record<string, number>>): string {
  const reported = Object.entries(records).map(([table, count]) => `${count} ${table.replaceAll('_', ' ')}`)
  return reported.length === 0 ? 'no records' : reported.join(', ')
}

/** Records that everything that is stored of a person was handed out. */
async function discloseExport(database: Database, tenant: TenantRecord, ids: readonly string[]): Promise<void> {
  const log = new DisclosureLog(database, { error: (_facts, message) => warnOnly.warn(`${message}\n`) })
  void log.add({
    context: operatorContext(tenant),
    surface: 'export',
    operation: 'person export',
    disclosed: { recordType: 'person', fieldGroup: 'everything' },
    ids,
    count: 1,
    filter: null,
  })
  await log.close()
}
