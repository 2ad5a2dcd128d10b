import { docType } from '@matricula/contract/record-types'
import {
  countRecords,
  describedType,
  getTableFields,
  isManager,
  mayDoWith,
  missingRight,
  openList,
  parseListRequest,
  RecordError,
  RowStream,
  readRecord,
  shownRecord,
  shownTo,
} from '../../record-engine/index.ts'
import { CallResult } from '../protocol/call.ts'
import { type AnyMethod, readingMethod, recordMethod } from '../protocol/record-method.ts'

const parameters = {
  doctype: { type: 'string', required: true },
  fields: { type: 'any' },
  filters: { type: 'any' },
  or_filters: { type: 'any' },
  group_by: { type: 'any' },
  order_by: { type: 'any' },
  start: { type: 'any' },
  page_length: { type: 'any' },
} as const

const view = 'frappe.desk.reportview'

/** Reading methods of the Frappe desk. */
export const deskReads: readonly AnyMethod[] = [
  readingMethod({
    path: `${view}.get_list`,
    rights: 'of the argument',
    isForStudents: true,
    summary: 'The records that meet filters, with the fields that are asked for.',
    result: { type: 'array', description: 'The rows, as objects with the fields that were asked for.' },
    parameters,
    read: async ({ reader, registry, caller }, { doctype, page_length, ...rest }) =>
      openList(reader, parseListRequest(registry, caller, doctype, { ...rest, limit_page_length: page_length })),
  }),
  readingMethod({
    path: `${view}.get`,
    rights: 'of the argument',
    isForStudents: true,
    summary: 'The same with the names of the fields once, in `keys`, and the rows as lists, in `values`.',
    parameters,
    read: async ({ reader, registry, caller }, { doctype, page_length, ...rest }) => {
      const sent = { ...rest, limit_page_length: page_length, as_dict: 0 }
      const request = parseListRequest(registry, caller, doctype, sent)
      const rows = await openList(reader, request)
      const withKeys = (values: unknown) => ({ keys: request.fields.map(({ key }) => key), values, user_info: {} })
      if (rows instanceof RowStream) return rows.within(withKeys)
      return rows.length === 0 ? [] : withKeys(rows)
    },
  }),
  readingMethod({
    path: `${view}.get_count`,
    rights: 'of the argument',
    isForStudents: true,
    summary: 'How many records meet filters. With a `limit` they are counted up to it only.',
    result: { type: 'integer' },
    parameters: { ...parameters, distinct: { type: 'any' }, limit: { type: 'any' } },
    read: ({ reader, registry, caller }, { doctype, filters, or_filters, limit }) =>
      countRecords(reader, registry, caller, doctype, { filters, or_filters, limit }),
  }),
  readingMethod({
    path: 'frappe.desk.form.load.getdoctype',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'A record type with its fields, in `docs`, and behind it the types of its rows.',
    parameters: {
      doctype: { type: 'string', required: true },
      with_parent: { type: 'any' },
      cached_timestamp: { type: 'any' },
    },
    read: async ({ registry, caller }, { doctype }) => {
      const type = registry.getType(doctype)
      if (!mayDoWith({ registry, caller }, doctype, 'read')) throw missingRight(type, 'read')
      const rows = getTableFields(type).map((table) => table.rows)
      const described = [type, ...new Set(rows)].map((each) =>
        shownRecord(caller, docType, describedType(shownTo(caller, each)), { nulls: true }),
      )
      return new CallResult(null, described)
    },
  }),
  recordMethod({
    path: 'frappe.client.get_password',
    rights: 'of the argument',
    summary: 'Refused: what a secret field of a record holds is told to nobody.',
    parameters: {
      doctype: { type: 'string', required: true },
      name: { type: 'string', required: true },
      fieldname: { type: 'string', required: true },
    },
    run: async (engine, { doctype, name, fieldname }) => {
      if (!isManager(engine.caller)) {
        throw new RecordError('PermissionError', 'Secrets are the concern of a System Manager only.')
      }
      await readRecord(engine, doctype, name)
      const { fields } = engine.registry.require(doctype).type
      const field = Object.hasOwn(fields, fieldname) ? fields[fieldname] : undefined
      if (field?.type !== 'Password') {
        throw new RecordError('ValidationError', `${doctype} has no secret field ${fieldname.slice(0, 140)}.`)
      }
      const text = `The ${field.label} is kept encrypted and told to nobody. Enter a new one in its place.`
      throw new RecordError('PermissionError', text)
    },
  }),
]
