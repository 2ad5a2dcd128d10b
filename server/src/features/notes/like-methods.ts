import { comment } from '@matricula/contract/record-types'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { sql } from '../../database/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { requireAnnotated } from './noted-record.ts'

/** Likes as desks set them: a comment of the type `Like` for each who likes a record. */
export const likeMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'frappe.desk.like.toggle_like',
    rights: 'of the argument',
    summary: 'Likes a record in the name of the caller, or no longer; lists have who does in `_liked_by`.',
    verbs: ['POST', 'PUT'],
    parameters: {
      doctype: { type: 'string', required: true },
      name: { type: 'string', required: true },
      add: { type: 'string', about: '`Yes` to like it; `No`, as without it, takes the like back.' },
    },
    run: async (engine, { doctype, name, add }) => {
      if (add !== null && add !== 'Yes' && add !== 'No') {
        throw new RecordError('ValidationError', 'The argument add is Yes or No.')
      }
      const record = await requireAnnotated(engine, doctype, name)
      const named = { reference_doctype: record.type.name, reference_name: record.name }
      await takeAdvisoryLock(engine.tx, `likes of ${record.type.name} ${record.name}`)
      const own = await engine.select(
        comment,
        sql`r.reference_doctype = ${named.reference_doctype} and r.reference_name = ${named.reference_name}
            and r.comment_type = 'Like' and r.owner = ${engine.caller.user}`,
      )
      if (add !== 'Yes') for (const like of own) await engine.remove(comment, like.name)
      else if (own.length === 0) {
        engine.require(comment, 'create')
        await engine.insert(comment, { ...named, comment_type: 'Like', content: 'Liked' })
      }
      return null
    },
  }),
]
