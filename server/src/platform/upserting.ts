import type { Versioned } from './reading.ts'
import { type RequestContext, requireMatch } from './request-context.ts'

/** The steps of an upsert of one kind of record. */
interface UpsertSteps<Item> {
  /** The record with the externalId, locked; null when there is none. */
  readonly find: () => Promise<Versioned<Item> | null>
  /** Makes the record. Null when a unique value is taken. */
  readonly insert: () => Promise<Versioned<Item> | null>
  readonly change: (current: Versioned<Item>) => Promise<Versioned<Item>>
  /** The refusal when another unique value than the externalId is taken. */
  readonly taken: () => Promise<Error>
}

/**
 * Creates the record with an externalId, or changes it. Two at once make one: whoever comes second finds what the first
 * made and changes it. Throws `precondition_failed` for an If-Match while there is no record.
 */
export async function createOrChange<Item>(
  context: Pick<RequestContext, 'ifMatch'>,
  { find, insert, change, taken }: UpsertSteps<Item>,
): Promise<Versioned<Item>> {
  const current = await find()
  if (current !== null) return change(current)
  requireMatch(context, null)
  const created = await insert()
  if (created !== null) return { ...created, isNew: true }
  const winner = await find()
  if (winner === null) throw await taken()
  return change(winner)
}
