import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The page of a portal build: addresses of its files, and values to fill in. */
export const page = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <title>{{ abbr }}</title>
    <link rel="icon" href="{{ logo }}" />
    <script type="module" crossorigin src="/assets/education/frontend/assets/index-DpK3_xYz.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/education/frontend/assets/calls-3fa9c1d2.js">
    <link rel="stylesheet" href="/assets/education/frontend/assets/index-B7hT20aa.css">
  </head>
  <body>
    <main id="app"></main>
    <script>
      window.csrf_token = '{{ frappe.session.csrf_token }}'
      window.school = '{{ abbr }}'
    </script>
    <script>
      {% for key in boot %}
      window["{{ key }}"] = {{ boot[key] | tojson }};
      {% endfor %}
    </script>
  </body>
</html>
`

/** The calls of the portal, as its pages make them: JSON with the page's token. */
const calls = `
const root = () => window.tenant_path || ''
export const user = () => {
  const found = new URLSearchParams(document.cookie.split('; ').join('&')).get('user_id')
  return found && found !== 'Guest' ? found : null
}
export async function call(path, args = {}) {
  const response = await fetch(root() + '/api/method/' + path, {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json; charset=utf-8',
      'X-Frappe-Site-Name': location.hostname,
      'X-Frappe-CSRF-Token': window.csrf_token,
    },
    body: JSON.stringify(args),
  })
  const body = await response.json()
  if (response.ok) return body.message
  throw new Error(JSON.parse(JSON.parse(body._server_messages || '["{}"]')[0]).message || body.exc_type)
}
`

const main = `
const { call, user } = await import('./calls-3fa9c1d2.js')
const root = window.tenant_path || ''
const app = document.getElementById('app')
const api = 'education.education.api.'
const show = (text, level = 'p') => {
  const line = document.createElement(level)
  line.textContent = text
  app.append(line)
}
const button = (label, onClick) => {
  const made = document.createElement('button')
  made.textContent = label
  made.addEventListener('click', onClick)
  app.append(made)
}
if (!user()) location.href = root + '/login'
else await start()

async function start() {
  app.textContent = ''
  const who = await call(api + 'get_user_info')
  const school = await call(api + 'get_school_abbr_logo')
  const context = await call(api + 'get_portal_context')
  show(school.name + ' portal', 'h1')
  show('Hello ' + who.full_name)
  button('Log out', async () => {
    await call('logout')
    location.href = root + '/login'
  })
  if (context.role === 'Guardian') {
    for (const each of context.students) {
      button(each.student_name + ' (' + each.relation + ')', () => student({ student: each.student }))
    }
  } else await student({})
}

async function student(whom) {
  history.pushState(null, '', root + '/edu-portal/grades')
  document.querySelectorAll('section').forEach((section) => section.remove())
  const { student, programs, suggested_program: program } = await call(api + 'get_student_profile', whom)
  const { enrollment, student_groups } = await call(api + 'get_program_context', { ...whom, program })
  const section = document.createElement('section')
  const lines = [student.student_name + ' in ' + enrollment.program + ', ' + programs.length + ' enrolment']
  const lessons = await call(api + 'get_course_schedule_for_student', { program_name: program, student_groups })
  lines.push('Lessons: ' + lessons.map((lesson) => lesson.title + ' ' + lesson.from_time).join())
  const results = await call('frappe.client.get_list', {
    doctype: 'Assessment Result',
    fields: ['name', 'course', 'total_score', 'maximum_score', 'grade'],
    filters: { student: student.name, program },
    limit_page_length: 20,
  })
  lines.push('Grades: ' + results.map((result) => result.course + ' ' + result.grade).join())
  const { invoices } = await call(api + 'get_student_invoices', { student: student.name })
  lines.push('Fees: ' + invoices.map((invoice) => invoice.amount).join())
  const marked = async () =>
    (await call(api + 'get_student_attendance', { student: student.name, student_group: student_groups[0].label }))
      .map((day) => day.date + ' ' + day.status).sort().join()
  lines.push('Attendance: ' + (await marked()))
  for (const line of lines) {
    const shown = document.createElement('p')
    shown.textContent = line
    section.append(shown)
  }
  const leave = document.createElement('button')
  leave.textContent = 'Ask for leave'
  leave.addEventListener('click', async () => {
    const response = document.createElement('p')
    const leave_data = {
      student: student.name, student_name: student.student_name, reason: 'A wedding', total_days: 2,
      from_date: '2026-10-07', to_date: '2026-10-08',
    }
    try {
      await call(api + 'apply_leave', { leave_data, program_name: program })
      response.textContent = 'Leave: ' + (await marked())
    } catch (error) {
      response.textContent = 'Refused: ' + error.message
    }
    section.append(response)
  })
  section.append(leave)
  app.append(section)
}
`

/** The files of a small portal that makes the calls of the current one. */
export const buildOfOurOwn: Readonly<Record<string, string>> = {
  'index.html': page,
  'assets/index-DpK3_xYz.js': main,
  'assets/calls-3fa9c1d2.js': calls,
  'assets/index-B7hT20aa.css': 'body { font-family: sans-serif }',
  'favicon.png': 'not quite a picture',
  'robots.txt': 'User-agent: *',
}

/** A folder with files by path, and the function that removes it. */
export async function aFolder(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-portal-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
