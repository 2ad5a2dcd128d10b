import { tagLink } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import {
  listRecords,
  parseListRequest,
  type RecordEngine,
  RecordError,
  safeMarkup,
  sentText,
} from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { type AnnotatedRecord, requireAnnotated } from './noted-record.ts'

const path = 'frappe.desk.doctype.tag.tag'
const maxTags = 100
const maxOffered = 500

const context = {
  tag: { type: 'string', required: true },
  dt: { type: 'string', required: true, about: 'The type of the record.' },
  dn: { type: 'string', required: true, about: 'The name of the record.' },
} as const

/** Tags as desks set, take away and offer them. */
export const tagMethods: readonly RecordMethod[] = [
  recordMethod({
    path: `${path}.add_tag`,
    rights: 'of the argument',
    summary: 'Keeps a record under a word, for those who may change it. One that it has in any case stays as it is.',
    verbs: ['POST', 'PUT'],
    parameters: { ...context, color: { type: 'any', about: 'Passed over.' } },
    result: { type: 'string', description: 'The tag, as it is kept.' },
    run: async (engine, { tag: sent, dt, dn }) => {
      const record = await requireAnnotated(engine, dt, dn, 'write')
      const tag = storedTag(sent)
      const tags = await lockedTags(engine, record)
      const known = tags.find((each) => isSame(each.tag, tag))
      if (known !== undefined) return known.tag
      if (tags.length >= maxTags) {
        throw new RecordError('ValidationError', `A record has at most ${maxTags} tags. Take one away first.`)
      }
      await engine.insert(tagLink, { document_type: record.type.name, document_name: record.name, tag })
      return tag
    },
  }),
  recordMethod({
    path: `${path}.remove_tag`,
    rights: 'of the argument',
    summary: 'Takes a word away from a record, for those who may change it.',
    verbs: ['POST', 'PUT', 'DELETE'],
    parameters: context,
    run: async (engine, { tag: sent, dt, dn }) => {
      const record = await requireAnnotated(engine, dt, dn, 'write')
      const wanted = safeMarkup(sent.trim())
      for (const { name, tag } of await lockedTags(engine, record)) {
        if (isSame(tag, wanted)) await engine.remove(tagLink, name)
      }
      return null
    },
  }),
  recordMethod({
    path: `${path}.get_tags`,
    rights: [{ type: tagLink, right: 'read' }],
    summary: 'The words under which records are kept that the caller may read, which have what was typed.',
    parameters: { doctype: { type: 'string' }, txt: { type: 'string' } },
    result: { type: 'array', items: { type: 'string' } },
    run: async ({ registry, caller, tx }, { txt }) => {
      const filters = txt ? [['tag', 'like', `%${txt}%`]] : []
      const asked = { fields: ['tag'], filters, group_by: 'tag', order_by: 'tag', limit_page_length: maxOffered }
      const rows = await listRecords(tx, parseListRequest(registry, caller, tagLink.name, { ...asked, as_dict: 0 }))
      return rows.map((row) => (row as readonly unknown[])[0])
    },
  }),
]

/** A tag as it is kept. Throws `ValidationError` for one with a comma, which stands between tags, and one without anything. */
function storedTag(sent: string): string {
  const tag = safeMarkup(sentText('The tag', sent).trim())
  if (tag === '')
    throw new RecordError('ValidationError', 'The tag is empty. Send the word under which to keep the record.')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (!/[,\u0000-\u001f\u007f]/.test(tag)) return tag
  throw new RecordError('ValidationError', 'A tag has neither commas nor control characters. Send each tag by itself.')
}

const isSame = (one: string | null, other: string) => one?.toLowerCase() === other.toLowerCase()

/** The tags of a record, of which nobody else changes any until this is over. */
async function lockedTags(engine: RecordEngine, { type, name }: AnnotatedRecord) {
  await engine.lockAll([{ type, name }])
  return engine.select(tagLink, sql`r.document_type = ${type.name} and r.document_name = ${name}`)
}
