import type { EntityType, EventType, RecordEventType } from '@matricula/contract'
import {
  empty,
  getMadeOnce,
  getWhole,
  identifier,
  join,
  literal,
  madeOnce,
  perTransaction,
  type Sql,
  type Statement,
  sql,
  type Transaction,
} from '../database/index.ts'
import { newId } from '../values/index.ts'
import type { RecordList } from './record-list.ts'
import type { ChangeContext } from './request-context.ts'

/** Which records one is among: the list that it is in, or only its kind where no list of such records is kept. */
type Among = { readonly list: RecordList } | { readonly entityType: EntityType | (string & {}) }

/** A change of one record, with what it was and what it is. */
export type Change = Among & {
  readonly type: EventType | RecordEventType
  readonly entityId: string
  readonly externalId?: string | null
  /** Null when the record came into being. */
  readonly before: object | null
  /** Null when the record is gone. */
  readonly after: object | null
  /** The id of the record that one which is gone was merged into. */
  readonly mergedInto?: string | undefined
}

const shards = 64

/** A change, with what it was made with. */
interface Made {
  readonly context: ChangeContext
  readonly change: Change
}

/** A change that is not written yet, or something else that the audit tells of, in its turn. */
type Pending = Made | { readonly statement: () => Sql }

/** What a transaction has changed and not written yet. */
interface Journal {
  pending: Pending[]
  /** What the counts of the lists gain or lose, by type and status. */
  counts: Map<string, number>
}

/** Changes that wait for the end of their transaction, so that its memory is bounded. */
const maxPending = 500

/**
 * Writes, in the transaction of the change itself, one audit row and one event row for each change, keeps the counts of the
 * lists, and lists what is gone. Changes nothing when `before` equals `after`: a caller finds that out first. It is
 * written right before the commit, all at once and the counts in their order, because whoever counts waits for others who do.
 */
export function recordChanges(tx: Transaction, context: ChangeContext, changes: readonly Change[]): void {
  if (changes.length === 0) return
  tx.touch?.()
  const journal = journalOf(tx)
  for (const change of changes) journal.pending.push({ context, change })
  getCounts(changes, journal.counts)
  if (journal.pending.length >= maxPending) writePending(getWhole(tx), journal)
}

const journalOf = perTransaction((tx): Journal => {
  const journal: Journal = { pending: [], counts: new Map() }
  tx.atEnd(() => {
    writePending(tx, journal)
    const counts = countsStatement(tx.tenantId, journal.counts)
    if (counts !== null) tx.send(counts)
  })
  return journal
})

/** Writes the changes until now, those that follow each other at once. */
function writePending(tx: Transaction, journal: Journal): void {
  const { pending } = journal
  journal.pending = []
  for (let from = 0; from < pending.length; ) {
    const first = pending[from] as Pending
    if ('statement' in first) {
      tx.send(first.statement())
      from += 1
      continue
    }
    const made: Made[] = []
    for (let next: Pending | undefined = first; next !== undefined && 'change' in next; next = pending[from]) {
      made.push(next)
      from += 1
    }
    tx.send(changesStatement(tx.tenantId, made))
    for (const { change } of made) if (isTold(change)) tx.send(deletionStatement(tx.tenantId, change))
  }
}

function isTold(change: Change): boolean {
  return change.after === null && 'list' in change && change.list.tellsDeletions === true
}

function getEntityType(change: Change): string {
  return 'list' in change ? change.list.entityType : change.entityType
}

/** Adds a record that is gone to the list of those. */
function deletionStatement(tenantId: string, change: Change): Sql {
  const { entityId, externalId, mergedInto } = change
  return sql`
    insert into deleted_records (tenant_id, entity_type, id, external_id, merged_into)
    values (${tenantId}, ${getEntityType(change)}, ${entityId}, ${externalId ?? null}, ${mergedInto ?? null})`
}

/** Remembers what is recorded, and gives a function that forgets everything since, as undoing a part does. */
export function rememberChanges(tx: Transaction): () => void {
  const journal = journalOf(tx)
  writePending(tx, journal)
  const counts = new Map(journal.counts)
  return () => {
    journal.pending = []
    journal.counts = counts
  }
}

/** Something that was done, or refused, and changed no record. */
export interface Access {
  readonly action: string
  readonly entityType: EntityType | (string & {})
  /** Null where it was done with no record that there is. */
  readonly entityId: string | null
  readonly externalId?: string | null
  readonly facts: object
}

/** Writes an audit row of something that was done with a record and did not change it, such as reading its file. */
export function recordAccess(tx: Transaction, context: Omit<ChangeContext, 'tenant'>, access: Access): void {
  const { actor, requestId, address } = context
  // Its id is made as it is written, so that ids grow in the order in which things were done.
  const statement = () => sql`
    insert into audit_entries (tenant_id, id, occurred_at, action, entity_type, entity_id, external_id,
                               actor_type, actor_id, actor_name, before, after, request_id, address)
    values (${tx.tenantId}, ${newId()}, current_stamp(), ${access.action}, ${access.entityType}, ${access.entityId},
            ${access.externalId ?? null}, ${actor.type}, ${actor.id}, ${actor.name}, null, ${access.facts}, ${requestId}, ${address})`
  tx.touch?.()
  journalOf(tx).pending.push({ statement })
}

/** Adds the audit row and the event row of one change: what most transactions make. */
function changeStatement(tenantId: string, { context, change }: Made): Statement {
  const { actor, requestId, address } = context
  const { type, entityId, externalId = null, before, after, mergedInto = null } = change
  return tellingOne({
    tenantId,
    entryId: newId(),
    eventId: newId(),
    type,
    entityType: getEntityType(change),
    entityId,
    externalId,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    before,
    left: after ?? (mergedInto === null ? null : { mergedInto }),
    changed: changedFields(before, after),
    mergedInto,
    requestId,
    address,
  })
}

const tellingOne = getMadeOnce(
  [
    'tenantId',
    'entryId',
    'eventId',
    'type',
    'entityType',
    'entityId',
    'externalId',
    'actorType',
    'actorId',
    'actorName',
    'before',
    'left',
    'changed',
    'mergedInto',
    'requestId',
    'address',
  ],
  (reported) => sql`
    with audited as (
      insert into audit_entries (tenant_id, id, occurred_at, action, entity_type, entity_id, external_id,
                                 actor_type, actor_id, actor_name, before, after, request_id, address)
      values (${reported.tenantId}, ${reported.entryId}, current_stamp(), ${reported.type}, ${reported.entityType}, ${reported.entityId}, ${reported.externalId},
              ${reported.actorType}, ${reported.actorId}, ${reported.actorName}, ${reported.before}, ${reported.left}, ${reported.requestId}, ${reported.address})
    )
    insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, external_id, changed, merged_into,
                        actor_type, actor_id, actor_name, request_id)
    values (${reported.tenantId}, ${reported.eventId}, ${reported.type}, current_stamp(), ${reported.entityType}, ${reported.entityId}, ${reported.externalId},
            ${reported.changed}, ${reported.mergedInto}, ${reported.actorType}, ${reported.actorId}, ${reported.actorName}, ${reported.requestId})`,
)

/** Adds the audit rows and the event rows of changes. */
function changesStatement(tenantId: string, made: readonly Made[]): Statement {
  const [only, ...others] = made
  if (only !== undefined && others.length === 0) return changeStatement(tenantId, only)
  if (only !== undefined && areAlike(made)) return creationsStatement(tenantId, only, made)
  const reported = made.map(({ context, change }) => ({
    entry_id: newId(),
    event_id: newId(),
    type: change.type,
    entity_type: getEntityType(change),
    entity_id: change.entityId,
    external_id: change.externalId ?? null,
    actor_type: context.actor.type,
    actor_id: context.actor.id,
    actor_name: context.actor.name,
    before: change.before,
    after: change.after ?? (change.mergedInto === undefined ? null : { mergedInto: change.mergedInto }),
    changed: changedFields(change.before, change.after),
    merged_into: change.mergedInto ?? null,
    request_id: context.requestId,
    address: context.address,
  }))
  return tellingAll(tenantId, JSON.stringify(reported))
}

/** Whether all of them are records of one type that came into being with the same fields by one request. */
function areAlike(made: readonly Made[]): boolean {
  const [first] = made as [Made]
  const fields = changedFields(null, first.change.after).join()
  return made.every(
    ({ context, change }) =>
      context.actor === first.context.actor &&
      context.requestId === first.context.requestId &&
      context.address === first.context.address &&
      change.type === first.change.type &&
      getEntityType(change) === getEntityType(first.change) &&
      change.before === null &&
      change.after !== null &&
      changedFields(null, change.after).join() === fields,
  )
}

/** Adds the rows of changes that are alike: what they have in common is sent, and read by PostgreSQL, once. */
function creationsStatement(tenantId: string, { context, change }: Made, made: readonly Made[]): Statement {
  const { actor, requestId, address } = context
  const reported = made.map(({ change: { entityId, externalId, after } }) => ({
    entry_id: newId(),
    event_id: newId(),
    entity_id: entityId,
    external_id: externalId ?? null,
    after,
  }))
  return tellingCreations({
    tenantId,
    reported: JSON.stringify(reported),
    type: change.type,
    entityType: getEntityType(change),
    changed: changedFields(null, change.after),
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    requestId,
    address,
  })
}

const tellingCreations = getMadeOnce(
  [
    'tenantId',
    'reported',
    'type',
    'entityType',
    'changed',
    'actorType',
    'actorId',
    'actorName',
    'requestId',
    'address',
  ],
  (all) => sql`
    with told as materialized (
      select * from jsonb_to_recordset(${all.reported}::jsonb) as told (
        entry_id uuid, event_id uuid, entity_id uuid, external_id text, after jsonb)
    ), audited as (
      insert into audit_entries (tenant_id, id, occurred_at, action, entity_type, entity_id, external_id,
                                 actor_type, actor_id, actor_name, before, after, request_id, address)
      select ${all.tenantId}, entry_id, (select current_stamp()), ${all.type}, ${all.entityType}, entity_id, external_id,
             ${all.actorType}, ${all.actorId}::uuid, ${all.actorName}, null, after, ${all.requestId}::uuid, ${all.address}
        from told
    )
    insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, external_id, changed,
                        actor_type, actor_id, actor_name, request_id)
    select ${all.tenantId}, event_id, ${all.type}, (select current_stamp()), ${all.entityType}, entity_id, external_id, ${all.changed}::text[],
           ${all.actorType}, ${all.actorId}::uuid, ${all.actorName}, ${all.requestId}::uuid
      from told`,
)

const tellingAll = madeOnce(
  (tenantId: string, reported: string) => sql`
    with told as materialized (
      select * from jsonb_to_recordset(${reported}::jsonb) as told (
        entry_id uuid, event_id uuid, type text, entity_type text, entity_id uuid, external_id text, actor_type text, actor_id uuid,
        actor_name text, before jsonb, after jsonb, changed text[], merged_into uuid, request_id uuid, address text)
    ), audited as (
      insert into audit_entries (tenant_id, id, occurred_at, action, entity_type, entity_id, external_id,
                                 actor_type, actor_id, actor_name, before, after, request_id, address)
      select ${tenantId}, entry_id, (select current_stamp()), type, entity_type, entity_id, external_id,
             actor_type, actor_id, actor_name, before, after, request_id, address
        from told
    )
    insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, external_id, changed, merged_into,
                        actor_type, actor_id, actor_name, request_id)
    select ${tenantId}, event_id, type, (select current_stamp()), entity_type, entity_id, external_id, changed, merged_into,
           actor_type, actor_id, actor_name, request_id
      from told`,
)

/** The names of the fields that differ; the stamp of the change is not one of them. */
export function changedFields(before: object | null, after: object | null): string[] {
  if (before === null) {
    return Object.entries(after ?? {}).flatMap(([field, value]) =>
      value === undefined || field === 'updatedAt' ? [] : [field],
    )
  }
  const old = before as Record<string, unknown>
  const now = (after ?? {}) as Record<string, unknown>
  const differs = (field: string) => {
    const [one, other] = [old[field], now[field]]
    if (one === other) return false
    return (typeof one !== 'object' && typeof other !== 'object') || JSON.stringify(one) !== JSON.stringify(other)
  }
  return Object.keys({ ...old, ...now }).filter((field) => field !== 'updatedAt' && differs(field))
}

/** What changes do to the counts of the lists, by type and status, beside what is counted `already`. */
function getCounts(changes: readonly Change[], already = new Map<string, number>()): Map<string, number> {
  const add = (entityType: string, record: object | null, delta: number) => {
    if (record === null) return
    const key = `${entityType} ${(record as { status: string }).status}`
    already.set(key, (already.get(key) ?? 0) + delta)
  }
  for (const change of changes) {
    if (!('list' in change) || !change.list.isCountedByStatus) continue
    add(change.list.entityType, change.before, -1)
    add(change.list.entityType, change.after, 1)
  }
  return already
}

/** Adds to the counts of the lists, in the order of type and status; null when nothing changes. */
function countsStatement(tenantId: string, deltas: ReadonlyMap<string, number>): Sql | null {
  const rows = [...deltas].filter(([, delta]) => delta !== 0).sort(([one], [other]) => (one < other ? -1 : 1))
  if (rows.length === 0) return null
  const counted = rows.map(([key, delta]) => {
    const [entityType, status] = key.split(' ')
    return sql`(${tenantId}, ${entityType}, ${status}, pg_backend_pid() % ${literal(shards)}, ${delta})`
  })
  return sql`
    insert into record_counts (tenant_id, entity_type, status, shard, count) values ${join(counted)}
    on conflict (tenant_id, entity_type, status, shard) do update set count = record_counts.count + excluded.count`
}

/** How many records of a list have a status, as its counts say. */
export async function loadCount(tx: Transaction, list: RecordList, status: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(storedCount(tx.tenantId, list, status))
  return row?.count ?? 0
}

/** The statement that tells, as the column `count`, what is kept of the number of records of a list, or of those of one status. */
export function storedCount(tenantId: string, { entityType }: RecordList, status?: string): Sql {
  return sql`
    select coalesce(sum(count), 0)::bigint as count from record_counts
     where tenant_id = ${tenantId} and entity_type = ${entityType}
       ${status === undefined ? empty : sql`and status = ${status}`}`
}

/** Counts the records of a list anew from its table, after they were loaded in bulk in the same transaction. */
export async function recount(tx: Transaction, { entityType, table }: RecordList): Promise<void> {
  await tx.query(sql`delete from record_counts where tenant_id = ${tx.tenantId} and entity_type = ${entityType}`)
  await tx.query(sql`
    insert into record_counts (tenant_id, entity_type, status, shard, count)
    select tenant_id, ${entityType}, status, 0, count(*) from ${identifier(table)}
     where tenant_id = ${tx.tenantId} group by tenant_id, status`)
}
