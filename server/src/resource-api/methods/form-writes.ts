import { cancelRecord, deleteNamed, RecordError, saveRecord, sentText } from '../../record-engine/index.ts'
import { CallResult } from '../protocol/call.ts'
import { shownByName } from '../protocol/record-calls.ts'
import { type RecordMethod, recordMethod } from '../protocol/record-method.ts'
import { asList, asRecord, isolated, lockFirst, maxChanged, requireTypeName } from './many-records.ts'

const text = { type: 'string', required: true } as const

/** How the desk saves a record. */
const actions = ['Save', 'Submit', 'Update', 'Cancel']

/** Writing methods of the Frappe desk, which tools call too. */
export const formWrites: readonly RecordMethod[] = [
  recordMethod({
    path: 'frappe.desk.form.save.savedocs',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Saves a record as it is sent, submits it, updates a submitted one or cancels it; gives it in `docs`.',
    verbs: ['POST', 'PUT'],
    parameters: {
      doc: { type: 'json', required: true },
      action: { type: 'string', required: true, about: 'Save, Submit, Update or Cancel.' },
    },
    run: async (engine, { doc, action }) => {
      const sent = asRecord(doc, 'doc')
      const type = requireTypeName(sent.doctype)
      if (!actions.includes(action)) {
        throw new RecordError('ValidationError', `The action is one of ${actions.join(', ')}.`)
      }
      const saved =
        action === 'Cancel'
          ? await cancelRecord(engine, type, sentText('name', sent.name ?? ''))
          : await saveRecord(engine, sent, action === 'Submit' ? 1 : undefined)
      return new CallResult(null, [await shownByName(engine, type, saved, { nulls: true })])
    },
  }),
  recordMethod({
    path: 'frappe.desk.form.save.cancel',
    rights: 'of the argument',
    isForStudents: true,
    summary: 'Cancels a submitted record, and gives it in `docs`.',
    verbs: ['POST', 'PUT'],
    parameters: {
      doctype: text,
      name: text,
      workflow_state_fieldname: { type: 'any' },
      workflow_state: { type: 'any' },
    },
    run: async (engine, { doctype, name }) => {
      const cancelled = await cancelRecord(engine, doctype, name)
      return new CallResult(null, [await shownByName(engine, doctype, cancelled, { nulls: true })])
    },
  }),
  recordMethod({
    path: 'frappe.desk.reportview.delete_items',
    rights: 'of the argument',
    takesLong: true,
    isForStudents: true,
    summary: `Deletes up to ${maxChanged} records of a type, each by itself; a message names those that stay, and why.`,
    verbs: ['POST', 'DELETE'],
    parameters: { doctype: text, items: { type: 'json', required: true } },
    run: async (engine, { doctype, items }) => {
      const names = asList(items, 'items', maxChanged)
      await lockFirst(
        engine,
        names.map((name) => ({ doctype, name })),
      )
      for (const item of names) {
        const name = sentText('items', item ?? '')
        const outcome = await isolated(engine, (own) => deleteNamed(own, doctype, name))
        if (!('error' in outcome)) continue
        engine.messages.push({ message: `${name.slice(0, 140)}: ${outcome.reason}`, indicator: 'red' })
      }
      return null
    },
  }),
]
