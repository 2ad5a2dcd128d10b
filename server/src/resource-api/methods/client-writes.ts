import { rowFields, standardFields } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import type { AnyDocument, RecordEngine } from '../../record-engine/index.ts'
import {
  appendRow,
  cancelRecord,
  createRecord,
  deleteNamed,
  isRowType,
  RecordError,
  readRecord,
  readSentRecord,
  renameRecord,
  saveRecord,
  sentText,
  updateNamed,
} from '../../record-engine/index.ts'
import { type Arguments, CallResult } from '../protocol/call.ts'
import { parseJson } from '../protocol/json-values.ts'
import { runShown, shownByName } from '../protocol/record-calls.ts'
import { type RecordMethod, recordMethod, type Verb } from '../protocol/record-method.ts'
import { asList, asRecord, isolated, lockFirst, maxChanged, requireTypeName } from './many-records.ts'

const writing: readonly Verb[] = ['POST', 'PUT']
const maxInserted = 200
const named = { doctype: { type: 'string', required: true }, name: { type: 'string', required: true } } as const

/** The methods of `frappe.client` that write, and `run_doc_method`. Responses have whole records, with nulls. */
export const clientWrites: readonly RecordMethod[] = [
  recordMethod({
    path: 'frappe.client.insert',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Makes a record, or a row of one.',
    verbs: writing,
    result: { type: 'object', description: 'The record that was made; of a row, the record that it belongs to.' },
    parameters: { doc: { type: 'json', required: true } },
    run: async (engine, { doc }) => {
      const { typeName, document } = await insert(engine, asRecord(doc, 'doc'))
      return shown(engine, typeName, document)
    },
  }),
  recordMethod({
    path: 'frappe.client.insert_many',
    rights: 'of the argument',
    takesLong: true,
    isForStudents: true,
    summary: `Makes up to ${maxInserted} records, all or none.`,
    verbs: writing,
    result: { type: 'array', items: { type: 'string' } },
    parameters: { docs: { type: 'json', required: true } },
    run: async (engine, { docs }) => {
      const names: string[] = []
      const all = asList(docs, 'docs', maxInserted)
      // Advisory lock per type: concurrent batches in another order would deadlock on unique values.
      const types = new Set(all.map((doc) => String((doc as Arguments | null)?.doctype)))
      await takeAdvisoryLock(engine.tx, ...[...types].map((type) => `many of ${type}`))
      for (const doc of all) {
        names.push((await insert(engine, asRecord(doc, 'docs'))).document.name)
      }
      return names
    },
  }),
  recordMethod({
    path: 'frappe.client.save',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Saves a record as it is sent, with the `modified` that was read; without a name it makes one.',
    verbs: writing,
    result: { type: 'object', description: 'The record as it is stored, with its empty fields as null.' },
    parameters: { doc: { type: 'json', required: true } },
    run: (engine, { doc }) => saved(engine, doc),
  }),
  recordMethod({
    path: 'frappe.client.submit',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Saves a record as it is sent and submits it.',
    verbs: writing,
    // frappe-client sends `doclist`.
    result: { type: 'object', description: 'The record as it is stored, with its empty fields as null.' },
    parameters: { doc: { type: 'json' }, doclist: { type: 'json' } },
    run: (engine, { doc, doclist }) => {
      const sent = doc ?? doclist
      if (sent === null) throw new RecordError('FrappeTypeError', 'The argument doc is missing: send the record.')
      return saved(engine, sent, 1)
    },
  }),
  recordMethod({
    path: 'frappe.client.cancel',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Cancels a submitted record.',
    verbs: writing,
    result: { type: 'object', description: 'The record as it is stored, with its empty fields as null.' },
    parameters: named,
    run: async (engine, { doctype, name }) => shown(engine, doctype, await cancelRecord(engine, doctype, name)),
  }),
  recordMethod({
    path: 'frappe.client.delete',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Deletes a record.',
    verbs: ['DELETE', 'POST'],
    parameters: named,
    run: async (engine, { doctype, name }) => {
      await deleteNamed(engine, doctype, name)
      return null
    },
  }),
  recordMethod({
    path: 'frappe.client.set_value',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Changes one field of a record, or several; of a row, the record that it belongs to is given.',
    verbs: writing,
    result: { type: 'object', description: 'The record as it is stored, with its empty fields as null.' },
    parameters: { ...named, fieldname: { type: 'any', required: true }, value: { type: 'any' } },
    run: async (engine, { doctype, name, fieldname, value }) => {
      const { recordType, record } = await updateNamed(engine, doctype, name, getChanges(fieldname, value))
      return shown(engine, recordType, record)
    },
  }),
  recordMethod({
    path: 'frappe.client.bulk_update',
    rights: 'of the argument',
    takesLong: true,
    isForStudents: true,
    summary: `Changes up to ${maxChanged} records, each by itself, and tells which failed.`,
    verbs: writing,
    result: { type: 'object', description: 'Under `failed_docs` what was refused, each with `doc` and `exc`.' },
    parameters: { docs: { type: 'json', required: true } },
    run: async (engine, { docs }) => {
      const failed: object[] = []
      const all = asList(docs, 'docs', maxChanged)
      await lockFirst(engine, all)
      for (const sent of all) {
        const { doctype, docname, name, ...changes } = asRecord(sent, 'docs')
        const outcome = await isolated(engine, (own) =>
          updateNamed(own, requireTypeName(doctype), sentText('docname', docname ?? name ?? ''), changes),
        )
        if ('error' in outcome) failed.push({ doc: sent, exc: outcome.error })
      }
      return { failed_docs: failed }
    },
  }),
  recordMethod({
    path: 'frappe.client.rename_doc',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Gives a record another name, in all links too; with merge it becomes one with the record of that name.',
    verbs: writing,
    result: { type: 'string', description: 'The new name.' },
    parameters: {
      doctype: { type: 'string', required: true },
      old_name: { type: 'string', required: true },
      new_name: { type: 'string', required: true },
      merge: { type: 'boolean' },
    },
    run: (engine, { doctype, old_name, new_name, merge }) =>
      renameRecord(engine, doctype, old_name, new_name, { merge: merge ?? false }),
  }),
  recordMethod({
    path: 'run_doc_method',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Runs a method of a record, by its type and name or as it is sent, saved or not.',
    result: {
      description:
        'What the method gives. Beside it stands the record, in `docs`; one that is not saved has `__islocal`.',
    },
    parameters: {
      method: { type: 'string', required: true },
      dt: { type: 'string' },
      dn: { type: 'string' },
      docs: { type: 'json' },
      args: { type: 'any' },
      // What version 2 calls the two before.
      document: { type: 'json' },
      kwargs: { type: 'any' },
    },
    run: async (engine, { method, dt, dn, document: read, kwargs, ...given }) => {
      const docs = given.docs ?? read
      const sent = docs === null ? {} : asRecord(docs, given.docs === null ? 'document' : 'docs')
      const args = given.args ?? kwargs
      const value = typeof args === 'string' && args !== '' ? parseJson(args, 'The argument args') : args || {}
      const passed = asRecord(value, 'args')
      if (dt !== null) {
        const record = { document: await readRecord(engine, dt, dn ?? dt), isNew: false }
        return getResult(await runShown(engine, dt, record, method, passed))
      }
      const typeName = requireTypeName(sent.doctype)
      if (method === 'submit') {
        // A submission saves the record as it was sent.
        const submitted = await shownByName(engine, typeName, await saveRecord(engine, sent, 1), { nulls: false })
        return new CallResult(submitted, [submitted])
      }
      return getResult(await runShown(engine, typeName, await readSentRecord(engine, typeName, sent), method, passed))
    },
  }),
]

function shown(engine: RecordEngine, typeName: string, document: AnyDocument): Promise<object> {
  return shownByName(engine, typeName, document, { nulls: true })
}

async function saved(engine: RecordEngine, doc: object, docstatus?: 1): Promise<object> {
  const fields = asRecord(doc, 'doc')
  return shown(engine, requireTypeName(fields.doctype), await saveRecord(engine, fields, docstatus))
}

async function insert(engine: RecordEngine, doc: Arguments): Promise<{ typeName: string; document: AnyDocument }> {
  const typeName = requireTypeName(doc.doctype)
  if (isRowType(engine, typeName)) return appendRow(engine, typeName, doc)
  return { typeName, document: await createRecord(engine, typeName, doc) }
}

function getResult({ result, after }: { readonly result: unknown; readonly after: object }): CallResult {
  return new CallResult(result, [after])
}

/**
 * The fields to change: those of an object, also as JSON, or the one that is named, which is none of the standard ones.
 * An object may have them, since clients send whole records here.
 */
function getChanges(fieldname: unknown, value: unknown): Arguments {
  if (typeof fieldname === 'string' && !/^\s*\{/.test(fieldname)) {
    const isStandard = [standardFields, rowFields, { doctype: true }].some((fields) => Object.hasOwn(fields, fieldname))
    if (isStandard) throw new RecordError('ValidationError', `Cannot edit standard field ${fieldname}`)
    return { [fieldname]: value || '' }
  }
  const fields = typeof fieldname === 'string' ? parseJson(fieldname, 'The argument fieldname') : fieldname
  return asRecord(fields, 'fieldname')
}
