import type pg from 'pg'
import { asOwner } from './services/bench-database.ts'
import type { BenchService, BenchTenant } from './services/bench-service.ts'

const students = 5_000

/** Makes the fees of 5 000 students from one schedule in one call, and prints how long it took and what memory it cost. */
export async function printFees(service: BenchService): Promise<void> {
  const { tenantId, key } = await service.fill('fees', students, 0)
  await asOwner(service, async (owner) => {
    const [schedule] = await prepareSchedules(service, owner, { tenantId, key }, 1)
    const before = await service.residentMebibytes()
    const started = performance.now()
    await call(service, key, '/api/method/run_doc_method', { dt: 'Fee Schedule', dn: schedule, method: 'create_fees' })
    const seconds = (performance.now() - started) / 1000
    const { rows } = await owner.query(
      'select count(*)::integer as fees, sum(outstanding_amount)::float as owed from fees where tenant_id = $1 and docstatus = 1 and fee_schedule = $2',
      [tenantId, schedule],
    )
    const [{ fees, owed }] = rows
    const mebibytes = (await service.residentMebibytes()) - before
    process.stdout.write(
      `${fees} fees from one schedule, ${owed} owed: ${seconds.toFixed(1)} s, resident memory grew by ${mebibytes.toFixed(0)} MiB\n`,
    )
  })
}

/** Enrolls all students of a tenant, and makes schedules that each charge all of them; gives the names of these. */
export async function prepareSchedules(
  service: BenchService,
  owner: pg.Client,
  { tenantId, key }: Pick<BenchTenant, 'tenantId' | 'key'>,
  count: number,
): Promise<string[]> {
  const make = async (type: string, fields: object) =>
    (await call(service, key, `/api/resource/${encodeURIComponent(type)}`, fields)).data
  const year = { academic_year_name: 'Bench', year_start_date: '2026-08-01', year_end_date: '2027-07-31' }
  await make('Academic Year', year)
  await make('Program', { program_name: 'Bench' })
  await make('Fee Category', { category_name: 'Bench tuition' })
  const structure = await make('Fee Structure', {
    program: 'Bench',
    academic_year: 'Bench',
    docstatus: 1,
    components: [{ fees_category: 'Bench tuition', amount: 1000 }],
  })
  await make('Student Group', {
    student_group_name: 'Bench',
    group_based_on: 'Activity',
    academic_year: 'Bench',
    program: 'Bench',
  })
  await owner.query(
    `insert into program_enrollments (tenant_id, id, name, docstatus, student, student_name, enrollment_date, program, academic_year)
     select tenant_id, gen_random_uuid(), 'BENCH-' || student_code, 1, student_code, full_name, '2026-08-15', 'Bench', 'Bench'
       from students where tenant_id = $1`,
    [tenantId],
  )
  await owner.query(
    `insert into student_groups_students (tenant_id, id, parent_id, name, idx, student, student_name, group_roll_number, active)
     select s.tenant_id, gen_random_uuid(), g.id, left(md5(s.id::text), 10), row_number() over (order by s.student_code),
            s.student_code, s.full_name, row_number() over (order by s.student_code), 1
       from students s join student_groups g on g.tenant_id = s.tenant_id and g.name = 'Bench'
      where s.tenant_id = $1`,
    [tenantId],
  )
  await owner.query('analyze')
  const names: string[] = []
  while (names.length < count) {
    const schedule = await make('Fee Schedule', {
      fee_structure: structure.name,
      academic_year: 'Bench',
      due_date: '2026-10-31',
      student_groups: [{ student_group: 'Bench' }],
      docstatus: 1,
    })
    names.push(schedule.name)
  }
  return names
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function call(service: BenchService, key: string, path: string, body: object): Promise<any> {
  const response = await fetch(service.address + path, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer}`)
  return JSON.parse(answer)
}
