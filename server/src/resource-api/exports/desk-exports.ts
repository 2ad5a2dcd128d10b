import { hash } from 'node:crypto'
import { type RecordType, toDo } from '@matricula/contract/record-types'
import { recordAccess } from '../../changes/index.ts'
import { identifier, literal, sql } from '../../database/index.ts'
import type { Reading } from '../../record-engine/index.ts'
import {
  countListed,
  getNoun,
  getTable,
  type ListRequest,
  listRecords,
  mayDo,
  missingRight,
  openList,
  parsedJson,
  parseListRequest,
  RecordError,
  readAlternatives,
  readFilters,
  seesNotes,
} from '../../record-engine/index.ts'
import { StreamedFile } from '../protocol/call.ts'
import { type AnyMethod, readingMethod, stagedMethod } from '../protocol/record-method.ts'
import { type CsvOptions, csvOfRows } from './csv-rows.ts'
import { type SheetColumn, xlsxOfRows } from './xlsx-rows.ts'

/** The maximum groups in a response, the largest first. */
const maxGroups = 50

/** Methods for exporting and grouping lists. */
export const deskExports: readonly AnyMethod[] = [
  stagedMethod({
    path: 'frappe.desk.reportview.export_query',
    rights: 'of the argument',
    summary: 'The records that meet filters as a file: the fields that are asked for, in the order that is asked for.',
    verbs: ['POST'],
    fileType: 'text/csv',
    parameters: {
      doctype: { type: 'string', required: true },
      file_format_type: { type: 'string', about: '`CSV`, or `Excel` for a workbook (XLSX).' },
      title: { type: 'string', about: 'The name of the file, without its ending; the type where nothing is said.' },
      fields: { type: 'any' },
      filters: { type: 'any' },
      or_filters: { type: 'any' },
      group_by: { type: 'any' },
      order_by: { type: 'any' },
      start: { type: 'any' },
      page_length: { type: 'any', about: 'All records where nothing is said.' },
      selected_items: { type: 'any', about: 'A JSON array of names: these records alone, whatever the filters say.' },
      csv_delimiter: { type: 'string', about: 'One character; a comma where nothing is said.' },
      csv_quoting: {
        type: 'integer',
        about: '0 quotes what needs it, 1 everything, 2 all texts, 3 nothing more than 0.',
      },
    },
    runInStages: async ({ caller, reading, transaction }, { doctype, title, ...asked }) => {
      const format = getFormat(asked.file_format_type)
      const { filters, or_filters, ...slice } = getList(asked)
      const { registry, reader } = reading
      const request = parseListRequest(registry, caller, doctype, { ...slice, filters, or_filters, as_dict: 0 })
      const options = csvOptions(asked)
      const { type } = registry.require(doctype)
      // Audited before the first row is sent, however much of the export arrives.
      await transaction(async ({ tx }) => {
        const fields = request.fields.slice(0, maxRecorded).map(({ key }) => key)
        recordAccess(tx, caller, {
          action: 'records.exported',
          entityType: getNoun(type),
          entityId: null,
          facts: { fields, ...filtersAsRecorded(filters, or_filters) },
        })
      })
      const rows = await openList(reader, request)
      const name = title?.trim() || type.name
      if (format === 'Excel') return new StreamedFile(`${name}.xlsx`, workbook, xlsxOfRows(getColumns(request), rows))
      const headings = getColumns(request).map(({ heading }) => heading)
      return new StreamedFile(`${name}.csv`, 'text/csv; charset=utf-8', csvOfRows(headings, rows, options))
    },
  }),
  readingMethod({
    path: 'frappe.desk.listview.get_group_by_count',
    rights: 'of the argument',
    isForStudents: true,
    summary: `The values of a field among the records that meet filters, the ${maxGroups} most frequent first.`,
    result: {
      type: 'array',
      description: 'Each with `name`, the value, and `count`; `title` where what a link names is known by another one.',
    },
    parameters: {
      doctype: { type: 'string', required: true },
      current_filters: { type: 'any', about: 'Filters in any form that lists take.' },
      or_filters: { type: 'any', about: 'Filters of which one must hold, as lists take them.' },
      field: {
        type: 'string',
        required: true,
        about:
          'A field of the type, `assigned_to`, or of students `_student_group` and `_program`: a student counts in each group.',
      },
    },
    read: async ({ reader, registry, caller }, { doctype, current_filters, or_filters, field }) => {
      const { type } = registry.require(doctype)
      const reading = { reader, registry, caller }
      if (field === 'assigned_to') return assigneeCounts(reading, type, current_filters)
      if (Object.hasOwn(type.listedBy ?? {}, field)) {
        return countListed(
          reader,
          registry,
          caller,
          doctype,
          field,
          { filters: current_filters, or_filters },
          maxGroups,
        )
      }
      const request = parseListRequest(registry, caller, doctype, {
        fields: [{ COUNT: '*', as: 'count' }, field],
        filters: current_filters,
        or_filters,
        group_by: ownField(type, field),
        order_by: 'count desc',
        limit_page_length: maxGroups,
        as_dict: 0,
      })
      const groups = (await listRecords(reader, request)) as (readonly [number, unknown])[]
      const titles = await loadTitles(
        reading,
        type,
        field,
        groups.map(([, name]) => name),
      )
      return groups.map(([count, name]) => ({ name, count, ...(titles.has(name) && { title: titles.get(name) }) }))
    },
  }),
]

/** The maximum field names in an audit entry. */
const maxRecorded = 100

/** The filters as audited: their fields and a hash, without values, which may be personal data. */
function filtersAsRecorded(filters: unknown, orFilters: unknown): object {
  const options = { takesNames: false }
  const all = [
    ...readFilters('filters', filters, options),
    ...readAlternatives('or_filters', orFilters, options).flat(),
  ]
  const filteredBy = [...new Set(all.map(({ reference }) => reference.field))].slice(0, maxRecorded)
  return { filteredBy, filtersSha256: hash('sha256', JSON.stringify([filters ?? null, orFilters ?? null])) }
}

/** The media type of a workbook (XLSX). */
const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Parses the requested format. Throws `ValidationError` for an unknown one. */
function getFormat(format: string | null): 'CSV' | 'Excel' {
  if (format === null || format === '' || format.toUpperCase() === 'CSV') return 'CSV'
  if (format === 'Excel' || format.toUpperCase() === 'XLSX') return 'Excel'
  throw new RecordError('ValidationError', 'file_format_type is CSV or Excel here.')
}

interface AskedList {
  readonly fields: unknown
  readonly filters: unknown
  readonly or_filters: unknown
  readonly group_by: unknown
  readonly order_by: unknown
  readonly start: unknown
  readonly page_length: unknown
  readonly selected_items: unknown
}

/** The arguments of the list that is exported. */
function getList({ fields, filters, or_filters, group_by, order_by, start, page_length, selected_items }: AskedList) {
  const selected = typeof selected_items === 'string' ? parsedJson(selected_items) : selected_items
  const isSelected = selected !== null && selected !== undefined
  if (isSelected && !(Array.isArray(selected) && selected.every((name) => typeof name === 'string'))) {
    throw new RecordError('FrappeTypeError', 'selected_items must be a JSON array of names.')
  }
  return {
    fields,
    filters: isSelected ? [['name', 'in', selected]] : filters,
    or_filters: isSelected ? null : or_filters,
    group_by,
    order_by,
    limit_start: start,
    limit_page_length: page_length ?? 0,
  }
}

/** The columns of the file, with the field's label or the requested alias as heading. */
function getColumns({ fields }: ListRequest): SheetColumn[] {
  return fields.map(({ key, column, names }) => {
    if (column === null || names.length > 0) return { heading: key, type: null }
    return { heading: column.name === 'name' ? 'ID' : column.field.label, type: column.field.type }
  })
}

function csvOptions({
  csv_delimiter,
  csv_quoting,
}: {
  csv_delimiter: string | null
  csv_quoting: number | null
}): CsvOptions {
  const delimiter = csv_delimiter || ','
  if (!/^[,;|\t ]$/.test(delimiter)) {
    throw new RecordError('ValidationError', 'csv_delimiter is one of comma, semicolon, tab, space and |.')
  }
  return {
    delimiter,
    quotes: csv_quoting === 1 ? 'all' : csv_quoting === 2 || csv_quoting === null ? 'texts' : 'needed',
  }
}

/** Requires an unqualified field name for grouping. Throws `DataError` for anything else. */
function ownField(type: RecordType, field: string): string {
  if (/^\w+$/.test(field)) return field
  throw new RecordError('DataError', `${field.slice(0, 140)} is no field of ${type.name}.`)
}

interface Group {
  readonly name: unknown
  readonly count: number
}

/** The assignees of the records that meet filters, with their counts. */
async function assigneeCounts(
  { reader, registry, caller }: Reading,
  type: RecordType,
  filters: unknown,
): Promise<Group[]> {
  if (!seesNotes(caller, registry.require(type.name))) throw missingRight(type, 'read')
  const { statement } = parseListRequest(registry, caller, type.name, {
    fields: ['name'],
    filters,
    limit_page_length: 0,
  })
  return reader.query<{ name: string; count: number }>(sql`
    select task.allocated_to as name, count(distinct task.reference_name) as count
      from ${identifier(getTable(toDo))} task
     where task.tenant_id = ${caller.tenant.id} and task.reference_type = ${type.name}
       and task.allocated_to is not null and task.status not in ('Closed', 'Cancelled')
       and task.reference_name in (select found.f0 from (${statement}) found)
     group by task.allocated_to order by count desc, name limit ${literal(maxGroups)}`)
}

/** The titles of linked records, by name, where their type has a title and the caller may read it. */
async function loadTitles(
  { reader, registry, caller }: Reading,
  type: RecordType,
  field: string,
  values: readonly unknown[],
): Promise<ReadonlyMap<unknown, unknown>> {
  const declared = Object.hasOwn(type.fields, field) ? type.fields[field] : undefined
  const target = declared?.type === 'Link' ? registry.find(declared.target)?.type : undefined
  const names = values.filter((value) => typeof value === 'string' && value !== '')
  if (target?.titleField === undefined || names.length === 0 || !mayDo(caller, target, 'read')) return new Map()
  const request = parseListRequest(registry, caller, target.name, {
    fields: ['name', target.titleField],
    filters: [['name', 'in', names]],
    limit_page_length: 0,
    as_dict: 0,
  })
  return new Map((await listRecords(reader, request)) as (readonly [unknown, unknown])[])
}
