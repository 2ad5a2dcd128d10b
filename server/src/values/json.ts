import { isDeepStrictEqual } from 'node:util'
import { type Fault, freeObjectBounds, type Json, type JsonObject } from '@matricula/contract'
import { validationProblem } from '../errors/index.ts'

/** Applies a JSON Merge Patch (RFC 7396): `null` removes a member, objects merge, everything else replaces. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(asObject(merged.get(name)), value) : value)
  }
  return Object.fromEntries(merged)
}

/**
 * A free object of a record after a JSON Merge Patch (RFC 7396) that a body has under `field`. What was stored before there was a bound may
 * stay and shrink.
 *
 * @throws Problem `validation_failed` for more than 200 keys or 65 536 bytes of JSON, and more than there were before.
 */
export function mergeFreeObject(field: string, before: JsonObject, patch: JsonObject): JsonObject {
  const after = mergePatch(before, patch)
  const refuse = (bound: string) => {
    const detail = `must have at most ${bound}, with what is stored`
    throw validationProblem([{ in: 'body', pointer: `#/${field}`, code: 'too_long', detail }])
  }
  const { keys, bytes } = freeObjectBounds
  if (getKeys(after) > keys && getKeys(after) > getKeys(before)) refuse(`${keys} keys`)
  const size = getBytes(after)
  if (size > bytes && size > getBytes(before)) refuse(`${bytes} bytes of JSON`)
  return after
}

const getKeys = (object: JsonObject) => Object.keys(object).length

const getBytes = (object: JsonObject) => Buffer.byteLength(JSON.stringify(object))

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asObject(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {}
}

/** Whether two values are the same JSON. */
export function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}

/**
 * Refuses with `read_only` the fields that cannot be written and differ from the stored record's. Without a record, as
 * on create, none may be sent.
 */
export function requireReadOnlyUnchanged(sent: Readonly<JsonObject>, record: object | null): void {
  const stored = (record ?? {}) as Record<string, unknown>
  const validationErrors = Object.keys(sent)
    .filter((field) => record === null || !sameJson(sent[field], stored[field]))
    .map((field): Fault => readOnlyError(`#/${field}`))
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
}

export function readOnlyError(pointer: string): Fault {
  return { in: 'body', pointer, code: 'read_only', detail: 'cannot be written: leave it out, or send the stored value' }
}
