import type { TestDatabase } from './test-database.ts'

/**
 * Fills a tenant with more than an institution will ever have, written as it stands: 60 000 ledger entries, 30 000 programs,
 * lessons and enrolled students, a group of 10 000, 100 students with a mebibyte of custom fields, articles of a million
 * characters.
 */
export async function fillLargeTenant(database: TestDatabase, tenantId: string): Promise<void> {
  for (const statement of statements) await database.load(tenantId, statement, [tenantId])
  await database.inspect('analyze')
}

const text = (characters: number) => `repeat('x', ${characters})`

const statements = [
  `insert into gl_entries (tenant_id, id, name, posting_date, account, debit, voucher_type, voucher_no, remarks)
   select $1, gen_random_uuid(), 'ENTRY-' || lpad(n::text, 8, '0'), date '2026-01-01' + n % 365, 'Account ' || n % 100,
          n / 4.0, 'Fees', 'V-' || n, md5(n::text)
     from generate_series(1, 60000) n`,
  `insert into programs (tenant_id, id, code, name, search_text)
   select $1, gen_random_uuid(), 'P-' || n, 'Program ' || n, '' from generate_series(1, 30000) n`,
  `insert into course_schedules (tenant_id, id, name, student_group, instructor, course, room, program, schedule_date,
                                 from_time, to_time)
   select $1, gen_random_uuid(), 'LESSON-' || n, 'Everybody', 'Grace Hopper', 'Course ' || n % 500, 'Room ' || n % 50,
          'Program 1', date '2026-01-01' + n % 365, '08:00', '09:00'
     from generate_series(1, 30000) n`,
  `insert into students (tenant_id, id, student_code, full_name, given_names, search_text)
   select $1, gen_random_uuid(), 'S-' || lpad(n::text, 8, '0'), 'Student ' || n, 'Student', ''
     from generate_series(1, 30000) n`,
  `insert into program_enrollments (tenant_id, id, name, docstatus, student, student_name, program, academic_year)
   select $1, gen_random_uuid(), 'E-' || n, 1, 'S-' || lpad(n::text, 8, '0'), 'Student ' || n, 'Program 1', '2026'
     from generate_series(1, 30000) n`,
  `with made as (
     insert into student_groups (tenant_id, id, name, student_group_name, academic_year, group_based_on)
     select $1, gen_random_uuid(), 'Everybody', 'Everybody', '2026', 'Activity' returning id)
   insert into student_groups_students (tenant_id, id, parent_id, name, idx, student, student_name, group_roll_number, active)
   select $1, gen_random_uuid(), made.id, 'row' || n, n, 'S-' || lpad(n::text, 8, '0'), 'Student ' || n, n, 1
     from made, generate_series(1, 10000) n`,
  `insert into articles (tenant_id, id, name, title, author, content)
   select $1, gen_random_uuid(), 'Article ' || n, 'Article ' || n, 'Somebody', ${text(1_000_000)}
     from generate_series(1, 100) n`,
  // Created before all others, so that the first page is theirs.
  `insert into students (tenant_id, id, student_code, full_name, search_text, custom_fields, created_at)
   select $1, gen_random_uuid(), 'LARGE-' || n, 'Large ' || n, '', jsonb_build_object('essay', ${text(1_000_000)}),
          timestamptz '2020-01-01' + n * interval '1 second'
     from generate_series(1, 100) n`,
  `with made as (
     insert into admission_applications (tenant_id, id, application_code, full_name, status, search_text)
     select $1, gen_random_uuid(), 'A-' || n, 'Applicant ' || n, 'new', ''
       from generate_series(1, 10) n returning id),
   people as (
     insert into contacts (tenant_id, id, code, display_name)
     select $1, gen_random_uuid(), 'C-' || n, 'Contact ' || n from generate_series(1, 20) n returning id)
   insert into application_contacts (tenant_id, id, application_id, contact_id, role, source, metadata)
   select $1, gen_random_uuid(), made.id, people.id, 'other', 'api',
          jsonb_build_object('essay', ${text(190_000)})
     from made, people`,
]
