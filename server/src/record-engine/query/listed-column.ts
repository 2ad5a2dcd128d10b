import type { LinkField, RecordType } from '@matricula/contract/record-types'
import { type Sql, sql } from '../../database/index.ts'
import type { QueryColumn } from './query-column.ts'

/**
 * The column of a name of `listedBy`, over a query of (`name`, `value`): a list shows the values of a record in their
 * order with commas, and a condition holds for a record of which one value meets it.
 */
export function listedColumn(recordType: RecordType, name: string, field: LinkField, values: Sql): QueryColumn {
  return {
    id: `r.${name}`,
    name,
    field,
    recordType,
    raw: sql`(select string_agg(distinct said.value, ', ' order by said.value) from (${values}) said where said.name = r.name)`,
    beside: sql`(${values})`,
    custom: null,
    byId: null,
    isMoment: false,
    isNullable: true,
  }
}
