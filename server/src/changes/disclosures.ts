import { type Disclosed, type DisclosureSurface, withheldFilters } from '@matricula/contract'
import { type Database, sql } from '../database/index.ts'
import { newId } from '../values/index.ts'
import type { ChangeContext } from './request-context.ts'

/** That somebody read records about people. */
export interface Disclosure {
  readonly context: Pick<ChangeContext, 'tenant' | 'actor' | 'requestId' | 'address'>
  readonly surface: DisclosureSurface
  /** The operation, method or command. */
  readonly operation: string
  readonly disclosed: Pick<Disclosed, 'recordType' | 'fieldGroup'>
  /** Ids or names of the records, and of the people whom they are about. */
  readonly ids: readonly string[]
  /** How many records. */
  readonly count: number
  /** How a list was asked for; null for a single record. */
  readonly filter: object | null
}

/** An entry that is gathered: answers to the same caller and question are one. */
interface Waiting extends Omit<Disclosure, 'ids' | 'count'> {
  readonly id: string
  readonly at: number
  readonly ids: Set<string>
  count: number
  answers: number
}

interface DisclosureLogger {
  error(facts: object, message: string): void
}

/** How much is held, and for how long. */
export interface DisclosureBounds {
  /** How long entries are gathered before they are written, in milliseconds. */
  readonly gatherMilliseconds: number
  /** So many ids are written at once. */
  readonly idsOfBatch: number
  /** So many ids are held. */
  readonly maxIds: number
  /** How long an answer waits where the buffer is full, in milliseconds. */
  readonly maxWaitMilliseconds: number
  /** How often the end of the process tries to write what waits, and how long it pauses in between, in milliseconds. */
  readonly lastTries: number
  readonly pauseMilliseconds: number
}

const usualBounds: DisclosureBounds = {
  gatherMilliseconds: 1_000,
  idsOfBatch: 20_000,
  maxIds: 100_000,
  maxWaitMilliseconds: 10_000,
  lastTries: 10,
  pauseMilliseconds: 1_000,
}
/** The most characters of a text in a filter, and of a filter. */
const filterBounds = { text: 200, whole: 4_000 }
/** How long it is believed that an institution records no disclosures, in milliseconds. */
const offMilliseconds = 5_000

/**
 * Writes down who read what, behind the answers: entries gather in memory for a second and are written together, one statement for
 * each tenant. What cannot be written is tried again. Where the buffer is full, answers wait until there is room; while the database takes
 * nothing they do not, and what finds no room is counted in the log.
 */
export class DisclosureLog {
  readonly #database: Database
  readonly #log: DisclosureLogger
  #waiting: Waiting[] = []
  /** Those of `waiting` that still grow, by caller and question. */
  #growing = new Map<string, Waiting>()
  #ids = 0
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<boolean> | null = null
  readonly #bounds: DisclosureBounds
  readonly #awaitingRoom = new Set<() => void>()
  /** Whether the last writing failed. */
  #isFailing = false
  /** Entries that found no room since the log last told of them. */
  #lost = 0
  /** The tenants that record none, and until when that is believed (`performance.now()`). */
  readonly #off = new Map<string, number>()

  constructor(database: Database, log: DisclosureLogger, bounds: Partial<DisclosureBounds> = {}) {
    this.#database = database.for({ partition: 'notes' })
    this.#log = log
    this.#bounds = { ...usualBounds, ...bounds }
  }

  /** Takes an entry. Returns a promise where the buffer is full, for which the answer has to wait; it never rejects. */
  add(disclosure: Disclosure): Promise<void> | undefined {
    if (this.isOff(disclosure.context.tenant.id)) return undefined
    if (this.#ids < this.#bounds.maxIds) {
      this.#take(disclosure)
      return undefined
    }
    if (this.#isFailing) {
      this.#lost += 1
      return undefined
    }
    void this.#write()
    return this.#room().then((hasRoom) => {
      if (hasRoom) this.#take(disclosure)
      else this.#lost += 1
    })
  }

  #take(disclosure: Disclosure): void {
    const key = getKey(disclosure)
    let entry = this.#growing.get(key)
    if (entry === undefined) {
      entry = { ...disclosure, id: newId(), at: Date.now(), ids: new Set(), count: 0, answers: 0 }
      this.#growing.set(key, entry)
      this.#waiting.push(entry)
      this.#ids += 1
    }
    const before = entry.ids.size
    for (const id of disclosure.ids) entry.ids.add(id)
    entry.count += disclosure.count
    entry.answers += 1
    this.#ids += entry.ids.size - before
    if (this.#ids >= this.#bounds.idsOfBatch && !this.#isFailing) void this.#write()
    else this.#writeSoon()
  }

  /** Whether a tenant is known to record no disclosures; what it turns on again is recorded within five seconds. */
  isOff(tenantId: string): boolean {
    const until = this.#off.get(tenantId)
    if (until === undefined) return false
    if (until > performance.now()) return true
    this.#off.delete(tenantId)
    return false
  }

  /** Writes what waits. Resolves when everything that was taken before is written, or could not be. */
  async flush(): Promise<void> {
    await this.#writing
    await this.#write()
  }

  /** Writes what waits, and tries again while the database takes nothing; what is given up is counted in the log. */
  async close(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      await this.flush()
      if (this.#waiting.length === 0) break
      if (tries === this.#bounds.lastTries) {
        this.#log.error({ entries: this.#waiting.length }, 'disclosures could not be written before the end')
        break
      }
      await new Promise((resolve) => setTimeout(resolve, this.#bounds.pauseMilliseconds))
    }
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      void this.#write()
    }, this.#bounds.gatherMilliseconds).unref()
  }

  #write(): Promise<boolean> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null
      if (this.#waiting.length > 0) this.#writeSoon()
    })
    return this.#writing
  }

  /** Returns whether all was written. */
  async #writeAll(): Promise<boolean> {
    const batch = this.#waiting
    if (batch.length === 0) return true
    this.#waiting = []
    this.#growing = new Map()
    const byTenant = new Map<string, Waiting[]>()
    for (const entry of batch) {
      const { id } = entry.context.tenant
      const entries = byTenant.get(id)
      if (entries === undefined) byTenant.set(id, [entry])
      else entries.push(entry)
    }
    let isWhole = true
    for (const [tenantId, entries] of byTenant) {
      try {
        await this.#insert(tenantId, entries)
        for (const { ids } of entries) this.#ids -= ids.size + 1
      } catch (error) {
        isWhole = false
        // Their ids stay, so that what was written after all is not written twice.
        this.#waiting = [...entries, ...this.#waiting]
        const { name, code } = error as { name: string; code?: string }
        this.#log.error({ error: name, reason: code, entries: entries.length }, 'disclosures are not written yet')
      }
    }
    this.#isFailing = !isWhole
    if (this.#lost > 0) {
      this.#log.error(
        { entries: this.#lost },
        'disclosures were not recorded: the database took none, and no more were held',
      )
      this.#lost = 0
    }
    if (this.#isFailing || this.#ids < this.#bounds.maxIds) for (const go of [...this.#awaitingRoom]) go()
    return isWhole
  }

  async #insert(tenantId: string, entries: readonly Waiting[]): Promise<void> {
    const rows = JSON.stringify(entries.map(getRow))
    const isOff = await this.#database.transaction(tenantId, async (tx) => {
      const off = await tx.query(sql`
        select 1 as off from disclosure_settings where tenant_id = ${tenantId} and not enabled`)
      if (off.length > 0) return true
      await tx.query(sql`
        insert into disclosures (tenant_id, month, id, occurred_at, actor_type, actor_id, actor_name, surface, operation,
                                 record_type, field_group, record_ids, count, filter, request_id, address)
        select ${tenantId}::uuid, d.month, d.id, d.occurred_at, d.actor_type, d.actor_id, d.actor_name, d.surface, d.operation,
               d.record_type, d.field_group, array(select jsonb_array_elements_text(d.record_ids)), d.count, d.filter,
               d.request_id, d.address
          from jsonb_to_recordset(${rows}::jsonb) as d (
                 month date, id uuid, occurred_at timestamptz, actor_type text, actor_id uuid, actor_name text, surface text,
                 operation text, record_type text, field_group text, record_ids jsonb, count integer, filter jsonb,
                 request_id uuid, address text)
        on conflict (tenant_id, month, id) do nothing`)
      return false
    })
    if (isOff) this.#off.set(tenantId, performance.now() + offMilliseconds)
  }

  /** Waits for room; returns whether there is. */
  #room(): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (hasRoom: boolean) => {
        clearTimeout(late)
        this.#awaitingRoom.delete(go)
        resolve(hasRoom)
      }
      const go = () => end(!this.#isFailing)
      const late = setTimeout(() => end(false), this.#bounds.maxWaitMilliseconds)
      this.#awaitingRoom.add(go)
    })
  }
}

/** What entries have in common that are one: who calls, from where, and what is asked; of single records, not which. */
function getKey({ context, surface, operation, disclosed, filter }: Disclosure): string {
  const { tenant, actor, address } = context
  const asked = filter === null ? '' : JSON.stringify(filter)
  return `${tenant.id} ${actor.id} ${actor.name} ${address} ${surface} ${operation} ${disclosed.recordType} ${asked}`
}

function getRow({ id, at, context, surface, operation, disclosed, ids, count, answers, filter }: Waiting): object {
  const occurredAt = new Date(at).toISOString()
  return {
    id,
    month: `${occurredAt.slice(0, 7)}-01`,
    occurred_at: occurredAt,
    actor_type: context.actor.type,
    actor_id: context.actor.id,
    actor_name: context.actor.name,
    surface,
    operation,
    record_type: disclosed.recordType,
    field_group: disclosed.fieldGroup,
    record_ids: [...ids].map(storable),
    count,
    filter: filter === null ? null : bounded(filter),
    request_id: answers === 1 ? context.requestId : null,
    address: context.address,
  }
}

/** An id as PostgreSQL keeps and indexes it, whatever a client sent for one. */
function storable(id: string): string {
  return id
    .slice(0, filterBounds.text)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll('\u0000', '')
}

/** A filter without what was typed of somebody and texts of any length; only that it was none to keep where it is too long or no text. */
function bounded(filter: object): object {
  const text = JSON.stringify(filter, (name, value) =>
    withheldFilters.has(name) ? '(withheld)' : typeof value === 'string' ? storable(value) : value,
  )
  return text.length > filterBounds.whole || unstorable.test(text) ? { withheld: true } : JSON.parse(text)
}

/** What PostgreSQL takes in no JSON: NUL, and halves of characters. */
const unstorable = /\\u(?:0000|d[89a-f])/

/** The ids in a record at paths such as `id` or `links.entityId`, of which each may go through arrays. */
export function idsIn(record: unknown, paths: readonly string[], into: string[]): void {
  for (const path of paths) {
    if (path.includes('.')) gather(record, path.split('.'), 0, into)
    else take((record as Record<string, unknown>)[path], into)
  }
}

function gather(value: unknown, steps: readonly string[], at: number, into: string[]): void {
  if (Array.isArray(value)) for (const each of value) gather(each, steps, at, into)
  else if (at === steps.length) take(value, into)
  else if (typeof value === 'object' && value !== null) {
    gather((value as Record<string, unknown>)[steps[at] as string], steps, at + 1, into)
  }
}

function take(value: unknown, into: string[]): void {
  if (typeof value === 'string' && value !== '') into.push(value)
}
