import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import type { RecordKind } from '../roster/roster-class.ts'

/** A record that a sourcedId of a bundle stands for. */
export interface Known {
  readonly id: string
  /** Its name in the Resource API. */
  readonly name: string
}

/** Where the records of a kind are, and which column has their names. */
export interface RecordPlace {
  readonly kind: RecordKind
  readonly table: Sql
  readonly name: Sql
}

/** A record that a bundle has brought. */
export interface Brought {
  readonly kind: RecordKind
  readonly id: string
  readonly sourcedId: string
}

/** A member of a group, by its name, and the sourcedId of its enrolment. */
export interface Enrolled {
  readonly role: 'student' | 'teacher'
  readonly name: string
  readonly sourced_id: string
}

/** What a bundle says of an object that our records have no field for. */
export interface Unmapped {
  /** Beside the members of OneRoster, by heading. */
  readonly metadata: Readonly<Record<string, string>> | null
  /** By the headings of members. */
  readonly members: Readonly<Record<string, string>> | null
}

/** Finds the records that earlier bundles made, and remembers what bundles say of each. */
export class SourcedRecords {
  readonly #tx: Transaction
  #ended: Set<string> | null = null

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /** The record of a table with a sourcedId: one that a bundle brought, or whose id it is. */
  async find({ kind, table, name }: RecordPlace, sourcedId: string): Promise<Known | null> {
    const [row] = await this.#tx.query<{ id: string; name: string }>(sql`
      select r.id, r.${name} as name from ${table} r
       where r.tenant_id = ${this.#tx.tenantId}
         and (r.id in (select i.id from roster_ids i
                        where i.tenant_id = ${this.#tx.tenantId} and i.kind = ${kind} and i.sourced_id = ${sourcedId})
              or r.id::text = lower(${sourcedId}))
       limit 1`)
    return row ?? null
  }

  /** Remembers the sourcedId of a record and what a bundle says of it; the sourcedId of one that has one already stays. */
  remember(place: RecordPlace, recordName: string, sourcedId: string, unmapped: Unmapped): void {
    const { table, name } = place
    this.#store(
      place.kind,
      sql`r.id from ${table} r where r.tenant_id = ${this.#tx.tenantId} and r.${name} = ${recordName}`,
      sourcedId,
      unmapped,
    )
  }

  /** Whether there is an organisation with a sourcedId: the institution, or a department. */
  async hasOrg(sourcedId: string): Promise<boolean> {
    const { tenantId } = this.#tx
    const [found] = await this.#tx.query(sql`
      select from roster_ids where tenant_id = ${tenantId} and kind = 'org' and sourced_id = ${sourcedId}
      union all select from departments where tenant_id = ${tenantId} and id::text = lower(${sourcedId})
      union all select where ${tenantId} = lower(${sourcedId})`)
    return found !== undefined
  }

  /** The sourcedId that bundles have for the institution; null without one. */
  async findInstitution(): Promise<string | null> {
    const { tenantId } = this.#tx
    const [row] = await this.#tx.query<{ sourced_id: string }>(sql`
      select sourced_id from roster_ids where tenant_id = ${tenantId} and kind = 'org' and id = ${tenantId}`)
    return row?.sourced_id ?? null
  }

  /** Remembers the sourcedId of the institution and what a bundle says of it. */
  rememberInstitution(sourcedId: string, unmapped: Unmapped): void {
    const { tenantId } = this.#tx
    this.#store('org', sql`r.id from tenants r where r.id = ${tenantId}`, sourcedId, unmapped)
  }

  /** Remembers the sourcedIds of the rows of a group; a row that was written anew takes over that of the one before it. */
  async rememberEnrollments(group: string, enrolled: readonly Enrolled[]): Promise<void> {
    if (enrolled.length === 0) return
    const { tenantId } = this.#tx
    const rows = await this.#tx.query<{ id: string; sourced_id: string }>(sql`
      with grouped as (
        select g.id from student_groups g where g.tenant_id = ${tenantId} and g.name = ${group}
      )
      select m.id, e.sourced_id
        from jsonb_to_recordset(${JSON.stringify(enrolled)}::jsonb) as e (role text, name text, sourced_id text)
        join (select s.id, 'student' as role, s.student as name from student_groups_students s
               where s.tenant_id = ${tenantId} and s.parent_id in (select id from grouped)
              union all
              select i.id, 'teacher', i.instructor from student_groups_instructors i
               where i.tenant_id = ${tenantId} and i.parent_id in (select id from grouped)) m
          on m.role = e.role and m.name = e.name
       where m.id::text <> e.sourced_id`)
    if (rows.length === 0) return
    const json = JSON.stringify(rows)
    await this.#tx.query(sql`
      delete from roster_ids i
       where i.tenant_id = ${tenantId} and i.kind = 'enrollment'
         and i.sourced_id = any (${rows.map((row) => row.sourced_id)}::text[])
         and not i.id = any (${rows.map(({ id }) => id)}::uuid[])`)
    await this.#tx.query(sql`
      insert into roster_ids (tenant_id, kind, id, sourced_id, is_from_bundle)
      select ${tenantId}::uuid, 'enrollment', e.id, e.sourced_id, true
        from jsonb_to_recordset(${json}::jsonb) as e (id uuid, sourced_id text)
      on conflict do nothing`)
  }

  #store(kind: RecordKind, idFrom: Sql, sourcedId: string, { metadata, members }: Unmapped): void {
    const { tenantId } = this.#tx
    const [extensions, given] = [metadata, members].map((each) => (each === null ? null : JSON.stringify(each)))
    this.#tx.send(sql`
      insert into roster_ids (tenant_id, kind, id, sourced_id, is_from_bundle, metadata, members)
      select ${tenantId}::uuid, ${kind}, o.id, ${sourcedId}, true, ${extensions}::jsonb, ${given}::jsonb
        from (select ${idFrom}) o
       where (o.id::text <> ${sourcedId} or ${extensions}::jsonb is not null or ${given}::jsonb is not null)
         and not exists (select from roster_ids x
                          where x.tenant_id = ${tenantId} and x.kind = ${kind} and x.sourced_id = ${sourcedId}
                            and x.id <> o.id)
      on conflict (tenant_id, kind, id) do update
        set metadata = excluded.metadata, members = excluded.members, is_from_bundle = true
        where roster_ids.metadata is distinct from excluded.metadata
           or roster_ids.members is distinct from excluded.members or not roster_ids.is_from_bundle`)
  }

  /** Whether another user than the one with a sourcedId has a user name or an identifier: readers log people in by them. */
  async isUserMemberTaken(name: 'username' | 'identifier', value: string, sourcedId: string): Promise<boolean> {
    const { tenantId } = this.#tx
    // Written out, because each has an index.
    const isSame =
      name === 'username'
        ? sql`members ? 'username' and members ->> 'username' = ${value}`
        : sql`members ? 'identifier' and members ->> 'identifier' = ${value}`
    const [found] = await this.#tx.query(sql`
      select from roster_ids
       where tenant_id = ${tenantId} and kind = 'user' and ${isSame} and sourced_id <> ${sourcedId}`)
    return found !== undefined
  }

  /** The records of a kind that bundles have brought and that are not among these. */
  async listMissing(kind: RecordKind, sourcedIds: readonly string[]): Promise<Brought[]> {
    return this.#tx.query<Brought & Record<string, unknown>>(sql`
      select i.kind, i.id, i.sourced_id as "sourcedId" from roster_ids i
       where i.tenant_id = ${this.#tx.tenantId} and i.kind = ${kind} and i.is_from_bundle and i.ended_at is null
         and not exists (select from unnest(${sourcedIds}::text[]) as s (id) where s.id = i.sourced_id)
       order by i.id`)
  }

  /** Remembers that a bundle ended a record, or that one has it again. */
  async markEnded(kind: RecordKind, id: string, isEnded: boolean): Promise<void> {
    await this.#tx.query(sql`
      update roster_ids set ended_at = ${isEnded ? sql`current_stamp()` : sql`null`}
       where tenant_id = ${this.#tx.tenantId} and kind = ${kind} and id = ${id}`)
  }

  /** Whether a bundle ended the record with a sourcedId. */
  async isEnded(kind: RecordKind, sourcedId: string): Promise<boolean> {
    if (this.#ended === null) {
      const rows = await this.#tx.query<{ key: string }>(sql`
        select kind || ' ' || sourced_id as key from roster_ids
         where tenant_id = ${this.#tx.tenantId} and ended_at is not null`)
      this.#ended = new Set(rows.map(({ key }) => key))
    }
    return this.#ended.has(`${kind} ${sourcedId}`)
  }
}
