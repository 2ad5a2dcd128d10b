import { byLockOrder, type Lock } from '../../concurrency/lock-order.ts'
import type { Statement, Transaction } from '../../database/index.ts'

/** Tables whose rows are changed by whoever holds them only. */
const guarded: ReadonlySet<string> = new Set([
  'contacts',
  'students',
  'admission_applications',
  'programs',
  'courses',
  'documents',
  'document_requests',
  'fees',
  'payments',
])

/** The columns by which rows refer to others, beside their ids. To set one keeps everybody waiting who refers to its row. */
const names: Readonly<Record<string, string>> = {
  students: 'student_code',
  admission_applications: 'application_code',
  programs: 'name',
  courses: 'name',
}

/** What begins a part that may be undone, see `undoneByFailure`. */
const beginOfPart = 'savepoint part'

/** What a transaction was seen to hold. */
interface Seen {
  held: Set<string>
  readonly kinds: Set<string>
  last: Lock | null
  isAlone: boolean
  /** What it held when a part began that may be undone. */
  before: Pick<Seen, 'held' | 'last'> | null
}

/** A lock of which a statement may say the table alone. */
type Asked = Pick<Lock, 'kind'> & { readonly key: string | null }

/**
 * Watches the statements of a transaction and tells `fault` of each that waits for a lock which comes before one that is held, in the
 * order of `lock-order.ts`, of each that changes rows of the records that everybody changes without having locked any, and of
 * each that sets a name to which other rows refer.
 */
export function guardLocks(tx: Transaction, validationError: (text: string) => void): Transaction {
  const seen: Seen = { held: new Set(), kinds: new Set(), last: null, isAlone: false, before: null }
  const see = (statement: Statement) => {
    const reported = findError(seen, statement)
    if (reported !== null) validationError(`${reported}: ${statement.text.replace(/\s+/g, ' ').slice(0, 400)}`)
  }
  return {
    ...tx,
    query: async <Row extends object>(statement: Statement) => {
      see(statement)
      const rows = await tx.query<Row>(statement)
      hold(seen, statement, rows)
      return rows
    },
    send: (statement) => {
      see(statement)
      if (statement.text === beginOfPart) seen.before = { held: new Set(seen.held), last: seen.last }
      tx.send(statement)
    },
  }
}

function findError(seen: Seen, { text, values }: Statement): string | null {
  if (/pg_advisory_xact_lock\(hashtextextended\(\$1, 0\)\)/.test(text) && String(values[0]).endsWith(' work')) {
    seen.isAlone = true
  }
  if (seen.isAlone) return null
  for (const [, table] of text.matchAll(/insert into (\w+)/g)) seen.kinds.add(table as string)
  for (const [, table = ''] of text.matchAll(/(?:^\s*|\bas \(\s*)(?:update|delete from) (\w+)/g)) {
    if (guarded.has(table) && !seen.kinds.has(table)) return `changes ${table} that it has not locked`
    if (setsOf(text).some((column) => column === names[table])) {
      return `sets the name of ${table} although it does not work alone`
    }
  }
  if (/skip locked|pg_try_advisory/.test(text)) return null
  const [first] = getLocks(text, values)
    .filter(({ kind, key }) => !seen.held.has(`${kind} ${key}`))
    .map(({ kind, key }) => ({ kind, key: key ?? '' }))
    .sort(byLockOrder)
  if (first === undefined || seen.last === null || byLockOrder(first, seen.last) > 0) return null
  return `waits for ${first.kind} ${first.key} behind ${seen.last.kind} ${seen.last.key}`
}

/** The columns that an update sets. */
function setsOf(text: string): string[] {
  const [, assignments = ''] = text.split(/\bset\b/)
  return (assignments.split(/\bwhere\b/)[0] as string).split(',').map((each) => each.trim().split(' ')[0] as string)
}

/** Keeps what a statement has locked: of rows of which it knew no id, those that it found. */
function hold(seen: Seen, { text, values }: Statement, rows: readonly object[]): void {
  if (text === 'rollback to savepoint part') Object.assign(seen, seen.before)
  const all = getLocks(text, values)
  const locks = all.flatMap(({ kind, key }, index) => {
    // Of two kinds in one statement the first is that of the rows before the records.
    const isBefore = index < all.length - 1
    const found = (rows as { id?: string; locked_id?: string; before_id?: string | null }[])
      .map(({ id = '', locked_id: locked = id, before_id: before = null }) => (isBefore ? before : locked))
      .filter((id) => id !== null)
    return (key === null ? found : [key]).map((each) => ({ kind, key: each }))
  })
  for (const lock of locks) {
    seen.kinds.add(lock.kind)
    seen.held.add(`${lock.kind} ${lock.key}`)
    const isTried = /skip locked|pg_try_advisory/.test(text)
    if (!isTried && (seen.last === null || byLockOrder(lock, seen.last) > 0)) seen.last = lock
  }
}

/** What a statement locks; a row of which only the table is known has no key. */
function getLocks(text: string, values: readonly unknown[]): Asked[] {
  const keys = values.find((value) => Array.isArray(value)) as string[] | undefined
  if (/pg_(try_)?advisory_xact_lock\(.*subject/.test(text)) return (keys ?? []).map((key) => ({ kind: 'turn', key }))
  const counters = /(insert into|update|from) naming_series/.test(text)
  if (counters && !/^\s*select current/.test(text)) {
    const named = keys ?? values.filter((value) => typeof value === 'string').slice(1, 2)
    const ofLedger = values.find((value) => typeof value === 'string' && value.startsWith('ACC-GLE-'))
    if (ofLedger !== undefined) return [{ kind: 'ledger', key: ofLedger as string }]
    return (named as string[]).map((key) => ({ kind: 'naming_series', key }))
  }
  if (!/\bfor (no key )?update\b/.test(text)) return []
  // What shared writes take is found by the keys that they are asked for.
  const [, alias] = /\bfor no key update of (\w+) skip locked/.exec(text) ?? []
  if (alias !== undefined) {
    const [, kind = ''] = new RegExp(`\\bfrom (\\w+) ${alias}\\b`).exec(text) ?? []
    return (keys ?? [null]).map((key) => ({ kind, key }))
  }
  const parts = [...text.matchAll(/\bas materialized \(\s*select [^()]*?\bfrom (\w+)/g)]
  const kinds = parts.length > 0 ? parts : [/\bfrom (\w+)/.exec(text) ?? []]
  return kinds.flatMap(([, kind = '']) => (keys ?? [null]).map((key) => ({ kind, key })))
}
