import { setTimeout as pause } from 'node:timers/promises'
import { api, type Place, resource } from './place.ts'
import { ServiceUnderProof } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Row = Record<string, any>

/** Works with the records of an institution as its staff does. Each call throws where it is refused. */
class School {
  readonly #place: Place

  constructor(place: Place) {
    this.#place = place
  }

  async #send(method: string, path: string, body?: object): Promise<Row> {
    const { status, body: response } = await api(this.#place, path, { method, ...(body !== undefined && { body }) })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(response).slice(0, 500)}`)
    return response
  }

  async make(type: string, fields: object): Promise<Row> {
    return (await this.#send('POST', resource(type), fields)).data
  }

  async update(type: string, name: string, fields: object): Promise<Row> {
    return (await this.#send('PUT', resource(type, name), fields)).data
  }

  async read(type: string, name: string): Promise<Row> {
    return (await this.#send('GET', resource(type, name))).data
  }

  /** All records of a type that the filters meet, each with these fields. */
  async list(type: string, fields: readonly string[], filters: object = {}): Promise<Row[]> {
    const query = new URLSearchParams({
      ...{ fields: JSON.stringify(fields), filters: JSON.stringify(filters) },
      ...{ limit_page_length: '0', order_by: 'name asc' },
    })
    return (await this.#send('GET', `${resource(type)}?${query}`)).data
  }

  async call(method: string, args: object): Promise<Row> {
    return (await this.#send('POST', `/api/method/${method}`, args)).message
  }

  async report(report_name: string, filters: object): Promise<Row[]> {
    const { result } = await this.call('frappe.desk.query_report.run', { report_name, filters })
    return result.filter((row: unknown) => !Array.isArray(row))
  }
}

/** What pages say beside what the records add up to. */
class Comparison {
  compared = 0
  differences = 0

  /** Compares a figure of a page with the one that was computed from the records. */
  compare(what: string, shown: unknown, computed: unknown): void {
    this.compared += 1
    if (JSON.stringify(shown ?? null) === JSON.stringify(computed ?? null)) return
    this.differences += 1
    process.stdout.write(`  ${what}: shows ${JSON.stringify(shown)}, is ${JSON.stringify(computed)}\n`)
  }
}

const students = 24
const programs = ['Grade 1', 'Grade 2'] as const
const courses = ['Reading', 'Arithmetic'] as const
const academic = 'education.education'
const sum = (values: readonly number[]) => Number(values.reduce((all, each) => all + each, 0).toFixed(2))

interface Year {
  readonly name: string
  readonly begins: number
  readonly program: string
  readonly group: string
}

/** A pseudo-random sequence that is the same in every run. */
function* numbers(): Generator<number, never> {
  for (let state = 42; ; state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) yield state / 2_147_483_648
}
const random = numbers()
const chance = (share: number) => random.next().value < share

async function prepare(school: School): Promise<string[]> {
  for (const program_name of programs) await school.make('Program', { program_name })
  for (const course_name of courses) await school.make('Course', { course_name })
  await school.make('Instructor', { instructor_name: 'Grace Hopper' })
  await school.make('Room', { room_name: 'Hall' })
  for (const category_name of ['Tuition', 'Meals']) await school.make('Fee Category', { category_name })
  for (const batch_name of ['Class of first', 'Class of second'])
    await school.make('Student Batch Name', { batch_name })
  for (const assessment_criteria of ['Written', 'Oral'])
    await school.make('Assessment Criteria', { assessment_criteria })
  await school.make('Grading Scale', {
    grading_scale_name: 'Letters',
    intervals: [
      { grade_code: 'A', threshold: 80 },
      { grade_code: 'B', threshold: 50 },
      { grade_code: 'F', threshold: 0 },
    ],
    docstatus: 1,
  })
  const made: string[] = []
  for (let index = 0; index < students; index += 1) {
    made.push((await school.make('Student', { first_name: 'Student', last_name: `Number ${index + 1}` })).name)
  }
  return made
}

async function beginYear(school: School, name: string, begins: number): Promise<void> {
  const dates = { year_start_date: `${begins}-08-01`, year_end_date: `${begins + 1}-06-30` }
  await school.make('Academic Year', { academic_year_name: name, ...dates })
  const term = { term_start_date: `${begins}-08-01`, term_end_date: `${begins}-12-20` }
  await school.make('Academic Term', { academic_year: name, term_name: 'Autumn', ...term })
}

/** The year's group, timetable, roll calls, leaves, marks and fees. */
async function runYear(school: School, year: Year, members: readonly string[]): Promise<void> {
  const { name: academic_year, begins, program, group } = year
  await school.make('Student Group', {
    ...{ student_group_name: group, academic_year, group_based_on: 'Batch', program },
    students: members.map((student) => ({ student })),
    instructors: [{ instructor: 'Grace Hopper' }],
  })
  const instructor = (await school.list('Instructor', ['name']))[0]?.name
  const room = (await school.list('Room', ['name']))[0]?.name
  const absent = members[0] as string
  await school.make('Student Leave Application', {
    ...{ student: absent, student_group: group, reason: 'Travel', attendance_based_on: 'Student Group' },
    ...{ from_date: `${begins}-09-08`, to_date: `${begins}-09-09`, docstatus: 1 },
  })
  for (const [index, course] of courses.entries()) {
    const hours = { from_time: `${9 + index}:00:00`, to_time: `${10 + index}:00:00` }
    for (let day = 7; day < 12; day += 1) {
      const schedule_date = `${begins}-09-${String(day).padStart(2, '0')}`
      await school.make('Course Schedule', { student_group: group, course, instructor, room, schedule_date, ...hours })
    }
    const plan = await school.make('Assessment Plan', {
      ...{ student_group: group, course, assessment_group: 'All Assessment Groups', grading_scale: 'Letters' },
      ...{ schedule_date: `${begins}-10-01`, ...hours, maximum_assessment_score: 100, docstatus: 1 },
      assessment_criteria: [
        { assessment_criteria: 'Written', maximum_score: 60 },
        { assessment_criteria: 'Oral', maximum_score: 40 },
      ],
    })
    for (const student of members) {
      await school.make('Assessment Result', {
        ...{ student, assessment_plan: plan.name, docstatus: 1 },
        details: [
          { assessment_criteria: 'Written', score: Math.floor(random.next().value * 61) },
          { assessment_criteria: 'Oral', score: Math.floor(random.next().value * 41) },
        ],
      })
    }
  }
  for (let day = 7; day < 12; day += 1) {
    const date = `${begins}-09-${String(day).padStart(2, '0')}`
    const away = members.filter(() => chance(0.15))
    const there = members.filter((student) => !away.includes(student))
    const rolls = { students_present: there.map((student) => ({ student })), student_group: group, date }
    await school.call(`${academic}.api.mark_attendance`, {
      ...rolls,
      students_absent: away.map((student) => ({ student })),
    })
  }
  const structure = await school.make('Fee Structure', {
    ...{ program, academic_year, docstatus: 1 },
    components: [
      { fees_category: 'Tuition', amount: 1000.05 },
      { fees_category: 'Meals', amount: 100, discount: 12.5 },
    ],
  })
  const schedule = await school.make('Fee Schedule', {
    ...{ fee_structure: structure.name, academic_year, posting_date: `${begins}-09-01`, due_date: `${begins}-09-30` },
    ...{ company: structure.company, student_groups: [{ student_group: group }], docstatus: 1 },
  })
  await school.call('run_doc_method', { dt: 'Fee Schedule', dn: schedule.name, method: 'create_fees' })
}

/** Every figure of the year's pages, from the records alone. */
async function compareYear(school: School, year: Year, comparison: Comparison): Promise<void> {
  const { name, begins, program, group } = year
  const where = `${name}: `
  const compare = (what: string, shown: unknown, computed: unknown) => comparison.compare(where + what, shown, computed)
  await school.update('Education Settings', 'Education Settings', { current_academic_year: name })
  const fees = await school.list('Fees', ['name', 'student', 'program', 'grand_total', 'outstanding_amount'], {
    ...{ docstatus: 1, program, posting_date: `${begins}-09-01` },
  })
  for (const schedule of await school.list('Fee Schedule', ['name'], { academic_year: name })) {
    const { created_fees, created_total, grand_total, student_groups } = await school.read(
      'Fee Schedule',
      schedule.name,
    )
    const total = sum(fees.map((fee) => fee.grand_total))
    compare('fees created', created_fees, fees.length)
    compare('total of created fees', created_total, total)
    compare('grand total of the schedule', grand_total, total)
    compare('students of the schedule', Number(student_groups[0].total_students), fees.length)
  }
  const [ofProgram] = await school
    .report('Program wise Fee Collection', { from_date: `${begins}-08-01`, to_date: `${begins + 1}-06-30` })
    .then((rows) => rows.filter((row) => row.program === program))
  compare('fees of the program', ofProgram?.grand_total, sum(fees.map((fee) => fee.grand_total)))
  compare('outstanding of the program', ofProgram?.outstanding_amount, sum(fees.map((fee) => fee.outstanding_amount)))
  for (const row of await school.report('Student Fee Collection', { academic_year: name, program })) {
    const own = fees.filter((fee) => fee.student === row.student)
    compare(`fees of ${row.student}`, row.grand_total, sum(own.map((fee) => fee.grand_total)))
  }
  const ledger = await school.list('GL Entry', ['debit', 'credit', 'voucher_no'])
  const owed = ledger.filter((entry) => fees.some((fee) => fee.name === entry.voucher_no))
  compare('debits of the ledger', sum(owed.map((entry) => entry.debit)), sum(fees.map((fee) => fee.grand_total)))
  compare('credits of the ledger', sum(owed.map((entry) => entry.credit)), sum(fees.map((fee) => fee.grand_total)))
  const attendance = await school.list('Student Attendance', ['student', 'date', 'status'], {
    ...{ docstatus: 1, student_group: group },
  })
  for (let day = 7; day < 12; day += 1) {
    const date = `${begins}-09-${String(day).padStart(2, '0')}`
    const marked = attendance.filter((row) => row.date === date)
    const away = [...new Set(marked.filter(({ status }) => status === 'Absent').map(({ student }) => student))].sort()
    const absent = await school.report('Absent Student Report', { date })
    compare(`absent on ${date}`, absent.map((row) => row.student).sort(), away)
    const [roll] = (await school.report('Student Batch-Wise Attendance', { date })).filter((row) =>
      Object.values(row).includes(group),
    )
    const members = (await school.read('Student Group', group)).students.filter((row: Row) => row.active === 1)
    compare(`strength on ${date}`, roll?.student_group_strength, members.length)
    for (const status of ['Present', 'Absent', 'Leave']) {
      const shown = roll?.[`${status.toLowerCase()}_students`]
      compare(`${status} on ${date}`, shown, marked.filter((row) => row.status === status).length)
    }
  }
  const filters = { docstatus: 1, student_group: group }
  for (const { name: result, total_score, grade } of await school.list(
    'Assessment Result',
    ['name', 'total_score', 'grade'],
    filters,
  )) {
    const { details } = await school.read('Assessment Result', result)
    const total = sum(details.map((row: Row) => row.score))
    compare(`score of ${result}`, total_score, total)
    compare(`grade of ${result}`, grade, total >= 80 ? 'A' : total >= 50 ? 'B' : 'F')
  }
  const grades = await school.report('Final Assessment Grades', {
    ...{ academic_year: name, student_group: group, assessment_group: 'All Assessment Groups' },
  })
  const results = await school.list('Assessment Result', ['student', 'course', 'total_score'], filters)
  for (const row of grades) {
    for (const course of courses) {
      const own = results.find((each) => each.student === row.student && each.course === course)
      compare(`${course} of ${row.student}`, row[`score_${course.toLowerCase()}`], own?.total_score)
    }
  }
  await compareSheet(school, year, attendance, compare)
  for (const student of [...new Set(results.map((row) => row.student as string))]) {
    const own = results.filter((row) => row.student === student)
    await compareCard(school, { year: name, student }, { own, attendance }, compare)
  }
}

type Compare = (what: string, shown: unknown, computed: unknown) => void

/** How often a student has a status. */
const countStatus = (attendance: readonly Row[], student: string, status: string) =>
  attendance.filter((row) => row.student === student && row.status === status).length

/** The monthly sheet of September: a letter for each day, and the totals. */
async function compareSheet(school: School, { begins, group }: Year, attendance: readonly Row[], compare: Compare) {
  const filters = { month: 'Sep', year: String(begins), student_group: group }
  for (const row of await school.report('Student Monthly Attendance Sheet', filters)) {
    const { student } = row
    for (const { date, status } of attendance.filter((mark) => mark.student === student)) {
      compare(`${date} of ${student}`, row[String(Number(date.slice(8)))], status.slice(0, 1))
    }
    for (const status of ['Present', 'Absent', 'Leave']) {
      compare(`${status} of ${student}`, row[`Total ${status}`], countStatus(attendance, student, status))
    }
  }
}

/** The report card of a student in a year: courses, summary and attendance. */
async function compareCard(
  school: School,
  { year, student }: { readonly year: string; readonly student: string },
  { own, attendance }: { readonly own: readonly Row[]; readonly attendance: readonly Row[] },
  compare: Compare,
) {
  const method = `${academic}.report_card.get_student_report_card`
  const card = await school.call(method, { student, academic_year: year })
  const grade = (percentage: number) => (percentage >= 80 ? 'A' : percentage >= 50 ? 'B' : 'F')
  compare(`courses of ${student}`, card.summary.courses, own.length)
  for (const { course, total_score } of own) {
    const shown = card.courses.find((each: Row) => each.course === course)
    compare(`${course} on the card of ${student}`, shown?.total_score, total_score)
    compare(`grade in ${course} of ${student}`, shown?.grade, grade(total_score))
  }
  const percentage = sum(own.map((row) => row.total_score)) / own.length
  compare(`percentage of ${student}`, card.summary.percentage, Math.round(percentage * 100) / 100)
  compare(`grade of ${student}`, card.summary.grade, grade(percentage))
  for (const status of ['Present', 'Absent', 'Leave']) {
    const shown = card.attendance[status.toLowerCase()]
    compare(`${status} on the card of ${student}`, shown, countStatus(attendance, student, status))
  }
}

async function promote(school: School, from: Year, to: string, leaver: string, comparison: Comparison) {
  await school.call(`${academic}.api.withdraw_student`, { student: leaver, exit_date: `${from.begins + 1}-06-01` })
  const promotion = await school.make('Student Promotion', {
    ...{ program: programs[0], academic_year: from.name, new_program: programs[1], new_academic_year: to },
    ...{ new_student_batch: 'Class of second', enrollment_date: `${from.begins + 1}-08-02` },
  })
  const rows = promotion.students.map((row: Row) =>
    row.student === leaver ? { name: row.name, decision: 'Exclude' } : { name: row.name },
  )
  await school.update('Student Promotion', promotion.name, { students: rows })
  const seen = await school.call(`${academic}.api.preview_promotion`, { promotion: promotion.name })
  await school.call(`${academic}.api.start_promotion`, { promotion: promotion.name })
  for (;;) {
    const { status } = await school.call(`${academic}.api.get_promotion_progress`, { promotion: promotion.name })
    if (status === 'Completed') break
    if (status !== 'Queued') throw new Error(`the promotion is ${status}`)
    await pause(200)
  }
  const enrolled = await school.list('Program Enrollment', ['student', 'student_batch_name'], {
    ...{ academic_year: to, docstatus: 1 },
  })
  const wanted = seen.students.filter((row: Row) => row.outcome === 'Promoted')
  comparison.compare('enrolments by the preview', wanted.map((row: Row) => row.student).sort(), [
    ...enrolled.map(({ student }) => student).sort(),
  ])
  const history = await school.list('Enrollment History', ['student', 'program', 'entry_code', 'exit_code'])
  for (const { student } of enrolled) {
    const own = history.filter((row) => row.student === student)
    comparison.compare(`entries of ${student}`, own.map((row) => `${row.program} ${row.entry_code}`).sort(), [
      `${programs[0]} New`,
      `${programs[1]} Promotion`,
    ])
  }
  return enrolled.map(({ student }) => student as string)
}

/**
 * Runs a school for two years by its addresses, and computes each figure of its pages again from the records. Prints how
 * many it compared; true where none differs.
 */
export async function proveYears(): Promise<boolean> {
  const service = await ServiceUnderProof.start()
  try {
    const school = new School(service.place)
    const comparison = new Comparison()
    const members = await prepare(school)
    const first = { name: '2024-25', begins: 2024, program: programs[0], group: 'First class' }
    const second = { name: '2025-26', begins: 2025, program: programs[1], group: 'Second class' }
    for (const { name, begins } of [first, second]) await beginYear(school, name, begins)
    for (const student of members) {
      await school.make('Program Enrollment', {
        ...{ student, program: programs[0], academic_year: first.name, enrollment_date: '2024-08-02' },
        ...{ student_batch_name: 'Class of first', docstatus: 1 },
      })
    }
    await runYear(school, first, members)
    await compareYear(school, first, comparison)
    const promoted = await promote(school, first, second.name, members.at(-1) as string, comparison)
    await runYear(school, second, promoted)
    await compareYear(school, second, comparison)
    const { compared, differences } = comparison
    process.stdout.write(`years: ${compared} figures compared, ${differences} differences\n`)
    return differences === 0
  } finally {
    await service.stop()
  }
}
