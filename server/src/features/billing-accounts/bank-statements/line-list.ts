import { type bankStatementOperations, pageBounds, type Query } from '@matricula/contract'
import { type Database, empty, type Sql, sql } from '../../../database/index.ts'
import { notFoundProblem, validationProblem } from '../../../errors/index.ts'
import { getCursor, type Page, parseCursor } from '../../../listing/index.ts'
import { isUuid } from '../../../values/index.ts'
import { type LineRecord, type LineRow, selectLines } from './line-store.ts'
import { propose } from './proposals.ts'

type LinesQuery = Query<(typeof bankStatementOperations)['listBankStatementLines']>

/** A page of the lines of a file, in its order, with what they may pay. Throws `resource_not_found` for the file. */
export async function listLines(
  database: Database,
  tenantId: string,
  statementId: string,
  query: LinesQuery,
): Promise<Page<LineRecord>> {
  const { limit = pageBounds.limit.default, status, updatedSince } = query
  if (query.cursor !== undefined && query.page !== undefined) {
    const detail = 'cannot be used together with page'
    throw validationProblem([{ in: 'query', name: 'cursor', code: 'inconsistent', detail }])
  }
  if (!isUuid(statementId)) throw notFoundProblem('bank statement')
  const cursor = query.cursor === undefined ? null : parseCursor(query.cursor)
  const page = cursor?.page ?? query.page ?? 1
  const offset = (page - 1) * limit
  const [row] = await database.read<{ exists: boolean; total: number; ids: string[] }>(
    tenantId,
    sql`
      with found as materialized (
        select e.position, l.id
          from bank_statement_entries e
          join bank_statement_lines l on l.tenant_id = ${tenantId} and l.id = e.line_id
         where e.tenant_id = ${tenantId} and e.statement_id = ${statementId}
           ${status === undefined ? empty : sql`and l.status = ${status}`}
           ${updatedSince === undefined ? empty : sql`and l.updated_at >= ${updatedSince}`}
      ), page as materialized (
        select * from found order by position limit ${limit} offset ${offset}
      )
      select exists (select from bank_statements where tenant_id = ${tenantId} and id = ${statementId}) as exists,
             (select count(*) from found)::integer as total,
             (select coalesce(array_agg(id order by position), '{}') from page) as ids`,
  )
  if (row?.exists !== true) throw notFoundProblem('bank statement')
  const { ids, total } = row
  const read = <Row extends object>(statement: Sql) => database.read<Row>(tenantId, statement)
  const lines = await read<LineRow>(selectLines(tenantId, sql`l.id = any(${ids}::uuid[])`))
  const proposed = await propose(read, tenantId, lines)
  const byId = new Map(lines.map((line) => [line.id, line]))
  const last = ids.at(-1)
  return {
    records: ids.flatMap((id) => {
      const line = byId.get(id)
      return line === undefined ? [] : [{ ...line, proposals: [...(proposed.get(id)?.proposals ?? [])] }]
    }),
    page,
    limit,
    total: cursor?.total ?? total,
    nextCursor:
      cursor !== null && last !== undefined && offset + limit < total ? getCursor(page + 1, 0, last, total) : null,
  }
}
