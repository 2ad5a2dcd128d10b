import type { DocumentTypeEntry, PublicLocale, Static } from '@matricula/contract'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { lockRow } from '../../concurrency/index.ts'
import { sql, type Transaction, table } from '../../database/index.ts'
import { withOwnTexts } from '../../tenancy/index.ts'
import { newId } from '../../values/index.ts'
import { readDocumentTypes, scans, type TranslatedType } from './document-types.ts'

/** How an institution describes a type of documents. */
export type DocumentTypeSettings = Omit<TranslatedType, 'id' | 'createdAt' | 'updatedAt'> & {
  readonly retentionDays: number | null
}

const typeTable = table('document_types', {
  key: 'key',
  name: 'name',
  description: 'description',
  category: 'category',
  appliesTo: 'applies_to',
  allowedMimeTypes: 'allowed_mime_types',
  maxSizeBytes: 'max_size_bytes',
  requiresReview: 'requires_review',
  validityDays: 'validity_days',
  isSensitive: 'is_sensitive',
  retentionDays: 'retention_days',
  isActive: 'is_active',
  position: 'position',
  translations: 'translations',
})

/** The settings of every document type of the tenant, in order, those out of use too. */
export async function readDocumentTypeSettings(tx: Transaction): Promise<Map<string, DocumentTypeSettings>> {
  const types = await readDocumentTypes(tx)
  const rows = await tx.query<{ key: string; days: number | null }>(
    sql`select key, retention_days as days from document_types where tenant_id = ${tx.tenantId}`,
  )
  const days = new Map(rows.map((row) => [row.key, row.days]))
  return new Map(
    types.map(({ id, createdAt, updatedAt, ...settings }) => [
      settings.key,
      { ...settings, retentionDays: days.get(settings.key) ?? null },
    ]),
  )
}

/**
 * What a type is to be: as it is, but for what an entry says. A new one stands behind the others, at `place`. The
 * institution's own texts are in `language`.
 */
export function documentTypeSettings(
  entry: Static<typeof DocumentTypeEntry>,
  current: DocumentTypeSettings | null,
  position: number,
  language: PublicLocale,
): DocumentTypeSettings {
  const initial: DocumentTypeSettings = {
    key: entry.key,
    name: '',
    description: '',
    category: 'other',
    appliesTo: ['student', 'application'],
    allowedMimeTypes: [...scans],
    maxSizeBytes: 20 * 1024 * 1024,
    requiresReview: true,
    validityDays: null,
    isSensitive: false,
    retentionDays: null,
    isActive: true,
    position: position,
    translations: {},
  }
  const base = current ?? initial
  return { ...base, ...withOwnTexts(entry, ['name', 'description'], language, base.translations) }
}

/** Makes a document type, or brings the one with its key to settings that differ from what is stored. */
export async function saveDocumentType(
  tx: Transaction,
  context: ChangeContext,
  before: DocumentTypeSettings | null,
  after: DocumentTypeSettings,
): Promise<void> {
  const entityId = before === null ? newId() : await loadId(tx, before.key)
  const statement =
    before === null ? typeTable.insert(tx.tenantId, entityId, after) : typeTable.update(tx.tenantId, entityId, after)
  await tx.query(statement)
  const type = before === null ? 'vault_document_type.created' : 'vault_document_type.updated'
  recordChanges(tx, context, [{ type, entityType: 'vault_document_type', entityId, before, after }])
}

async function loadId(tx: Transaction, key: string): Promise<string> {
  const id = await lockRow(tx, 'document_types', 't', sql`t.key = ${key}`)
  if (id === null) throw new Error('the document type that was read is not there')
  return id
}
