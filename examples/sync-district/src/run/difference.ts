export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type Fields = { readonly [name: string]: Json }

/**
 * What to send so that the stored record has the wanted fields: an RFC 7396 merge patch of those that differ, or null when
 * none does. Only the named fields are looked at, in objects too; everything else belongs to others. A wanted `null` is a
 * field that the files leave empty.
 */
export function difference(wanted: Fields, stored: object): Fields | null {
  const current = stored as Fields
  const changes: [string, Json][] = []
  for (const [name, value] of Object.entries(wanted)) {
    const now = current[name] ?? null
    if (isObject(value) && isObject(now)) {
      const inner = difference(value, now)
      if (inner !== null) changes.push([name, inner])
    } else if (isObject(value)) {
      changes.push([name, withoutNulls(value)])
    } else if (value !== now) {
      changes.push([name, value])
    }
  }
  return changes.length === 0 ? null : Object.fromEntries(changes)
}

/** The fields of a new record: what the files leave empty is not sent at all. */
export function withoutNulls(wanted: Fields): Fields {
  return Object.fromEntries(
    Object.entries(wanted)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, isObject(value) ? withoutNulls(value) : value]),
  )
}

function isObject(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
