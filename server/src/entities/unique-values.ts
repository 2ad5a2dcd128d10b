import type { ProblemCode } from '@matricula/contract'
import { identifier, sql, type Transaction } from '../database/index.ts'
import { Problem } from '../errors/index.ts'
import type { ReadDefinition } from './entity-reads.ts'

/** A value that no two records of a type may share. */
export interface UniqueValue {
  readonly field: string
  readonly column: string
  /** Undefined or null where the record has no value. */
  readonly value: string | null | undefined
  readonly code: Extract<ProblemCode, 'external_id_taken' | 'already_exists'>
}

/**
 * The problem of the first value that another record than `exceptId` has, naming that record; null when all are free.
 * Between this look and the write another request may take a value: the unique index then makes the transaction run
 * again, and this look finds it.
 */
export async function findTakenProblem(
  tx: Transaction,
  definition: ReadDefinition<never, unknown>,
  values: readonly UniqueValue[],
  exceptId: string | null,
): Promise<Problem | null> {
  for (const { field, column, value, code } of values) {
    if (value === undefined || value === null) continue
    const [other] = await tx.query<{ id: string }>(sql`
      select id from ${identifier(definition.table)}
       where tenant_id = ${tx.tenantId} and ${identifier(column)} = ${value}
         and id is distinct from ${exceptId}::uuid`)
    if (other !== undefined) {
      const detail = `Another ${definition.noun} has this ${field}. Use that record (existingId), or send another ${field}.`
      return new Problem(code, detail, { existingId: other.id })
    }
  }
  return null
}

/** The problem of an insert that violates a unique index. */
export async function takenProblem(
  tx: Transaction,
  definition: ReadDefinition<never, unknown>,
  values: readonly UniqueValue[],
): Promise<Error> {
  return (await findTakenProblem(tx, definition, values, null)) ?? new Error('a free value was refused as taken')
}
