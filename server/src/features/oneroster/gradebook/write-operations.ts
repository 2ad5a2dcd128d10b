import type { OneRosterOperation } from '@matricula/contract'
import type { ChangeContext } from '../../../changes/index.ts'
import { type Database, sql } from '../../../database/index.ts'
import { newId } from '../../../values/index.ts'
import { OneRosterError } from '../protocol/oneroster-error.ts'
import type { Parents } from '../roster/collections.ts'
import type { RosterContext } from '../roster/roster-context.ts'
import { areParentsThere } from './gradebook-collections.ts'
import { type GradebookKind, gradebookKinds } from './gradebook-kinds.ts'
import { isSourcedId, parseBody, parseEntry } from './parse-entry.ts'
import { deleteEntry, putEntry } from './write-entries.ts'

/** A write of one operation. */
export interface EntryWrite {
  readonly database: Database
  readonly context: RosterContext
  readonly change: ChangeContext
  readonly operation: OneRosterOperation
  readonly parameters: Parents
  readonly body: unknown
}

/** What a write returns. */
export interface WriteOutcome {
  readonly status: 201 | 204
  readonly body?: object
}

/** How many objects one request may post. */
const maxPosted = 1000

const kindsByCollection: Readonly<Record<string, GradebookKind>> = {
  categories: gradebookKinds.category,
  lineItems: gradebookKinds.lineItem,
  results: gradebookKinds.result,
  scoreScales: gradebookKinds.scoreScale,
  assessmentLineItems: gradebookKinds.assessmentLineItem,
  assessmentResults: gradebookKinds.assessmentResult,
}

/** Puts, deletes or posts objects of the gradebook. Throws `invaliddata`, `unknownobject` and `forbidden`. */
export function writeEntries(write: EntryWrite): Promise<WriteOutcome> {
  const { operation, database, context, change, parameters, body } = write
  const kind = kindsByCollection[operation.collection] as GradebookKind
  const id = parameters.sourcedId ?? ''
  if (operation.shape === 'post') return postEntries(write, kind)
  if (operation.shape === 'delete') {
    return database.transaction(context.tenantId, async (tx) => {
      await deleteEntry(tx, change, context, kind, id)
      return { status: 204 }
    })
  }
  if (!isSourcedId(id)) {
    throw new OneRosterError('invaliddata', 'A sourcedId has 1 to 255 letters, digits and the characters . / @ _ -.')
  }
  const entry = parseEntry(kind, parseBody(body, operation.key), id)
  return database.transaction(context.tenantId, async (tx) => {
    await putEntry(tx, change, context, kind, entry)
    return { status: 201 }
  })
}

/** The member that each parameter of the path gives to what is posted below it. */
const givenBy: Readonly<Record<string, string>> = { classId: 'class', schoolId: 'school', lineItemId: 'lineItem' }

async function postEntries(
  { operation, database, context, change, parameters, body }: EntryWrite,
  kind: GradebookKind,
): Promise<WriteOutcome> {
  const sent = parseBody(body, operation.key)
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > maxPosted) {
    throw new OneRosterError('invaliddata', `${operation.key} must be a list of 1 to ${maxPosted} objects.`)
  }
  const given = Object.entries(parameters).filter(([name]) => (givenBy[name] ?? '') in kind.members)
  const pairs = sent.map((each) => {
    const entry = parseEntry(kind, withParents(each, given), null)
    return { supplied: entry.sourcedId, entry: { ...entry, sourcedId: newId() } }
  })
  return database.transaction(context.tenantId, async (tx) => {
    const [parents] = await tx.query<{ are_there: boolean }>(sql`
      select ${areParentsThere(context, parameters)} as are_there`)
    if (parents?.are_there !== true) {
      throw new OneRosterError(
        'unknownobject',
        'The address names a class, school, session or line item that is not there.',
      )
    }
    for (const { entry } of pairs) await putEntry(tx, change, context, kind, entry)
    const sourcedIdPairs = pairs.map(({ supplied, entry }) => {
      return { suppliedSourcedId: supplied, allocatedSourcedId: entry.sourcedId }
    })
    return { status: 201, body: { sourcedIdPairs } }
  })
}

/** What is posted below a parent belongs to it. */
function withParents(sent: unknown, given: readonly (readonly [string, string])[]): unknown {
  if (typeof sent !== 'object' || sent === null) return sent
  const entry: Record<string, unknown> = { ...sent }
  for (const [parameter, id] of given) {
    const member = givenBy[parameter] as string
    const named = (entry[member] as { sourcedId?: unknown } | null | undefined)?.sourcedId
    if (named !== undefined && named !== id) {
      throw new OneRosterError('invaliddata', `${member} is another one than that of the address.`)
    }
    entry[member] = { sourcedId: id }
  }
  return entry
}
