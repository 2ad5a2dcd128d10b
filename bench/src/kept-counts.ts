/** The statement that tells the service how many rows of a list a tenant, `$1`, has, after they were loaded past it. */
export function keepCounts(entityType: string, table: string): string {
  return `
    insert into record_counts (tenant_id, entity_type, status, shard, count)
    select tenant_id, '${entityType}', status, 0, count(*) from ${table} where tenant_id = $1 group by tenant_id, status
    on conflict on constraint record_counts_pkey do update set count = excluded.count`
}
