const digits = 10

/**
 * What people call a record on paper and on the telephone: the last ten digits of its id, such as `9F3A1-C075B`. Random digits
 * of a UUID (RFC 9562 §5.7), so that two records of an institution hardly ever share it.
 */
export function shortReference(id: string): string {
  const end = id.slice(-digits).toUpperCase()
  return `${end.slice(0, digits / 2)}-${end.slice(digits / 2)}`
}

/** The digits of a reference as they stand at the end of an id, however it was written; null for what is none. */
export function digitsOfReference(text: string): string | null {
  const read = text.replace(/[\s-]/g, '').toLowerCase()
  return /^[0-9a-f]{10}$/.test(read) ? read : null
}
