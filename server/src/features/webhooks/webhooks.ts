import {
  type Body,
  type Fault,
  mostWebhooks,
  overlapHours,
  type Scope,
  type webhookOperations,
} from '@matricula/contract'
import {
  type ChangeContext,
  changedProblem,
  type RequestContext,
  recordChanges,
  requireMatch,
} from '../../changes/index.ts'
import { takeAdvisoryLock } from '../../concurrency/index.ts'
import { moment, sql, type Transaction } from '../../database/index.ts'
import { readBack, requireLocked, type Versioned } from '../../entities/index.ts'
import { Problem, validationProblem } from '../../errors/index.ts'
import type { SecretSeal } from '../../identity/index.ts'
import { newId, requireReadOnlyUnchanged, sameJson } from '../../values/index.ts'
import { type EventSelection, readableEvents, readablePart, requireReadable, selectTypes } from '../events/index.ts'
import { newWebhookSecret, sealPurpose } from './endpoints/webhook-secrets.ts'
import {
  countWebhooks,
  type Endpoint,
  endpointsStatement,
  type WebhookRecord,
  webhooks,
  webhookTable,
} from './endpoints/webhook-store.ts'

type Operations = typeof webhookOperations
export type CreateWebhookBody = Body<Operations['createWebhook']>
export type UpdateWebhookBody = Body<Operations['updateWebhook']>

/** The caller that selects events, with the scopes that it may read. */
export interface Asker {
  readonly context: ChangeContext
  readonly scopes: ReadonlySet<Scope>
}

/** The preconditions of a change. */
export type Conditions = Pick<RequestContext, 'ifMatch' | 'readOnlyFields'>

/** An endpoint with its encrypted secret, which is decrypted only when the response is sent. */
export type WebhookWithSealedSecret = WebhookRecord & { readonly secret: string }

const allTypes = '*'

/** The validation errors of the selected types. */
export function typesErrors(types: readonly string[]): Fault[] {
  if (types.length === 1 && types[0] === allTypes) return []
  return selectTypes(types).unknown.map((position) => {
    const isAll = types[position] === allTypes
    return {
      in: 'body',
      pointer: `#/types/${position}`,
      code: isAll ? 'inconsistent' : 'not_in_enum',
      detail: isAll
        ? 'stands for every type, so it must be the only one'
        : `names the type ${JSON.stringify(types[position])}, which does not exist`,
    }
  })
}

/** The events that an endpoint receives: those of its types that its last editor may read. */
export function getSelection({ types, scopes }: Pick<Endpoint, 'types' | 'scopes'>): EventSelection {
  const readers = new Set(scopes)
  return types[0] === allTypes ? readableEvents(readers) : readablePart(selectTypes(types).selection, readers)
}

/** Throws `insufficient_scope` when the scopes do not read the resource of a type. */
export function requireTypesReadable(types: readonly string[], scopes: ReadonlySet<Scope>): void {
  if (types[0] !== allTypes) requireReadable(selectTypes(types).selection, scopes)
}

/**
 * Creates an endpoint, which receives events from now on: `orderEvents` has given earlier events their positions.
 *
 * @throws Problem `webhook_limit_reached`
 */
export async function createWebhook(
  tx: Transaction,
  { context, scopes }: Asker,
  body: CreateWebhookBody,
  seal: SecretSeal,
): Promise<Versioned<WebhookWithSealedSecret>> {
  await takeAdvisoryLock(tx, 'webhooks')
  if ((await countWebhooks(tx)) >= mostWebhooks) {
    const detail = `There are ${mostWebhooks} endpoints, which is the maximum. Delete one first.`
    throw new Problem('webhook_limit_reached', detail, { limit: mostWebhooks })
  }
  const { url, types, description = '', enabled = true } = body
  const id = newId()
  const secret = seal.seal(newWebhookSecret(), sealPurpose(tx.tenantId, id))
  tx.send(sql`
    insert into webhooks (tenant_id, id, url, types, scopes, description, status, disabled_reason, secret,
                          created_at, updated_at)
    select ${tx.tenantId}, ${id}, ${url}, ${types}, ${[...scopes]}, ${description},
            ${enabled ? 'enabled' : 'disabled'}, ${enabled ? null : 'manual'}, ${secret}, stamp, stamp
      from ${moment}`)
  const position = await getCurrentPosition(tx)
  tx.send(sql`
    insert into webhook_states (tenant_id, webhook_id, position) values (${tx.tenantId}, ${id}, ${position})`)
  const { record, entityTag } = await readBack(tx, webhooks, id)
  recordWebhookChange(tx, context, 'webhook.created', null, record)
  return { record: { ...record, secret }, entityTag }
}

/**
 * Changes an endpoint; one that is enabled again receives events from now on, and what was waiting. A change of address
 * or types replaces the scopes of the endpoint by those of the caller.
 *
 * @throws Problem `resource_not_found`, `precondition_failed`, `validation_failed` and `insufficient_scope`
 */
export async function updateWebhook(
  tx: Transaction,
  { context, scopes }: Asker,
  id: string,
  { enabled, ...changes }: UpdateWebhookBody,
  { ifMatch, readOnlyFields }: Conditions,
): Promise<Versioned<WebhookRecord>> {
  const current = await requireLocked(tx, webhooks, id)
  const before = current.record
  requireSameVersion(ifMatch, current.entityTag as string)
  // These change with each attempt, so a record that was read a moment ago may be sent back.
  const { lastSuccessAt: _, lastFailureAt: __, ...compared } = readOnlyFields
  requireReadOnlyUnchanged(compared, before)
  const after = { ...before, ...changes, ...findStatus(before, enabled) }
  if (sameJson(after, before)) return current
  const isRedirected = after.url !== before.url || !sameJson(after.types, before.types)
  if (isRedirected) requireTypesReadable(after.types, scopes)
  const [endpoint] = await tx.query<Endpoint>(endpointsStatement(tx.tenantId, sql`and w.id = ${id}`))
  const readers = isRedirected ? [...scopes] : endpoint?.scopes
  await tx.query(webhookTable.update(tx.tenantId, id, { ...after, scopes: readers }))
  if (after.status === 'enabled' && before.status === 'disabled') await resume(tx, id)
  const stored = await readBack(tx, webhooks, id)
  const isDisabled = after.status === 'disabled' && before.status === 'enabled'
  recordWebhookChange(tx, context, isDisabled ? 'webhook.disabled' : 'webhook.updated', before, stored.record)
  return stored
}

function findStatus(
  { status, disabledReason }: WebhookRecord,
  enabled: boolean | undefined,
): Pick<WebhookRecord, 'status' | 'disabledReason'> {
  if (enabled === undefined || enabled === (status === 'enabled')) return { status, disabledReason }
  return enabled ? { status: 'enabled', disabledReason: null } : { status: 'disabled', disabledReason: 'manual' }
}

/** Resumes an endpoint: with new events, and with what was waiting. */
async function resume(tx: Transaction, id: string): Promise<void> {
  const position = await getCurrentPosition(tx)
  tx.send(sql`
    update webhook_states
       set position = ${position}, due_at = current_stamp(), resume_at = null, failing_since = null
     where tenant_id = ${tx.tenantId} and webhook_id = ${id}`)
}

/** The position after every event so far. */
async function getCurrentPosition(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ last: number }>(sql`select order_events(${tx.tenantId}) as last`)
  return row?.last ?? 0
}

/** Only the version, the first number of the tag, counts; attempts change the other numbers all the time. */
function requireSameVersion(ifMatch: string | null, entityTag: string): void {
  const getVersion = (tags: string) => tags.replace(/"(\d+)(?:\.\d+)*"/g, '"$1"')
  try {
    requireMatch({ ifMatch: ifMatch === null ? null : getVersion(ifMatch) }, getVersion(entityTag))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw changedProblem(entityTag)
  }
}

/** Deletes an endpoint; a job deletes its deliveries. Throws `resource_not_found` and `precondition_failed`. */
export async function deleteWebhook(
  tx: Transaction,
  context: ChangeContext,
  id: string,
  ifMatch: string | null = null,
): Promise<Versioned<WebhookRecord>> {
  const current = await requireLocked(tx, webhooks, id)
  requireSameVersion(ifMatch, current.entityTag as string)
  tx.send(sql`delete from webhook_states where tenant_id = ${tx.tenantId} and webhook_id = ${id}`)
  tx.send(sql`delete from webhooks where tenant_id = ${tx.tenantId} and id = ${id}`)
  recordWebhookChange(tx, context, 'webhook.deleted', current.record, null)
  return current
}

/** Rotates the secret of an endpoint; the previous one signs as well for `hours`. Throws `resource_not_found`. */
export async function rotateSecret(
  tx: Transaction,
  context: ChangeContext,
  id: string,
  hours: number = overlapHours.default,
  seal: SecretSeal,
): Promise<Versioned<WebhookWithSealedSecret>> {
  const { record: before } = await requireLocked(tx, webhooks, id)
  const secret = seal.seal(newWebhookSecret(), sealPurpose(tx.tenantId, before.id))
  const [row] = await tx.query<{ until: string | null }>(sql`
    update webhooks
       set previous_secret = case when ${hours > 0}::boolean then secret end,
           previous_secret_until = current_stamp() + make_interval(hours => ${hours > 0 ? hours : null}::integer),
           secret = ${secret}, version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${before.id}
    returning previous_secret_until as until`)
  const { record } = await readBack(tx, webhooks, before.id)
  const after = { ...record, previousSecretUntil: row?.until ?? null }
  recordChanges(tx, context, [{ type: 'webhook.rotated', entityType: 'webhook', entityId: record.id, before, after }])
  return { record: { ...record, secret }, entityTag: null }
}

/** Writes the audit row and the event of an endpoint. */
export function recordWebhookChange(
  tx: Transaction,
  context: ChangeContext,
  type: 'webhook.created' | 'webhook.updated' | 'webhook.disabled' | 'webhook.deleted',
  before: WebhookRecord | null,
  after: WebhookRecord | null,
): void {
  const entityId = (after ?? before)?.id as string
  recordChanges(tx, context, [{ type, entityType: 'webhook', entityId, before, after }])
}

/** Throws `validation_failed` when there are errors. */
export function requireValid(errors: readonly Fault[]): void {
  if (errors.length > 0) throw validationProblem(errors)
}
