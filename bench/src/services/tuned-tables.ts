import type pg from 'pg'

/**
 * Makes tables of the hand-tuned server's own, as somebody would who has nothing else to serve: the payments and students of one
 * tenant, with the indexes that its five statements need, and one row that counts.
 */
export async function makeTunedTables(owner: pg.Client, tenantId: string): Promise<void> {
  const statements = [
    'create schema tuned',
    `create table tuned.students as
       select tenant_id, id, student_code, full_name from students where tenant_id = '${tenantId}'`,
    'alter table tuned.students add primary key (tenant_id, id)',
    `create table tuned.payments as
       select tenant_id, id, external_id, student_id, amount, currency, status, description, processor_payment_intent_id,
              due_date, paid_at, version, created_at, updated_at
         from payments where tenant_id = '${tenantId}'`,
    'alter table tuned.payments add primary key (tenant_id, id)',
    'create index on tuned.payments (tenant_id, created_at, id)',
    'create index on tuned.payments (tenant_id, updated_at) include (created_at, id)',
    'create unique index on tuned.payments (tenant_id, external_id) where external_id is not null',
    'create table tuned.payment_counts (tenant_id uuid primary key, count bigint not null)',
    'insert into tuned.payment_counts select tenant_id, count(*) from tuned.payments group by tenant_id',
    'vacuum analyze',
  ]
  for (const statement of statements) await owner.query(statement)
}

/** Makes the tables in which the same server keeps what its writes promise: those of the service with their indexes, and nothing else of them. */
export async function createReportedTables(owner: pg.Client): Promise<void> {
  for (const table of ['audit_entries', 'events', 'idempotency_keys']) {
    await owner.query(`create table tuned.${table} (like ${table} including all)`)
  }
}
