import { v7 } from 'uuid'

/** A new identifier: UUID version 7 (RFC 9562), which grows with time. */
export function newId(): string {
  return v7()
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text has the form of a UUID, in either case. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
