import { type ChangeContext, recordAccess } from '../../../changes/index.ts'
import { type Database, type Sql, sql, type Transaction } from '../../../database/index.ts'
import { externalIdTables, isSourcedIdText, type RosterKind } from './roster-context.ts'

/** How an institution appears in OneRoster. */
export interface RosterSettings {
  /** What the sourcedIds of students, courses and programs are. */
  readonly sourcedIds: 'id' | 'externalId'
}

/** The settings of an institution, or the defaults. */
export async function readRosterSettings(tx: Transaction): Promise<RosterSettings> {
  const [row] = await tx.query<RosterSettings>(sql`
    select sourced_ids as "sourcedIds" from roster_settings where tenant_id = ${tx.tenantId}`)
  return row ?? { sourcedIds: 'id' }
}

/** Changes what sourcedIds are, with audit. Those that were given out stay. */
export async function changeRosterSettings(
  tx: Transaction,
  context: ChangeContext,
  { sourcedIds }: RosterSettings,
): Promise<void> {
  const before = await readRosterSettings(tx)
  if (before.sourcedIds === sourcedIds) return
  // Readers that are the first to see a class wait at this row, so that none sees it in the way that ends here.
  const [settings] = await tx.query<{ given_out: readonly RosterKind[] }>(sql`
    insert into roster_settings (tenant_id, sourced_ids) values (${tx.tenantId}, ${sourcedIds})
    on conflict (tenant_id) do update
      set sourced_ids = excluded.sourced_ids, updated_at = excluded.updated_at
    returning given_out`)
  for (const kind of settings?.given_out ?? []) {
    for (const table of externalIdTables[kind] ?? []) tx.send(retain(tx.tenantId, kind, table, before))
  }
  recordAccess(tx, context, {
    action: 'tenant.oneroster_changed',
    entityType: 'tenant',
    entityId: tx.tenantId,
    facts: { before, after: { sourcedIds } },
  })
}

/** Keeps the sourcedIds of a table's records as they were under earlier settings. */
function retain(tenantId: string, kind: RosterKind, table: Sql, { sourcedIds }: RosterSettings): Sql {
  return sql`
    insert into roster_ids (tenant_id, kind, id, sourced_id)
    select ${tenantId}::uuid, ${kind}, r.id, ${sourcedIds === 'id' ? sql`r.id::text` : sql`r.external_id`}
      from ${table} r
     where r.tenant_id = ${tenantId} and r.external_id ${isSourcedIdText}
     order by r.id
    on conflict do nothing`
}

/** Remembers that readers see sourcedIds of these kinds. */
export async function rememberGivenOut(
  database: Database,
  tenantId: string,
  kinds: readonly RosterKind[],
): Promise<void> {
  await database.transaction(tenantId, async (tx) => {
    await tx.query(sql`
      insert into roster_settings (tenant_id, given_out) values (${tenantId}, ${kinds}::text[])
      on conflict (tenant_id) do update
        set given_out = (select array_agg(distinct each.kind)
                           from unnest(roster_settings.given_out || excluded.given_out) as each (kind))`)
  })
}
