import type { ProgramRef, Static } from '@matricula/contract'
import { type Sql, sql, type Transaction } from '../../database/index.ts'
import { referenceProblem } from '../../errors/index.ts'
import { isUuid } from '../../values/index.ts'

/** The columns by which a record that belongs to a program shows it; `p` is the joined program, or no row. */
export const programRefColumns: Sql = sql`
  p.name as program_name, p.education_level as program_education_level,
  p.organization_profile as program_organization_profile, p.status as program_status,
  coalesce(p.version, 0) as program_version`

export interface ProgramRefRow {
  program_id: string | null
  /** The name that the record itself keeps, for programs that have no record here. */
  program: string
  program_name: string | null
  program_education_level: string | null
  program_organization_profile: string | null
  program_status: 'active' | 'inactive' | 'archived' | null
  program_version: number
}

/** How the fields of a record that tell of its program are read: the program's own name wins over the one that the record keeps. */
export const programReferenceFields = {
  program: (row: ProgramRefRow) => row.program_name ?? row.program,
  programRef: (row: ProgramRefRow) => (row.program_id === null ? null : toProgramRef(row)),
}

function toProgramRef(row: ProgramRefRow): Static<typeof ProgramRef> {
  return {
    id: row.program_id ?? '',
    name: row.program_name ?? '',
    educationLevel: row.program_education_level ?? '',
    organizationProfile: row.program_organization_profile ?? '',
    status: row.program_status ?? 'active',
  }
}

/** Throws `reference_not_found` unless the tenant has the program. Null names none. */
export async function requireProgramReference(tx: Transaction, programId: string | null): Promise<void> {
  if (programId === null) return
  const [program] = isUuid(programId)
    ? await tx.query(sql`select 1 as found from programs where tenant_id = ${tx.tenantId} and id = ${programId}`)
    : []
  if (program === undefined) throw referenceProblem('programId', 'program')
}

/** The id of the program with a name, else with a code; null when the tenant has none. */
export async function findProgramId(tx: Transaction, nameOrCode: string): Promise<string | null> {
  const [program] = await tx.query<{ id: string }>(sql`
    select id from programs
     where tenant_id = ${tx.tenantId} and (name = ${nameOrCode} or code = ${nameOrCode})
     order by name = ${nameOrCode} desc, name limit 1`)
  return program?.id ?? null
}

/** Which of these ids, UUIDs, programs of the tenant have. */
export async function findPrograms(tx: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.query<{ id: string }>(sql`
    select id from programs where tenant_id = ${tx.tenantId} and id = any (${[...new Set(ids)]}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}
