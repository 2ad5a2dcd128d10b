import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { RecordCaller } from '../../../server/dist/testing/fixtures/record-caller.js'
import { keepCounts } from '../kept-counts.ts'
import { loadCost } from '../load-cost.ts'
import { asOwner } from '../services/bench-database.ts'
import type { BenchService } from '../services/bench-service.ts'
import { median, type Rate } from '../services/load.ts'

/** What is typed into the search: parts of names that few and many have, in another order, misspelt, a code, and what nobody has. */
const typed = [
  'jose garcia',
  'garcia',
  'ma',
  'a',
  'garcya',
  'jsoe gracia',
  'stu 00042424',
  'zzzz',
  'maria de los angeles',
]

/** What the page of students asks for, as it is opened. */
export const listOfStudents = `/api/resource/Student?${new URLSearchParams({
  fields: JSON.stringify([
    'name',
    'student_name',
    'student_email_id',
    'student_mobile_number',
    'docstatus',
    'modified',
  ]),
  order_by: 'modified desc, name asc',
  limit_page_length: '25',
})}`
const countOfStudents = '/api/method/frappe.desk.reportview.get_count?doctype=Student&filters=[]'

/** What people ask for all day, by what it is for them. */
const calls = {
  'open the console': '/console/v1/boot',
  'a list of 25': listOfStudents,
  'its count': countOfStudents,
  search: '/console/v1/search?q=garcia',
  'the board': '/console/v1/board',
  'the review queue': '/console/v1/review-queue',
}

/** Prints how long the console's calls take and what they cost, through HTTP, in an institution of 100 000 students. Wanted: below 150 ms. */
export async function printConsole(bench: BenchService): Promise<void> {
  const students = Number(process.argv[3] ?? 100_000)
  const { tenantId } = await bench.make('console')
  const cookie = await cookieOfSomebody(bench, 'console')
  const address = `${bench.address}/t/console`
  const caller = new RecordCaller(address, { cookie })
  await asOwner(bench, async (client) => {
    let written = 0
    for (const size of [1_000, students]) {
      const begun = performance.now()
      await client.query(insertStudents, [tenantId, written, size])
      await client.query(keepCounts('student', 'students'), [tenantId])
      const filled = performance.now() - begun
      written = size
      await client.query('vacuum (analyze)')
      process.stdout.write(`${size} students, written in ${(filled / 1000).toFixed(1)} s\n`)
      for (const [what, path] of Object.entries({ list: listOfStudents, count: countOfStudents })) {
        const { middle, worst } = await timed(caller, path)
        process.stdout.write(`  ${what}: ${middle} ms, worst ${worst} ms\n`)
      }
    }
    // What was written waits for the search to take it over: with a search that comes first, or with a job.
    const taking = performance.now()
    await takeAllThatWaits(client, tenantId)
    process.stdout.write(`  taken over for the search in ${((performance.now() - taking) / 1000).toFixed(1)} s\n`)
    for (const q of typed) {
      const { middle, worst, found } = await timed(caller, `/console/v1/search?${new URLSearchParams({ q })}`)
      process.stdout.write(`  search ${JSON.stringify(q)}: ${middle} ms, worst ${worst} ms, ${found} found\n`)
    }
    let made = 0
    for (const applications of [1_000, 20_000]) {
      await client.query(insertApplications, [tenantId, made, applications])
      await client.query(keepCounts('admission_application', 'admission_applications'), [tenantId])
      await client.query('vacuum (analyze) admission_applications')
      made = applications
      const { middle, worst } = await timed(caller, '/console/v1/board')
      process.stdout.write(`${applications} applications: board ${middle} ms, worst ${worst} ms\n`)
    }
  })
  process.stdout.write(`${'call, 4 at a time'.padEnd(24)} answers/s    ms CPU  of it PG\n`)
  const postmaster = await bench.postmasterPid()
  for (const [what, path] of Object.entries(calls)) {
    // Everybody has a quota: so each call is somebody else's.
    const asking = new RecordCaller(address, { cookie: await cookieOfSomebody(bench, 'console') })
    const { rate, server, database } = await loadCost(bench.pid, postmaster, () => askOften(asking, path))
    const columns = [rate.toFixed(0), (server + database).toFixed(2), database.toFixed(2)]
    process.stdout.write(`${what.padEnd(24)}${columns.map((column) => column.padStart(10)).join('')}\n`)
  }
}

/** Takes over for the search what was written, as a job does it. */
export async function takeAllThatWaits(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(`select set_config('matricula.tenant_id', $1, false)`, [tenantId])
  for (let taken = 1; taken > 0; ) {
    const { rows } = await client.query<{ taken: number }>('select take_waiting_for_search($1, 5000) as taken', [
      tenantId,
    ])
    taken = rows[0]?.taken ?? 0
  }
  await client.query('vacuum (analyze) search_entries')
}

/** Asks the same five hundred times, four at a time. */
async function askOften(caller: RecordCaller, path: string): Promise<Rate> {
  const answers = 500
  let left = answers
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (left > 0) {
        left -= 1
        const { status, text } = await caller.get(path)
        if (status !== 200) throw new Error(text)
      }
    }),
  )
  return { perSecond: (answers * 1000) / (performance.now() - begun), answers }
}

/** Asks twenty times: the median, the slowest, in milliseconds, and how many rows there are. */
export async function timed(caller: RecordCaller, path: string) {
  const times: number[] = []
  let found = 0
  for (let turn = 0; turn < 20; turn += 1) {
    const begun = performance.now()
    const { status, body, text } = await caller.get(path)
    if (status !== 200) throw new Error(text)
    times.push(performance.now() - begun)
    found = Array.isArray(body.data) ? body.data.length : 1
  }
  return { middle: median(times).toFixed(1), worst: Math.max(...times).toFixed(1), found }
}

/** The cookie of somebody who may do everything, logged in. */
export async function cookieOfSomebody(bench: BenchService, slug: string): Promise<string> {
  const usr = `${randomUUID()}@school.example`
  const args = ['--tenant', slug, '--email', usr, '--name', 'Bench', '--roles', 'System Manager']
  const { password } = await bench.command('user', 'create', ...args)
  const address = `${bench.address}/t/${slug}`
  const response = await new RecordCaller(address).post('/api/method/login', {
    usr,
    pwd: password,
  })
  const sid = response.cookies.get('sid')?.value
  if (sid === undefined) throw new Error(response.text)
  return `sid=${sid}`
}

export const insertStudents = `
  with names as (
    select array['José', 'María', 'Ada', 'Grace', 'Łukasz', 'Zoë', 'Mateo', 'Sofía', 'Chidi', 'Aiko', 'Björn', 'Anaïs', 'Omar', 'Priya',
                 'Tomás', 'Élise', 'Noah', 'Olivia', 'Liam', 'Emma'] as given,
           array['García', 'Peña', 'Byron', 'Hopper', 'Kowalski', 'Müller', 'Rossi', 'Silva', 'Okafor', 'Tanaka', 'Svensson', 'Dubois',
                 'Haddad', 'Sharma', 'Novák', 'Lefèvre', 'Smith', 'Jones', 'Brown', 'Davis', 'Martínez', 'López', 'Gómez', 'Ruiz', 'Díaz'] as family)
  insert into students (tenant_id, id, student_code, full_name, given_names, family_names, email, search_text)
  select $1, gen_random_uuid(), 'STU-' || lpad(n::text, 8, '0'), g || ' ' || f1 || ' ' || f2 || substr(md5(n::text), 1, 3), g,
         f1 || ' ' || f2 || substr(md5(n::text), 1, 3), 's' || n || '@school.example', ''
    from names, generate_series($2::integer + 1, $3::integer) n,
         lateral (select given[1 + (n * 7919::bigint) % 20] as g, family[1 + (n * 104729::bigint) % 25] as f1, family[1 + (n * 1299709::bigint) % 25] as f2) chosen`

export const insertApplications = `
  insert into admission_applications (tenant_id, id, application_code, full_name, status, search_text)
  select $1, gen_random_uuid(), 'APP-' || n, 'Applicant ' || n,
         (array['new', 'in_review', 'documents_pending', 'interview', 'accepted'])[1 + n % 5], ''
    from generate_series($2::integer + 1, $3::integer) n`
