import type pg from 'pg'

/** What of a tenant is told once it is gone. */
export interface Deletion {
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string }
  /** Where its backups are, or null: nobody wanted one. */
  readonly backup: string | null
  /** How many rows and files the backup has of it. */
  readonly rows: number
  readonly files: number
}

/**
 * The deletion of a tenant that was begun and not ended, with its backup; null: there is none. `isUntouched` says
 * whether nobody has changed the tenant since, such as to let it go on, so that the backup has everything that it
 * ever had.
 */
export async function unfinishedDeletion(
  client: pg.ClientBase,
  tenantId: string,
): Promise<{ readonly backup: string | null; readonly isUntouched: boolean } | null> {
  const { rows } = await client.query(
    `select d.backup, t.status = 'suspended' and t.updated_at <= d.begun_at as "isUntouched"
       from deleted_tenants d join tenants t using (id)
      where d.id = $1 and d.deleted_at is null`,
    [tenantId],
  )
  return rows[0] ?? null
}

/** Notes that the deletion of a tenant begins, so that what is interrupted is known, and where the backup is. */
export async function recordDeletion(client: pg.ClientBase, { tenant, backup, rows, files }: Deletion): Promise<void> {
  await client.query(
    `insert into deleted_tenants (id, slug, name, begun_at, deleted_at, backup, rows, files)
     values ($1, $2, $3, current_stamp(), null, $4, $5, $6)
     on conflict on constraint deleted_tenants_pkey do update
        set slug = excluded.slug, name = excluded.name, begun_at = excluded.begun_at, deleted_at = null,
            backup = excluded.backup, rows = excluded.rows, files = excluded.files`,
    [tenant.id, tenant.slug, tenant.name, backup, rows, files],
  )
}

/**
 * Deletes the tenant itself, of which nothing else is left, and notes in the same moment that its deletion is done.
 * What this run has deleted is less than all where an earlier one was interrupted.
 * @returns how many rows and files it had
 */
export async function endDeletion(
  client: pg.ClientBase,
  tenantId: string,
  deleted: { readonly rows: number; readonly files: number },
): Promise<{ rows: number; files: number }> {
  const { rows } = await client.query(
    `with gone as (delete from tenants where id = $1)
     update deleted_tenants
        set deleted_at = current_stamp(), rows = greatest(rows, $2), files = greatest(files, $3)
      where id = $1
     returning rows::float8, files::float8`,
    [tenantId, deleted.rows, deleted.files],
  )
  return rows[0]
}
