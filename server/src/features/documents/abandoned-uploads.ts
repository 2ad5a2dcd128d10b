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

/** The maximum number of versions per query and transaction. */
const batchSize = 200

export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 24 * 3600 * 1000)
}

/**
 * Marks a version as failed that has waited too long for its file, unless it is no longer pending. Returns the
 * version's status. Throws `resource_not_found`.
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
 * The job that marks abandoned versions as failed, and removes files that no version can use: uploads of versions that
 * are not pending, files of failed versions, and incomplete writes. Documents stay, also those without a file. Safe to
 * run concurrently.
 *
 * @param graceDays What was written in the last `graceDays` days stays, which allows for clock differences of the
 * storage.
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
      await removeOrphanedUploads(store, database, tenant.id, before)
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

/**
 * Removes the files of versions that failed recently: abandoned ones, and those whose process ended before it removed
 * them.
 */
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

async function removeOrphanedUploads(
  store: FileStore,
  database: Database,
  tenantId: string,
  before: Date,
): Promise<void> {
  let keys: string[] = []
  for await (const key of store.list('upload', { tenantId, before })) {
    keys.push(key)
    if (keys.length < batchSize) continue
    await removeOrphans(store, database, tenantId, keys)
    keys = []
  }
  await removeOrphans(store, database, tenantId, keys)
}

/** Removes uploads without a pending version. A version never becomes pending again. */
async function removeOrphans(store: FileStore, database: Database, tenantId: string, keys: string[]): Promise<void> {
  const ids = keys.map((key) => key.split('/')[1] as string)
  const rows = await database.readSlowly<{ id: string }>(
    tenantId,
    sql`
    select id from document_versions
     where tenant_id = ${tenantId} and id = any(${ids}::uuid[]) and status = 'pending'`,
  )
  const pending = new Set(rows.map(({ id }) => fileKey(tenantId, id)))
  for (const key of keys.filter((key) => !pending.has(key))) await store.remove('upload', key)
}
