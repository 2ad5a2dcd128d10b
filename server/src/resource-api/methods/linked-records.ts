import { listRecords, mayDoWith, parseListRequest, type RecordEngine, readRecord } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../protocol/record-method.ts'

const text = { type: 'string', required: true } as const
/** How many records of a type are given. */
const maxOfType = 20

/** The fields by which records of a type link to another type: own ones, and those of rows. */
interface Linking {
  readonly fields: readonly string[]
  readonly rows: readonly { readonly type: string; readonly field: string }[]
}

/** The types that link to a type and that the caller may read, by name. */
function findLinking({ registry, caller }: RecordEngine, typeName: string): Map<string, Linking> {
  registry.require(typeName)
  const found = new Map<string, { fields: string[]; rows: { type: string; field: string }[] }>()
  for (const { owner, tableField, field } of registry.linksTo(typeName)) {
    const { name, fields, kind } = owner.type
    if (kind === 'single' || !mayDoWith({ registry, caller }, name, 'read')) continue
    const linking = found.get(name) ?? { fields: [], rows: [] }
    found.set(name, linking)
    const table = tableField === null ? undefined : fields[tableField]
    if (table?.type === 'Table') linking.rows.push({ type: table.rows.name, field })
    else linking.fields.push(field)
  }
  return found
}

/** The records that link to a record, by type; only those that the caller may read, and at most so many of each. */
async function findLinked(engine: RecordEngine, typeName: string, name: string) {
  const { registry, caller, tx } = engine
  const linked: [string, object[]][] = []
  for (const [type, { fields, rows }] of findLinking(engine, typeName)) {
    const { titleField, kind } = registry.require(type).type
    const conditions = [
      ...fields.map((field) => [type, field, '=', name]),
      ...rows.map((row) => [row.type, row.field, '=', name]),
    ]
    const names = new Map<string, object>()
    for (const condition of conditions) {
      const request = parseListRequest(registry, caller, type, {
        fields: [
          'name',
          'modified',
          ...(kind === 'submittable' ? ['docstatus'] : []),
          ...(titleField ? [titleField] : []),
        ],
        filters: [condition],
        order_by: 'modified desc',
        limit_page_length: maxOfType,
      })
      for (const row of (await listRecords(tx, request)) as { name: string }[]) names.set(row.name, row)
    }
    if (names.size > 0) linked.push([type, [...names.values()].slice(0, maxOfType)])
  }
  return linked
}

/** The methods of the Frappe desk that say what links to a record. */
export const linkedMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'frappe.desk.form.linked_with.get_linked_doctypes',
    rights: 'of the argument',
    summary: 'The types with links to a type, with the fields that link.',
    result: { type: 'object', description: 'By type, with `fieldname`, and `child_doctype` where a row links.' },
    parameters: { doctype: text, without_ignore_user_permissions_enabled: { type: 'any' } },
    run: async (engine, { doctype }) =>
      Object.fromEntries(
        [...findLinking(engine, doctype)].map(([type, { fields, rows }]) => [
          type,
          {
            fieldname: fields.length > 0 ? fields : rows.map(({ field }) => field),
            ...(fields.length === 0 && { child_doctype: rows[0]?.type }),
          },
        ]),
      ),
  }),
  recordMethod({
    path: 'frappe.desk.form.linked_with.get',
    rights: 'of the argument',
    summary: `The records that link to a record, by type: at most ${maxOfType} of each.`,
    result: { type: 'object', description: 'By type, the records with `name`, `modified` and their title.' },
    parameters: { doctype: text, docname: text },
    run: async (engine, { doctype, docname }) => {
      const { name } = await readRecord(engine, doctype, docname)
      return Object.fromEntries(await findLinked(engine, doctype, name))
    },
  }),
  recordMethod({
    path: 'frappe.desk.form.linked_with.get_submitted_linked_docs',
    rights: 'of the argument',
    summary: 'The submitted records that link to a record, which are cancelled before it.',
    result: { type: 'object', description: '`docs`, each with `doctype`, `name` and `docstatus`, and their `count`.' },
    parameters: { doctype: text, name: text, ignore_doctypes_on_cancel_all: { type: 'any' } },
    run: async (engine, { doctype, name }) => {
      const { name: known } = await readRecord(engine, doctype, name)
      const docs = (await findLinked(engine, doctype, known)).flatMap(([type, records]) =>
        records
          .filter((record) => 'docstatus' in record && record.docstatus === 1)
          .map((record) => ({ doctype: type, name: (record as { name: string }).name, docstatus: 1 })),
      )
      return { docs, count: docs.length }
    },
  }),
]
