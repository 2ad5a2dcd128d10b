import { type Database, identifier, type Sql, sql } from '../../database/index.ts'
import { recordsOfTenant } from '../custom-fields/tenant-records.ts'
import type { Caller } from '../model/caller.ts'
import { withoutHidden } from '../model/hidden-fields.ts'
import { requireRight } from '../model/permissions.ts'
import type { RecordDefinition } from '../model/record-definition.ts'
import type { AnyDocument } from '../model/record-document.ts'
import type { RecordRegistry } from '../model/record-registry.ts'
import { type BatchReader, recordReader } from '../query/list-records.ts'
import { ownershipCondition } from '../query/visibility/ownership.ts'
import { selectWithRows } from './record-store.ts'

/** What a reading needs: statements that each run by themselves. */
export interface Reading {
  readonly caller: Caller
  readonly registry: RecordRegistry
  readonly reader: BatchReader
}

/** The reading of a caller, with the custom fields of its tenant. */
export function getReading(database: Database, registry: RecordRegistry, caller: Caller): Reading {
  const { id, customFields } = caller.tenant
  return { caller, registry: recordsOfTenant(registry, customFields), reader: recordReader(database, id) }
}

/**
 * A record with its rows by its exact name, without a transaction: the statement costs the same however many records
 * there are. Null when not found: there may still be one spelt in another case, or one that the caller does not see.
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
  const found = await selectWithRows(reads, definition, timeZone, condition)
  return found === null ? null : withoutHidden(caller, definition.type, found.document)
}

/**
 * The id of a record by its exact name, and whether the caller sees only some records of the type; null where it sees
 * none of that name. `seesAll`: something else than the right to the type lets it see every record.
 */
export async function findVisible(
  { caller, registry, reader }: Reading,
  definition: RecordDefinition,
  name: string,
  seesAll = false,
): Promise<{ readonly id: string; readonly isPartly: boolean } | null> {
  const own = seesAll ? null : ownershipCondition(registry, caller, definition, 'r')
  const [row] = await reader.query<{ id: string }>(
    sql`select r.id from ${identifier(definition.relation)} r
         where r.tenant_id = ${caller.tenant.id} and r.name = ${name} and ${own ?? sql`true`}`,
  )
  return row === undefined ? null : { id: row.id, isPartly: own !== null }
}
