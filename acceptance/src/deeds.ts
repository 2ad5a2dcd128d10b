import { createHash } from 'node:crypto'
import { type Answer, api, NoResponse, type Place, resource, send, v1 } from './place.ts'

/** A write that the service refused although it should not have. */
export class Rejected extends Error {}

/** Where a round of writes begins: what is written later is found from here on. */
export interface Mark {
  /** What all names of the round begin with. */
  readonly prefix: string
  readonly watermark: string
  /** The position in the event feed. */
  readonly position: string
}

/** A kind of write: how it is done, and how to find out what has become of those of a round. */
export interface DeedKind {
  /**
   * Does it under a name that nothing else has. It is called again after `NoResponse`, until it returns: then it is acknowledged.
   *
   * @throws NoAnswer where it may have been done or not
   * @throws Refused
   */
  attempt(location: Place, school: School, name: string): Promise<void>
  /** How often what was done under each name is there. */
  count(location: Place, mark: Mark): Promise<Map<string, number>>
}

/** What the writes are about. */
export interface School {
  readonly studentId: string
  /** What all fees have in common. */
  readonly fee: object
}

/** Statuses after which the same request is sent again: what they tell is not of the request. */
const passing = new Set([409, 429, 500, 502, 503, 504])

/** The answer where it is one of these statuses. Throws `NoResponse` where it is to be asked again. */
function taken(response: Answer, ...statuses: number[]): Answer {
  if (statuses.includes(response.status)) return response
  const reported = `${response.status} ${response.bytes.toString().slice(0, 300)}`
  const isPassing =
    passing.has(response.status) && (response.status !== 409 || response.body?.code === 'idempotency_key_in_use')
  throw isPassing ? new NoResponse(reported) : new Rejected(reported)
}

async function* swept(location: Place, path: string): AsyncGenerator<Record<string, unknown>> {
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const response: Answer = taken(await v1(location, `${path}&limit=100&cursor=${encodeURIComponent(cursor)}`), 200)
    yield* response.body.data
    cursor = response.headers.get('next-cursor')
  }
}

async function loadCounts(names: AsyncIterable<unknown>, prefix: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for await (const name of names) {
    if (typeof name === 'string' && name.startsWith(prefix)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

/** The names under which records that changed since the mark stand in a list. */
async function* namesIn(location: Place, path: string, { watermark }: Mark, field: string): AsyncGenerator<unknown> {
  const since = encodeURIComponent(watermark)
  for await (const record of swept(location, `${path}?updatedSince=${since}`)) yield record[field]
}

async function loadRecords(
  location: Place,
  type: string,
  filters: unknown[],
  fields = ['name'],
): Promise<Record<string, unknown>[]> {
  const query = new URLSearchParams({
    filters: JSON.stringify(filters),
    fields: JSON.stringify(fields),
    limit_page_length: '0',
  })
  return taken(await api(location, `${resource(type)}?${query}`), 200).body.data
}

/** A student under an externalId, and the code that it got. */
async function studentCode(location: Place, externalId: string): Promise<string> {
  const put = { method: 'PUT', body: { fullName: externalId } }
  return taken(await v1(location, `/students/external/${externalId}`, put), 200, 201).body.data.studentCode
}

const pdf = (name: string) =>
  Buffer.from(`%PDF-1.4\n% ${name}\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n`)

/** The kinds of writes, on both surfaces. */
export const deedKinds: Readonly<Record<string, DeedKind>> = {
  'a payment created with an Idempotency-Key': {
    attempt: async (location, { studentId }, name) => {
      const body = { studentId, amount: 12.34, description: name, dueDate: '2026-09-01' }
      taken(await v1(location, '/payments', { method: 'POST', headers: { 'idempotency-key': name }, body }), 201)
    },
    count: (location, mark) => loadCounts(namesIn(location, '/payments', mark, 'description'), mark.prefix),
  },

  'a student upserted by externalId': {
    attempt: async (location, _, name) => {
      await studentCode(location, name)
    },
    count: (location, mark) => loadCounts(namesIn(location, '/students', mark, 'externalId'), mark.prefix),
  },

  'a document uploaded in three steps': {
    attempt: async (location, _, name) => {
      const file = pdf(name)
      const checksumSha256 = createHash('sha256').update(file).digest('hex')
      const intent = {
        documentTypeKey: 'other',
        fileName: `${name}.pdf`,
        mimeType: 'application/pdf',
        sizeBytes: file.length,
        externalId: name,
        checksumSha256,
      }
      const headers = { 'idempotency-key': name }
      const asked = await v1(location, '/vault/documents/upload-intents', { method: 'POST', headers, body: intent })
      const { upload, document, version } = taken(asked, 201).body.data
      const stored = await send(upload.url, { method: 'PUT', headers: upload.headers, body: file })
      const path = `/vault/documents/${document.id}/versions/${version.id}/complete`
      // It may have been used by an attempt whose answer was lost. One that has expired is a new one when it is asked for again.
      if (stored.status >= 500 || stored.status === 403) throw new NoResponse(`${stored.status}`)
      taken(await v1(location, path, { method: 'POST', headers: { 'idempotency-key': `${name}-done` }, body: {} }), 200)
    },
    count: async (location, mark) => {
      const counts = new Map<string, number>()
      const since = encodeURIComponent(mark.watermark)
      for await (const { id, externalId } of swept(location, `/vault/documents?updatedSince=${since}`)) {
        const name = externalId as string
        if (!name?.startsWith(mark.prefix)) continue
        const { status, body } = await v1(location, `/vault/documents/${id}/download`)
        const file = status === 200 ? (await send(body.data.url)).bytes : null
        // One that was given up before its file was complete has none, and is none.
        if (file !== null) counts.set(name, file.equals(pdf(name)) ? (counts.get(name) ?? 0) + 1 : 99)
      }
      return counts
    },
  },

  'a record inserted on the Resource API': {
    attempt: async (location, _, name) => {
      const response = await api(location, resource('Topic'), { method: 'POST', body: { topic_name: name } })
      if (response.status === 409 && response.body?.exc_type === 'DuplicateEntryError') return // an attempt before has made it
      taken(response, 200)
    },
    count: async (location, { prefix }) => {
      const found = await loadRecords(location, 'Topic', [['topic_name', 'like', `${prefix}%`]], ['topic_name'])
      const counts = new Map<string, number>()
      for (const { topic_name: name } of found) counts.set(name as string, (counts.get(name as string) ?? 0) + 1)
      return counts
    },
  },

  'a fee submitted on the Resource API, with its lines in the ledger': {
    attempt: async (location, school, name) => {
      const student = await studentCode(location, name)
      const filters = [['student', '=', student]]
      const [found] = await loadRecords(location, 'Fees', filters, ['name', 'docstatus'])
      if (found?.docstatus === 1) return
      const components = [{ fees_category: feeCategory, amount: 100.05 }]
      const enrollment = await enrolled(location, student)
      const fee = { ...school.fee, student, program_enrollment: enrollment, due_date: '2026-09-30', components }
      const made = found ?? taken(await api(location, resource('Fees'), { method: 'POST', body: fee }), 200).body.data
      taken(await api(location, resource('Fees', made.name as string), { method: 'PUT', body: { docstatus: 1 } }), 200)
    },
    count: async (location, mark) => {
      const counts = new Map<string, number>()
      const since = encodeURIComponent(mark.watermark)
      for await (const { externalId, studentCode: code } of swept(location, `/students?updatedSince=${since}`)) {
        const name = externalId as string
        if (!name?.startsWith(`${mark.prefix}fee`)) continue
        const lines = await loadRecords(location, 'GL Entry', [['party', '=', code]], ['debit', 'credit'])
        const fees = await loadRecords(location, 'Fees', [['student', '=', code]], ['docstatus', 'outstanding_amount'])
        const charged = lines.reduce((sum, { debit, credit }) => sum + Number(debit) - Number(credit), 0)
        const isRight = charged === 100.05 && fees.length === 1 && fees[0]?.outstanding_amount === 100.05
        if (lines.length > 0) counts.set(name, isRight ? 1 : Math.max(2, fees.length))
      }
      return counts
    },
  },
}

const feeCategory = 'Acceptance'
const program = 'Acceptance'
const academicYear = 'Acceptance 2026'

/** The enrollment of a student, made where there is none. */
async function enrolled(location: Place, student: string): Promise<string> {
  const [found] = await loadRecords(location, 'Program Enrollment', [['student', '=', student]])
  if (found !== undefined) return found.name as string
  const body = { student, program, academic_year: academicYear, enrollment_date: '2026-08-15', docstatus: 1 }
  return taken(await api(location, resource('Program Enrollment'), { method: 'POST', body }), 200).body.data.name
}

/** Makes what the writes are about. May be called again. */
export async function makeSchool(location: Place): Promise<School> {
  const student = { method: 'PUT', body: { fullName: 'Acceptance' } }
  const { id } = taken(await v1(location, '/students/external/acceptance', student), 200, 201).body.data
  const records: [string, object][] = [
    ['Fee Category', { category_name: feeCategory }],
    ['Program', { program_name: program }],
    ['Academic Year', { academic_year_name: academicYear, year_start_date: '2026-08-01', year_end_date: '2027-07-31' }],
  ]
  for (const [type, body] of records) {
    const made = await api(location, resource(type), { method: 'POST', body })
    if (made.status !== 409) taken(made, 200)
  }
  const structure = {
    program,
    academic_year: academicYear,
    docstatus: 1,
    components: [{ fees_category: feeCategory, amount: 100.05 }],
  }
  const made = taken(await api(location, resource('Fee Structure'), { method: 'POST', body: structure }), 200).body.data
  return { studentId: id, fee: { fee_structure: made.name, company: made.company, receivable_account: 'Debtors' } }
}

/** Where a round begins whose names have this prefix. */
export async function loadMark(location: Place, prefix: string): Promise<Mark> {
  const page = taken(await v1(location, '/payments?limit=1'), 200)
  const feed = taken(await v1(location, '/events?after=latest'), 200)
  return { prefix, watermark: page.headers.get('sync-watermark') ?? '', position: feed.body.next }
}

/** How often each payment that was created since the mark is told of in the event feed. */
export async function createdEvents(location: Place, { position }: Mark): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let after = position, hasMore = true; hasMore; ) {
    const { body } = taken(await v1(location, `/events?after=${after}&limit=1000&types=payment.created`), 200)
    for (const { entityId } of body.data) counts.set(entityId, (counts.get(entityId) ?? 0) + 1)
    after = body.next
    hasMore = body.hasMore
  }
  return counts
}

/** The ids of payments that were created in a round. */
export async function paymentIds(location: Place, mark: Mark): Promise<string[]> {
  const ids: string[] = []
  const since = encodeURIComponent(mark.watermark)
  for await (const { id, description } of swept(location, `/payments?updatedSince=${since}`)) {
    if (String(description).startsWith(mark.prefix)) ids.push(id as string)
  }
  return ids
}
