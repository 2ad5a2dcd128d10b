import { comment } from '@matricula/contract/record-types'
import { createRecord, shownRecord, updateRecord } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { requireAnnotated } from './noted-record.ts'

const path = 'frappe.desk.form.utils'

/** Comments as desks make and change them. */
export const commentMethods: readonly RecordMethod[] = [
  recordMethod({
    path: `${path}.add_comment`,
    rights: 'of the argument',
    summary: 'Says something about a record, in the name of the caller.',
    verbs: ['POST', 'PUT'],
    parameters: {
      reference_doctype: { type: 'string', required: true },
      reference_name: { type: 'string', required: true },
      content: { type: 'string', required: true, about: 'HTML without what would run; at most 20 000 characters.' },
      comment_email: { type: 'any', about: 'Passed over: a comment is the caller’s.' },
      comment_by: { type: 'any', about: 'Passed over.' },
    },
    result: { type: 'object', description: 'The comment, with its empty fields as null.' },
    run: async (engine, { reference_doctype, reference_name, content }) => {
      const { type, name } = await requireAnnotated(engine, reference_doctype, reference_name)
      const said = { comment_type: 'Comment', reference_doctype: type.name, reference_name: name, content }
      return shownRecord(engine.caller, comment, await createRecord(engine, comment.name, said), { nulls: true })
    },
  }),
  recordMethod({
    path: `${path}.update_comment`,
    rights: [{ type: comment, right: 'write' }],
    summary: 'Says it otherwise; for the author of a comment and the System Manager.',
    verbs: ['POST', 'PUT'],
    parameters: { name: { type: 'string', required: true }, content: { type: 'string', required: true } },
    run: async (engine, { name, content }) => {
      await updateRecord(engine, comment.name, name, { content })
      return null
    },
  }),
]
