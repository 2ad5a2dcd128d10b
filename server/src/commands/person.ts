import type { Command } from 'commander'
import type { Transaction } from '../database/index.ts'
import { erasePerson, exportPerson, findPerson, rowsOfPerson, toBeErased } from '../features/personal-data/index.ts'
import { fileKey } from '../platform/files/file-key.ts'
import { openFileStore } from '../platform/files/open-file-store.ts'
import { recordRegistry } from '../record-definitions.ts'
import { recordChoices } from '../records/index.ts'
import { withSecretKey } from '../service.ts'
import { operatorContext, withOperator } from './operator.ts'
import { print } from './outcome.ts'

interface PersonOptions {
  readonly tenant: string
  readonly json?: boolean
}

const whoWords = 'id, code or e-mail address of a student, an application, a guardian or a user'

/** `matricula person …`: what is stored of one person, to be handed out or to be forgotten. */
export function addPersonCommand(program: Command): void {
  const person = program.command('person').description('Hands out or erases what is stored of one person.')

  person
    .command('export')
    .description('Writes all that is stored of one person into a zip: the records as JSON, and the files.')
    .argument('<person>', whoWords)
    .argument('<file>', 'the zip to write')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (who: string, file: string, { tenant: slug, json }: PersonOptions) => {
      const exported = await withOperator(async ({ config, asOwner, requireTenant }) => {
        const tenant = await requireTenant(slug)
        const store = await openFileStore(await withSecretKey(config))
        try {
          const work = async (tx: Transaction) => {
            const found = await rowsOfPerson(tx, await findPerson(tx, who), recordChoices(recordRegistry).types)
            return exportPerson(tx, found, store, file)
          }
          return await asOwner(tenant.id, work, { isOfOneMoment: true })
        } finally {
          await store.close()
        }
      })
      const missing = exported.missing === 0 ? '' : `; ${exported.missing} files are not in the storage`
      print(
        json,
        { exported },
        `${file}: ${inWords(exported.records)}; named elsewhere in ${inWords(exported.mentions)}; ${exported.files} files${missing}`,
      )
    })

  person
    .command('erase')
    .description(
      'Erases who a person is from everything that is stored; amounts, dates and numbers stay. It cannot be undone.',
    )
    .argument('<person>', whoWords)
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--yes', 'do it; without it, only what would be erased is told')
    .option('--json', 'print one JSON object')
    .action(async (who: string, { tenant: slug, yes, json }: PersonOptions & { readonly yes?: boolean }) => {
      await withOperator(async ({ config, asOwner, requireTenant }) => {
        const tenant = await requireTenant(slug)
        const { types, columns: keptFields } = recordChoices(recordRegistry)
        const findIn = (tx: Transaction) => async () => rowsOfPerson(tx, await findPerson(tx, who), types)
        if (yes !== true) {
          const { records, files } = await asOwner(tenant.id, (tx) => toBeErased(tx, { find: findIn(tx), keptFields }))
          const wouldErase = { records, files: files.length }
          const advice = 'Nothing was erased. Add --yes to do it; it cannot be undone.'
          print(json, { wouldErase }, `would erase: ${inWords(records)}; ${files.length} files\n${advice}`)
          process.exitCode = 1
          return
        }
        const { records, files } = await asOwner(tenant.id, (tx) =>
          erasePerson(tx, operatorContext(tenant), { find: findIn(tx), keptFields }),
        )
        const store = await openFileStore(await withSecretKey(config))
        try {
          // Once nothing leads to them any more; told to do it again, it removes what a break left behind.
          for (const id of files) {
            for (const state of ['upload', 'frozen'] as const) await store.remove(state, fileKey(tenant.id, id))
          }
        } finally {
          await store.close()
        }
        const erased = { records, files: files.length }
        print(json, { erased }, `erased: ${inWords(records)}; ${files.length} files`)
      })
    })
}

function inWords(records: Readonly<Record<string, number>>): string {
  const told = Object.entries(records).map(([table, count]) => `${count} ${table.replaceAll('_', ' ')}`)
  return told.length === 0 ? 'no records' : told.join(', ')
}
