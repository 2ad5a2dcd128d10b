import { isUuid } from './ids.ts'
import { validationProblem } from './problem.ts'

/** A place in the order of a list: behind the record that was created then and has this id. */
export interface Position {
  readonly createdAt: string
  readonly id: string
}

/** A page of a walk: its number, the last record of the page before, and the total that was counted on the first page. */
export interface PageCursor {
  readonly page: number
  /** Null on the first page. */
  readonly after: Position | null
  /** Null on the first page, and where the cursor is one of an earlier version. */
  readonly total: number | null
}

/** `*` starts a walk; every other cursor is what `formatCursor` gave. Throws `validation_failed`. */
export function parseCursor(text: string): PageCursor {
  if (text === '*') return { page: 1, after: null, total: null }
  const [page, time, id, total, ...rest] = Buffer.from(text, 'base64url').toString('latin1').split(' ')
  const isCursor =
    /^[1-9]\d{0,9}$/.test(page ?? '') &&
    /^\d{1,14}$/.test(time ?? '') &&
    isUuid(id ?? '') &&
    (total === undefined || /^\d{1,14}$/.test(total))
  if (!isCursor || rest.length > 0) {
    throw validationProblem([
      { in: 'query', name: 'cursor', code: 'format', detail: 'must be * or the Next-Cursor of an earlier answer' },
    ])
  }
  const after = { createdAt: new Date(Number(time)).toISOString(), id: id as string }
  return { page: Number(page), after, total: total === undefined ? null : Number(total) }
}

export function formatCursor(page: number, last: { created_at: string; id: string | null }, total: number): string {
  return Buffer.from(`${page} ${Date.parse(last.created_at)} ${last.id} ${total}`).toString('base64url')
}
