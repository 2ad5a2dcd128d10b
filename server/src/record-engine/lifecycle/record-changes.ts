import type { RecordVerb } from '@matricula/contract'
import { recordChanges } from '../../changes/index.ts'
import type { RecordDefinition } from '../model/record-definition.ts'
import { requireOwnedHere } from '../model/system-of-record.ts'
import type { RecordWork } from './record-work.ts'
import { getSecretFields } from './values/sealed-fields.ts'

/**
 * Writes the audit row and the event of a change of a record, without secrets. `mergedInto` is the id of the record
 * that a deleted one was merged into.
 */
export function recordChange(
  { tx, caller }: Pick<RecordWork, 'tx' | 'caller'>,
  definition: RecordDefinition,
  id: string,
  verb: RecordVerb,
  before: object | null,
  after: object | null,
  mergedInto?: string,
): void {
  const { storage, noun } = definition
  // The last check, whatever the path: throwing here rolls everything back.
  requireOwnedHere(caller, definition.type)
  recordChanges(tx, caller, [
    {
      type: storage?.eventType?.(verb, before, after) ?? `${noun}.${verb}`,
      ...(storage?.list === undefined ? { entityType: noun } : { list: storage.list }),
      entityId: id,
      externalId: ((after ?? before) as { externalId?: string | null }).externalId ?? null,
      before: withoutSecrets(definition, before),
      after: withoutSecrets(definition, after),
      mergedInto,
    },
  ])
}

function withoutSecrets({ type }: RecordDefinition, record: object | null): object | null {
  const secrets = getSecretFields(type)
  if (record === null || secrets.length === 0) return record
  return Object.fromEntries(Object.entries(record).filter(([field]) => !secrets.includes(field)))
}
