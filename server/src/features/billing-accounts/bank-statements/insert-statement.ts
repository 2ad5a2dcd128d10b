import { sql, type Transaction } from '../../../database/index.ts'
import { inChunks, newId } from '../../../values/index.ts'
import type { StatementFile } from './formats/read-file.ts'
import type { Identified } from './identify-lines.ts'
import type { LineRow } from './line-store.ts'
import { partsOf } from './proposals.ts'
import { isReturned } from './returned-debits.ts'

/** A file that is read and checked, of an account of the institution, with the hash of its bytes. */
export interface CheckedFile extends StatementFile {
  readonly sha256: string
}

/** So many lines are inserted by one statement. */
const batchSize = 2000

/** Inserts a file with its new lines, and lists those that are known. Gives the new ones in the order of the file. */
export async function insertStatement(
  tx: Transaction,
  id: string,
  file: CheckedFile,
  identified: readonly Identified[],
): Promise<LineRow[]> {
  const listed = identified.map((each, position) => ({ ...each, lineId: each.knownId ?? newId(), position }))
  const added = listed.filter(({ knownId }) => knownId === null)
  await tx.query(sql`
    insert into bank_statements (tenant_id, id, file_sha256, format, account, currency, number, from_day, to_day,
                                 opening_balance, closing_balance, lines_total, lines_new, gaps)
    values (${tx.tenantId}, ${id}, ${file.sha256}, ${file.format}, ${file.account}, ${file.currency}, ${file.number},
            ${file.from}, ${file.to}, ${file.openingBalance}, ${file.closingBalance}, ${listed.length}, ${added.length},
            ${JSON.stringify(file.gaps)}::jsonb)`)
  const made: LineRow[] = []
  for (const batch of inChunks(added, batchSize)) {
    const lines = batch.map(({ entry, lineId }): LineRow => {
      // What went out pays nothing here, unless it is a collection that came back.
      const status = entry.amount > 0 || partsOf(entry).some(isReturned) ? 'open' : 'ignored'
      return { ...entry, id: lineId, details: [...entry.details], status, receiptIds: [] }
    })
    made.push(...lines)
    const rows = lines.map((line, index) => ({
      ...line,
      content: batch[index]?.content,
      ordinal: batch[index]?.ordinal,
    }))
    await tx.query(sql`
      insert into bank_statement_lines (tenant_id, id, account, format, booked_on, value_on, amount, currency,
                                        bank_reference, end_to_end_id, reference, name, iban, text, return_reason, details,
                                        content_sha256, ordinal, status)
      select ${tx.tenantId}, n.id, ${file.account}, ${file.format}, n."bookedOn", n."valueOn", n.amount, n.currency,
             n."bankReference", n."endToEndId", n.reference, n.name, n.iban, n.text, n."returnReason", n.details,
             n.content, n.ordinal, n.status
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (
               id uuid, "bookedOn" date, "valueOn" date, amount numeric, currency text, "bankReference" text,
               "endToEndId" text, reference text, name text, iban text, text text, "returnReason" text, details jsonb,
               content text, ordinal integer, status text)`)
  }
  for (const batch of inChunks(listed, batchSize)) {
    const rows = batch.map(({ lineId, position }) => ({ lineId, position }))
    await tx.query(sql`
      insert into bank_statement_entries (tenant_id, statement_id, position, line_id)
      select ${tx.tenantId}, ${id}, n.position, n."lineId"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n ("lineId" uuid, position integer)`)
  }
  return made
}
