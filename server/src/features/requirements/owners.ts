import type { DocumentOwner } from '@matricula/contract'
import { identifier, sql, type Transaction } from '../../database/index.ts'
import { referenceProblem } from '../../errors/index.ts'
import { isUuid } from '../../values/index.ts'

/** A record that a document belongs to. */
export interface Owner {
  readonly entityType: DocumentOwner
  readonly entityId: string
}

/** Where the kinds of owners are kept. */
export const ownerTables = { student: 'students', application: 'admission_applications' } as const

/** The columns that name an owner. */
export const ownerColumns = { student: 'student_id', application: 'application_id' } as const

/** The columns by which people and the Resource API name them. */
export const ownerCodes = { student: 'student_code', application: 'application_code' } as const

/** The ids of owners by their codes, in the order of these; null in the place of a code that the tenant does not have. */
export async function idsOfCodes(
  tx: Transaction,
  entityType: DocumentOwner,
  codes: readonly string[],
): Promise<(string | null)[]> {
  const code = identifier(ownerCodes[entityType])
  const found = await tx.query<{ id: string; code: string }>(sql`
    select id, ${code} as code from ${identifier(ownerTables[entityType])}
     where tenant_id = ${tx.tenantId} and ${code} = any (${[...codes]}::text[])`)
  const ids = new Map(found.map((row) => [row.code, row.id]))
  return codes.map((each) => ids.get(each) ?? null)
}

/** The full name of an owner, or null when the tenant has no such record. */
async function findOwnerLabel(tx: Transaction, { entityType, entityId }: Owner): Promise<string | null> {
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
