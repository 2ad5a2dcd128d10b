import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aUser } from '../../testing/fixtures/factories.ts'
import { RecordCaller, type RecordResponse } from '../../testing/fixtures/record-caller.ts'
import {
  aFee,
  aLesson,
  anEnrollment,
  aPlan,
  aResult,
  aScale,
  type SeededTenant,
  seedTenant,
} from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const api = 'education.education.api'

/** The host name of the institution, by which the portal calls it. */
const host = 'localhost'
const origin = service.address.replace('127.0.0.1', host)

/** A browser at that host name, which calls as frappe-ui's `frappeRequest` does and stores cookies. */
class PortalBrowser {
  readonly cookies = new Map<string, string>()
  csrfToken = '{{ csrf_token }}'

  async call(url: string, parameters?: object): Promise<RecordResponse> {
    const hasToken = this.csrfToken !== '{{ csrf_token }}'
    return this.#send('POST', `/api/method/${url}`, JSON.stringify(parameters), {
      accept: 'application/json',
      'content-type': 'application/json; charset=utf-8',
      'x-frappe-site-name': host,
      ...(hasToken && { 'x-frappe-csrf-token': this.csrfToken }),
    })
  }

  /** Opens an address as a tab does. */
  open(address: string): Promise<RecordResponse> {
    const { pathname, search } = new URL(address, origin)
    return this.#send('GET', pathname + search)
  }

  async #send(
    verb: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<RecordResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
    const caller = new RecordCaller(origin, cookie === '' ? {} : { cookie })
    const response = await caller.send(verb, path, body, headers)
    for (const [name, { value }] of response.cookies) this.cookies.set(name, value)
    return response
  }

  /** The result of a call that must succeed. */
  async get(url: string, parameters?: object) {
    const { status, body, text } = await this.call(url, parameters)
    assert.equal(status, 200, `${url}: ${text}`)
    return body.docs !== undefined || url === 'login' ? body : body.message
  }

  /** Calls for another student's data, which must be rejected with a message. */
  async refused(url: string, parameters: object): Promise<void> {
    const { status, body, text } = await this.call(url, parameters)
    assert.deepEqual([status, body?.exc_type], [403, 'PermissionError'], `${url}: ${text}`)
    const [message] = JSON.parse(body._server_messages)
    assert.match(JSON.parse(message).message, /\w/)
  }
}

/** A tenant at the host name, whose first student has everything that the portal shows. */
async function aSchoolWithPortal() {
  const seededTenant = await seedTenant(service)
  const { resourceClient, tenant, students, year } = seededTenant
  await tenant.change({ host })
  const settings = { current_academic_year: year, school_college_name_abbreviation: 'SCH' }
  assert.equal((await resourceClient.update('Education Settings', 'Education Settings', settings)).error, null)
  const { email, password } = await aUser(service, tenant, { email: 'ada@example.org', roles: ['Student'] })
  assert.equal((await resourceClient.update('Student', students[0], { user: email })).error, null)
  await aScale(seededTenant)
  const plan = await aPlan(seededTenant)
  const results: string[] = []
  const fees: string[] = []
  const attendances: string[] = []
  for (const student of students) {
    const { data: enrollment } = await anEnrollment(seededTenant, { student, docstatus: 1 })
    results.push((await aResult(seededTenant, plan, { Written: 50, Oral: 30 }, { student })).data.name)
    fees.push(await aFee(seededTenant, enrollment.name, { student }))
    const attendance = { student, student_group: seededTenant.group, date: '2026-09-03', docstatus: 1 }
    attendances.push((await resourceClient.make('Student Attendance', attendance)).name)
  }
  const lesson = (await aLesson(seededTenant)).data.name
  return { seededTenant, email, password, results, fees, attendances, lesson }
}

const loadAttendance = async ({ resourceClient }: SeededTenant, student: string) =>
  (
    await resourceClient.list('Student Attendance', {
      filters: JSON.stringify({ student }),
      fields: '["date", "status"]',
    })
  ).data

test('Frappe Education’s student portal: works completely, and shows no other student’s data', async () => {
  const { seededTenant, email, password, results, fees, attendances, lesson } = await aSchoolWithPortal()
  const [ada, alan] = seededTenant.students
  const browser = new PortalBrowser()

  const otherTenant = await browser.call(`${api}.get_user_info`)
  assert.deepEqual([otherTenant.status, otherTenant.body.exc_type], [403, 'PermissionError'])
  assert.equal(browser.cookies.get('user_id'), undefined, 'the route guard sends whoever has no user to /login')
  assert.equal((await browser.open('/login')).status, 200)
  const welcome = await browser.get('login', { usr: email, pwd: password })
  assert.deepEqual([welcome.message, welcome.full_name], ['No App', 'Ada Byron'])
  assert.equal(browser.cookies.get('user_id'), email)
  assert.equal((await browser.open(welcome.home_page)).status, 200)
  browser.csrfToken = await browser.get('frappe.sessions.get_csrf_token')

  assert.equal((await browser.get(`${api}.get_user_info`)).full_name, 'Ada Byron')
  const me = await browser.get(`${api}.get_student_info`)
  assert.deepEqual([me.name, me.student_email_id, me.gender], [ada, 'ada@example.org', null])
  const groups = me.student_groups
  assert.deepEqual([me.current_program.program, groups], [seededTenant.program, [{ label: seededTenant.group }]])
  assert.deepEqual(await browser.get(`${api}.get_school_abbr_logo`), { name: 'SCH', logo: null })

  const schedule = { program_name: me.current_program.program, student_groups: groups }
  const [planned, ...others] = await browser.get(`${api}.get_course_schedule_for_student`, schedule)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [planned.name, planned.schedule_date, planned.from_time, planned.to_time, planned.instructor, planned.room],
    [lesson, '2026-09-01', '9:00:00', '10:00:00', seededTenant.instructor, seededTenant.room],
  )
  assert.match(planned.title, /Anatomy/)
  assert.ok('class_schedule_color' in planned)

  const [{ program }] = await browser.get(`${api}.get_student_programs`, { student: ada })
  assert.equal(program, seededTenant.program)
  await browser.refused(`${api}.get_student_programs`, { student: alan })
  const grades = (student: string) => ({
    doctype: 'Assessment Result',
    fields: ['name', 'student_group', 'course', 'assessment_group', 'total_score', 'maximum_score', 'grade'],
    filters: { student, program },
    start: 0,
    limit: 20,
    limit_start: 0,
    limit_page_length: 20,
    debug: 0,
  })
  assert.deepEqual(await browser.get('frappe.client.get_list', grades(ada)), [
    {
      name: results[0],
      student_group: seededTenant.group,
      course: seededTenant.courses[0],
      assessment_group: 'All Assessment Groups',
      total_score: 80,
      maximum_score: 100,
      grade: 'A',
    },
  ])
  assert.deepEqual(await browser.get('frappe.client.get_list', grades(alan)), [])

  const { invoices, print_format } = await browser.get(`${api}.get_student_invoices`, { student: ada })
  const [{ status: state, ...invoice }] = invoices
  assert.ok(['Unpaid', 'Overdue'].includes(state), state)
  const owed = { program, amount: '$ 1,200.50', invoice: fees[0], payment_date: '-', due_date: '2026-10-01' }
  assert.deepEqual([invoices.length, invoice], [1, owed])
  await browser.refused(`${api}.get_student_invoices`, { student: alan })
  const printed = (name = '') => `/api/method/frappe.utils.print_format.download_pdf?
		doctype=${encodeURIComponent('Sales Invoice')}
		&name=${encodeURIComponent(name)}
		&format=${encodeURIComponent(print_format)}
	`
  const pdf = await browser.open(printed(fees[0]))
  assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf'])
  const foreignPdf = await browser.open(printed(fees[1]))
  assert.deepEqual([foreignPdf.status, foreignPdf.body?.exc_type], [403, 'PermissionError'])
  const payment = (docname?: string) => ({ doctype: 'Sales Invoice', docname, phone: '+1 555 123 4567', country: 'US' })
  const unpaid = await browser.call('education.education.billing.get_payment_options', payment(fees[0]))
  assert.deepEqual(
    [unpaid.status, unpaid.body.exc_type],
    [417, 'ValidationError'],
    'there is no account at the gateway',
  )
  await browser.refused('education.education.billing.get_payment_options', payment(fees[1]))
  for (const outcome of ['success', 'failure']) {
    const reported = { response: { error: {} }, against_invoice: fees[1], billing_details: {} }
    await browser.refused(`education.education.billing.handle_payment_${outcome}`, reported)
  }

  const [{ label: student_group }] = groups
  const attended = await browser.get(`${api}.get_student_attendance`, { student_group, student: ada })
  assert.deepEqual(attended, [{ date: '2026-09-03', status: 'Present', name: attendances[0] }])
  await browser.refused(`${api}.get_student_attendance`, { student_group, student: alan })
  const leave = (student: string, student_name: string) => ({
    leave_data: {
      student,
      student_name,
      from_date: '2026-09-07',
      to_date: '2026-09-08',
      reason: 'A wedding',
      total_days: 2,
    },
    program_name: program,
  })
  await browser.get(`${api}.apply_leave`, leave(ada, 'Ada Byron'))
  assert.deepEqual(
    (await browser.get(`${api}.get_student_attendance`, { student_group, student: ada })).map(
      ({ date, status }: { date: string; status: string }) => [date, status],
    ),
    [
      ['2026-09-08', 'Leave'],
      ['2026-09-07', 'Leave'],
      ['2026-09-03', 'Present'],
    ],
  )
  const twice = await browser.call(`${api}.apply_leave`, leave(ada, 'Ada Byron'))
  assert.equal(twice.status, 417)
  assert.match(JSON.parse(JSON.parse(twice.body._server_messages)[0]).message, /\w/)
  await browser.refused(`${api}.apply_leave`, leave(alan, 'Alan Turing'))
  assert.deepEqual(await loadAttendance(seededTenant, alan), [{ date: '2026-09-03', status: 'Present' }])

  await browser.get('logout')
  assert.equal(browser.cookies.get('user_id'), 'Guest')
  const left = await browser.call(`${api}.get_student_info`)
  assert.deepEqual([left.status, left.body.exc_type], [403, 'PermissionError'])
})
