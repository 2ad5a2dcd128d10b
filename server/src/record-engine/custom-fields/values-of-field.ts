import type { customField } from '@matricula/contract/record-types'
import { identifier, type Sql, sql } from '../../database/index.ts'
import { getOptions } from '../../tenancy/custom-fields/index.ts'
import type { RecordWork } from '../lifecycle/record-work.ts'
import type { RecordOf } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import { typeOfStored } from './stored-custom-fields.ts'

type CustomFieldRecord = RecordOf<typeof customField>

interface StoredTable {
  readonly table: string
}

/** How many records have a value in a stored field. */
export async function countValues({ tx }: RecordWork, { name }: CustomFieldRecord): Promise<number> {
  const [counted] = await tx.query<{ count: number }>(sql`
    select count(*) from custom_field_values v
     where v.tenant_id = ${tx.tenantId} and v.field_id = ${getId(tx.tenantId, name)}`)
  return counted?.count ?? 0
}

const getId = (tenantId: string, name: string) =>
  sql`(select f.id from custom_fields f where f.tenant_id = ${tenantId} and f.name = ${name})`

/** Indexes the values that records already have under the name of a new field. */
export async function indexValues({ tx }: RecordWork, field: CustomFieldRecord, { table }: StoredTable): Promise<void> {
  const { fieldname, name } = field
  await tx.query(sql`
    insert into custom_field_values (tenant_id, field_id, record_id, text_value, number_value)
    select r.tenant_id, ${getId(tx.tenantId, name)}, r.id,
           custom_text(r.custom_fields -> ${fieldname}), custom_number(r.custom_fields, ${fieldname})
      from ${identifier(table)} r
     where r.tenant_id = ${tx.tenantId} and r.custom_fields ? ${fieldname}
    on conflict do nothing`)
}

/**
 * Throws `ValidationError` where a record has a value under the field's name that does not fit, `UniqueValidationError`
 * where a unique one is there twice. Scans the records of the type.
 */
export async function requireFitting(
  { tx, findRecordLocation }: RecordWork,
  field: CustomFieldRecord,
  { table }: StoredTable,
): Promise<void> {
  const { fieldname, label, fieldtype } = field
  const target = fieldtype === 'Link' ? findRecordLocation(field.options ?? '') : null
  const fits = fitting(field, tx.tenantId, target?.relation ?? null)
  const [found] = await tx.query<{ value: unknown; count: number }>(sql`
    select (array_agg(value))[1] as value, count(*) as count
      from (select r.custom_fields -> ${fieldname} as value from ${identifier(table)} r
             where r.tenant_id = ${tx.tenantId} and r.custom_fields ? ${fieldname}) v
     where not coalesce(${fits}, false)`)
  if (found !== undefined && found.count > 0) {
    const example = JSON.stringify(found.value)?.slice(0, 80)
    throw new RecordError(
      'ValidationError',
      `${found.count} records have a value under ${fieldname} that ${label} (${fieldtype}) could not have, such as ${example}. Change these first, or choose another name or type.`,
    )
  }
  if (field.unique === 1) await requireDifferent({ tx }, field, table)
}

async function requireDifferent(
  { tx }: Pick<RecordWork, 'tx'>,
  { fieldname, label }: CustomFieldRecord,
  table: string,
) {
  const [twice] = await tx.query<{ value: unknown }>(sql`
    select r.custom_fields -> ${fieldname} as value from ${identifier(table)} r
     where r.tenant_id = ${tx.tenantId} and r.custom_fields ? ${fieldname}
     group by 1 having count(*) > 1 limit 1`)
  if (twice === undefined) return
  const value = JSON.stringify(twice.value)?.slice(0, 80)
  throw new RecordError('UniqueValidationError', `${label} cannot be unique: more than one record has ${value}.`)
}

/** The condition that a stored JSON `value` fits a field. */
function fitting(field: CustomFieldRecord, tenantId: string, targetRelation: string | null): Sql {
  const fieldtype = field.fieldtype as Parameters<typeof typeOfStored>[0]['type']
  const text = sql`(value #>> '{}')`
  const isOfType = sql`jsonb_typeof(value) = ${typeOfStored({ type: fieldtype })}`
  const matching = (pattern: Sql) => sql`${isOfType} and ${text} ~ ${pattern}`
  const day = sql`'^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'`
  const time = sql`'^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{6})?$'`
  const moment = sql`'^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{6})?$'`
  const number = sql`case when jsonb_typeof(value) = 'number' then ${text}::numeric end`
  switch (fieldtype) {
    case 'Data':
      return sql`${isOfType} and length(${text}) <= 140`
    case 'Select':
      return sql`${isOfType} and ${text} = any(${getOptions(field.options)}::text[])`
    case 'Link':
      return sql`${isOfType} and exists (
        select from ${identifier(targetRelation as string)} t where t.tenant_id = ${tenantId} and t.name = ${text})`
    case 'Date':
      return matching(day)
    case 'Datetime':
      return matching(moment)
    case 'Time':
      return matching(time)
    case 'Check':
      return sql`${isOfType} and ${number} in (0, 1)`
    case 'Int':
      return sql`${number} = trunc(${number}) and abs(${number}) <= 2147483647`
    case 'Float':
    case 'Currency':
    case 'Percent':
    case 'Duration':
      return sql`abs(${number}) <= 1e15`
    default:
      return isOfType
  }
}
