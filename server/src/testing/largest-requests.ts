import { clientApi, type Operation } from '@matricula/contract'

/** The most bytes of the requests that are tried. */
export const mebibyte = 1024 * 1024

/** Where the largest requests go: an institution of a service, and what opens it. */
export interface LargestPlace {
  readonly address: string
  readonly slug: string
  /** A token of the Client API that may do everything. */
  readonly token: string
  /** The Authorization of a key of the Resource and Method API. */
  readonly key: string
  /** The key of a public form with a question `reason`. */
  readonly form: string
}

/** How a request is answered. */
export interface Outcome {
  readonly status: number
  /** The code, or the type of the exception, where it is refused. */
  readonly code?: string
  /** What the refusal says of the bound. */
  readonly says?: RegExp
}

/** A request of at most a mebibyte, with more of something than any honest one has. */
export interface LargestRequest {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | null
  readonly outcome: Outcome
}

async function made(address: string, path: string, authorization: string, body: object) {
  const response = await fetch(address + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text).data
}

/** A text of as many pieces as fit into a mebibyte beside what stands around them. */
function filled(before: string, pieceOf: (index: number) => string, after: string, between = ','): string {
  const pieces: string[] = []
  for (let length = before.length + after.length; ; ) {
    const piece = pieceOf(pieces.length)
    length += piece.length + between.length
    if (length > mebibyte) break
    pieces.push(piece)
  }
  return `${before}${pieces.join(between)}${after}`
}

function repeated(before: string, count: number, pieceOf: (index: number) => string, after: string): string {
  return `${before}${Array.from({ length: count }, (_, index) => pieceOf(index)).join(',')}${after}`
}

const keyed = (index: number) => `"k${index}":0`
const inFilter = (values: number) => repeated('["name","in",[', values, () => '1', ']]')
const parameters = Array.from({ length: 3000 }, (_, index) => index.toString(36)).join('&')

const done: Outcome = { status: 200 }
const invalid = (says: RegExp): Outcome => ({ status: 400, code: 'validation_failed', says })
const refused = (code: string, says: RegExp): Outcome => ({ status: 417, code, says })
const tooManyKeys = refused('DataError', /at most 1000 keys/)
const tooManyValues = refused('DataError', /at most 120000 values/)
const tooManyFiltered = refused('DataError', /at most 10000 values/)
const tooManyItems = refused('DataError', /at most 1000 items/)

/**
 * The largest request of each shape that a surface takes: with the most keys, items, rows, filters, values, parts or levels that go into
 * a mebibyte, and with as many as its bound lets pass. Makes the records that they are about.
 */
export async function largestRequests(place: LargestPlace): Promise<LargestRequest[]> {
  const school = `/t/${place.slug}`
  const { address, key, token } = place
  const application = await made(address, '/v1/admissions/applications', `Bearer ${token}`, {
    fullName: 'Tyrone Dyer',
    contacts: [{ displayName: 'Carmen Dyer', email: 'carmen@example.org' }],
  })
  const student = await made(address, '/v1/students', `Bearer ${token}`, { fullName: 'Ada Dyer' })
  const room = await made(address, `${school}/api/resource/Room`, key, { room_name: 'Hall' })
  const holder = await made(address, `${school}/api/resource/Student`, key, {
    first_name: 'Ada',
    student_email_id: 'ada@example.org',
  })
  return [
    ...clientRequests(place, { student: student.id, application: application.id, contact: application.contacts[0].id }),
    ...listRequests(place),
    ...recordRequests(place, { room: room.name, student: holder.name }),
    ...methodRequests(place, room.name),
    ...formRequests(place),
  ]
}

interface Ids {
  readonly student: string
  readonly application: string
  readonly contact: string
}

function clientRequests({ token }: LargestPlace, { student, application, contact }: Ids): LargestRequest[] {
  const request = (name: string, method: string, path: string, body: string | null, outcome: Outcome) => ({
    name: `/v1: ${name}`,
    method,
    path: `/v1${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== null && { 'content-type': 'application/json' }),
      'idempotency-key': crypto.randomUUID(),
    },
    body,
    outcome,
  })
  const contacts = `/admissions/applications/${application}/contacts`
  const link = `${contacts}/${contact}`
  const person = `/students/${student}`
  const longKey = (index: number) => `"${`${index}`.padStart(5000, 'k')}":0`
  const ofCustomFields = (before: string, after: string) => filled(`{${before}"customFields":{`, keyed, `}${after}}`)
  const ofMetadata = (before: string) => filled(`{${before}"metadata":{`, keyed, '}}')
  const batchOf = (count: number, item: (index: number) => string) => repeated('{"items":[', count, item, ']}')
  const unknownKeys = Object.values(clientApi as Readonly<Record<string, Operation>>)
    .filter(({ body }) => body !== undefined)
    .map(({ method, path }) => {
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'externalId' ? 'a' : student))
      return request(
        `unknown keys: ${method} ${path}`,
        method,
        address,
        filled('{', keyed, '}'),
        invalid(/at most 1000 keys/),
      )
    })
  return [
    ...unknownKeys,
    request('unknown keys at the bound', 'POST', '/payments', repeated('{', 1000, keyed, '}'), invalid(/and 50 more/)),
    request('long unknown keys', 'POST', '/payments', repeated('{', 200, longKey, '}'), invalid(/and 50 more/)),
    request('keys of customFields', 'POST', '/students', ofCustomFields('"fullName":"A",', ''), invalid(/200 keys/)),
    request('keys of customFields changed', 'PATCH', person, ofCustomFields('', ''), invalid(/200 keys/)),
    request(
      'keys below customFields',
      'PATCH',
      person,
      filled('{"customFields":{"a":{', keyed, '}}}'),
      invalid(/1000 keys in each/),
    ),
    request('keys of metadata', 'POST', contacts, ofMetadata('"displayName":"B",'), invalid(/200 keys/)),
    request('keys of metadata changed', 'PATCH', link, ofMetadata(''), invalid(/200 keys/)),
    request(
      'keys of metadata of an upload',
      'POST',
      '/vault/documents/upload-intents',
      ofMetadata(''),
      invalid(/200 keys/),
    ),
    request(
      'long keys of metadata',
      'PATCH',
      link,
      repeated('{"metadata":{', 200, longKey, '}}'),
      invalid(/65536 bytes/),
    ),
    request(
      'items of metadata',
      'PATCH',
      link,
      repeated('{"metadata":{"a":[', 100_000, () => '0', ']}}'),
      invalid(/65536 bytes/),
    ),
    request(
      'more items of metadata',
      'PATCH',
      link,
      filled('{"metadata":{"a":[', () => '{}', ']}}'),
      invalid(/120000 values/),
    ),
    request(
      'levels of metadata',
      'PATCH',
      link,
      `{"metadata":${'{"a":'.repeat(50_000)}0${'}'.repeat(50_000)}}`,
      invalid(/32 levels/),
    ),
    request(
      'contacts',
      'POST',
      '/admissions/applications',
      repeated('{"fullName":"A","contacts":[', 50_000, () => '{}', ']}'),
      invalid(/at most 50 items/),
    ),
    request(
      'contacts of unknown keys',
      'POST',
      '/admissions/applications',
      repeated('{"fullName":"A","contacts":[', 50, () => repeated('{', 900, keyed, '}'), ']}'),
      invalid(/and 50 more/),
    ),
    request(
      'batch of unknown keys',
      'POST',
      '/students/batch',
      batchOf(500, (item) => repeated(`{"externalId":"${item}",`, 140, keyed, '}')),
      done,
    ),
    request(
      'batch of empty items',
      'POST',
      '/students/batch',
      batchOf(50_000, () => '{}'),
      invalid(/at most 500 items/),
    ),
    request(
      'batch of customFields',
      'POST',
      '/students/batch',
      batchOf(500, (item) => repeated(`{"externalId":"c${item}","fullName":"A","customFields":{`, 150, keyed, '}}')),
      done,
    ),
    request(
      'types of a webhook',
      'POST',
      '/webhooks',
      repeated('{"url":"https://example.org","types":[', 50_000, (index) => `"${index}"`, ']}'),
      invalid(/at most \d+ items/),
    ),
    request('parameters', 'GET', `/students?${parameters}`, null, invalid(/and 50 more/)),
    request(
      'one text',
      'POST',
      '/students',
      `{"fullName":"${'x'.repeat(mebibyte - 20)}"}`,
      invalid(/at most 255 characters/),
    ),
    request('types of events', 'GET', `/events?types=${Array(6000).fill('a').join()}`, null, invalid(/types/)),
  ]
}

/** A request of the Resource and Method API; its media type is that of its body. */
function recordRequest({ slug, key }: LargestPlace, method: string, path: string, name: string) {
  return (body: string | FormData | null, outcome: Outcome, mediaType = 'application/json'): LargestRequest => ({
    name: `/api: ${name}`,
    method,
    path: `/t/${slug}/api/${path}`,
    headers: { authorization: key, ...(typeof body === 'string' && { 'content-type': mediaType }) },
    body,
    outcome,
  })
}

function listRequests(place: LargestPlace): LargestRequest[] {
  const list = (name: string, args: string, outcome: Outcome) =>
    recordRequest(place, 'POST', 'method/frappe.client.get_list', name)(`{"doctype":"Room",${args}}`, outcome)
  const filters = (count: number, values: number) => repeated('"filters":[', count, () => inFilter(values), ']')
  const alternatives = (count: number, values: number) => repeated('"or_filters":[', count, () => inFilter(values), ']')
  const textFilter = () => `["name","in","${Array(5000).fill('a').join()}"]`
  const repeatedText = (argument: string, text: string, count: number) =>
    `"${argument}":"${Array(count).fill(text).join()}"`
  return [
    list('filters of many values', filters(11, 9900), tooManyFiltered),
    list('filters of more values', filters(50, 9900), tooManyValues),
    list('filters of texts', repeated('"filters":[', 100, textFilter, ']'), tooManyFiltered),
    list('filters at the bound', filters(100, 100), done),
    list('one filter at the bound', `"filters":[${inFilter(10_000)}]`, done),
    list('alternatives of many values', alternatives(11, 9900), tooManyFiltered),
    list('filters and alternatives', `${filters(50, 150)},${alternatives(50, 150)}`, tooManyFiltered),
    list(
      'many filters',
      repeated('"filters":[', 20_000, () => '["name","=","a"]', ']'),
      refused('DataError', /100 filters/),
    ),
    list('filters by key', repeated('"filters":{', 1000, keyed, '}'), refused('DataError', /100 filters/)),
    list(
      'many alternatives',
      repeated('"or_filters":[', 20_000, () => '[["name","=","a"]]', ']'),
      refused('DataError', /100 filters/),
    ),
    list(
      'empty alternatives',
      repeated('"or_filters":[', 30_000, () => '[[]]', ']'),
      refused('DataError', /100 filters/),
    ),
    list(
      'fields',
      repeated('"fields":[', 100_000, () => '"name"', ']'),
      refused('DataError', /more than 500/),
    ),
    list('fields of a text', repeatedText('fields', 'name', 200_000), tooManyValues),
    list('terms of an order', repeatedText('order_by', 'name asc', 100_000), refused('DataError', /20 fields/)),
    list('terms of a grouping', repeatedText('group_by', 'name', 200_000), refused('DataError', /20 fields/)),
    list('a text that is searched', `"filters":[["name","like","${'%a'.repeat(500_000)}"]]`, done),
    list('arguments', filled('', keyed, ''), tooManyKeys),
  ]
}

function recordRequests(place: LargestPlace, { room, student }: { readonly room: string; readonly student: string }) {
  const record = (name: string, type: string, body: string | FormData | null, outcome: Outcome, mediaType?: string) =>
    recordRequest(place, 'POST', `resource/${encodeURIComponent(type)}`, name)(body, outcome, mediaType)
  const rowsOf = (type: string, fields: string, count: number, row: (index: number) => string, outcome: Outcome) =>
    record(`${count} rows of ${type}`, type, repeated(`{${fields}:[`, count, row, ']}'), outcome)
  const course = (index: number) => `{"course":"${index}"}`
  const group = '"group_based_on":"Activity","student_group_name":"A","academic_year":"X","students"'
  const form = new FormData()
  for (let index = 0; index < 1990; index += 1) form.append(`k${index}`, 'x'.repeat(350))
  const formType = 'application/x-www-form-urlencoded'
  const pairs = Array.from({ length: 2000 }, (_, index) => `k${index}=${'x'.repeat(500)}`).join('&')
  return [
    record('unknown fields', 'Room', filled('{"room_name":"A",', keyed, '}'), tooManyKeys),
    recordRequest(
      place,
      'PUT',
      `resource/Room/${encodeURIComponent(room)}`,
      'unknown fields changed',
    )(filled('{', keyed, '}'), tooManyKeys),
    record('levels', 'Room', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, refused('DataError', /32 levels/)),
    record(
      'empty lists',
      'Room',
      filled('{"room_name":"A","a":[', () => '[]', ']}'),
      tooManyValues,
    ),
    rowsOf('Program', '"program_name":"A","courses"', 50_000, () => '{}', refused('ValidationError', /10000 rows/)),
    rowsOf('Program', '"program_name":"A","courses"', 10_000, () => '{}', refused('MandatoryError', /course/)),
    rowsOf('Program', '"program_name":"B","courses"', 10_000, course, refused('LinkValidationError', /Could not find/)),
    rowsOf(
      'Student Group',
      group,
      10_000,
      () => `{"student":"${student}"}`,
      refused('LinkValidationError', /Could not find/),
    ),
    rowsOf(
      'Holiday List',
      '"holiday_list_name":"A","from_date":"2026-01-01","to_date":"2026-12-31","holidays"',
      10_000,
      () => '{"holiday_date":"2026-05-01","description":"a"}',
      { status: 417 },
    ),
    rowsOf('Question', '"question":"A","options"', 10_000, (index) => `{"option":"${index}","is_correct":1}`, {
      status: 200,
    }),
    record('rows of unknown fields', 'Program', filled('{"program_name":"A","courses":[{', keyed, '}]}'), tooManyKeys),
    record(
      'parts of a text',
      'Room',
      filled('', (index) => index.toString(36), '', '&'),
      { status: 400, code: 'JSONDecodeError', says: /2000 parts/ },
      formType,
    ),
    record('parts of a text at the bound', 'Room', pairs, refused('MandatoryError', /room_name/), formType),
    record('parts of a form', 'Room', form, refused('MandatoryError', /room_name/)),
    recordRequest(place, 'GET', `resource/Room?${parameters}`, 'parameters of an address')(null, done),
  ]
}

function methodRequests(place: LargestPlace, room: string): LargestRequest[] {
  const call = (path: string, body: string, outcome: Outcome) =>
    recordRequest(place, 'POST', `method/${path}`, path.split('.').at(-1) as string)(body, outcome)
  const education = 'education.education'
  const structures = `${education}.doctype.fee_structure.fee_structure`
  const cost = (index: number) => `{"fees_category":"${index}","total":1}`
  const present = (index: number) => `{"student":"STU-${index}"}`
  const day = '"student_group":"None","date":"2026-01-05","students_absent":[],"students_present":['
  const client = 'frappe.client'
  const names = (before: string, count: number) => repeated(before, count, (index) => `"${index}"`, ']}')
  return [
    call(
      `${client}.insert_many`,
      repeated('{"docs":[', 40_000, () => '{"doctype":"Room"}', ']}'),
      refused('ValidationError', /at most 200 records/),
    ),
    call(
      `${client}.bulk_update`,
      repeated('{"docs":[', 20_000, () => '{"doctype":"Room","docname":"a"}', ']}'),
      refused('ValidationError', /at most 500 records/),
    ),
    call(`${client}.save`, filled('{"doc":{"doctype":"Room",', keyed, '}}'), tooManyKeys),
    call(
      `${client}.get_value`,
      repeated('{"doctype":"Room","fieldname":[', 100_000, () => '"name"', ']}'),
      refused('DataError', /more than 500/),
    ),
    call(`${client}.set_value`, filled(`{"doctype":"Room","name":"${room}","fieldname":{`, keyed, '}}'), tooManyKeys),
    call('run_doc_method', filled('{"method":"a","docs":{"doctype":"Room",', keyed, '}}'), tooManyKeys),
    call(
      `${structures}.get_amount_distribution_based_on_fee_plan`,
      repeated('{"components":[', 25_000, cost, ']}'),
      tooManyItems,
    ),
    call(
      `${structures}.get_amount_distribution_based_on_fee_plan`,
      repeated('{"components":[', 1000, cost, ']}'),
      done,
    ),
    call(
      `${structures}.make_fee_schedule`,
      filled('{"source_name":"a","dialog_values":{},"per_component_amount":{', keyed, '}}'),
      tooManyKeys,
    ),
    call(`${education}.api.mark_attendance`, repeated(`{${day}`, 20_000, present, ']}'), tooManyItems),
    call(
      `${education}.api.mark_attendance`,
      repeated(`{${day}`, 1000, present, ']}'),
      refused('LinkValidationError', /Could not find/),
    ),
    call(`${education}.api.apply_leave`, filled('{"program_name":"a","leave_data":{', keyed, '}}'), tooManyKeys),
    call(
      `${education}.api.mark_assessment_result`,
      filled('{"assessment_plan":"a","scores":{', keyed, '}}'),
      tooManyKeys,
    ),
    call(
      `${education}.doctype.course.course.add_course_to_programs`,
      names('{"course":"a","programs":[', 50_000),
      tooManyItems,
    ),
    call(
      `${education}.doctype.topic.topic.add_topic_to_courses`,
      names('{"topic":"a","courses":[', 50_000),
      tooManyItems,
    ),
    call(
      `${education}.doctype.topic.topic.add_content_to_topics`,
      names('{"content_type":"Article","content":"a","topics":[', 50_000),
      tooManyItems,
    ),
    call(
      `${education}.api.get_course_schedule_for_student`,
      repeated('{"program_name":"a","student_groups":[', 40_000, () => '{"label":"a"}', ']}'),
      tooManyFiltered,
    ),
    call(
      'frappe.desk.form.assign_to.add',
      names(`{"doctype":"Room","name":"${room}","assign_to":[`, 50_000),
      refused('ValidationError', /at most 50 users/),
    ),
    call('frappe.desk.search.search_link', `{"doctype":"Room","txt":"${'a '.repeat(500_000)}"}`, done),
    call('login', `{"usr":"${'a'.repeat(1_000_000)}","pwd":"a"}`, { status: 401 }),
  ]
}

function formRequests({ address, slug, form }: LargestPlace): LargestRequest[] {
  const request = (
    name: string,
    parts: number,
    nameOf: (index: number) => string,
    length: number,
    outcome: Outcome,
  ) => {
    const body = new FormData()
    const text = 'x'.repeat(length)
    for (let index = 0; index < parts; index += 1) body.append(nameOf(index), text)
    const headers = { accept: 'application/json', origin: address }
    return { name: `form: ${name}`, method: 'POST', path: `/f/${slug}/${form}`, headers, body, outcome }
  }
  const tooLarge = { status: 413, code: 'content_too_large' }
  return [
    request('texts of 64 kB', 16, (index) => `part${index}`, 65_536, tooLarge),
    request('one text', 1, () => 'answer.reason', 1_000_000, tooLarge),
    request('answers of one question', 1990, () => 'answer.reason', 350, { status: 400, code: 'validation_failed' }),
    request('answers of unknown questions', 1990, (index) => `answer.k${index}`, 350, {
      status: 400,
      code: 'validation_failed',
    }),
    request('more parts', 7000, (index) => `k${index}`, 1, tooLarge),
  ]
}
