import type { Database } from '../../database/index.ts'
import { type CustomFields, noCustomFields, readCustomFields } from './custom-fields.ts'

/** Institutions whose fields a process keeps. */
const maxCached = 500

interface Kept {
  readonly changedAt: string
  readonly fields: Promise<CustomFields>
}

/**
 * The fields that institutions have added, as a process keeps them. Whoever looks a tenant up learns when its fields last changed,
 * less than a second ago; only a change that is new to the process costs a statement.
 */
export class CachedCustomFields {
  readonly #database: Pick<Database, 'read'>
  readonly #cached = new Map<string, Kept>()

  constructor(database: Pick<Database, 'read'>) {
    this.#database = database
  }

  /** The fields of a tenant that last changed at a moment; null where it has none. */
  of(tenantId: string, changedAt: string | null): CustomFields | Promise<CustomFields> {
    if (changedAt === null) return noCustomFields
    const cached = this.#cached.get(tenantId)
    if (cached?.changedAt === changedAt) return cached.fields
    this.#cached.delete(tenantId)
    if (this.#cached.size >= maxCached) this.#cached.delete(this.#cached.keys().next().value as string)
    const fields = readCustomFields((statement) => this.#database.read(tenantId, statement), tenantId)
    this.#cached.set(tenantId, { changedAt, fields })
    fields.catch(() => this.#cached.delete(tenantId))
    return fields
  }
}
