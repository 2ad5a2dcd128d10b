import type { DocumentOwner, DocumentType, Static } from '@matricula/contract'
import { locales, type Messages, messagesIn } from '@matricula/pages'
import { type Database, type Sql, sql, type Transaction } from '../../database/index.ts'
import { Problem, referenceProblem } from '../../errors/index.ts'
import type { Translations } from '../../tenancy/index.ts'
import { isUuid, newId } from '../../values/index.ts'

export type DocumentTypeRecord = Static<typeof DocumentType>

interface DocumentTypeRow {
  id: string
  key: string
  name: string
  description: string
  category: string
  applies_to: DocumentOwner[]
  allowed_mime_types: string[]
  max_size_bytes: number
  requires_review: boolean
  validity_days: number | null
  is_sensitive: boolean
  is_active: boolean
  position: number
  translations: Translations
  created_at: string
  updated_at: string
}

const mebibyte = 1024 * 1024
const images = ['image/jpeg', 'image/png', 'image/webp', 'image/heic']
/** What a scan or a photograph of a paper is. */
export const scans = ['application/pdf', ...images]
const wordProcessing = [
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/plain',
]

interface DefaultType {
  readonly key: keyof Messages['documentTypes']
  readonly category: string
  readonly allowed?: readonly string[]
  readonly requiresReview?: boolean
  readonly isSensitive?: boolean
}

/** The types that a new tenant starts with, called as the words of each language have it. */
const defaultTypes: readonly DefaultType[] = [
  { key: 'identity_document', category: 'identity', isSensitive: true },
  { key: 'photo', category: 'identity', allowed: images, requiresReview: false },
  { key: 'transcript', category: 'academic' },
  { key: 'diploma', category: 'academic' },
  { key: 'birth_certificate', category: 'identity', isSensitive: true },
  { key: 'proof_of_payment', category: 'financial' },
  { key: 'medical_record', category: 'health', isSensitive: true },
  { key: 'other', category: 'other', allowed: [...scans, ...wordProcessing] },
]

/** Gives a new tenant its document types. */
export function seedDocumentTypes(tx: Transaction): void {
  for (const [index, type] of defaultTypes.entries()) {
    const { key, category, allowed = scans, requiresReview = true, isSensitive = false } = type
    const names = JSON.stringify(
      Object.fromEntries(locales.map((locale) => [locale, messagesIn(locale).documentTypes[key]])),
    )
    tx.send(sql`
      insert into document_types (tenant_id, id, key, name, translations, category, applies_to, allowed_mime_types,
                                  max_size_bytes, requires_review, is_sensitive, position)
      select ${tx.tenantId}, ${newId()}, ${key}, ${names}::jsonb ->> t.language,
             jsonb_build_object('name', ${names}::jsonb - t.language), ${category}, ${['student', 'application']}::text[],
             ${allowed}::text[], ${20 * mebibyte}::bigint, ${requiresReview}::boolean, ${isSensitive}::boolean,
             ${index + 1}::integer
        from tenants t where t.id = ${tx.tenantId}
      on conflict (tenant_id, key) do nothing`)
  }
}

function selectTypes(tenantId: string, condition: Sql): Sql {
  return sql`select * from document_types where tenant_id = ${tenantId} and ${condition} order by position, key`
}

/** Every active type, in order. */
export async function listDocumentTypes(database: Database, tenantId: string): Promise<DocumentTypeRecord[]> {
  const rows = await database.read<DocumentTypeRow>(tenantId, selectTypes(tenantId, sql`is_active`))
  return rows.map(toDocumentType)
}

/** A type with what it is called in other languages. */
export interface TranslatedType extends DocumentTypeRecord {
  readonly translations: Translations
}

/** Every type, in order, also those that are not active any more. */
export async function readDocumentTypes(tx: Transaction): Promise<TranslatedType[]> {
  const rows = await tx.query<DocumentTypeRow>(selectTypes(tx.tenantId, sql`true`))
  return rows.map(toTranslatedType)
}

/** The types with these ids, by id, also those that are not active any more: what they take, and how large it may be. */
export async function findDocumentTypes(
  database: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DocumentTypeRecord>> {
  const rows = await database.read<DocumentTypeRow>(tenantId, selectTypes(tenantId, sql`id = any(${ids}::uuid[])`))
  return new Map(rows.map((row) => [row.id, toDocumentType(row)]))
}

/** The type of a document that is there already, which need not be active any more. */
export async function readDocumentType(tx: Transaction, id: string): Promise<DocumentTypeRecord> {
  const [row] = await tx.query<DocumentTypeRow>(selectTypes(tx.tenantId, sql`id = ${id}`))
  if (row === undefined) throw new Error('the type of a document is not there')
  return toDocumentType(row)
}

/** The active type with an id. Throws `reference_not_found`, naming the field. */
export async function requireDocumentType(
  tx: Transaction,
  id: string,
  field = 'documentTypeId',
): Promise<TranslatedType> {
  const [row] = isUuid(id)
    ? await tx.query<DocumentTypeRow>(selectTypes(tx.tenantId, sql`is_active and id = ${id}`))
    : []
  if (row === undefined) throw referenceProblem(field, 'active document type')
  return toTranslatedType(row)
}

/** The active type with a key. Throws `reference_not_found`. */
export async function requireDocumentTypeByKey(tx: Transaction, key: string): Promise<DocumentTypeRecord> {
  const [row] = await tx.query<DocumentTypeRow>(selectTypes(tx.tenantId, sql`is_active and key = ${key}`))
  if (row === undefined) throw referenceProblem('documentTypeKey', 'active document type')
  return toDocumentType(row)
}

/** Refuses with `rule_violated` a type that records of this kind do not have. */
export function requireApplies(type: DocumentTypeRecord, entityType: DocumentOwner): void {
  if (type.appliesTo.includes(entityType)) return
  const detail = `Documents of the type ${type.key} belong to: ${type.appliesTo.join(', ') || 'nothing'}.`
  throw new Problem('rule_violated', detail, { rule: 'document_type_applies_to_entity' })
}

function toTranslatedType(row: DocumentTypeRow): TranslatedType {
  return { ...toDocumentType(row), translations: row.translations }
}

function toDocumentType(row: DocumentTypeRow): DocumentTypeRecord {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    category: row.category,
    appliesTo: row.applies_to,
    allowedMimeTypes: row.allowed_mime_types,
    maxSizeBytes: row.max_size_bytes,
    requiresReview: row.requires_review,
    validityDays: row.validity_days,
    isSensitive: row.is_sensitive,
    isActive: row.is_active,
    position: row.position,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
