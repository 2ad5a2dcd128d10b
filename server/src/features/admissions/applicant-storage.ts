import type { studentApplicant } from '@matricula/contract/record-types'
import { recordChanges } from '../../changes/index.ts'
import { sql, type Transaction, table } from '../../database/index.ts'
import { readBack } from '../../entities/index.ts'
import {
  ownValues,
  type RecordOf,
  type RecordStorage,
  type RecordWork,
  removeRow,
  sharedValues,
} from '../../record-engine/index.ts'
import { getPerson, storeGuardians } from '../contacts/index.ts'
import { requireCompleteDocuments } from '../requirements/index.ts'
import { asRecordError, firstStatusFor, startingStatusFor } from './applicant-status.ts'
import { linkChanges } from './application-links.ts'
import { recordMove, requireMovable } from './application-moves.ts'
import { type ApplicationRecord, applicationColumns, applications, applicationTable } from './application-store.ts'
import { type ApplicationFields, emptyApplication, toStoredFields, withDerived } from './application-values.ts'

type Applicant = RecordOf<typeof studentApplicant>

/** The fields of the Resource API only, by column. */
const ownColumns = {
  owner: 'owner',
  naming_series: 'naming_series',
  middle_name: 'middle_name',
  application_date: 'application_date',
  student_admission: 'student_admission',
  student_category: 'student_category',
  paid: 'paid',
  amended_from: 'amended_from',
  date_of_birth: 'date_of_birth',
  gender: 'gender',
  blood_group: 'blood_group',
  nationality: 'nationality',
  address_line_2: 'address_line_2',
  pincode: 'postal_code',
} as const

const recordTable = table('admission_applications', { ...applicationColumns, ...ownColumns }, 'applicationCode')

/** The column values of a record; what the record does not contain stays unchanged. */
async function buildRow(tx: Transaction, document: Applicant, before: Applicant | null, stored: ApplicationFields) {
  const isSameProgram = document.program === before?.program
  const isSameStudent = document.student === (before?.student ?? null)
  const fields = {
    ...stored,
    ...sharedValues(document, applicationTable),
    ...getPerson(document, before, before === null ? null : stored, document.title ?? ''),
    program: isSameProgram ? stored.program : '',
    ...(!isSameProgram && { programId: await findId(tx, 'programs', document.program) }),
    ...(!isSameStudent && { studentId: await findId(tx, 'students', document.student) }),
    academicPeriod: document.academic_term,
  }
  return { ...withDerived(fields, document.modified_by), ...ownValues(document, ownColumns) }
}

async function findId(tx: Transaction, kind: 'programs' | 'students', name: string | null): Promise<string | null> {
  const [found] = await tx.query<{ id: string }>(
    kind === 'programs'
      ? sql`select id from programs where tenant_id = ${tx.tenantId} and name = ${name}`
      : sql`select id from students where tenant_id = ${tx.tenantId} and student_code = ${name}`,
  )
  return found?.id ?? null
}

/** Records contacts that were linked, unlinked or changed, as the Client API does. */
async function recordGuardians({ tx, caller }: RecordWork, id: string, before: ApplicationRecord | null) {
  const { record } = await readBack(tx, applications, id)
  recordChanges(tx, caller, linkChanges(before?.contacts ?? [], record.contacts))
}

/**
 * Applicants are stored as applications of the Client API, their guardians as its contacts. The application status is
 * the category of the pipeline status; writing it moves the application, with its history and by its rules.
 */
export const applicantStorage: RecordStorage<typeof studentApplicant, ApplicationRecord> = {
  relation: 'student_applicant_records',
  table: 'admission_applications',
  list: applications,
  nameColumn: 'application_code',
  rowRelations: { guardians: 'applicant_guardian_rows' },
  linkColumns: {
    program: { table: 'admission_applications', column: 'program' },
    academic_year: { table: 'admission_applications', column: 'academic_year' },
    academic_term: { table: 'admission_applications', column: 'academic_period' },
    student_admission: { table: 'admission_applications', column: 'student_admission' },
    student_category: { table: 'admission_applications', column: 'student_category' },
    gender: { table: 'admission_applications', column: 'gender' },
    country: { table: 'admission_applications', column: 'country' },
  },
  linksById: { program: { id: 'program_id', text: 'program_text' } },
  insert: async (work, id, document) => {
    const { tx, caller } = work
    const status = await asRecordError(() => startingStatusFor(tx, document.application_status))
    const empty = { ...emptyApplication, applicationCode: document.name, fullName: '', status: status.key }
    const inserted = await tx.query(sql`
      ${recordTable.insert(tx.tenantId, id, await buildRow(tx, document, null, empty))}
      on conflict do nothing returning 1 as inserted`)
    if (inserted.length === 0) return false
    if (status.requiresComplete) await asRecordError(() => requireCompleteDocuments(tx, id))
    recordMove(tx, caller, id, null, status.key)
    await storeGuardians(tx, 'application_contacts', id, document.guardians)
    await recordGuardians(work, id, null)
    return true
  },
  update: async (work, id, document, before, shared) => {
    const { tx, caller } = work
    const record = shared as ApplicationRecord
    const isMove = document.application_status !== before.application_status
    const status = isMove ? (await firstStatusFor(tx, document.application_status)).key : record.status
    if (isMove) await asRecordError(() => requireMovable(tx, record, status))
    const stored = { ...toStoredFields(record), status }
    await tx.query(recordTable.update(tx.tenantId, id, await buildRow(tx, document, before, stored), stored))
    if (isMove) recordMove(tx, caller, id, record.status, status)
    await storeGuardians(tx, 'application_contacts', id, document.guardians)
    await recordGuardians(work, id, record)
  },
  remove: async ({ tx }, id, document) => {
    tx.send(sql`delete from application_contacts where tenant_id = ${tx.tenantId} and application_id = ${id}`)
    tx.send(sql`delete from application_moves where tenant_id = ${tx.tenantId} and application_id = ${id}`)
    await removeRow(tx, 'admission_applications', id, `Student Applicant ${document.name}`)
  },
  rename: async ({ tx, caller }, id, name, shared) => {
    const stored = toStoredFields(shared as ApplicationRecord)
    const values = withDerived({ ...stored, applicationCode: name }, caller.user)
    await tx.query(applicationTable.update(tx.tenantId, id, values))
  },
  read: async ({ tx }, id) => (await readBack(tx, applications, id)).record,
  ownFields: [...Object.keys(ownColumns), 'siblings'],
  eventType: (verb, before, after) => {
    if (verb === 'renamed') return 'admission_application.updated'
    const isMove = (before as ApplicationRecord | null)?.status !== (after as ApplicationRecord | null)?.status
    return verb === 'updated' && isMove ? 'admission_application.status_changed' : null
  },
}
