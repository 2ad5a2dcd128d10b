import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  consoleApi,
  eventScopes,
  liveOperations,
  type Operation,
  roleScopes,
  type Scope,
  sharedOperations,
} from '@matricula/contract'
import { type RecordType, type Right, recordTypes } from '@matricula/contract/record-types'
import { aFamily, type Family, loggedIn, secret } from '../../features/portal/family.fixture.ts'
import { getRevealedTypes, reports } from '../../features/reports/index.ts'
import { automaticRoles, createRole } from '../../identity/users/index.ts'
import type { AnyMethod } from '../../resource-api/index.ts'
import { records } from '../fixtures/all-records.ts'
import { aPerson, aRecordCaller, getOperator } from '../fixtures/factories.ts'
import { printedText } from '../fixtures/files/printed-text.ts'
import type { RecordCaller, RecordResponse } from '../fixtures/record-caller.ts'
import { until } from '../fixtures/service-process.ts'
import { startTestService } from '../fixtures/test-service.ts'

const service = await startTestService({ authFailuresPerMinute: 1_000_000 })
const withoutRights = 'Librarian'
const phone = '5559876501'

/** The words of each type that stand in its own records and in no link or copy of another type. */
const phrasesOf: Readonly<Record<string, readonly string[]>> = {
  Student: [phone, `1 ${secret} Street`],
  Guardian: [`mallory@${secret}.example`],
  'Student Log': ['word-of-a-log'],
  'Student Leave Application': ['word-of-a-leave'],
  Customer: ['word-of-a-payer'],
  'Sales Invoice': ['word-of-an-invoice'],
  'Payment Entry': ['word-of-a-receipt'],
}

/** A school with a family next door to another, and people who see parts of it. */
interface Place extends Family {
  readonly student: RecordCaller
  readonly manager: RecordCaller
  readonly otherStudentId: string
}

async function aLocation(): Promise<Place> {
  const family = await aFamily(service)
  const { seededTenant, children, otherStudent, records: made } = family
  const { resourceClient, tenant } = seededTenant
  const set = async (type: string, name: string | undefined, fields: object) =>
    assert.equal((await resourceClient.update(type, name as string, fields)).error, null, type)
  await set('Student', otherStudent, { student_mobile_number: `+1 ${phone}` })
  await set('Student Log', made['Student Log']?.[2], { log: `${secret} word-of-a-log` })
  await resourceClient.make('Student Leave Application', {
    student: otherStudent,
    student_group: seededTenant.group,
    from_date: '2026-11-10',
    to_date: '2026-11-10',
    reason: `${secret} word-of-a-leave`,
  })
  const { name: payer } = await resourceClient.make('Customer', {
    customer_name: `Family ${secret}`,
    tax_id: 'word-of-a-payer',
  })
  const { name: invoice } = await resourceClient.make('Sales Invoice', {
    customer: payer,
    student: otherStudent,
    remarks: `${secret} word-of-an-invoice`,
    items: [{ item_name: secret, rate: 3 }],
  })
  const { name: receipt } = await resourceClient.make('Payment Entry', {
    ...{ payment_type: 'Receive', party_type: 'Customer', party: payer, paid_amount: 10 },
    remarks: `${secret} word-of-a-receipt`,
  })
  const ofPayer = Object.entries({ Customer: payer, 'Sales Invoice': invoice, 'Payment Entry': receipt })
  const email = 'ada@student.example'
  const { caller: student } = await loggedIn(service, seededTenant, email, ['Student'])
  await set('Student', children[0], { user: email })
  await service.data.transaction(tenant.id, (tx) =>
    createRole(tx, getOperator(tenant), { name: withoutRights, deskAccess: true }),
  )
  const [row] = await service.database.inspect<{ id: string }>(
    'select id from students where tenant_id = $1 and student_code = $2',
    [tenant.id, otherStudent],
  )
  const { caller: manager } = await aPerson(service, tenant)
  const named = { ...made, ...Object.fromEntries(ofPayer.map(([type, name]) => [type, [name, name, name] as const])) }
  return { ...family, records: named, student, manager, otherStudentId: row?.id as string }
}

let locations: readonly Place[]
let location: Place

before(async () => {
  locations = await Promise.all([aLocation(), aLocation(), aLocation()])
  location = locations[0] as Place
})

/** Values that the arguments of a method have, by their names: those of the family next door wherever somebody is named. */
function getArguments(location: Place, method: AnyMethod, type = 'Student'): Record<string, unknown> {
  const { seededTenant, otherStudent, records: made, guardians } = location
  const name = type === 'Student' ? otherStudent : type === 'Guardian' ? guardians.other : (made[type]?.[2] ?? 'Any')
  const doc = { doctype: type, name, student: otherStudent }
  const known: Readonly<Record<string, unknown>> = {
    ...{
      doctype: type,
      dt: type,
      name,
      docname: name,
      dn: name,
      old_name: name,
      new_name: 'Another',
      doc,
      docs: [doc],
    },
    ...{
      student: otherStudent,
      student_group: seededTenant.group,
      group: seededTenant.group,
      txt: 'next',
      tag: 'word',
      tags: ['word'],
    },
    ...{
      academic_year: seededTenant.year,
      academic_term: '',
      program: seededTenant.program,
      program_name: seededTenant.program,
    },
    ...{
      course: seededTenant.courses[0],
      courses: [seededTenant.courses[0]],
      topic: 'Any',
      topics: [],
      programs: [seededTenant.program],
    },
    ...{
      assessment_plan: 'Any',
      grading_scale: 'Letters',
      percentage: 50,
      date: '2026-09-03',
      based_on: 'Student Group',
    },
    ...{
      start: '2026-09-01',
      end: '2026-09-30',
      student_groups: [{ label: seededTenant.group }],
      guardian: guardians.other,
    },
    ...{
      source_name: 'Any',
      components: [],
      dialog_values: {},
      fee_structure: 'Any',
      fields: '["*"]',
      fieldname: 'city',
    },
    ...{
      students_present: [{ student: otherStudent }],
      students_absent: [],
      report_name: reports[0]?.name,
      filters: {},
    },
    ...{
      leave_data: { student: otherStudent, from_date: '2026-09-07', to_date: '2026-09-07' },
      scores: { student: otherStudent },
    },
    ...{ filename: 'a.txt', filedata: 'a', field: 'city', value: 'Elsewhere', method: 'submit', content: 'Any' },
    ...{
      quiz_name: 'Any',
      quiz_response: {},
      content_type: 'Article',
      article: 'Any',
      quiz: 'Any',
      file_url: '/files/a',
    },
    ...{
      phone: '+1 555 0100',
      response: {},
      against_invoice: made.Fees?.[2],
      billing_details: {},
      assign_to: 'a@b.example',
    },
    ...{ reference_doctype: type, reference_name: name, comment_email: 'a@b.example', comment_by: 'A', payload: {} },
  }
  return Object.fromEntries(
    Object.entries(method.parameters).flatMap(([parameter, { type: of, required }]) => {
      if (Object.hasOwn(known, parameter)) {
        const value = known[parameter]
        return of === 'string' && typeof value !== 'string'
          ? [[parameter, JSON.stringify(value)]]
          : [[parameter, value]]
      }
      if (required !== true) return []
      return [
        [
          parameter,
          of === 'json' ? {} : of === 'integer' || of === 'number' ? 1 : of === 'date' ? '2026-09-01' : 'Any',
        ],
      ]
    }),
  )
}

const isReading = ({ verbs }: AnyMethod) => verbs === undefined || verbs.includes('GET')

/** Calls a method; with GET, where it takes that, nothing is changed. */
function call(caller: RecordCaller, method: AnyMethod, args: Record<string, unknown>): Promise<RecordResponse> {
  const path = `/api/method/${method.path}`
  if (!isReading(method)) return caller.send((method.verbs ?? []).includes('POST') ? 'POST' : 'PUT', path, args)
  const query = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return caller.get(`${path}?${new URLSearchParams(query as [string, string][])}`)
}

/** The words of records that an answer tells; those of a PDF as it shows them, where lines may break words. */
function toldBy({ text, bytes, headers }: RecordResponse, args: readonly string[]): string[] {
  const isPdf = headers.get('content-type')?.startsWith('application/pdf') === true
  if (!isPdf) return args.filter((word) => text.includes(word))
  const printed = printedText(bytes).replace(/\s/g, '')
  return args.filter((word) => printed.includes(word.replace(/\s/g, '')))
}

const permissionError = [403, 'PermissionError']
const toErrorResponse = ({ status, body }: RecordResponse) => [status, body?.exc_type]

/** Whether a right belongs to everybody, or to everybody of the staff. */
function isOfEverybody({
  type: { permissions },
  right,
}: {
  readonly type: RecordType
  readonly right: Right
}): boolean {
  return Object.values<string>(automaticRoles).some((role) => permissions[role]?.includes(right))
}

/** Does things, a few at once. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 6 }, worker))
}

const methods = [...records.methods.values()]
const personalTypes = ['Student Group', 'Fees', ...Object.keys(phrasesOf)]
const ofArgument = methods.filter(({ rights }) => rights === 'of the argument')

interface MethodCall {
  readonly method: AnyMethod
  readonly args: Record<string, unknown>
}

/** Every method, those whose argument names a type for each type about people, and every report. */
function everyCall(location: Place, types: readonly string[] = personalTypes): MethodCall[] {
  const run = records.methods.get('frappe.desk.query_report.run') as AnyMethod
  const { seededTenant } = location
  const filters = {
    ...{
      date: '2026-09-03',
      academic_year: seededTenant.year,
      program: seededTenant.program,
      student_batch_name: 'Any',
    },
    ...{
      student_group: seededTenant.group,
      month: '09',
      year: '2026',
      schedule_date: '2026-09-03',
      course: seededTenant.courses[0],
    },
  }
  return [
    ...methods
      .filter((method) => !ofArgument.includes(method))
      .map((method) => ({ method, args: getArguments(location, method) })),
    ...ofArgument.flatMap((method) => types.map((type) => ({ method, args: getArguments(location, method, type) }))),
    ...reports.map(({ name }) => ({ method: run, args: { report_name: name, filters } })),
  ]
}

test('every method and report refuses a role that has no right, or tells nothing of anybody', async () => {
  const nobody = await aRecordCaller(service, location.seededTenant.tenant, [withoutRights])
  const names = [secret, phone, 'Ada Byron', 'Alan Turing', 'Grace Hopper']
  const validationErrors: string[] = []
  let rejected = 0
  await each(everyCall(location), async ({ method, args }) => {
    const response = await call(nobody, method, args)
    const what = `${method.path} ${JSON.stringify(args.doctype ?? '')}: ${response.status}`
    const reported = toldBy(response, names)
    if (reported.length > 0) validationErrors.push(`${what} told ${reported}`)
    if (response.status >= 500) validationErrors.push(`${what} ${response.text}`)
    if (response.status === 403) rejected += 1
    // Programs are public, and everybody of the staff has tags.
    const isPublic = typeof method.rights !== 'string' && method.rights.every(isOfEverybody)
    if (typeof method.rights === 'string' || isPublic) return
    if (toErrorResponse(response).join() !== permissionError.join()) validationErrors.push(`${what}, not refused`)
  })
  assert.deepEqual(validationErrors, [])
  assert.ok(rejected > 100, `${rejected} refused`)
})

test('every method and report tells a student and a guardian nothing of another family', async () => {
  const validationErrors: string[] = []
  for (const [who, caller] of [
    ['student', location.student],
    ['guardian', location.mother],
  ] as const) {
    let answered = 0
    const own = location.children[0]
    await each(everyCall(location), async ({ method, args }) => {
      for (const sent of [args, ...('student' in args ? [{ ...args, student: own }] : [])]) {
        const response = await call(caller, method, sent)
        if (response.status === 200) answered += 1
        const reported = toldBy(response, [secret, phone])
        if (reported.length > 0)
          validationErrors.push(`${who}: ${method.path} ${JSON.stringify(sent.doctype ?? '')} told ${reported}`)
        if (response.status >= 500) validationErrors.push(`${who}: ${method.path}: ${response.text}`)
      }
    })
    assert.ok(answered > 10, `${who}: ${answered} answered`)
  }
  assert.deepEqual(validationErrors, [])
})

const operations = Object.entries({ ...consoleApi, ...sharedOperations } as Readonly<Record<string, Operation>>)

/** The answer of an operation of the console, called with what its declaration needs. A stream is not waited for. */
async function operate(
  { otherStudent, otherStudentId: studentId }: Place,
  caller: RecordCaller,
  [id, operation]: readonly [string, Operation],
) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) =>
    name === 'role' ? withoutRights : name === 'externalId' ? 'x' : studentId,
  )
  const known: Readonly<Record<string, string>> = {
    q: 'next',
    type: 'Student',
    name: otherStudent,
    id: studentId,
    applicationId: studentId,
  }
  const needed = Object.keys(operation.query?.properties ?? {}).filter(
    (name) => Object.hasOwn(known, name) && (name !== 'id' || id !== 'getTimeline'),
  )
  const query = needed
    .filter((name) => !(operation.path === '/timeline' && name === 'id'))
    .map((name) => [name, known[name] as string])
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query as [string, string][])}`
  const { examples } = (operation.body ?? {}) as { examples?: object[] }
  const body = operation.method === 'GET' ? undefined : (examples?.[0] ?? {})
  return caller.send(operation.method, `/console/v1${path}${search}`, body, {
    'idempotency-key': `${id}-${Math.random()}`,
  })
}

const isStream = ({ shape }: Operation) => shape === 'feed'

interface LiveEvent {
  readonly recordType: string | null
  readonly name: string | null
}

/** The faults of what happened since the beginning as a caller is told of it, who must be able to read each record that is named. */
async function loadFeedErrors(
  caller: RecordCaller,
  args: readonly string[],
  count: { told: number },
): Promise<string[]> {
  const { path } = liveOperations.followLive
  const polled = await caller.get(`/console/v1${path}?after=0&wait=0&limit=100`)
  if (polled.body?.code === 'insufficient_role') return []
  if (polled.status !== 200) return [`${path}: ${polled.text}`]
  const validationErrors = toldBy(polled, args).map((word) => `${path} told ${word}`)
  const events = (polled.body.data as LiveEvent[]).filter(({ name }) => name !== null)
  const named = new Set(events.map(({ recordType, name }) => `${recordType}/${name}`))
  for (const record of named) {
    count.told += 1
    const { status } = await caller.get(`/api/resource/${record}`)
    if (status !== 200) validationErrors.push(`${path} told of ${record}: ${status}`)
  }
  return validationErrors
}

test('every operation of the console tells nothing of anybody to a role that has nothing, nor of another family to its members', async () => {
  // Not the people of the methods: a minute has so many requests of each.
  const school = locations[1] as Place
  const { tenant } = school.seededTenant
  const validationErrors: string[] = []
  let asked = 0
  const librarian = (await aPerson(service, tenant, [withoutRights])).caller
  const people = [
    [withoutRights, librarian, [secret, phone, 'Alan Turing']],
    ['student', school.student, [secret, phone]],
    ['guardian', school.mother, [secret, phone]],
  ] as const
  for (const [who, caller, words] of people) {
    await each(operations, async (operation) => {
      if (isStream(operation[1])) return
      const response = await operate(school, caller, operation)
      asked += 1
      const reported = toldBy(response, words)
      if (reported.length > 0) validationErrors.push(`${who}: ${operation[0]} told ${reported}`)
      if (response.status >= 500) validationErrors.push(`${who}: ${operation[0]}: ${response.text}`)
      const isClosed = operation[1].scope !== null || operation[1].roles !== undefined
      if (isClosed && ![401, 403].includes(response.status))
        validationErrors.push(`${who}: ${operation[0]}: ${response.status}`)
    })
  }
  const feed = { told: 0 }
  for (const [who, caller, words] of people) {
    validationErrors.push(
      ...(await loadFeedErrors(caller, words, feed)).map((validationError) => `${who}: ${validationError}`),
    )
    const streamed = await caller.followed(`/console/v1${liveOperations.followLive.path}?after=0`)
    // The console is for the staff.
    assert.match(streamed, who === withoutRights ? /event: beat/ : /"code":"insufficient_role"/, who)
    for (const word of [...words, school.otherStudent])
      if (streamed.includes(word)) validationErrors.push(`${who}: streamed ${word}`)
  }
  assert.deepEqual(await loadFeedErrors(school.manager, [], feed), [])
  assert.deepEqual(validationErrors, [])
  assert.ok(asked > 150, `${asked} asked`)
  assert.ok(feed.told > 0, 'nobody is told of what happens')
})

/** What everybody of the staff may call, and what each is told depends on the rights to records. */
const withoutScope = operations.filter(
  ([, operation]) => operation.scope === null && operation.roles === undefined && !isStream(operation),
)

/** The roles of the staff from which rights can be taken. */
const staffRoles = [
  ...new Set([...Object.keys(roleScopes), ...recordTypes.flatMap(({ permissions }) => Object.keys(permissions))]),
].filter(
  (role) => !['System Manager', 'Administrator', 'All', 'Guest', 'Desk User', 'Student', 'Guardian'].includes(role),
)

/** A right and scopes that are taken from every role, and which methods need the right. */
interface Taken {
  readonly type: RecordType
  readonly right: Right
  readonly scopes: readonly Scope[]
  getCalls(location: Place): MethodCall[]
}

/** The scopes by which timelines and the live feed tell of records without the right to read their type. */
const readingScopes = new Set(eventScopes.values())

/**
 * Every right that a method or a report declares, and every right to read what is told of somebody, there with all scopes that read
 * records; with each other scope once.
 */
function everyRight(): Taken[] {
  const run = records.methods.get('frappe.desk.query_report.run') as AnyMethod
  const found = new Map<string, Omit<Taken, 'scopes'>>()
  const add = (type: RecordType, right: Right, callsOf: Taken['getCalls']) => {
    const known = found.get(`${type.name} ${right}`)
    const both: Taken['getCalls'] = (location) => [...(known?.getCalls(location) ?? []), ...callsOf(location)]
    found.set(`${type.name} ${right}`, { type, right, getCalls: both })
  }
  for (const method of methods) {
    for (const { type, right } of typeof method.rights === 'string' ? [] : method.rights) {
      if (!isOfEverybody({ type, right }))
        add(type, right, (location) => [{ method, args: getArguments(location, method) }])
    }
  }
  for (const report of reports) {
    for (const type of getRevealedTypes(report))
      add(type, 'read', () => [{ method: run, args: { report_name: report.name } }])
  }
  for (const type of recordTypes) if (Object.hasOwn(phrasesOf, type.name)) add(type, 'read', () => [])
  const scopes = [...new Set(operations.flatMap(([, { scope }]) => (scope === null ? [] : [scope])))]
  assert.ok(scopes.length <= found.size)
  return [...found.values()].map((each, index) => {
    const reading = each.right === 'read' && Object.hasOwn(phrasesOf, each.type.name) ? readingScopes : []
    return { ...each, scopes: [...new Set([...scopes.slice(index, index + 1), ...reading])] }
  })
}

const has = ({ permissions }: RecordType, role: string, right: Right) => permissions[role]?.includes(right) === true
const opens = (role: string, scope: Scope) => roleScopes[role]?.includes(scope) === true

/** Takes a right and scopes from every role that has them, and waits until that is known. */
async function take({ manager }: Place, { type, right, scopes }: Taken): Promise<void> {
  for (const role of staffRoles) {
    const body = {
      takenRights: has(type, role, right) ? [{ type: type.name, rights: [right] }] : [],
      takenScopes: scopes.filter((scope) => opens(role, scope)),
    }
    const { status, text } = await manager.send('PATCH', `${rules}/${encodeURIComponent(role)}`, body)
    assert.equal(status, 200, text)
  }
  // What a process knows of an institution is less than a second old.
  await until(
    async () => (await manager.get(rules)).body.data.every((rule: Rule) => isTaken(rule, { type, right, scopes })),
    `${right} ${type.name} and ${scopes} taken`,
  )
}

const rules = '/console/v1/access-rules'

interface Rule {
  readonly role: string
  readonly takenScopes: readonly Scope[]
  readonly records: readonly { readonly type: string; readonly taken: readonly Right[] }[]
}

function isTaken({ role, takenScopes, records: of }: Rule, { type, right, scopes }: Omit<Taken, 'getCalls'>): boolean {
  if (!staffRoles.includes(role)) return true
  const taken = of.flatMap((each) => each.taken.map((one) => `${each.type} ${one}`)).join()
  const expected = has(type, role, right) ? `${type.name} ${right}` : ''
  const sorted = [...scopes.filter((scope) => opens(role, scope))].sort().join()
  return taken === expected && [...takenScopes].sort().join() === sorted
}

/** Calls what a role may not do any more, and everything that might tell of it; gives what was wrong. */
async function faultsWithout(
  location: Place,
  role: string,
  taken: Taken,
  count: Record<string, number>,
): Promise<string[]> {
  const { type, right, scopes } = taken
  const validationErrors: string[] = []
  const { tenant } = location.seededTenant
  if (has(type, role, right)) {
    const caller = await aRecordCaller(service, tenant, [role])
    await each(taken.getCalls(location), async ({ method, args }) => {
      const response = await call(caller, method, args)
      if (toErrorResponse(response).join() === permissionError.join()) count.methods = (count.methods ?? 0) + 1
      else
        validationErrors.push(`${role} without ${right} ${type.name}: ${method.path}: ${response.text.slice(0, 300)}`)
    })
    const words = right === 'read' ? (phrasesOf[type.name] ?? []) : []
    if (words.length > 0) {
      const reading = everyCall(location, [type.name]).filter(
        ({ method }) => isReading(method) || method.path.endsWith('export_query'),
      )
      await each(reading, async ({ method, args }) => {
        const reported = toldBy(await call(caller, method, args), words)
        count.read = (count.read ?? 0) + 1
        if (reported.length > 0)
          validationErrors.push(`${role} without read ${type.name}: ${method.path} told ${reported}`)
      })
      const person = (await aPerson(service, tenant, [role])).caller
      await each(withoutScope, async (operation) => {
        const response = await operate(location, person, operation)
        count.unscoped = (count.unscoped ?? 0) + 1
        const reported = toldBy(response, words)
        if (reported.length > 0)
          validationErrors.push(`${role} without read ${type.name}: ${operation[0]} told ${reported}`)
        if (response.status >= 500) validationErrors.push(`${role}: ${operation[0]}: ${response.text}`)
      })
      const feed = await loadFeedErrors(person, words, { told: 0 })
      validationErrors.push(...feed.map((validationError) => `${role} without read ${type.name}: ${validationError}`))
    }
  }
  for (const scope of scopes.filter((each) => opens(role, each))) {
    const { caller } = await aPerson(service, tenant, [role])
    const needing = operations.filter(([, operation]) => operation.scope === scope && !isStream(operation))
    await each(needing, async (operation) => {
      const { status, body } = await operate(location, caller, operation)
      const isRefused = status === 403 && ['insufficient_scope', 'insufficient_role'].includes(body.code)
      if (isRefused) count.operations = (count.operations ?? 0) + 1
      else validationErrors.push(`${role} without ${scope}: ${operation[0]}: ${status}`)
    })
  }
  return validationErrors
}

test('each role of the staff less one right or scope is refused by all methods, reports and operations that need it, and told nothing', async () => {
  const waiting = everyRight()
  const validationErrors: string[] = []
  const count: Record<string, number> = {}
  // Several institutions, because each change of access rules is known within a second.
  await Promise.all(
    locations.map(async (location) => {
      for (let taken = waiting.shift(); taken !== undefined; taken = waiting.shift()) {
        await take(location, taken)
        for (const role of staffRoles) validationErrors.push(...(await faultsWithout(location, role, taken, count)))
      }
    }),
  )
  assert.deepEqual(validationErrors, [])
  const { methods: rejected = 0, read = 0, operations: closed = 0, unscoped = 0 } = count
  assert.ok(rejected > 60 && read > 300 && closed > 60 && unscoped > 100, JSON.stringify(count))
})

test('the words that nobody may be told without a right are told with it, so that their absence says something', async () => {
  const clerk = await aRecordCaller(service, (await aLocation()).seededTenant.tenant, [
    'Academics User',
    'Accounts User',
  ])
  const missing: string[] = []
  for (const [type, args] of Object.entries(phrasesOf)) {
    const { text } = await clerk.get(`/api/resource/${type}?fields=["*"]&limit_page_length=0`)
    missing.push(...args.filter((word) => !text.includes(word)))
  }
  assert.deepEqual(missing, [])
})
