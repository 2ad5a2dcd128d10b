import type { StudentRow } from '../files/interchange.ts'
import type { Fields } from '../run/difference.ts'
import { changeTo, getId, type Run, rowsNotDeleted, rowsWithStudent, syncRows, upsert } from '../run/run.ts'
import type { TenantRecords } from '../run/tenant-records.ts'
import { areLinksInStep, linkBody, syncLinks, type WantedLink } from './contact-links.ts'
import { People } from './people.ts'
import { applicationFields, linkFields } from './wanted.ts'

/**
 * Brings the applications in step, one per student, each with its parents. They follow their students, which must be there.
 */
export async function syncApplications(run: Run, rows: readonly StudentRow[], records: TenantRecords): Promise<void> {
  const ofStudents = rowsWithStudent(run, 'applications', rows, records.students)
  const { applications } = records.deleted
  const present = rowsNotDeleted(run, 'applications', ofStudents, applications, ({ studentId }) => studentId)
  const people = new People(present, records.applications.values())
  const isAlone = ({ parents }: StudentRow) => parents?.some((parent) => people.isKnownByNameAlone(parent)) ?? false
  const together: StudentRow[] = []
  const oneByOne: StudentRow[] = []
  for (const row of present) (isAlone(row) ? oneByOne : together).push(row)
  const isInStep = (row: StudentRow) => isApplicationInStep(run, row, records, people)
  const send = (row: StudentRow) => sendApplication(run, row, records, people)
  await syncRows(run, 'applications', together, isInStep, send)
  if (oneByOne.length > 0) await syncRows({ ...run, concurrency: 1 }, 'applications', oneByOne, isInStep, send)
}

function isApplicationInStep(run: Run, row: StudentRow, records: TenantRecords, people: People): boolean {
  const application = records.applications.get(row.studentId)
  if (application === undefined || findChange(row, records) !== null) return false
  const links = wantedLinks(row, people)
  if (links !== null && !areLinksInStep(application, links)) return false
  run.report.count('contacts', 'unchanged', links?.length ?? 0)
  return true
}

/** A new application is sent whole, in one request, which the service does altogether or not at all. */
async function sendApplication(run: Run, row: StudentRow, records: TenantRecords, people: People): Promise<void> {
  const { applications } = records
  const stored = applications.get(row.studentId)
  const change = findChange(row, records)
  const links = wantedLinks(row, people)
  let application = stored
  if (stored === undefined || change !== null) {
    const contacts = stored === undefined && links !== null ? { contacts: links.map(linkBody) } : {}
    const body = { ...change, ...contacts }
    const response = await upsert(run, 'applications', row.studentId, body, applications)
    application = response.record
    people.remember(application)
    if (response.isNew) {
      run.report.count('contacts', 'linked', links?.length ?? 0)
      return
    }
  }
  if (links !== null && application !== undefined) {
    const synced = await syncLinks(run.client, run.report, application, links)
    applications.set(row.studentId, synced)
    people.remember(synced)
  }
  if (stored !== undefined && change === null) run.report.count('applications', 'unchanged')
}

function findChange(row: StudentRow, { students, applications }: TenantRecords): Fields | null {
  return changeTo(applications.get(row.studentId), applicationFields(row, getId(students, row.studentId)))
}

/** Null when the files are faulty about this student's parents. */
function wantedLinks({ parents }: StudentRow, people: People): WantedLink[] | null {
  if (parents === null) return null
  return parents.map((parent) => ({
    contactId: parent.contactId,
    fields: linkFields(parent),
    identity: people.getIdentity(parent),
  }))
}
