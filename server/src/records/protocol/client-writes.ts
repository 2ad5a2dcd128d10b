import { standardFields } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import type { AnyDocument } from '../record-document.ts'
import { RecordEngine } from '../record-engine.ts'
import { RecordError } from '../record-error.ts'
import {
  cancelRecord,
  createRecord,
  deleteRecord,
  readRecord,
  renameRecord,
  runRecordMethod,
  saveRecord,
  updateRecord,
} from '../record-requests.ts'
import { type Arguments, CallResult } from './call.ts'
import { parseJson } from './json-values.ts'
import { afterMethod, shownByName } from './record-calls.ts'
import { type RecordMethod, recordMethod, type Verb } from './record-method.ts'
import { asRecordError } from './refusals.ts'

const writing: readonly Verb[] = ['POST', 'PUT']
const mostInserted = 200
const mostUpdated = 500
const named = { doctype: { type: 'string', required: true }, name: { type: 'string', required: true } } as const

/** The methods of `frappe.client` that write, and `run_doc_method`. Records are given whole, with their nulls. */
export const clientWrites: readonly RecordMethod[] = [
  recordMethod({
    path: 'frappe.client.insert',
    isForStudents: true,
    summary: 'Makes a record, or a row of one.',
    verbs: writing,
    parameters: { doc: { type: 'json', required: true } },
    run: async (engine, { doc }) => {
      const { typeName, document } = await insert(engine, asRecord(doc, 'doc'))
      return shown(engine, typeName, document)
    },
  }),
  recordMethod({
    path: 'frappe.client.insert_many',
    isForStudents: true,
    summary: `Makes up to ${mostInserted} records, all or none.`,
    verbs: writing,
    parameters: { docs: { type: 'json', required: true } },
    run: async (engine, { docs }) => {
      const names: string[] = []
      for (const doc of asList(docs, 'docs', mostInserted)) {
        names.push((await insert(engine, asRecord(doc, 'docs'))).document.name)
      }
      return names
    },
  }),
  recordMethod({
    path: 'frappe.client.save',
    isForStudents: true,
    summary: 'Saves a record as it is sent, with the `modified` that was read; without a name it makes one.',
    verbs: writing,
    parameters: { doc: { type: 'json', required: true } },
    run: (engine, { doc }) => saved(engine, doc),
  }),
  recordMethod({
    path: 'frappe.client.submit',
    isForStudents: true,
    summary: 'Saves a record as it is sent and submits it.',
    verbs: writing,
    // frappe-client sends `doclist`.
    parameters: { doc: { type: 'json' }, doclist: { type: 'json' } },
    run: (engine, { doc, doclist }) => {
      const sent = doc ?? doclist
      if (sent === null) throw new RecordError('FrappeTypeError', 'The argument doc is missing: send the record.')
      return saved(engine, sent, 1)
    },
  }),
  recordMethod({
    path: 'frappe.client.cancel',
    isForStudents: true,
    summary: 'Cancels a submitted record.',
    verbs: writing,
    parameters: named,
    run: async (engine, { doctype, name }) => shown(engine, doctype, await cancelRecord(engine, doctype, name)),
  }),
  recordMethod({
    path: 'frappe.client.delete',
    isForStudents: true,
    summary: 'Deletes a record.',
    verbs: ['DELETE', 'POST'],
    parameters: named,
    run: async (engine, { doctype, name }) => {
      await deleteRecord(engine, doctype, name)
      return null
    },
  }),
  recordMethod({
    path: 'frappe.client.set_value',
    isForStudents: true,
    summary: 'Changes one field of a record, or several.',
    verbs: writing,
    parameters: { ...named, fieldname: { type: 'any', required: true }, value: { type: 'any' } },
    run: async (engine, { doctype, name, fieldname, value }) => {
      const fields = changesOf(fieldname, value)
      const standard = Object.keys(fields).find((field) => Object.hasOwn(standardFields, field))
      if (standard !== undefined) throw new RecordError('ValidationError', `Cannot edit standard field ${standard}`)
      return shown(engine, doctype, await updateRecord(engine, doctype, name, fields))
    },
  }),
  recordMethod({
    path: 'frappe.client.bulk_update',
    isForStudents: true,
    summary: `Changes up to ${mostUpdated} records, each by itself, and tells which failed.`,
    verbs: writing,
    parameters: { docs: { type: 'json', required: true } },
    run: async (engine, { docs }) => {
      const failed: object[] = []
      for (const sent of asList(docs, 'docs', mostUpdated)) {
        const refusal = await updateAlone(engine, asRecord(sent, 'docs'))
        if (refusal !== null) failed.push({ doc: sent, exc: refusal })
      }
      return { failed_docs: failed }
    },
  }),
  recordMethod({
    path: 'frappe.client.rename_doc',
    isForStudents: true,
    summary: 'Gives a record another name, in all links too; with merge it becomes one with the record of that name.',
    verbs: writing,
    parameters: {
      doctype: { type: 'string', required: true },
      old_name: { type: 'string', required: true },
      new_name: { type: 'string', required: true },
      merge: { type: 'boolean' },
    },
    run: (engine, { doctype, old_name, new_name, merge }) =>
      renameRecord(engine, doctype, old_name, new_name, merge ?? false),
  }),
  recordMethod({
    path: 'run_doc_method',
    isForStudents: true,
    summary: 'Runs a method of a record, by its type and name or as it was read.',
    parameters: {
      method: { type: 'string', required: true },
      dt: { type: 'string' },
      dn: { type: 'string' },
      docs: { type: 'json' },
      args: { type: 'any' },
    },
    run: async (engine, { method, dt, dn, docs, args }) => {
      const sent = docs === null ? {} : asRecord(docs, 'docs')
      const typeName = dt ?? requireTypeName(sent.doctype)
      const name = dt === null ? String(sent.name ?? typeName) : (dn ?? dt)
      const document = await readRecord(engine, typeName, name)
      if (dt === null && sent.modified !== document.modified) throw changedSince(typeName, document)
      const given = typeof args === 'string' && args !== '' ? parseJson(args, 'The argument args') : args || {}
      const ran = await runRecordMethod(engine, document, typeName, method, asRecord(given, 'args'))
      const { result, after } = await afterMethod(engine, typeName, name, ran)
      return new CallResult(result, [after])
    },
  }),
]

function shown(engine: RecordEngine, typeName: string, document: AnyDocument): object {
  return shownByName(engine, typeName, document, true)
}

async function saved(engine: RecordEngine, doc: object, docstatus?: 1): Promise<object> {
  const fields = asRecord(doc, 'doc')
  return shown(engine, requireTypeName(fields.doctype), await saveRecord(engine, fields, docstatus))
}

async function insert(engine: RecordEngine, doc: Arguments): Promise<{ typeName: string; document: AnyDocument }> {
  const typeName = requireTypeName(doc.doctype)
  const isRow = engine.registry.find(typeName) === null && engine.registry.parentsOf(typeName).length > 0
  if (!isRow) return { typeName, document: await createRecord(engine, typeName, doc) }
  return appendRow(engine, typeName, doc)
}

/** A row that is sent alone becomes the last one of its record, which is saved and given back. */
async function appendRow(
  engine: RecordEngine,
  rowType: string,
  { parent, parenttype, parentfield, ...row }: Arguments,
) {
  const place = engine.registry
    .parentsOf(rowType)
    .find(({ owner, field }) => owner.type.name === parenttype && field === parentfield)
  if (place === undefined || typeof parent !== 'string') {
    const text = `A row of ${rowType} names its record: send parent, parenttype and parentfield.`
    throw new RecordError('ValidationError', text)
  }
  const typeName = place.owner.type.name
  const stored = await readRecord(engine, typeName, parent)
  const rows = [...(stored[place.field] as readonly object[]), row]
  return { typeName, document: await updateRecord(engine, typeName, parent, { [place.field]: rows }) }
}

/** Changes a record so that a refusal undoes nothing else; gives the refusal in words, or null. */
async function updateAlone(engine: RecordEngine, sent: Arguments): Promise<string | null> {
  const { doctype, docname, ...fields } = sent
  await engine.tx.query(sql`savepoint one_record`)
  try {
    // Work of its own: what an undone change has read must not be believed by the next one.
    const own = new RecordEngine(engine.tx, engine.caller, engine.registry)
    const { name: _, ...changes } = fields
    await updateRecord(own, requireTypeName(doctype), String(docname ?? fields.name ?? ''), changes)
    await engine.tx.query(sql`release savepoint one_record`)
    engine.messages.push(...own.messages)
    return null
  } catch (error) {
    const refusal = asRecordError(error)
    if (refusal.status >= 500) throw error
    await engine.tx.query(sql`rollback to savepoint one_record`)
    return `frappe.exceptions.${refusal.type}: ${refusal.message}`
  }
}

function changedSince(typeName: string, { name, modified }: AnyDocument): RecordError {
  const text = `${typeName} ${name} has been changed since it was read (${modified}). Read it again.`
  return new RecordError('TimestampMismatchError', text)
}

function requireTypeName(doctype: unknown): string {
  if (typeof doctype === 'string' && doctype !== '') return doctype
  throw new RecordError('FrappeTypeError', 'The record names no doctype. Send it as its field doctype.')
}

function asRecord(value: unknown, argument: string): Arguments {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Arguments
  throw new RecordError('FrappeTypeError', `The argument ${argument} must be a JSON object.`)
}

function asList(value: unknown, argument: string, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new RecordError('FrappeTypeError', `The argument ${argument} must be a JSON array.`)
  if (value.length <= most) return value
  throw new RecordError('ValidationError', `The argument ${argument} may have at most ${most} records at once.`)
}

/** The fields to change: those of an object, also as JSON, or the one that is named. */
function changesOf(fieldname: unknown, value: unknown): Arguments {
  if (typeof fieldname === 'string' && !/^\s*\{/.test(fieldname)) return { [fieldname]: value || '' }
  const fields = typeof fieldname === 'string' ? parseJson(fieldname, 'The argument fieldname') : fieldname
  return asRecord(fields, 'fieldname')
}
