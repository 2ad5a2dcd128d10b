import type { Steps } from '../../../../concurrency/index.ts'
import { subtract, sumExactly } from '../../../../money/index.ts'
import type { Statement, StatementError } from './statement.ts'

/** A balance that does not follow from the one before it: statements between them are missing. */
export interface Gap {
  readonly after: string | null
  readonly before: string | null
  readonly expected: number
  readonly found: number
}

/** What is wrong with the balances of statements: each closing balance is the opening balance and all entries. */
export function* findWrongBalances(statements: readonly Statement[]): Steps<StatementError[]> {
  const wrong: StatementError[] = []
  for (const { openingBalance, closingBalance, entries, end, currency } of statements) {
    if (openingBalance === null || closingBalance === null) continue
    let expected = openingBalance
    for (const { amount } of entries) {
      expected = sumExactly(expected, amount)
      yield
    }
    if (expected === closingBalance) continue
    const detail =
      `The opening balance and the ${entries.length} entries are ${expected} ${currency}, and the closing balance says ` +
      `${closingBalance}: ${subtract(closingBalance, expected)} is missing.`
    wrong.push({ line: end.line, column: end.column, code: 'balance_mismatch', detail })
  }
  return wrong
}

/** The gaps between statements of one file, in their order. */
export function findGaps(statements: readonly Statement[]): Gap[] {
  return statements.slice(1).flatMap((statement, index) => {
    const before = statements[index] as Statement
    const { closingBalance: expected } = before
    const { openingBalance: found } = statement
    if (expected === null || found === null || expected === found) return []
    return [{ after: before.number, before: statement.number, expected, found }]
  })
}
