import { undoneByFailure } from '../../concurrency/index.ts'
import { mayChangeAll, RecordEngine, RecordError } from '../../record-engine/index.ts'
import type { Arguments } from '../protocol/call.ts'
import { asRecordError } from '../protocol/error-responses.ts'

/** How many records one call changes or deletes at most. */
export const maxChanged = 500

/** Locks the records that are sent, where the caller may change all of their type; others when they are changed. */
export async function lockFirst(engine: RecordEngine, all: readonly unknown[]): Promise<void> {
  const named = all.flatMap((sent) => {
    const { doctype, docname, name } = (sent ?? {}) as Arguments
    const definition = typeof doctype === 'string' ? engine.registry.find(doctype) : null
    const called = docname ?? name
    if (definition === null || typeof called !== 'string' || !mayChangeAll(engine, definition)) return []
    return [{ type: definition.type, name: called }]
  })
  await engine.lockAll(named)
}

/** What became of work on one of many records. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: string; readonly reason: string }

/**
 * Does something to one of many records under a savepoint, so that an error rolls back nothing else. Throws errors of the
 * service (5xx).
 */
export async function isolated<Result>(
  engine: RecordEngine,
  work: (own: RecordEngine) => Promise<Result>,
): Promise<Outcome<Result>> {
  // A separate engine: the cache of a rolled-back change must not be reused.
  const own = new RecordEngine(engine.tx, engine.caller, engine.registry, {
    sendsMail: engine.sendsMail,
    seal: engine.seal,
  })
  try {
    const result = await undoneByFailure(engine.tx, () => work(own))
    engine.messages.push(...own.messages)
    engine.discardedFiles.push(...own.discardedFiles)
    return { result }
  } catch (error) {
    const rejection = asRecordError(error)
    // Serialization failures restart the whole call.
    if (rejection.status >= 500) throw error
    return { error: `frappe.exceptions.${rejection.type}: ${rejection.message}`, reason: rejection.message }
  }
}

/** The type that a record names. Throws `FrappeTypeError` where it names none. */
export function requireTypeName(doctype: unknown): string {
  if (typeof doctype === 'string' && doctype !== '') return doctype
  throw new RecordError('FrappeTypeError', 'The record names no doctype. Send it as its field doctype.')
}

/** An argument that is an object. Throws `FrappeTypeError`. */
export function asRecord(value: unknown, argument: string): Arguments {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Arguments
  throw new RecordError('FrappeTypeError', `The argument ${argument} must be a JSON object.`)
}

/** An argument that is an array. Throws `FrappeTypeError`, and `ValidationError` for more members than `max`. */
export function asList(value: unknown, argument: string, max: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new RecordError('FrappeTypeError', `The argument ${argument} must be a JSON array.`)
  if (value.length <= max) return value
  throw new RecordError('ValidationError', `The argument ${argument} may have at most ${max} records at once.`)
}
