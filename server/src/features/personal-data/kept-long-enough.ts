import { sql, type Transaction } from '../../database/index.ts'
import type { PersonRecord } from './person.ts'

/** What an institution wants to be erased after a time, by its settings. */
interface RetentionEnd {
  readonly applications: readonly string[]
  readonly documents: readonly string[]
}

/** The most that are found at once. */
const max = 500

/**
 * Applications that led nowhere and have not changed for as long as their status says, and documents that were handed in longer ago than their
 * type says; those that are not erased yet, the oldest first, some hundreds of each at most.
 */
export async function retentionEnded(tx: Transaction): Promise<RetentionEnd> {
  const applications = await tx.query<{ id: string }>(sql`
    select a.id from admission_applications a
      join pipeline_statuses s on s.tenant_id = a.tenant_id and s.key = a.status and s.retention_days is not null
     where a.tenant_id = ${tx.tenantId} and a.student_id is null and a.full_name <> 'Erased'
       and a.updated_at < now() - make_interval(days => s.retention_days)
     order by a.updated_at, a.id limit ${max}::int`)
  const documents = await tx.query<{ id: string }>(sql`
    select d.id from documents d
      join document_types t on t.tenant_id = d.tenant_id and t.id = d.document_type_id and t.retention_days is not null
     where d.tenant_id = ${tx.tenantId} and d.title <> 'Erased'
       and d.created_at < now() - make_interval(days => t.retention_days)
     order by d.created_at, d.id limit ${max}::int`)
  return { applications: applications.map(({ id }) => id), documents: documents.map(({ id }) => id) }
}

/** A document as what is erased by itself, with its versions and files. */
export function documentAsErased(id: string): PersonRecord {
  const table = { table: 'documents', kind: 'document', code: 'id', recordType: 'Document', userColumn: null } as const
  return { table, id, code: id, email: null }
}
