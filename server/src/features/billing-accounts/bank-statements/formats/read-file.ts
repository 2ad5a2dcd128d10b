import type { statementMediaTypes } from '@matricula/contract'
import { mapSteps, runAtOnce, type Steps } from '../../../../concurrency/index.ts'
import { findGaps, findWrongBalances, type Gap } from './balances.ts'
import { readCamt } from './camt.ts'
import { type CsvAccount, type HeadingMapping, readCsv } from './csv.ts'
import { readMt940 } from './mt940.ts'
import { readOfx } from './ofx.ts'
import { type Entry, type EntryPart, maxErrors, RejectedStatement, refuse, type Statement } from './statement.ts'

export type StatementMediaType = (typeof statementMediaTypes)[number]

/** At most so many entries of a file. */
const maxEntries = 100_000

/** At most so many characters of a text, and of a name or a reference. */
const maxText = 4000
const maxName = 255

/** A file of statements of one account. */
export interface StatementFile {
  /** `camt.053.001.08` and the like, `mt940`, `ofx` or `csv`. */
  readonly format: string
  readonly account: string
  readonly currency: string
  readonly number: string | null
  readonly from: string | null
  readonly to: string | null
  readonly openingBalance: number | null
  readonly closingBalance: number | null
  /** Gaps between the statements of the file. */
  readonly gaps: readonly Gap[]
  readonly entries: readonly Entry[]
}

/** What is known of a CSV file beside its bytes. */
export interface CsvOptions {
  readonly account: CsvAccount
  readonly mapping?: HeadingMapping
}

/**
 * Reads a file of bank statements and checks it: one account and currency, and balances that follow from the entries.
 * Throws `RejectedStatement` with all that is wrong; nothing of such a file may be used.
 */
export function readStatementFile(
  mediaType: StatementMediaType,
  bytes: Uint8Array,
  csv: CsvOptions | null,
): StatementFile {
  return runAtOnce(readStatementSteps(mediaType, bytes, csv))
}

/** The same in steps, as a file of 25 MiB takes seconds. */
export function* readStatementSteps(
  mediaType: StatementMediaType,
  bytes: Uint8Array,
  csv: CsvOptions | null,
): Steps<StatementFile> {
  if (bytes.length === 0) refuse({ line: 1, column: 1 }, 'truncated', 'The file is empty.')
  const { format, statements } = yield* readFormat(mediaType, bytes, csv)
  requireOneAccount(statements)
  const count = statements.reduce((sum, { entries }) => sum + entries.length, 0)
  if (count > maxEntries) {
    refuse(
      { line: 1, column: 1 },
      'too_many_entries',
      `The file has ${count} entries. Send at most ${maxEntries} at once.`,
    )
  }
  const wrong = yield* findWrongBalances(statements)
  if (wrong.length > 0) throw new RejectedStatement(wrong.slice(0, maxErrors))
  const [first] = statements as [Statement]
  const last = statements.at(-1) as Statement
  const entries = yield* mapSteps(
    statements.flatMap((each) => each.entries),
    bounded,
  )
  const days = (name: 'from' | 'to') => statements.flatMap((each) => each[name] ?? []).sort()
  return {
    format,
    account: first.account,
    currency: first.currency,
    number: last.number?.slice(0, maxName) ?? null,
    from: days('from')[0] ?? null,
    to: days('to').at(-1) ?? null,
    openingBalance: first.openingBalance,
    closingBalance: last.closingBalance,
    gaps: findGaps(statements),
    entries,
  }
}

/** An entry whose texts are no longer than what is kept of them. */
function bounded(entry: Entry): Entry {
  const bankReference = entry.bankReference?.slice(0, maxName) ?? null
  return { ...entry, ...boundedPart(entry), bankReference, details: entry.details.map(boundedPart) }
}

function boundedPart({ amount, ...texts }: EntryPart): EntryPart {
  const cut = (text: string | null) => text?.slice(0, maxName) ?? null
  return {
    amount,
    endToEndId: cut(texts.endToEndId),
    reference: cut(texts.reference),
    name: cut(texts.name),
    iban: cut(texts.iban),
    text: texts.text?.slice(0, maxText) ?? null,
    returnReason: cut(texts.returnReason),
  }
}

function* readFormat(
  mediaType: StatementMediaType,
  bytes: Uint8Array,
  csv: CsvOptions | null,
): Steps<{ readonly format: string; readonly statements: readonly Statement[] }> {
  if (mediaType === 'application/xml') return yield* readCamt(bytes)
  if (mediaType === 'text/plain') return { format: 'mt940', statements: yield* readMt940(bytes) }
  if (mediaType === 'application/x-ofx') return { format: 'ofx', statements: yield* readOfx(bytes) }
  if (csv === null) throw new Error('a CSV file without its account')
  return { format: 'csv', statements: yield* readCsv(bytes, csv.account, csv.mapping) }
}

function requireOneAccount(statements: readonly Statement[]): void {
  const [first] = statements as [Statement]
  const errors = statements.flatMap(({ account, currency, place, entries }) => {
    if (account !== first.account) {
      const detail = 'The file has statements of several accounts. Send those of each account as a file of its own.'
      return [{ ...place, code: 'other_account', detail }]
    }
    const foreign =
      currency !== first.currency ? currency : entries.find((each) => each.currency !== currency)?.currency
    if (foreign === undefined) return []
    return [
      { ...place, code: 'other_currency', detail: `The account is in ${first.currency}, and an entry in ${foreign}.` },
    ]
  })
  if (errors.length > 0) throw new RejectedStatement(errors.slice(0, maxErrors))
}
