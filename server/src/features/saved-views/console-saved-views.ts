import { type Body, SavedView, type Static, savedViewBounds, savedViewOperations } from '@matricula/contract'
import { type RequestContext, recordChanges, requireMatch } from '../../changes/index.ts'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { type Database, type Sql, sql, type Transaction, table } from '../../database/index.ts'
import {
  type ReadDefinition,
  readBack,
  requireLocked,
  type StoredRow,
  storedFields,
  type Versioned,
} from '../../entities/index.ts'
import { notFoundProblem, Problem, validationProblem } from '../../errors/index.ts'
import { implement, type Route } from '../../http/index.ts'
import { type Caller, getCaller, isManager } from '../../record-engine/index.ts'
import { newId, sameJson } from '../../values/index.ts'

type View = Static<typeof SavedView>
type Kept = Omit<View, 'mayChange'>

const columns = {
  list: 'list',
  title: 'title',
  audience: 'audience',
  role: 'role',
  settings: 'settings',
  owner: 'owner',
} as const

const viewTable = table('saved_views', columns)
const fields = storedFields(SavedView, 'v', columns)

interface ViewRow extends StoredRow<View, typeof columns> {}

const views: ReadDefinition<ViewRow, View> = {
  entityType: 'saved_view',
  noun: 'saved view',
  table: 'saved_views',
  alias: 'v',
  select: (tenantId: string, condition: Sql) => sql`
    select ${fields.selected}, v.updated_at from saved_views v where v.tenant_id = ${tenantId} and ${condition}`,
  // Whether the caller may change it is said where the caller is known.
  toRecord: fields.reader<ViewRow>({ mayChange: () => false }),
  versions: (row) => [row.version],
}

/** Ways in which lists are shown, kept under names. */
export const savedViewRoutes: Route[] = implement(savedViewOperations, {
  listSavedViews: (database, { context, query }) => listViews(database, getCaller(context), query.list),
  createSavedView: (tx, { context, body }) => createView(tx, context, body),
  updateSavedView: async (tx, { context, params, body }) => {
    const caller = getCaller(context)
    const current = await requireOwned(tx, caller, params.id)
    requireMatch(context, current.entityTag)
    const before = current.record
    const cancellation = body.audience ?? before.audience
    const role = cancellation === 'role' ? (body.role === undefined ? before.role : body.role) : (body.role ?? null)
    const after: View = {
      ...before,
      title: body.title ?? before.title,
      audience: cancellation,
      role,
      settings: body.settings ?? before.settings,
    }
    if (sameJson(after, before)) return { ...current, record: shownTo(caller, before) }
    requireSharable(context, after)
    tx.send(viewTable.update(tx.tenantId, before.id, after))
    const stored = await readBack(tx, views, before.id)
    note(tx, context, 'saved_view.updated', before, stored.record)
    return { ...stored, record: shownTo(caller, stored.record) }
  },
  deleteSavedView: async (tx, { context, params }) => {
    const { record, entityTag } = await requireOwned(tx, getCaller(context), params.id)
    tx.send(sql`delete from saved_views where tenant_id = ${tx.tenantId} and id = ${record.id}`)
    note(tx, context, 'saved_view.deleted', record, null)
    return { record, entityTag }
  },
})

async function listViews(database: Database, caller: Caller, list: string | undefined): Promise<View[]> {
  const rows = await database.readSlowly<ViewRow>(
    caller.tenant.id,
    sql`${views.select(caller.tenant.id, sql`${isSeen(caller)} and (${list ?? null}::text is null or v.list = ${list ?? null})`)}
        order by v.list, v.title, v.id limit 1000`,
  )
  return rows.map((row) => shownTo(caller, views.toRecord(row)))
}

/** That somebody sees a view `v`. */
function isSeen({ user, roles }: Caller): Sql {
  return sql`(v.audience = 'everybody' or v.owner = ${user} or (v.audience = 'role' and v.role = any (${[...roles]}::text[])))`
}

async function createView(
  tx: Transaction,
  context: RequestContext,
  body: Body<(typeof savedViewOperations)['createSavedView']>,
): Promise<Versioned<View>> {
  const caller = getCaller(context)
  const { list, title, settings, audience: cancellation = 'mine', role = null } = body
  const view = { list, title, settings, audience: cancellation, role, owner: caller.user }
  requireSharable(context, view)
  await takeAdvisoryLock(tx, 'saved views')
  const [owned] = await tx.query<{ count: number }>(
    sql`select count(*) as count from saved_views where tenant_id = ${tx.tenantId} and owner = ${caller.user}`,
  )
  if ((owned?.count ?? 0) >= savedViewBounds.views) {
    const detail = `Somebody keeps at most ${savedViewBounds.views} views. Remove one first.`
    throw new Problem('rule_violated', detail, { rule: 'saved_views_of_a_person' })
  }
  const id = newId()
  tx.send(viewTable.insert(tx.tenantId, id, view))
  const stored = await readBack(tx, views, id)
  note(tx, context, 'saved_view.created', null, stored.record)
  return { ...stored, record: shownTo(caller, stored.record) }
}

/** Throws what is wrong with whom a view is for, and with its size. */
function requireSharable(
  context: RequestContext,
  { audience: cancellation, role, settings }: Pick<View, 'audience' | 'role' | 'settings'>,
): void {
  if ((cancellation === 'role') !== (role !== null)) {
    const detail = cancellation === 'role' ? 'is required for a view of a role' : 'belongs to a view of a role'
    throw validationProblem([{ in: 'body', pointer: '#/role', code: 'inconsistent', detail }])
  }
  if (Buffer.byteLength(JSON.stringify(settings)) > savedViewBounds.settingsBytes) {
    const detail = `has more than ${savedViewBounds.settingsBytes} bytes of JSON`
    throw validationProblem([{ in: 'body', pointer: '#/settings', code: 'too_long', detail }])
  }
  // Only roles that were given: everybody has some besides.
  const given = context.caller.person?.roles ?? []
  if (cancellation === 'mine' || isManager(getCaller(context)) || (role !== null && given.includes(role))) return
  const detail = 'A view is shared with a role by somebody who has it, and with everybody by a System Manager.'
  throw new Problem('insufficient_role', detail, {
    requiredRoles: ['System Manager', ...(role === null ? [] : [role])],
  })
}

/** Locks a view that the caller may change. What somebody does not see is not there. */
async function requireOwned(tx: Transaction, caller: Caller, id: string): Promise<Versioned<View>> {
  const found = await requireLocked(tx, views, id)
  const { owner, audience: cancellation, role } = found.record
  if (owner === caller.user || isManager(caller)) return found
  const isVisible = cancellation === 'everybody' || (cancellation === 'role' && role !== null && caller.roles.has(role))
  if (!isVisible) throw notFoundProblem('saved view')
  const detail = 'Only whoever made a view, or a System Manager, changes it. Save one of your own instead.'
  throw new Problem('insufficient_role', detail, { requiredRoles: ['System Manager'] })
}

function shownTo(caller: Caller, view: View): View {
  return { ...view, mayChange: view.owner === caller.user || isManager(caller) }
}

function note(
  tx: Transaction,
  context: RequestContext,
  type: 'saved_view.created' | 'saved_view.updated' | 'saved_view.deleted',
  before: Kept | null,
  after: Kept | null,
): void {
  const entityId = (after ?? before)?.id as string
  recordChanges(tx, context, [{ type, entityType: views.entityType, entityId, before, after }])
}
