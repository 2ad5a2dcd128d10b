import type { Command } from 'commander'
import { recordRegistry } from '../../app/record-definitions.ts'
import { stopRequest } from '../../app/shutdown.ts'
import {
  applicationAsSubject,
  documentAsSubject,
  erasePerson,
  findExpiredRecords,
  findRowsOfPerson,
} from '../../features/personal-data/index.ts'
import { recordChoices } from '../../record-engine/index.ts'
import type { FileStore } from '../../storage/index.ts'
import { fileKey } from '../../storage/index.ts'
import type { TenantRecord } from '../../tenancy/index.ts'
import { addWhichTenants, forEachTenant, type WhichTenants } from '../each-tenant.ts'
import { type Operator, openFiles, operatorContext, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

interface RetentionOptions extends WhichTenants {
  readonly yes?: boolean
  readonly json?: boolean
}

/** What is, or would be, erased because it was kept long enough. */
interface Counts {
  applications: number
  documents: number
}

/** `matricula retention`: erases what an institution wants to keep no longer. */
export function addRetentionCommand(command: Command): void {
  addWhichTenants(command)
    .option('--yes', 'erase; without it, only count them (up to 500 of each)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nSet retentionDays with matricula apply; run this once a day: deploy/ has a timer for it.')
    .action(async ({ yes, json, ...which }: RetentionOptions) => {
      const outcomes = await withOperator(async (operator) => {
        if (yes !== true) return forEachTenant(operator, which, (tenant) => countAll(operator, tenant))
        const store = await openFiles(operator)
        try {
          return await forEachTenant(operator, which, (tenant) => eraseAll(operator, tenant, store))
        } finally {
          await store.close()
        }
      })
      const key = yes === true ? 'erased' : 'wouldErase'
      const lines = outcomes.map(({ slug, result, failure }) => {
        if (result === null) return `${slug}: ${failure}`
        return `${slug}: ${result.applications} applications, ${result.documents} documents ${yes === true ? 'erased' : 'would be erased'}`
      })
      const advice = yes === true ? '' : '\nNothing was erased. Add --yes to do it; it cannot be undone.'
      const reported = outcomes.map(({ slug, result, failure }) => ({ slug, [key]: result, failure }))
      const [only] = outcomes
      print(
        json,
        which.everyTenant === true ? { tenants: reported } : { [key]: only?.result },
        `${lines.join('\n')}${advice}`,
      )
      if (outcomes.some(({ failure }) => failure !== null)) process.exitCode = 1
    })
}

async function countAll({ asOwner }: Operator, { id }: TenantRecord): Promise<Counts> {
  const { applications, documents } = await asOwner(id, findExpiredRecords)
  return { applications: applications.length, documents: documents.length }
}

/** Erases one after the other, each in a transaction of its own, until nothing is left or the command is stopped. */
async function eraseAll({ asOwner }: Operator, tenant: TenantRecord, store: FileStore): Promise<Counts> {
  const { types, columns } = recordChoices(recordRegistry)
  const done: Counts = { applications: 0, documents: 0 }
  for (
    let found = await asOwner(tenant.id, findExpiredRecords);
    ;
    found = await asOwner(tenant.id, findExpiredRecords)
  ) {
    for (const kind of ['applications', 'documents'] as const) {
      for (const id of found[kind]) {
        if (stopRequest.aborted) return done
        const { files } = await asOwner(tenant.id, async (tx) => {
          const records = async () => (kind === 'documents' ? [documentAsSubject(id)] : applicationAsSubject(tx, id))
          const find = async () => findRowsOfPerson(tx, await records(), types)
          return erasePerson(tx, operatorContext(tenant), { find, retainedFields: columns })
        })
        for (const file of files) {
          for (const state of ['upload', 'frozen'] as const) await store.remove(state, fileKey(tenant.id, file))
        }
        done[kind] += 1
      }
    }
    if (found.applications.length + found.documents.length === 0) return done
  }
}
