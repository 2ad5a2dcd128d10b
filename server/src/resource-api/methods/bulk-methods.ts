import { type AnyDocument, deleteNamed, type RecordEngine, sentText, updateNamed } from '../../record-engine/index.ts'
import { type Arguments, CallResult } from '../protocol/call.ts'
import { shownByName } from '../protocol/record-calls.ts'
import { type RecordMethod, recordMethod } from '../protocol/record-method.ts'
import { asList, asRecord, isolated, lockFirst, maxChanged, requireTypeName } from './many-records.ts'

const changed = { type: 'json', required: true } as const
const counts =
  '`failed` has those that were refused, each with its `error`; beside them `total`, `success_count`, `failure_count`.'

/** One of many records, as version 2 names it. */
interface Named {
  readonly doctype: unknown
  readonly name: unknown
}

/** Names are texts; numbers are taken as the text of one. */
const toName = (name: unknown): string => sentText('name', typeof name === 'number' ? String(name) : (name ?? ''))

/** Does the same to each of many records by itself, and tells what became of them. */
async function each<Item extends Named, Result>(
  engine: RecordEngine,
  all: readonly Item[],
  { tells, work }: { tells: (item: Named) => unknown; work: (own: RecordEngine, item: Item) => Promise<Result> },
) {
  await lockFirst(engine, all)
  const done: unknown[] = []
  const results: Result[] = []
  const failed: object[] = []
  for (const item of all) {
    const outcome = await isolated(engine, (own) => work(own, item))
    const told = tells(item)
    if ('result' in outcome) {
      done.push(told)
      results.push(outcome.result)
    } else failed.push({ ...(typeof told === 'object' ? told : { name: told }), error: outcome.reason })
  }
  const sums = { total: all.length, success_count: done.length, failure_count: failed.length }
  return { done, results, failed, sums }
}

async function update(engine: RecordEngine, all: readonly Arguments[], tells: (item: Named) => unknown) {
  const items = all.map((sent) => ({ ...sent, doctype: sent.doctype, name: sent.name }))
  const work = async (own: RecordEngine, { doctype, name, flags: _, ...changes }: Named & Arguments) => {
    const { recordType, record } = await updateNamed(own, requireTypeName(doctype), toName(name), changes)
    return shownByName(own, recordType, record as AnyDocument, { nulls: false })
  }
  const { done, results, failed, sums } = await each(engine, items, { tells, work })
  return new CallResult({ updated: done, failed, ...sums }, results)
}

async function remove(engine: RecordEngine, items: readonly Named[], tells: (item: Named) => unknown) {
  const work = (own: RecordEngine, { doctype, name }: Named) => deleteNamed(own, requireTypeName(doctype), toName(name))
  const { done, failed, sums } = await each(engine, items, { tells, work })
  return { deleted: done, failed, ...sums }
}

const toRecords = (sent: unknown) => asList(sent, 'docs', maxChanged).map((item) => asRecord(item, 'docs'))
const both = ({ doctype, name }: Named) => ({ doctype, name })
const onlyName = ({ name }: Named) => name

/** Version 2 of the protocol: many records at once, each by itself. */
export const bulkMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'frappe.api.v2.bulk_update',
    rights: 'of the argument',
    takesLong: true,
    isForStudents: true,
    summary: `Changes up to ${maxChanged} records of any types, each by itself: /api/v2/method/bulk_update.`,
    verbs: ['POST'],
    result: { type: 'object', description: `\`updated\` has the doctype and name of each; ${counts}` },
    parameters: { docs: changed },
    run: (engine, { docs }) => update(engine, toRecords(docs), both),
  }),
  recordMethod({
    path: 'frappe.api.v2.bulk_update_docs',
    rights: 'of the argument',
    takesLong: true,
    isForStudents: true,
    summary: `Changes up to ${maxChanged} records of one type: /api/v2/document/{doctype}/bulk_update.`,
    verbs: ['POST'],
    result: { type: 'object', description: `\`updated\` has the names; ${counts}` },
    parameters: { doctype: { type: 'string', required: true }, docs: changed },
    run: (engine, { doctype, docs }) =>
      update(
        engine,
        toRecords(docs).map((sent) => ({ ...sent, doctype })),
        onlyName,
      ),
  }),
  recordMethod({
    path: 'frappe.api.v2.bulk_delete',
    rights: 'of the argument',
    takesLong: true,
    isForStudents: true,
    summary: `Deletes up to ${maxChanged} records of any types, each by itself: /api/v2/method/bulk_delete.`,
    verbs: ['POST'],
    result: { type: 'object', description: `\`deleted\` has the doctype and name of each; ${counts}` },
    parameters: { docs: changed },
    run: (engine, { docs }) =>
      remove(
        engine,
        toRecords(docs).map(({ doctype, name }) => ({ doctype, name })),
        both,
      ),
  }),
  recordMethod({
    path: 'frappe.api.v2.bulk_delete_docs',
    rights: 'of the argument',
    takesLong: true,
    isForStudents: true,
    summary: `Deletes up to ${maxChanged} records of one type: /api/v2/document/{doctype}/bulk_delete.`,
    verbs: ['POST'],
    result: { type: 'object', description: `\`deleted\` has the names; ${counts}` },
    parameters: { doctype: { type: 'string', required: true }, names: changed },
    run: (engine, { doctype, names }) =>
      remove(
        engine,
        asList(names, 'names', maxChanged).map((name) => ({ doctype, name })),
        onlyName,
      ),
  }),
]
