import { type Sql, sql } from '../database/index.ts'
import type { Caller } from './caller.ts'
import { requireRight } from './permissions.ts'
import type { BatchReader } from './query/list-records.ts'
import { ownershipCondition } from './query/ownership.ts'
import type { AnyDocument } from './record-document.ts'
import type { RecordRegistry } from './record-registry.ts'
import { selectWhole } from './record-store.ts'

/** What something works with that only reads, with statements that each stand alone. */
export interface Reading {
  readonly caller: Caller
  readonly registry: RecordRegistry
  readonly reader: BatchReader
}

/**
 * A record with its rows by its exact name, without a transaction: the statement costs the same however many records there are.
 * Null where that does not find it: there may be one whose name is spelt in another case, or that is of somebody else.
 * Throws `PermissionError` where the caller may not read the type.
 */
export async function readExactly(
  { caller, registry, reader }: Reading,
  typeName: string,
  name: string,
): Promise<AnyDocument | null> {
  const definition = registry.find(typeName)
  if (definition === null || definition.computed !== null || definition.rules.afterLoad !== undefined) return null
  requireRight(caller, definition.type, 'read')
  const { id: tenantId, timeZone } = caller.tenant
  const reads = { tenantId, query: <Row extends object>(statement: Sql) => reader.query<Row>(statement, true) }
  const own = ownershipCondition(registry, caller, definition, 'r')
  const condition = own === null ? sql`r.name = ${name}` : sql`r.name = ${name} and ${own}`
  return (await selectWhole(reads, definition, timeZone, condition))?.document ?? null
}
