import { validationProblem } from '../errors/index.ts'
import { isUuid } from '../values/index.ts'

/** A position in the order of a list: after the record with this creation time and id. */
export interface Position {
  readonly createdAt: string
  readonly id: string
}

/**
 * A page of cursor pagination: its number, the last record of the page before, and the total counted on the first
 * page.
 */
export interface PageCursor {
  readonly page: number
  /** Null on the first page. */
  readonly after: Position | null
  /** Null on the first page, and where the cursor is one of an earlier version. */
  readonly total: number | null
}

/** `*` starts cursor pagination; every other cursor is from `formatCursor`. Throws `validation_failed`. */
export function parseCursor(text: string): PageCursor {
  if (text === '*') return { page: 1, after: null, total: null }
  const [page, time, id, total] = partsOfCursor(text, [isPage, isWholeNumber, isUuid], [isWholeNumber])
  const after = { createdAt: new Date(Number(time)).toISOString(), id: id as string }
  return { page: Number(page), after, total: total === undefined ? null : Number(total) }
}

/**
 * The parts of a cursor that `getCursor` made: those that it must have, then those that it may have. Throws
 * `validation_failed` for what is none.
 */
export function partsOfCursor(
  text: string,
  required: readonly PartCheck[],
  optional: readonly PartCheck[] = [],
): (string | undefined)[] {
  const parts = Buffer.from(text, 'base64url').toString('latin1').split(' ')
  const checks = [...required, ...optional]
  const isCursor = parts.length >= required.length && parts.every((part, index) => checks[index]?.(part) === true)
  if (isCursor) return parts
  throw validationProblem([
    { in: 'query', name: 'cursor', code: 'format', detail: 'must be * or the Next-Cursor of an earlier answer' },
  ])
}

type PartCheck = (part: string) => boolean

/** Whether a part of a cursor is the number of a page. */
export const isPage: PartCheck = (part) => /^[1-9]\d{0,9}$/.test(part)

const isWholeNumber: PartCheck = (part) => /^\d{1,14}$/.test(part)

/** Opaque to clients. */
export function getCursor(...parts: readonly (string | number | null)[]): string {
  return Buffer.from(parts.join(' ')).toString('base64url')
}

export function formatCursor(page: number, last: { created_at: string; id: string | null }, total: number): string {
  return getCursor(page, Date.parse(last.created_at), last.id, total)
}
