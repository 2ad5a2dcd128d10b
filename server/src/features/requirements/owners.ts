import type { DocumentOwner } from '@matricula/contract'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { isUuid } from '../../platform/ids.ts'
import { referenceProblem } from '../../platform/problem.ts'

/** A record that a document belongs to. */
export interface Owner {
  readonly entityType: DocumentOwner
  readonly entityId: string
}

/** Where the kinds of owners are kept. */
export const ownerTables = { student: 'students', application: 'admission_applications' } as const

/** The columns that name an owner. */
export const ownerColumns = { student: 'student_id', application: 'application_id' } as const

/** The full name of an owner, or null when the tenant has no such record. */
export async function findOwnerLabel(tx: Transaction, { entityType, entityId }: Owner): Promise<string | null> {
  if (!isUuid(entityId)) return null
  const [owner] = await tx.query<{ label: string }>(sql`
    select full_name as label from ${identifier(ownerTables[entityType])}
     where tenant_id = ${tx.tenantId} and id = ${entityId}`)
  return owner?.label ?? null
}

/** Throws `reference_not_found` unless the tenant has the student or the application. */
export async function requireOwner(tx: Transaction, owner: Owner): Promise<void> {
  if ((await findOwnerLabel(tx, owner)) === null) throw referenceProblem('entityId', owner.entityType)
}
