import type pg from 'pg'
import { prepareSchedules } from './fees.ts'
import type { BenchService } from './services/bench-service.ts'

/** Two accounts for every student of a tenant, which share what is charged. */
const sharedAccounts = `
  with made as (
    insert into billing_accounts (tenant_id, id, number, account_number, name, kind, currency, language)
    select $1, gen_random_uuid(), row_number() over () + 1000000, 'B-' || row_number() over (), s.id::text, 'family',
           (select default_currency from companies where tenant_id = $1 limit 1), 'en'
      from students s cross join generate_series(1, 2) where s.tenant_id = $1
    returning id, name, number
  )
  insert into billing_shares (tenant_id, id, account_id, student_id, percent)
  select $1, gen_random_uuid(), id, name::uuid,
         case when row_number() over (partition by name order by number) = 1 then 60 else 40 end from made`

/** Charges a schedule to students with one account each and with two, beside plain inserts of the same rows. */
export async function printCharging(
  service: BenchService,
  owner: pg.Client,
  { charged: students }: { readonly charged: number },
): Promise<void> {
  for (const accounts of [1, 2]) {
    const { tenantId, key } = await service.fill(`charged-${accounts}`, students, 0)
    const [schedule] = await prepareSchedules(service, owner, { tenantId, key }, 1)
    if (accounts === 2) await owner.query(sharedAccounts, [tenantId])
    const before = await service.residentMebibytes()
    const started = performance.now()
    const response = await fetch(`${service.address}/api/method/run_doc_method`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: JSON.stringify({ dt: 'Fee Schedule', dn: schedule, method: 'create_fees' }),
    })
    if (!response.ok) throw new Error(`create_fees: ${await response.text()}`)
    const seconds = (performance.now() - started) / 1000
    const grown = (await service.residentMebibytes()) - before
    const { rows } = await owner.query('select count(*)::integer as fees from fees where tenant_id = $1', [tenantId])
    const { fees } = rows[0]
    const byHand = fees / (await insertAgain(owner, tenantId))
    const rates = `${(fees / seconds).toFixed(0)} fees/s, by hand ${byHand.toFixed(0)}/s, ratio ${(fees / seconds / byHand).toFixed(2)}`
    const what = `charge ${fees} students with ${accounts} account${accounts === 1 ? '' : 's'}`
    process.stdout.write(`${what.padEnd(52)}${rates}; resident memory grew by ${grown.toFixed(0)} MiB\n`)
  }
}

const ofFees = 'in (select id from fees where tenant_id = $1)'
const ofCharges = `in (select id from fees where tenant_id = $1 union all select id from payments where tenant_id = $1)`

/** The tables that charging fills, in the order of their foreign keys, and which rows of each it made. */
const filled = [
  { table: 'fees', key: 'id', made: 'tenant_id = $1' },
  { table: 'fees_components', key: 'id', made: `tenant_id = $1 and parent_id ${ofFees}` },
  { table: 'payments', key: 'id', made: 'tenant_id = $1' },
  { table: 'obligations', key: 'payment_id', made: 'tenant_id = $1' },
  { table: 'gl_entries', key: 'id', made: 'tenant_id = $1' },
  { table: 'audit_entries', key: 'id', made: `tenant_id = $1 and entity_id ${ofCharges}` },
  { table: 'events', key: 'id', made: `tenant_id = $1 and entity_id ${ofCharges}` },
] as const

/** Takes out what was charged and inserts the same rows again, a statement a table: in how many seconds. */
async function insertAgain(owner: pg.Client, tenantId: string): Promise<number> {
  await owner.query('begin')
  await owner.query(`set local session_replication_role = 'replica'`) // without triggers, which would refuse it
  for (const { table, made } of filled) {
    await owner.query(`create temporary table again_${table} on commit drop as select * from ${table} where ${made}`, [
      tenantId,
    ])
  }
  for (const { table, key } of filled.toReversed()) {
    await owner.query(
      `delete from ${table} t using again_${table} a where t.tenant_id = a.tenant_id and t.${key} = a.${key}`,
    )
  }
  await owner.query(`set local session_replication_role = 'origin'`)
  let seconds = 0
  for (const { table } of filled) {
    const { rows } = await owner.query(
      `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
    const [{ columns }] = rows
    const started = performance.now()
    await owner.query(`insert into ${table} (${columns}) overriding system value select ${columns} from again_${table}`)
    seconds += (performance.now() - started) / 1000
  }
  const started = performance.now()
  await owner.query('commit')
  return seconds + (performance.now() - started) / 1000
}
