import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import type { RecordKind } from '../roster/roster-class.ts'

/** A record that a sourcedId of a bundle stands for. */
export interface Known {
  readonly id: string
  /** Its name in the Resource API. */
  readonly name: string
}

/** Finds the records that earlier bundles made, and remembers which sourcedId a record has. */
export class SourcedRecords {
  readonly #tx: Transaction

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /** The record of a table with a sourcedId: one that a bundle brought, or whose id it is. */
  async find(kind: RecordKind, table: Sql, nameColumn: Sql, sourcedId: string): Promise<Known | null> {
    const [row] = await this.#tx.query<{ id: string; name: string }>(sql`
      select r.id, r.${nameColumn} as name from ${table} r
       where r.tenant_id = ${this.#tx.tenantId}
         and (r.id in (select i.id from roster_ids i
                        where i.tenant_id = ${this.#tx.tenantId} and i.kind = ${kind} and i.sourced_id = ${sourcedId})
              or r.id::text = lower(${sourcedId}))
       limit 1`)
    return row ?? null
  }

  /** Remembers the sourcedId of a record; that of one which has one already stays. */
  remember(kind: RecordKind, table: Sql, nameColumn: Sql, name: string, sourcedId: string): void {
    this.#tx.send(sql`
      insert into roster_ids (tenant_id, kind, id, sourced_id)
      select ${this.#tx.tenantId}::uuid, ${kind}, r.id, ${sourcedId} from ${table} r
       where r.tenant_id = ${this.#tx.tenantId} and r.${nameColumn} = ${name} and r.id::text <> ${sourcedId}
      on conflict do nothing`)
  }
}
