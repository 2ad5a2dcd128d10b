import type pg from 'pg'

/** So many of the payments that are added go to one student, as they do in the tenant that they are compared with. */
const perStudent = 100

/**
 * Adds as many payments to a tenant, with their students and totals, about three years of them in the order in which they were made. Much
 * faster than a demo of that size, because nothing is checked and the indexes are made afterwards.
 */
export async function addPayments(owner: pg.Client, tenantId: string, count: number): Promise<void> {
  const students = Math.ceil(count / perStudent)
  const { rows: indexes } = await owner.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = 'payments' and indexname like '%_idx'`,
  )
  for (const setting of [
    'session_replication_role = replica',
    `maintenance_work_mem = '1GB'`,
    'synchronous_commit = off',
  ]) {
    await owner.query(`set ${setting}`)
  }
  for (const { indexname } of indexes) await owner.query(`drop index ${indexname}`)
  await owner.query(studentRows, [tenantId, students])
  await owner.query(paymentRows, [tenantId, count, students])
  for (const { indexdef } of indexes) await owner.query(indexdef)
  for (const statement of totals) await owner.query(statement, [tenantId])
  await owner.query('vacuum analyze')
}

/** Ids that grow, as those of the service do. */
const getId = (number: string) => `('01800000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

const studentRows = `
  insert into students (tenant_id, id, student_code, full_name, given_names, family_names, status, search_text,
                        created_at, updated_at)
  select $1, ${getId('n')}, 'BENCH-' || lpad(n::text, 8, '0'), given || ' ' || family, given, family, 'active',
         lower(given || ' ' || family), stamp, stamp
    from generate_series(1, $2::integer) n,
         lateral (select substr(md5(n::text), 1, 6) as given, substr(md5((n % 5000)::text), 1, 8) as family,
                         timestamptz '2023-01-01' + n * interval '1 second' as stamp) made`

const paymentRows = `
  insert into payments (tenant_id, id, student_id, amount, currency, status, description, due_date, version,
                        created_at, updated_at)
  select $1, ${getId('n')}, ${getId('1 + (n * 7919::bigint) % $3::integer')}, 50 + n % 900,
         case when n % 20 = 0 then 'EUR' else 'USD' end,
         (array['paid', 'paid', 'paid', 'paid', 'paid', 'paid', 'pending', 'pending', 'overdue', 'cancelled'])[1 + n % 10],
         'Tuition, part ' || n % 12,
         case when n % 10 in (6, 7) then now() else timestamptz '2023-02-01' end + n % 900 * interval '1 day', 1, stamp, stamp
    from generate_series(1, $2::integer) n,
         lateral (select timestamptz '2023-01-01' + n * interval '9 seconds' as stamp) made`

const totals = ['payment', 'student'].map(
  (entity) => `
    insert into record_counts
    select tenant_id, '${entity}', status, 0, count(*) from ${entity}s where tenant_id = $1 and id::text like '01800000-%' group by 1, 3
    on conflict (tenant_id, entity_type, status, shard) do update set count = record_counts.count + excluded.count`,
)
