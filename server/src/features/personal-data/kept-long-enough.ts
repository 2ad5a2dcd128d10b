import { sql, type Transaction } from '../../database/index.ts'
import type { PersonRecord } from './person.ts'

/** The records whose retention period has ended. */
interface ExpiredRecords {
  readonly applications: readonly string[]
  readonly documents: readonly string[]
}

/** The maximum number of records per call. */
const max = 500

/**
 * Records after their retention period: applications in a final status, unchanged for the period of the status, and
 * documents older than the period of their type; not yet erased, oldest first, limited per kind.
 */
export async function findExpiredRecords(tx: Transaction): Promise<ExpiredRecords> {
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

/** A document as the subject of an erasure, with its versions and files. */
export function documentAsSubject(id: string): PersonRecord {
  const table = { table: 'documents', kind: 'document', code: 'id', recordType: 'Document', userColumn: null } as const
  return { table, id, code: id, email: null }
}
