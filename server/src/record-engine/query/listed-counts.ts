import { literal, sql } from '../../database/index.ts'
import type { Caller } from '../model/caller.ts'
import { RecordError } from '../model/record-error.ts'
import type { RecordRegistry } from '../model/record-registry.ts'
import type { RecordReader } from './list-records.ts'
import { type ListParameters, parseListRequest } from './list-request.ts'
import { QuerySources } from './query-sources.ts'

/** How many of the records that were asked for have a value; null where they have none. */
interface ListedCount {
  readonly name: string | null
  readonly count: number
}

/**
 * The values of a name of `listedBy` among the records that meet `filters` and `or_filters`, each with their number, the
 * largest first, at most `max`. A record of several values counts in each.
 *
 * @throws RecordError `PermissionError` where the caller may not read the type, `DataError` where not what says the
 * values, and what `parseListRequest` throws.
 */
export async function countListed(
  reader: RecordReader,
  registry: RecordRegistry,
  caller: Caller,
  typeName: string,
  field: string,
  { filters, or_filters }: ListParameters,
  max: number,
): Promise<ListedCount[]> {
  const asked = { fields: ['name'], filters, or_filters, limit_page_length: 0 }
  const { statement } = parseListRequest(registry, caller, typeName, asked)
  const values = new QuerySources(registry, caller, typeName, undefined).listedValues(field)
  if (values === null) {
    throw new RecordError(
      'DataError',
      `Field not permitted in query: ${field}. Ask for a role that reads what says it.`,
    )
  }
  return reader.query<ListedCount>(sql`
    select said.value as name, count(distinct found.f0) as count
      from (${statement}) found left join (${values}) said on said.name = found.f0
     group by said.value order by count desc, name limit ${literal(max)}`)
}
