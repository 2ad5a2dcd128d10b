import type { Right } from '@matricula/contract/record-types'
import type { Reading, RecordEngine } from '../../record-engine/index.ts'
import {
  countRecords,
  isOwn,
  isRowType,
  loadFieldValue,
  loadSingleFieldValue,
  mayDo,
  mayDoWith,
  RecordError,
  type RecordReader,
  readNamed,
  readRecord,
  sentText,
  shownRecord,
} from '../../record-engine/index.ts'
import { parseJson } from '../protocol/json-values.ts'
import { readList, shownByName } from '../protocol/record-calls.ts'
import { type AnyMethod, readingMethod, recordMethod } from '../protocol/record-method.ts'

const listParameters = {
  doctype: { type: 'string', required: true },
  fields: { type: 'any' },
  filters: { type: 'any' },
  or_filters: { type: 'any' },
  group_by: { type: 'any' },
  order_by: { type: 'any' },
  limit_start: { type: 'any' },
  limit_page_length: { type: 'any' },
  limit: { type: 'any' },
  as_dict: { type: 'any' },
  parent: { type: 'any' },
  expand: { type: 'any', about: 'Link fields to replace by the records that they name.' },
  debug: { type: 'any' },
} as const

const rights: readonly Right[] = ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend']

/** The methods of `frappe.client` that read. */
export const clientReads: readonly AnyMethod[] = [
  readingMethod({
    path: 'frappe.client.get_list',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'The records that meet filters, with the fields that are asked for.',
    result: { type: 'array', description: 'The rows, as objects with the fields that were asked for.' },
    parameters: listParameters,
    read: (reading, { doctype, ...parameters }) => readList(reading, doctype, parameters),
  }),
  readingMethod({
    path: 'frappe.client.get_count',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'How many records meet filters.',
    result: { type: 'integer' },
    parameters: listParameters,
    read: ({ reader, registry, caller }, { doctype, filters, or_filters, parent }) =>
      countRecords(reader, registry, caller, doctype, { filters, or_filters, parent }),
  }),
  readingMethod({
    path: 'frappe.client.get_value',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Fields of the first record that meets filters, or that has a name.',
    result: {
      description:
        'The fields that were asked for; empty where no record meets the filters. With `as_dict` false their values.',
    },
    parameters: { ...listParameters, fieldname: { type: 'any', required: true } },
    read: ({ reader, registry, caller }, { doctype, fieldname, filters, as_dict, parent }) =>
      loadFieldValue(reader, registry, caller, doctype, { fieldname, filters, as_dict, parent }),
  }),
  readingMethod({
    path: 'frappe.client.get_single_value',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'A field of a single record.',
    parameters: { doctype: { type: 'string', required: true }, field: { type: 'string', required: true } },
    read: ({ reader, registry, caller }, { doctype, field }) =>
      loadSingleFieldValue(reader, registry, caller, doctype, field),
  }),
  recordMethod({
    path: 'frappe.client.get',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'A record with all its fields, by name or as the first that meets filters; a single one by its type.',
    result: { type: 'object', description: 'The record as it is stored, with its empty fields as null.' },
    parameters: {
      doctype: { type: 'string', required: true },
      name: { type: 'any' },
      filters: { type: 'any' },
      parent: { type: 'any' },
    },
    run: async (engine, { doctype, name, filters, parent }) => {
      if (isRowType(engine, doctype)) return readRow(engine, { doctype, name, filters, parent })
      const { type } = engine.registry.require(doctype)
      const { tx: reader, registry, caller } = engine
      const first = () => firstName({ reader, registry, caller }, doctype, filters)
      const found = isSet(name) ? name : isSet(filters) ? await first() : null
      if (found === null && type.kind !== 'single') {
        throw new RecordError('DoesNotExistError', `No ${type.name} meets the filters.`)
      }
      return shownRecord(
        caller,
        type,
        await readRecord(engine, doctype, sentText('The argument name', found ?? doctype)),
        {
          nulls: true,
        },
      )
    },
  }),
  recordMethod({
    path: 'frappe.client.has_permission',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Whether the caller may do something with the records of a type.',
    result: { type: 'object', properties: { has_permission: { type: 'boolean' } } },
    parameters: {
      doctype: { type: 'string', required: true },
      docname: { type: 'any' },
      perm_type: { type: 'string' },
    },
    run: async (engine, { doctype, docname, perm_type }) => {
      const right = rights.find((each) => each === (perm_type || 'read').toLowerCase())
      const isAllowed = right !== undefined && mayDoWith(engine, doctype, right)
      return { has_permission: isAllowed && (await isWithinRight(engine, doctype, docname, right)) }
    },
  }),
  recordMethod({
    path: 'frappe.client.get_doc_permissions',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'What the caller may do with the records of a type.',
    result: { type: 'object', description: 'Under `permissions` 1 or 0 for each right.' },
    parameters: { doctype: { type: 'string', required: true }, docname: { type: 'any' } },
    run: async (engine, { doctype, docname }) => {
      const definition = engine.registry.find(doctype)
      // A caller without access to a record must not learn whether it exists.
      if (isSet(docname) && definition !== null && mayDo(engine.caller, definition.type, 'read')) {
        const name = sentText('The argument docname', docname)
        if (await isWithinRight(engine, doctype, name, 'read')) await engine.get(definition.type, name)
      }
      const permissions: Record<string, 0 | 1> = {}
      for (const right of rights) {
        const isAllowed = mayDoWith(engine, doctype, right) && (await isWithinRight(engine, doctype, docname, right))
        permissions[right] = isAllowed ? 1 : 0
      }
      return { permissions }
    },
  }),
  recordMethod({
    path: 'frappe.client.validate_link',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Whether a record exists, with some of its fields.',
    result: {
      type: 'object',
      description: '`name`, null where there is no such record, and the fields that were asked for.',
    },
    parameters: {
      doctype: { type: 'string', required: true },
      docname: { type: 'string', required: true },
      fields: { type: 'any' },
    },
    run: async (engine, { doctype, docname, fields }) => {
      const { tx, registry, caller } = engine
      const sent = typeof fields === 'string' && fields !== '' ? parseJson(fields, 'The argument fields') : fields
      const fieldname = ['name', ...(Array.isArray(sent) ? sent : [])]
      const { type } = registry.require(doctype)
      engine.require(type, 'read')
      // Without case, like the paths of records.
      const filters = { name: (await engine.find(type, docname))?.name ?? docname }
      const found = (await loadFieldValue(tx, registry, caller, doctype, { fieldname, filters })) as { name?: string }
      return found.name === undefined ? { name: null } : found
    },
  }),
  readingMethod({
    path: 'frappe.client.is_document_amended',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Whether a cancelled record was amended by another one.',
    parameters: { doctype: { type: 'string', required: true }, docname: { type: 'string', required: true } },
    read: async (reading, { doctype, docname }) => {
      if (!Object.hasOwn(reading.registry.require(doctype).type.fields, 'amended_from')) return false
      return (await firstName(reading, doctype, { amended_from: docname })) !== null
    },
  }),
  recordMethod({
    path: 'frappe.client.get_time_zone',
    rights: 'public',
    isForStudents: true,
    summary: 'The time zone of the institution.',
    allowGuest: true,
    parameters: {},
    run: async ({ caller }) => ({ time_zone: caller.tenant.timeZone }),
  }),
]

/** A row, by its name or as the first that meets filters, where the type of its record is named too. */
async function readRow(
  engine: RecordEngine,
  { doctype, name, filters, parent }: { doctype: string; name: unknown; filters: unknown; parent: unknown },
): Promise<object> {
  const { tx, registry, caller } = engine
  const asked = {
    fieldname: 'name',
    filters: isSet(name) ? { name: sentText('The argument name', name) } : filters,
    as_dict: 0,
    parent,
  }
  const found = await loadFieldValue(tx, registry, caller, doctype, asked)
  if (typeof found !== 'string') throw new RecordError('DoesNotExistError', `No ${doctype} meets the filters.`)
  return shownByName(engine, doctype, await readNamed(engine, doctype, found), { nulls: true })
}

/** Whether a named record is among those on which the caller may exercise a right; true where none is named. */
async function isWithinRight(engine: RecordEngine, typeName: string, name: unknown, right: Right): Promise<boolean> {
  const definition = engine.registry.find(typeName)
  if (!isSet(name) || definition === null) return true
  return isOwn(engine, definition.type, sentText('The argument docname', name), right)
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== ''
}

/** The name of the first record that meets filters, or null. */
function firstName(
  { reader, registry, caller }: Omit<Reading, 'reader'> & { readonly reader: RecordReader },
  typeName: string,
  filters: unknown,
): Promise<unknown> {
  return loadFieldValue(reader, registry, caller, typeName, { fieldname: 'name', filters, as_dict: 0 })
}
