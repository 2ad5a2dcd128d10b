import type { Database } from '../../../database/index.ts'
import {
  type Caller,
  openList,
  parseListRequest,
  RecordError,
  type RecordRegistry,
  recordReader,
} from '../../../record-engine/index.ts'
import type { ExportedRecords } from './export-kinds.ts'

/**
 * All records of a type of the Resource API, by their names, without the rows of their tables. Throws `RecordError`
 * `DoesNotExistError` for a type that there is not.
 */
export async function exportedType(
  database: Database,
  registry: RecordRegistry,
  caller: Caller,
  typeName: string,
  since: string | null,
): Promise<ExportedRecords> {
  const { type } = registry.require(typeName)
  if (type.kind === 'child') throw new RecordError('ValidationError', `${typeName} is a row of other records.`)
  const own = Object.entries(type.fields).filter(([, field]) => field.type !== 'Table' && field.type !== 'Password')
  const columns = ['name', 'owner', 'creation', 'modified', 'docstatus', ...own.map(([name]) => name)]
  const request = parseListRequest(registry, caller, typeName, {
    fields: columns,
    filters: since === null ? [] : [['modified', '>=', since.slice(0, 19).replace('T', ' ')]],
    limit_page_length: 0,
    order_by: 'creation asc, name asc',
  })
  const rows = await openList(recordReader(database, caller.tenant.id), request)
  return { columns, rows: Array.isArray(rows) ? oneBatch(rows as never) : (rows as never) }
}

async function* oneBatch<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}
