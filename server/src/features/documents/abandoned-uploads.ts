import { pendingVersionDays } from '@matricula/contract'
import type { ChangeContext } from '../../changes/index.ts'
import { type Database, literal, sql, type Transaction } from '../../database/index.ts'
import { type HasTime, inBatches, type Job } from '../../jobs/index.ts'
import type { FileStore } from '../../storage/index.ts'
import { fileKey } from '../../storage/index.ts'
import { lockDocument } from './document-changes.ts'
import type { VersionRecord } from './document-store.ts'
import { requireVersion } from './new-documents.ts'
import { storeFailure } from './upload-completion.ts'
import type { VaultFiles } from './vault-files.ts'

/** Versions that are looked for at a time, so that neither a transaction nor a list grows. */
const batchSize = 200

export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 24 * 3600 * 1000)
}

/**
 * Stores that a version has waited too long for its file, unless something else became of it. Gives the version as it is
 * then. Throws `resource_not_found`.
 */
export async function failAbandoned(
  tx: Transaction,
  context: ChangeContext,
  documentId: string,
  versionId: string,
): Promise<Pick<VersionRecord, 'status'>> {
  const { record } = await lockDocument(tx, context, documentId)
  const version = requireVersion(record, versionId)
  if (version.status !== 'pending') return version
  const reason = `No file was completed within ${pendingVersionDays} days.`
  await storeFailure(tx, context, record, version.id, 'failed', reason)
  return { status: 'failed' }
}

/**
 * Makes versions failed that have waited too long for their file, so that lists show it, and removes what no version can
 * become complete with: uploads whose version is not pending, files of versions that have failed, and what broken writes left
 * behind. Documents stay, also those that never got a file. Running it twice at once does no harm.
 *
 * @param graceDays What was written or waited for later than so many days ago is left alone, whatever the clocks of the
 * storage say.
 */
export function cleanUpUploadsJob({ store }: VaultFiles, graceDays = 1): Job {
  return {
    name: 'abandoned-uploads',
    everySeconds: 6 * 3600,
    run: async (database, tenant, hasTime = () => true) => {
      const actor = { type: 'system', id: null, name: 'abandoned uploads' } as const
      const context: ChangeContext = { tenant, actor, requestId: null, address: null }
      const before = daysAgo(graceDays)
      await failAllAbandoned(database, context, daysAgo(pendingVersionDays + graceDays), hasTime)
      await removeFailedFiles(store, database, tenant.id, hasTime)
      await removeUnwantedUploads(store, database, tenant.id, before)
      await store.removeUnfinished({ tenantId: tenant.id, before })
    },
  }
}

async function failAllAbandoned(
  database: Database,
  context: ChangeContext,
  before: Date,
  hasTime: HasTime,
): Promise<void> {
  await inBatches(batchSize, hasTime, async () => {
    const abandoned = await database.readSlowly<{ id: string; document_id: string }>(
      context.tenant.id,
      sql`
      select id, document_id from document_versions
       where tenant_id = ${context.tenant.id} and status = 'pending' and created_at < ${before}
       order by created_at limit ${literal(batchSize)}`,
    )
    for (const { id, document_id } of abandoned) {
      await database.transaction(context.tenant.id, (tx) => failAbandoned(tx, context, document_id, id))
    }
    return abandoned.length
  })
}

/** Removes the files of versions that failed lately: of an abandoned one, or where the process ended before it did so. */
async function removeFailedFiles(
  store: FileStore,
  database: Database,
  tenantId: string,
  hasTime: HasTime,
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  await inBatches(batchSize, hasTime, async () => {
    const failed = await database.readSlowly<{ id: string }>(
      tenantId,
      sql`
      select v.id from document_versions v
        join documents d on d.tenant_id = ${tenantId} and d.id = v.document_id
       where v.tenant_id = ${tenantId} and v.status = 'failed' and d.updated_at > ${daysAgo(2)} and v.id > ${after}
       order by v.id limit ${literal(batchSize)}`,
    )
    for (const { id } of failed) await store.remove('frozen', fileKey(tenantId, id))
    after = failed.at(-1)?.id ?? after
    return failed.length
  })
}

async function removeUnwantedUploads(
  store: FileStore,
  database: Database,
  tenantId: string,
  before: Date,
): Promise<void> {
  let keys: string[] = []
  for await (const key of store.list('upload', { tenantId, before })) {
    keys.push(key)
    if (keys.length < batchSize) continue
    await removeUnwanted(store, database, tenantId, keys)
    keys = []
  }
  await removeUnwanted(store, database, tenantId, keys)
}

/** Removes those uploads that no pending version waits for. What is not pending never becomes so again. */
async function removeUnwanted(store: FileStore, database: Database, tenantId: string, keys: string[]): Promise<void> {
  const ids = keys.map((key) => key.split('/')[1] as string)
  const wanted = await database.readSlowly<{ id: string }>(
    tenantId,
    sql`
    select id from document_versions
     where tenant_id = ${tenantId} and id = any(${ids}::uuid[]) and status = 'pending'`,
  )
  const pending = new Set(wanted.map(({ id }) => fileKey(tenantId, id)))
  for (const key of keys.filter((key) => !pending.has(key))) await store.remove('upload', key)
}
