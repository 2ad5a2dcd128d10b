import { composedName } from '@matricula/server/values/index'
import type { CodedStudent } from './academics/enrollments.ts'
import type { Institution } from './academics/institution.ts'
import type { AcademicCounts, AcademicFacts } from './academics/load-academics.ts'
import { Academics } from './academics/load-academics.ts'
import { CodeSeries } from './code-series.ts'
import type { Load, RowOf } from './copy.ts'
import { importedStudents, type Plan } from './plan.ts'
import { planApplications } from './records/application-plan.ts'
import { type ApplicationRows, applicationRows } from './records/applications.ts'
import { contactRow, familyLinks, getSource, linkColumns } from './records/contact-links.ts'
import { paymentRows } from './records/payments.ts'
import type { PipelineStep } from './records/pipeline-paths.ts'
import { courseRows, programCourseRows, programRows } from './records/programs.ts'
import { StudentBook } from './records/student-book.ts'
import { type DemoStudent, studentAt, studentRow } from './records/students.ts'
import * as tables from './tables.ts'
import type { DocumentOwner } from './vault/demo-documents.ts'
import { ownersWithDocuments, type VaultCounts, type VaultOwners } from './vault/load-vault.ts'

/** How many records of each kind were made. */
export interface DemoCounts extends VaultCounts, AcademicCounts {
  readonly programs: number
  readonly courses: number
  readonly students: number
  readonly applications: number
  readonly contacts: number
  readonly payments: number
}

/** What was loaded, and the last code of each series and year. */
export interface Loaded {
  readonly counts: DemoCounts
  readonly studentCodes: readonly string[]
  readonly applicationCodes: readonly string[]
  readonly contactCodes: readonly string[]
  readonly facts: AcademicFacts
}

/** Batches are held in memory while their rows go to several tables. */
const studentsPerBatch = 1_000
const applicationsPerBatch = 1_000
/** PostgreSQL checks the links of a batch at its end, so that many small ones keep the progress honest. */
const paymentsPerBatch = 25_000

/** Makes and loads every record of a plan, batch by batch. */
export async function loadPlan(
  plan: Plan,
  pipeline: readonly PipelineStep[],
  institution: Institution,
  load: Load,
  loadDocuments: (owners: VaultOwners) => Promise<VaultCounts>,
): Promise<Loaded> {
  const academics = new Academics(plan, institution, load)
  await academics.loadBasis()
  const programs = await load(tables.programsTable, programRows(plan))
  const courses = await load(tables.coursesTable, courseRows(plan))
  await load(tables.programCoursesTable, programCourseRows(plan))
  await academics.loadOffers()
  const book = new StudentBook(plan)
  const contactCodes = new CodeSeries('EDU-GRD', plan.timeZone)
  const students = await loadStudents(plan, book, contactCodes, load, (batch) => academics.enroll(batch))
  const applications = await loadApplications(plan, pipeline, contactCodes, load)
  const payments = await loadPayments(plan, book, load, await academics.loadTerm())
  const withDocuments = Array.from({ length: Math.min(plan.students, ownersWithDocuments) }, (_, position) =>
    studentOwner(studentAt(plan, position)),
  )
  const vault = await loadDocuments({
    students: withDocuments,
    applications: applications.owners,
    applicants: applications.applicants,
  })
  return {
    counts: {
      programs,
      courses,
      students: students.loaded,
      applications: applications.loaded,
      contacts: students.contacts + applications.contacts,
      payments,
      ...vault,
      ...academics.counts(),
    },
    studentCodes: students.codes,
    applicationCodes: applications.codes,
    contactCodes: contactCodes.lastOfEachYear(),
    facts: academics.facts(),
  }
}

interface LoadedWithContacts {
  readonly loaded: number
  readonly contacts: number
  readonly codes: readonly string[]
}

async function loadStudents(
  plan: Plan,
  book: StudentBook,
  contactCodes: CodeSeries,
  load: Load,
  enroll: (students: readonly CodedStudent[]) => Promise<void>,
): Promise<LoadedWithContacts> {
  const series = new CodeSeries('EDU-STU', plan.timeZone)
  let loaded = 0
  let contacts = 0
  for (let from = 0; from < plan.students; from += studentsPerBatch) {
    const size = Math.min(studentsPerBatch, plan.students - from)
    const students = Array.from({ length: size }, (_, position) => studentAt(plan, from + position))
    for (const student of students) book.add(student)
    const people = students.flatMap((student) => newContacts(student, contactCodes))
    contacts += await load(tables.contactsTable, people)
    const coded = students.map((student) => ({ student, code: series.next(student.createdAt) }))
    const rows = coded.map(({ student, code }) => studentRow(plan, student, code))
    loaded += await load(tables.studentsTable, rows)
    await load(
      tables.studentContactsTable,
      students.flatMap((student) => studentLinks(plan, student)),
    )
    await enroll(coded)
  }
  return { loaded, contacts, codes: series.lastOfEachYear() }
}

function newContacts({ family, isFirstOfFamily }: DemoStudent, codes: CodeSeries) {
  return isFirstOfFamily ? family.relatives.map((relative) => contactRow(relative, family.since, codes)) : []
}

function studentLinks(plan: Plan, { index, id, family, createdAt }: DemoStudent) {
  const random = plan.random.of('student links', index)
  const source = getSource(random, index < importedStudents(plan.students))
  return familyLinks(random, family, false).map((link, position) => {
    const linkId = plan.ids.of('student link', index * 8 + position, createdAt + position)
    return { student_id: id, ...linkColumns(link, linkId, source, createdAt + position) }
  })
}

function studentOwner({ id, child, createdAt, family }: DemoStudent): DocumentOwner {
  const [relative] = family.relatives
  const contact = { id: relative?.contactId ?? null, name: relative?.displayName ?? '', email: relative?.email ?? null }
  return { kind: 'student', id, name: composedName(child.givenNames, child.familyNames), since: createdAt, contact }
}

function applicationOwner({ application, links }: ApplicationRows): DocumentOwner {
  const [link] = links
  return {
    kind: 'application',
    id: application.id as string,
    name: application.full_name as string,
    since: Date.parse(application.created_at as string),
    contact: {
      id: (link?.contact_id as string | undefined) ?? null,
      name: application.full_name as string,
      email: application.email as string | null,
    },
  }
}

async function loadApplications(
  plan: Plan,
  pipeline: readonly PipelineStep[],
  contactCodes: CodeSeries,
  load: Load,
): Promise<LoadedWithContacts & Pick<VaultOwners, 'applicants'> & { owners: readonly DocumentOwner[] }> {
  const series = new CodeSeries('EDU-APP', plan.timeZone)
  const planned = planApplications(plan, pipeline)
  const owners: DocumentOwner[] = []
  const applicants = new Map<string, VaultOwners['applicants'][number][]>()
  let loaded = 0
  let contacts = 0
  for (let from = 0; from < planned.length; from += applicationsPerBatch) {
    const rows = planned
      .slice(from, from + applicationsPerBatch)
      .map((application, position) =>
        applicationRows(plan, pipeline, application, from + position, series.next(application.moment), contactCodes),
      )
    if (from === 0) owners.push(...rows.slice(0, ownersWithDocuments).map(applicationOwner))
    const known = new Set(owners.map(({ id }) => id))
    for (const row of rows) {
      const progress = progressOf(pipeline, row.application.status as string)
      if (progress === null || known.has(row.application.id as string)) continue
      const ofStatus = applicants.get(row.application.status as string) ?? []
      applicants.set(row.application.status as string, ofStatus)
      // A board begins with the oldest.
      if (ofStatus.length < ownersWithDocuments) ofStatus.push({ ...applicationOwner(row), progress })
    }
    const of = <Part extends keyof ApplicationRows>(part: Part) => rows.map((row) => row[part])
    contacts += await load(tables.contactsTable, of('contacts').flat())
    loaded += await load(tables.applicationsTable, of('application'))
    await load(tables.applicationContactsTable, of('links').flat())
    await load(tables.applicationMovesTable, of('moves').flat())
  }
  return { loaded, contacts, codes: series.lastOfEachYear(), owners, applicants: [...applicants.values()].flat() }
}

/** The part of the way through the pipeline that a status stands for, 0 to 1; null where the way is over. */
function progressOf(pipeline: readonly PipelineStep[], key: string): number | null {
  const open = pipeline.filter(({ category }) => category === 'open')
  const step = pipeline.find((each) => each.key === key)
  if (step?.category === 'accepted') return 1
  return step?.category === 'open' ? open.indexOf(step) / open.length : null
}

async function loadPayments(plan: Plan, book: StudentBook, load: Load, ofFees: readonly PaymentRow[]): Promise<number> {
  const rows = inOrder(paymentRows(plan, book, plan.payments - ofFees.length), ofFees)
  let loaded = 0
  while (loaded < plan.payments) {
    loaded += await load(tables.paymentsTable, getFirst(rows, paymentsPerBatch))
  }
  return loaded
}

type PaymentRow = RowOf<typeof tables.paymentsTable>

/** Two runs of payments, each in the order of its moments, as one. */
function* inOrder(rows: Iterable<PaymentRow>, others: readonly PaymentRow[]): Generator<PaymentRow> {
  let next = 0
  const isBefore = (row: PaymentRow) => String(others[next]?.created_at) < String(row.created_at)
  for (const row of rows) {
    for (; next < others.length && isBefore(row); next += 1) yield others[next] as PaymentRow
    yield row
  }
  yield* others.slice(next)
}

/** The next items of a generator, which goes on behind them. */
function* getFirst<Item>(items: Iterator<Item>, count: number): Generator<Item> {
  for (let taken = 0; taken < count; taken += 1) {
    const { value, done } = items.next()
    if (done === true) return
    yield value
  }
}
