import type { RecordType, Right } from '@matricula/contract/record-types'
import { type RecordEngine, RecordError, readRecord, seesNotes } from '../../record-engine/index.ts'

/** A record that notes are about. */
export interface AnnotatedRecord {
  readonly type: RecordType
  readonly name: string
}

/**
 * The record of a name, for a caller who may have this right to it and sees the notes on it.
 *
 * @throws RecordError `DoesNotExistError` for a type or a record that there is not, `PermissionError`.
 */
export async function requireAnnotated(
  engine: RecordEngine,
  typeName: string,
  recordName: string,
  right: Right = 'read',
): Promise<AnnotatedRecord> {
  const { name } = await readRecord(engine, typeName, recordName)
  const definition = engine.registry.require(typeName)
  engine.require(definition.type, right)
  if (seesNotes(engine.caller, definition)) return { type: definition.type, name }
  throw new RecordError('PermissionError', `Notes on ${typeName} are the concern of the staff who may read all of it.`)
}
