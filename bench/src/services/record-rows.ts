import type pg from 'pg'
import { keepCounts } from '../kept-counts.ts'

/** How many programs the applicants of the bench ask for. */
const programs = 200

/**
 * Stores as many ledger entries, students, applicants, attendances and fees of one tenant. What they name is of no matter to
 * lists, so foreign keys stay unchecked, except that applicants name programs that are there.
 */
export async function loadRecords(owner: pg.Client, tenantId: string, count: number): Promise<void> {
  await owner.connect()
  try {
    await owner.query('set session_replication_role = replica')
    for (const [what, statement] of statements) {
      process.stdout.write(`Loading ${what}\n`)
      const values = statement.includes('$2') ? [tenantId, count] : [tenantId]
      await owner.query(statement, values)
    }
    await owner.query('vacuum analyze')
  } finally {
    await owner.end()
  }
}

const spread = `timestamptz '2026-01-01' + n * interval '7 milliseconds'`

const statements: readonly [string, string][] = [
  [
    'ledger entries',
    `insert into gl_entries (tenant_id, id, name, posting_date, account, debit, voucher_type, voucher_no, created_at, updated_at)
     select $1, gen_random_uuid(), 'ENTRY-' || lpad(n::text, 8, '0'), date '2026-01-01' + n % 365, 'Account ' || n % 100,
            n % 1000, case when n % 3 = 0 then 'Fees' else 'Payment Entry' end, 'V-' || n, ${spread}, ${spread}
       from generate_series(1, $2::integer) n`,
  ],
  [
    'students',
    `insert into students (tenant_id, id, student_code, full_name, given_names, family_names, status, search_text,
                           created_at, updated_at)
     select $1, gen_random_uuid(), 'BENCH-' || lpad(n::text, 8, '0'), given || ' ' || family, given, family,
            case when n % 500 = 0 then 'inactive' else 'active' end, lower(given || ' ' || family), ${spread}, ${spread}
       from generate_series(1, $2::integer) n,
            lateral (select substr(md5(n::text), 1, 6) as given, substr(md5((n % 5000)::text), 1, 8) as family) names`,
  ],
  [
    'programs',
    `insert into programs (tenant_id, id, code, name, search_text)
     select $1, gen_random_uuid(), 'BENCH-' || n, 'Bench program ' || n, 'bench program ' || n
       from generate_series(1, ${programs}) n`,
  ],
  [
    'applicants',
    `insert into admission_applications (tenant_id, id, application_code, full_name, given_names, family_names, program_id,
                                         status, search_text, created_at, updated_at)
     select $1, gen_random_uuid(), 'BENCH-' || lpad(n::text, 8, '0'), names.given || ' ' || n, names.given, n::text, p.id,
            s.key, lower(names.given), ${spread}, ${spread}
       from generate_series(1, $2::integer) n
       join lateral (select substr(md5(n::text), 1, 6) as given) names on true
       join programs p on p.tenant_id = $1 and p.name = 'Bench program ' || 1 + n % ${programs}
       join (select key, row_number() over (order by position) - 1 as place, count(*) over () as statuses
               from pipeline_statuses where tenant_id = $1) s on s.place = n % s.statuses`,
  ],
  [
    'attendances',
    `insert into student_attendances (tenant_id, id, name, docstatus, student, student_name, date, status, created_at, updated_at)
     select $1, gen_random_uuid(), 'BENCH-' || lpad(n::text, 8, '0'), 1, 'BENCH-' || lpad((1 + n % 5000)::text, 8, '0'),
            'Somebody', date '2026-01-01' + n / 5000, case when n % 20 = 0 then 'Absent' else 'Present' end, ${spread}, ${spread}
       from generate_series(1, $2::integer) n`,
  ],
  [
    'fees',
    `insert into fees (tenant_id, id, name, docstatus, student, student_name, posting_date, due_date, grand_total,
                       outstanding_amount, created_at, updated_at)
     select $1, gen_random_uuid(), 'BENCH-' || lpad(n::text, 8, '0'), 1, 'BENCH-' || lpad((1 + n % 20000)::text, 8, '0'),
            'Somebody', date '2026-01-01' + n % 365, date '2026-02-01' + n % 365, 100 + n % 900,
            case when n % 4 = 0 then 100 else 0 end, ${spread}, ${spread}
       from generate_series(1, $2::integer) n`,
  ],
  ['how many of them there are', keepCounts('student', 'students')],
  ['how many programs', keepCounts('program', 'programs')],
  ['how many applicants', keepCounts('admission_application', 'admission_applications')],
]
