import type { Command } from 'commander'
import pg from 'pg'
import { adoptBackups, loadInstallation, renewInstallation } from '../../app/installation.ts'
import { clientOptions, presentServices } from '../../database/index.ts'
import type { EncryptedFileStore, Installation } from '../../storage/index.ts'
import { adoptFiles, describeOwnership, findOwnership } from '../../storage/index.ts'
import { type Operator, openFiles, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

interface Options {
  readonly json?: boolean
}

/** `matricula storage`: to which installation the stored files belong. */
export function addStorageCommand(storage: Command): void {
  storage
    .command('show')
    .description('Shows this installation and the owner of the stored files.')
    .option('--json', 'print one JSON object')
    .action(({ json }: Options) =>
      withFiles(async (store, installation) => {
        const ownership = await findOwnership(store, installation)
        const detail =
          describeOwnership(ownership) ?? `The stored files belong to this installation (${installation.id}).`
        print(json, { storage: { installation: installation.id, owner: ownership.owner } }, detail)
      }),
    )
  storage
    .command('adopt')
    .description(
      'Makes the stored files and scheduled backups belong to this installation, which then removes files that its database does not name, and old backups. Run it when this one takes the place of the owner, which runs no more.',
    )
    .option('--json', 'print one JSON object')
    .action(({ json }: Options) =>
      withFiles(async (store, installation, { connection }) => {
        const { owner } = await findOwnership(store, installation)
        await adoptFiles(store, installation)
        const { replaced } = await adoptBackups(connection, owner)
        const before = owner === null ? 'nobody' : owner
        const whose = [...replaced, 'those that name no installation'].join(', ')
        print(
          json,
          { storage: { installation: installation.id, owner: installation.id, formerOwner: owner, replaced } },
          `The stored files belong to this installation (${installation.id}); before, to ${before}.\n` +
            `So do scheduled backups, where BACKUP_KEEP removes the oldest: ${whose}.`,
        )
      }),
    )
  storage
    .command('renounce')
    .description(
      'Says that this database is a copy, made by a snapshot of disks or of a database server: it owns no stored files until it is given a storage of its own. Run it before the copy is started.',
    )
    .option('--json', 'print one JSON object')
    .action(({ json }: Options) =>
      withOperator(async ({ connection }) => {
        const { id } = await renewInstallation(connection, await countServices(connection))
        print(json, { storage: { installation: id } }, `This is the installation ${id} now, which owns no files yet.`)
      }),
    )
}

function withFiles(
  work: (store: EncryptedFileStore, installation: Installation, operator: Operator) => Promise<void>,
): Promise<void> {
  return withOperator(async (operator) => {
    const store = await openFiles(operator)
    try {
      await work(store, await loadInstallation(operator.connection), operator)
    } finally {
      await store.close()
    }
  })
}

async function countServices(connection: Operator['connection']): Promise<number> {
  const client = new pg.Client(clientOptions(connection, 'owner', 'matricula storage'))
  await client.connect()
  try {
    const { services } = await presentServices(client)
    return services.length
  } finally {
    await client.end()
  }
}
