import { createHash } from 'node:crypto'
import type { bankStatementOperations, FileBody } from '@matricula/contract'
import { type RequestContext, recordChanges } from '../../../changes/index.ts'
import { takeAdvisoryLock } from '../../../concurrency/index.ts'
import { type Database, sql, type Transaction } from '../../../database/index.ts'
import { findOne, readBack, type Versioned } from '../../../entities/index.ts'
import { Problem, validationProblem } from '../../../errors/index.ts'
import type { OperationRequest, Write } from '../../../http/index.ts'
import { newId } from '../../../values/index.ts'
import { type BillingSettings, loadBillingSettings } from '../billing-settings.ts'
import { findBankAccount } from './bank-account.ts'
import { bookExact } from './book-exact.ts'
import { clearCollections } from './clear-collections.ts'
import { type CsvOptions, readStatementFile, type StatementFile, type StatementMediaType } from './formats/read-file.ts'
import { StatementFaults } from './formats/statement.ts'
import { type Identified, identifyLines } from './identify-lines.ts'
import { type LineRow, selectLines } from './line-store.ts'
import { partsOf } from './proposals.ts'
import { isReturned, reverseReturned } from './returned-debits.ts'
import { type BankStatementRecord, bankStatements } from './statement-store.ts'

type ImportOperation = (typeof bankStatementOperations)['importBankStatement']

/** A file that is read and checked, of an account of the institution. */
interface CheckedFile extends StatementFile {
  readonly sha256: string
}

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
  const file = readChecked(body, query.account ?? null, settings)
  return (tx) => importFile(tx, context, file, settings)
}

function readChecked({ mediaType, bytes }: FileBody, account: string | null, settings: BillingSettings): CheckedFile {
  const isCsv = mediaType === 'text/csv'
  if (isCsv && account === null) {
    const detail = 'is required for CSV: the IBAN of the bank account'
    throw validationProblem([{ in: 'query', name: 'account', code: 'required', detail }])
  }
  const asked = account === null ? null : findBankAccount(settings.bankAccounts, account)
  if (account !== null && asked === null) throw otherAccount()
  const csv: CsvOptions | null = isCsv && asked !== null ? { account: asked, mapping: asked.csvColumns ?? {} } : null
  const file = rejecting(() => readStatementFile(mediaType as StatementMediaType, bytes, csv))
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

function rejecting<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw error instanceof StatementFaults ? rejected(error.faults) : error
  }
}

function rejected(errors: StatementFaults['faults']): Problem {
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
  const made = await insertStatement(tx, id, file, identified)
  const lines = await tx.query<LineRow>(selectLines(tx.tenantId, sql`l.id = any(${made}::uuid[])`))
  const inOrder = made.flatMap((lineId) => lines.find((line) => line.id === lineId) ?? [])
  await reverseReturned(
    tx,
    context,
    inOrder.filter((line) => partsOf(line).some(isReturned)),
  )
  const others = await clearCollections(
    tx,
    context,
    inOrder.filter(({ amount }) => amount > 0),
  )
  if (bankMatching.bookExact) await bookExact(tx, context, others)
  const { record } = await readBack(tx, bankStatements, id)
  recordChanges(tx, context, [
    { type: 'bank_statement.imported', list: bankStatements, entityId: id, before: null, after: record },
  ])
  return { record, entityTag: null, isNew: true }
}

/** Inserts a file with its new lines, and lists those that are known. Gives the ids of the new ones. */
async function insertStatement(
  tx: Transaction,
  id: string,
  file: CheckedFile,
  identified: readonly Identified[],
): Promise<string[]> {
  const lines = identified.map(({ entry, knownId, content, ordinal }, position) => ({
    ...entry,
    id: knownId ?? newId(),
    isNew: knownId === null,
    content,
    ordinal,
    position,
    // What went out pays nothing here, unless it is a collection that came back.
    status: entry.amount > 0 || partsOf(entry).some(isReturned) ? 'open' : 'ignored',
  }))
  const added = lines.filter(({ isNew }) => isNew)
  await tx.query(sql`
    insert into bank_statements (tenant_id, id, file_sha256, format, account, currency, number, from_day, to_day,
                                 opening_balance, closing_balance, lines_total, lines_new, gaps)
    values (${tx.tenantId}, ${id}, ${file.sha256}, ${file.format}, ${file.account}, ${file.currency}, ${file.number},
            ${file.from}, ${file.to}, ${file.openingBalance}, ${file.closingBalance}, ${lines.length}, ${added.length},
            ${JSON.stringify(file.gaps)}::jsonb)`)
  await tx.query(sql`
    insert into bank_statement_lines (tenant_id, id, account, format, booked_on, value_on, amount, currency, bank_reference,
                                      end_to_end_id, reference, name, iban, text, return_reason, details, content_sha256,
                                      ordinal, status)
    select ${tx.tenantId}, n.id, ${file.account}, ${file.format}, n."bookedOn", n."valueOn", n.amount, n.currency,
           n."bankReference", n."endToEndId", n.reference, n.name, n.iban, n.text, n."returnReason", n.details, n.content,
           n.ordinal, n.status
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as n (
             id uuid, "bookedOn" date, "valueOn" date, amount numeric, currency text, "bankReference" text,
             "endToEndId" text, reference text, name text, iban text, text text, "returnReason" text, details jsonb,
             content text, ordinal integer, status text)`)
  const listed = lines.map(({ id: lineId, position }) => ({ lineId, position }))
  await tx.query(sql`
    insert into bank_statement_entries (tenant_id, statement_id, position, line_id)
    select ${tx.tenantId}, ${id}, n.position, n."lineId"
      from jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as n ("lineId" uuid, position integer)`)
  return added.map((line) => line.id)
}
