import type pg from 'pg'
import { Caller } from '../../server/dist/testing/fixtures/client.js'
import { asOwner } from './services/bench-database.ts'
import type { BenchService } from './services/bench-service.ts'
import { median } from './services/load.ts'

const million = 1_000_000
/** Records that the entries are about, so that each has a history of some hundred. */
const records = 10_000

/**
 * Prints how long reading takes in the audit of an institution that writes much: the history of a record, what one actor did, and the
 * newest entries, first in a hundredth of the entries and then in all of them. Wanted: milliseconds, and about the same.
 */
export async function printAudit(bench: BenchService): Promise<void> {
  const all = Number(process.argv[3] ?? 1) * million
  const { tenantId } = await bench.make('audit')
  const scopes = ['--scopes', 'audit:read', '--requests-per-minute', '1000000']
  const { token } = await bench.command('token', 'create', '--tenant', 'audit', '--name', 'bench', ...scopes)
  const api = new Caller(bench.address, token)
  await asOwner(bench, async (client) => {
    let written = 0
    for (const count of [all / 100, all]) {
      await write(client, tenantId, written, count)
      written = count
      await client.query('vacuum (analyze) audit_entries')
      const record = recordId(4_242)
      process.stdout.write(`${count} entries in a year:`)
      for (const [what, query] of [
        ['history of a record', `entityId=${record}&limit=100`],
        ['what an actor did', `actorId=${recordId(7)}&limit=100`],
        ['newest', 'limit=100'],
        ['a day of a record', `entityId=${record}&since=2026-06-01&until=2026-06-02`],
      ]) {
        const times: number[] = []
        for (let turn = 0; turn < 30; turn += 1) {
          const begun = performance.now()
          const { status, text } = await api.get(`/audit?${query}`)
          if (status !== 200) throw new Error(text)
          times.push(performance.now() - begun)
        }
        process.stdout.write(`  ${what} ${median(times).toFixed(1)} ms`)
      }
      process.stdout.write('\n')
    }
    const plan = await client.query(
      `explain (analyze, buffers, costs off, timing off, summary off)
       select * from audit_entries where tenant_id = $1 and entity_id = $2 order by id desc limit 100`,
      [tenantId, recordId(4_242)],
    )
    for (const row of plan.rows) process.stdout.write(`${row['QUERY PLAN']}\n`)
  })
}

function recordId(number: number): string {
  return `01985b2e-5a00-7000-8000-${number.toString(16).padStart(12, '0')}`
}

/** Entries of a year, spread over records and actors, with ids that grow with time as those of the service do. */
async function write(client: pg.Client, tenantId: string, from: number, to: number): Promise<void> {
  await client.query(
    `insert into audit_entries (tenant_id, id, occurred_at, action, entity_type, entity_id, external_id,
                                actor_type, actor_id, actor_name, before, after, request_id, address)
     select $1, (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
                 || '8' || lpad(to_hex(n), 15, '0'))::uuid,
            moment, 'student.updated', 'student',
            ('01985b2e-5a00-7000-8000-' || lpad(to_hex(n * 7919 % ${records}), 12, '0'))::uuid, null,
            'api_key', ('01985b2e-5a00-7000-8000-' || lpad(to_hex(n % 20), 12, '0'))::uuid, 'ERP sync',
            '{"city": "Hillside", "status": "active"}', '{"city": "Grand Bend", "status": "active"}', gen_random_uuid(), '192.0.2.17'
       from generate_series($2::bigint, $3::bigint - 1) n,
            lateral (select timestamptz '2025-11-01' + n * (interval '365 days' / $4::bigint) as moment) spread`,
    [tenantId, from, to, Math.max(to, 1)],
  )
}
