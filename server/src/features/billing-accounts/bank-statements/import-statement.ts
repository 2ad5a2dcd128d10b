import { createHash } from 'node:crypto'
import type { bankStatementOperations, FileBody } from '@matricula/contract'
import { type RequestContext, recordChanges } from '../../../changes/index.ts'
import { runInSlices, takeAdvisoryLock } from '../../../concurrency/index.ts'
import { type Database, sql, type Transaction } from '../../../database/index.ts'
import { findOne, readBack, type Versioned } from '../../../entities/index.ts'
import { Problem, validationProblem } from '../../../errors/index.ts'
import type { OperationRequest, Write } from '../../../http/index.ts'
import { newId } from '../../../values/index.ts'
import { type BillingSettings, loadBillingSettings } from '../billing-settings.ts'
import { findBankAccount } from './bank-account.ts'
import { bookExact } from './book-exact.ts'
import { clearCollections } from './clear-collections.ts'
import { type CsvOptions, readStatementSteps, type StatementMediaType } from './formats/read-file.ts'
import { RejectedStatement } from './formats/statement.ts'
import { identifyLines } from './identify-lines.ts'
import { type CheckedFile, insertStatement } from './insert-statement.ts'
import { partsOf } from './proposals.ts'
import { isReturned, reverseReturned } from './returned-debits.ts'
import { type BankStatementRecord, bankStatements } from './statement-store.ts'

type ImportOperation = (typeof bankStatementOperations)['importBankStatement']

/**
 * Imports a file of bank statements, which is read before the transaction. The same bytes again answer the record that is
 * there. Throws `statement_rejected` with all that is wrong, and `validation_failed` for a CSV file without its account.
 */
export async function prepareImport(
  database: Database,
  { context, body, query }: OperationRequest<ImportOperation>,
): Promise<Write<ImportOperation>> {
  const { id: tenantId } = context.tenant
  const settings = await database.transaction(tenantId, (tx) => loadBillingSettings(tx))
  const file = await readChecked(body, query.account ?? null, settings)
  return (tx) => importFile(tx, context, file, settings)
}

async function readChecked(
  { mediaType, bytes }: FileBody,
  account: string | null,
  settings: BillingSettings,
): Promise<CheckedFile> {
  const isCsv = mediaType === 'text/csv'
  if (isCsv && account === null) {
    const detail = 'is required for CSV: the IBAN of the bank account'
    throw validationProblem([{ in: 'query', name: 'account', code: 'required', detail }])
  }
  const asked = account === null ? null : findBankAccount(settings.bankAccounts, account)
  if (account !== null && asked === null) throw otherAccount()
  const csv: CsvOptions | null = isCsv && asked !== null ? { account: asked, mapping: asked.csvColumns ?? {} } : null
  const file = await runInSlices(readStatementSteps(mediaType as StatementMediaType, bytes, csv)).catch(
    (error: unknown) => {
      throw error instanceof RejectedStatement ? rejected(error.errors) : error
    },
  )
  const own = findBankAccount(settings.bankAccounts, file.account)
  if (own === null || (asked !== null && asked !== own)) throw otherAccount()
  if (file.currency !== own.currency) {
    throw rejected([
      {
        line: 1,
        column: 1,
        code: 'other_currency',
        detail: `The account is in ${own.currency}, the file in ${file.currency}.`,
      },
    ])
  }
  const hash = createHash('sha256').update(bytes)
  if (isCsv) hash.update(own.iban)
  return { ...file, account: own.iban, sha256: hash.digest('hex') }
}

function rejected(errors: RejectedStatement['errors']): Problem {
  const [first] = errors
  const detail = `Line ${first?.line}, column ${first?.column}: ${first?.detail} Nothing was imported.`
  return new Problem('statement_rejected', detail, { errors })
}

function otherAccount(): Problem {
  const detail = 'The bank account is none of the institution’s. Add it to `bankAccounts`, or check the file.'
  return rejected([{ line: 1, column: 1, code: 'other_account', detail }])
}

async function importFile(
  tx: Transaction,
  context: RequestContext,
  file: CheckedFile,
  { bankMatching }: BillingSettings,
): Promise<Versioned<BankStatementRecord>> {
  // Files of one account come in one after the other: each must see the lines of the one before.
  await takeAdvisoryLock(tx, `bank statements of ${file.account}`)
  const before = await findOne(tx, bankStatements, sql`b.file_sha256 = ${file.sha256}`)
  if (before !== null) return { ...before, entityTag: null, isNew: false }
  const identified = await identifyLines(tx, file.account, file.format, file.entries)
  const id = newId()
  const lines = await insertStatement(tx, id, file, identified)
  await reverseReturned(
    tx,
    context,
    lines.filter((line) => partsOf(line).some(isReturned)),
  )
  const others = await clearCollections(
    tx,
    context,
    lines.filter(({ amount }) => amount > 0),
  )
  if (bankMatching.bookExact) await bookExact(tx, context, others)
  const { record } = await readBack(tx, bankStatements, id)
  recordChanges(tx, context, [
    { type: 'bank_statement.imported', list: bankStatements, entityId: id, before: null, after: record },
  ])
  return { record, entityTag: null, isNew: true }
}
