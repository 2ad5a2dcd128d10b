import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { RecordCaller } from '../../../server/dist/testing/fixtures/record-caller.js'
import { prepareSchedules } from '../fees.ts'
import { asOwner } from '../services/bench-database.ts'
import type { BenchService } from '../services/bench-service.ts'
import { median } from '../services/load.ts'
import { cookieOfSomebody } from './console.ts'

const students = 500
const courses = 8
const days = 120

/** How many cards are asked for one by one: enough for a median. */
const single = 40

/**
 * Prints the report cards of 500 students as one document, with the time that each takes when it is asked for alone. Wanted: at most
 * a quarter of it a card, and all in under a minute.
 */
export async function printReportCards(service: BenchService): Promise<void> {
  const { tenantId, key } = await service.fill('cards', students, 0)
  await asOwner(service, async (owner) => {
    await prepareSchedules(service, owner, { tenantId, key }, 0)
    for (let number = 1; number <= courses; number += 1) await makeCourse(service, key, `Course ${number}`)
    for (const statement of resultsOfAll) await owner.query(statement, [tenantId, courses, days])
    await owner.query('analyze')
    const each = await timeSingle(service, owner, { tenantId, key })
    const caller = new RecordCaller(`${service.address}/t/cards`, { cookie: await cookieOfSomebody(service, 'cards') })
    const { body } = await caller.get('/api/method/frappe.sessions.get_csrf_token')
    const before = await service.residentMebibytes()
    let most = before
    const started = performance.now()
    const made = await caller
      .with({ 'idempotency-key': randomUUID(), 'x-frappe-csrf-token': body.message })
      .send('POST', '/console/v1/report-cards/prints', { studentGroup: 'Bench' })
    if (made.status !== 201) throw new Error(`the print was refused: ${made.text}`)
    const address = `/console/v1/report-cards/prints/${made.body.data.id}`
    for (;;) {
      const { status, fault } = (await caller.get(address)).body.data
      most = Math.max(most, await service.residentMebibytes())
      if (status === 'done') break
      if (status !== 'queued' && status !== 'running') throw new Error(`the print is ${status}: ${fault}`)
      await pause(50)
    }
    const seconds = (performance.now() - started) / 1000
    const file = await caller.get(`${address}/file`)
    most = Math.max(most, await service.residentMebibytes())
    const pages = file.text.match(/\/Type \/Page\b/g)?.length ?? 0
    const joint = (seconds * 1000) / students
    process.stdout.write(
      `${students} report cards as one PDF of ${pages} pages: ${seconds.toFixed(1)} s, ${joint.toFixed(1)} ms a card; alone ${each.toFixed(1)} ms, ratio ${(joint / each).toFixed(2)}; at most 0.25 and 60 s are wanted\n` +
        `resident memory ${before.toFixed(0)} MiB before, ${most.toFixed(0)} MiB at most\n`,
    )
  })
}

async function makeCourse(service: BenchService, key: string, course_name: string): Promise<void> {
  const response = await fetch(`${service.address}/api/resource/Course`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify({ course_name }),
  })
  if (!response.ok) throw new Error(`a course was refused: ${await response.text()}`)
}

/** The median time of a card that is asked for alone as PDF, in milliseconds. */
async function timeSingle(
  service: BenchService,
  owner: pg.Client,
  { tenantId, key }: { readonly tenantId: string; readonly key: string },
): Promise<number> {
  const { rows } = await owner.query<{ name: string }>(
    'select student_code as name from students where tenant_id = $1 order by student_code limit $2',
    [tenantId, single],
  )
  const times: number[] = []
  for (const { name } of rows) {
    const query = new URLSearchParams({ student: name, academic_year: 'Bench', format: 'pdf' })
    const started = performance.now()
    const response = await fetch(
      `${service.address}/api/method/education.education.report_card.get_student_report_card?${query}`,
      { headers: { authorization: key } },
    )
    const bytes = await response.arrayBuffer()
    if (!response.ok) throw new Error(`a report card was refused: ${Buffer.from(bytes)}`)
    times.push(performance.now() - started)
  }
  return median(times)
}

/** A result of three criteria in each course, and a year of attendance, of every student. $1 tenant, $2 courses, $3 days. */
const resultsOfAll = [
  `insert into assessment_criteria (tenant_id, id, name, assessment_criteria)
   select $1, gen_random_uuid(), 'Criterion ' || n, 'Criterion ' || n
     from generate_series(1, 3) n where $2::integer > 0 and $3::integer > 0`,
  `insert into assessment_plans (tenant_id, id, name, docstatus, student_group, course, academic_year, assessment_name, schedule_date)
   select $1, gen_random_uuid(), 'PLAN-' || n, 1, 'Bench', 'Course ' || n, 'Bench', 'Exam ' || n, '2026-12-01'
     from generate_series(1, $2) n where $3 > 0`,
  `insert into assessment_results (tenant_id, id, name, docstatus, assessment_plan, student, student_group, course, academic_year,
                                   total_score, maximum_score, grade)
   select $1, gen_random_uuid(), s.student_code || '-' || n, 1, 'PLAN-' || n, s.student_code, 'Bench', 'Course ' || n, 'Bench', 75, 100, 'B'
     from students s, generate_series(1, $2) n where s.tenant_id = $1 and $3 > 0`,
  `insert into assessment_results_details (tenant_id, id, parent_id, name, idx, assessment_criteria, maximum_score, score, grade)
   select r.tenant_id, gen_random_uuid(), r.id, left(md5(r.id::text || n), 10), n, 'Criterion ' || n, 100.0 / 3, 25, 'B'
     from assessment_results r, generate_series(1, 3) n where r.tenant_id = $1 and $2 > 0 and $3 > 0`,
  `insert into student_attendances (tenant_id, id, name, docstatus, student, student_group, date, status)
   select $1, gen_random_uuid(), s.student_code || '-' || n, 1, s.student_code, 'Bench', '2026-08-01'::date + n, 'Present'
     from students s, generate_series(1, $3) n where s.tenant_id = $1 and $2 > 0`,
]
