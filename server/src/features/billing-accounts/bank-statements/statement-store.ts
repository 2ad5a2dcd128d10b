import { BankStatement, type bankStatementOperations, type Static } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'
import { type StoredRow, storedTable } from '../../../entities/index.ts'
import type { FiltersOf, ListDefinition } from '../../../listing/index.ts'
import { normalIban } from '../accounts/iban.ts'
import type { Gap } from './formats/balances.ts'

export type BankStatementRecord = Static<typeof BankStatement>

const columns = {
  format: 'format',
  account: 'account',
  currency: 'currency',
  number: 'number',
  from: 'from_day',
  to: 'to_day',
  openingBalance: 'opening_balance',
  closingBalance: 'closing_balance',
} as const

const table = storedTable(BankStatement, { table: 'bank_statements', alias: 'b', stored: columns })

export interface BankStatementRow extends StoredRow<BankStatementRecord, typeof columns> {
  readonly lines_total: number
  readonly lines_new: number
  readonly gaps: readonly Gap[]
  /** The closing balance of the statement before it; null where none is known. */
  readonly balance_before: number | null
}

function selectStatements(tenantId: string, condition: Sql): Sql {
  return sql`
    select ${table.selected}, b.updated_at, b.lines_total, b.lines_new, b.gaps, earlier.balance_before
      from bank_statements b
      left join lateral (
        select e.closing_balance as balance_before from bank_statements e
         where e.tenant_id = ${tenantId} and e.account = b.account and e.id <> b.id and e.closing_balance is not null
           and b.opening_balance is not null and e.to_day <= b.from_day and e.from_day < b.to_day
         order by e.to_day desc, e.from_day desc, e.created_at desc, e.id desc limit 1) as earlier on true
     where b.tenant_id = ${tenantId} and ${condition}`
}

function toWarnings({ opening_balance, balance_before, gaps, currency }: BankStatementRow) {
  const say = (expected: number, found: number) => ({
    code: 'gap',
    detail: `The statement before ends with ${expected} ${currency}, and this one begins with ${found}. Import what is missing.`,
  })
  const isGap = opening_balance !== null && balance_before !== null && opening_balance !== balance_before
  return [
    ...(isGap ? [say(balance_before, opening_balance)] : []),
    ...gaps.map(({ expected, found }) => say(expected, found)),
  ]
}

/** The files of bank statements. */
export const bankStatements: ListDefinition<BankStatementRow, BankStatementRecord> = {
  entityType: 'bank_statement',
  noun: 'bank statement',
  table: 'bank_statements',
  alias: 'b',
  select: selectStatements,
  toRecord: table.reader<BankStatementRow>({
    lines: ({ lines_total: total, lines_new }) => ({ total, new: lines_new, known: total - lines_new }),
    warnings: toWarnings,
  }),
  versions: (row) => [row.version],
  filters: {
    account: (account) => sql`b.account = ${normalIban(account)}`,
  } satisfies FiltersOf<(typeof bankStatementOperations)['listBankStatements']>,
}
