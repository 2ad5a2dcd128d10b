import { type Body, type clientApi, customFieldResources, type Fault } from '@matricula/contract'
import { student } from '@matricula/contract/record-types'
import { sql, type Transaction } from '../../database/index.ts'
import { recordChanges } from '../../platform/changes.ts'
import { followRename } from '../../platform/follow-rename.ts'
import { newId } from '../../platform/ids.ts'
import { requireReadOnlyUnchanged, sameJson } from '../../platform/json.ts'
import { nextInSeries, passInSeries } from '../../platform/naming-series.ts'
import { composedName, nameFaults, recomposedName } from '../../platform/person-names.ts'
import { otherExternalIdProblem, validationProblem } from '../../platform/problem.ts'
import { lockOne, readBack, requireLocked, type Versioned } from '../../platform/reading.ts'
import { type RequestContext, requireMatch } from '../../platform/request-context.ts'
import { todayIn } from '../../platform/time-zones.ts'
import { findTakenProblem, takenProblem, type UniqueValue } from '../../platform/unique-values.ts'
import { createOrChange } from '../../platform/upserting.ts'
import { followRenameByType, takenCustomFields } from '../../records/index.ts'
import { requireProgramReference } from '../programs/index.ts'
import { type StudentRecord, students, studentTable } from './student-store.ts'
import { emptyStudent, type StudentFields, storedStudent, withDerived } from './student-values.ts'

export type StudentBody = Body<(typeof clientApi)['createStudent']>

const series = 'EDU-STU'

const customFieldsOf = { recordType: customFieldResources.students, isFree: true }

/**
 * Creates a student. Throws `validation_failed` without a name, `reference_not_found`, `external_id_taken` and, for a
 * student code that is taken, `already_exists`.
 */
export async function createStudent(
  tx: Transaction,
  context: RequestContext,
  body: StudentBody,
): Promise<Versioned<StudentRecord>> {
  const created = await insertStudent(tx, context, body)
  if (created !== null) return created
  throw await takenProblem(tx, students, uniqueValues(body))
}

/** Changes what the body names. Throws `resource_not_found`, `precondition_failed` and what a create throws. */
export async function updateStudent(
  tx: Transaction,
  context: RequestContext,
  id: string,
  body: StudentBody,
): Promise<Versioned<StudentRecord>> {
  return changeStudent(tx, context, await requireLocked(tx, students, id), body)
}

/** Creates the student with this externalId, or changes it; two at once make one. */
export async function upsertStudent(
  tx: Transaction,
  context: RequestContext,
  externalId: string,
  body: StudentBody,
): Promise<Versioned<StudentRecord>> {
  if (body.externalId !== undefined && body.externalId !== externalId) throw otherExternalIdProblem()
  return createOrChange(context, {
    find: () => lockOne(tx, students, sql`s.external_id = ${externalId}`),
    insert: () => insertStudent(tx, context, { ...body, externalId }),
    change: (current) => changeStudent(tx, context, current, body),
    taken: () => takenProblem(tx, students, uniqueValues(body)),
  })
}

/** Null when a unique value of the body is taken. */
async function insertStudent(
  tx: Transaction,
  context: RequestContext,
  body: StudentBody,
): Promise<Versioned<StudentRecord> | null> {
  requireReadOnlyUnchanged(context.readOnlyFields, null)
  const fullName = body.fullName ?? composedName(body.givenNames, body.familyNames)
  const faults = [...nameFaults(fullName), ...dateFaults(context, body)]
  if (faults.length > 0) throw validationProblem(faults)
  await requireProgramReference(tx, body.programId ?? null)
  if (body.studentCode !== undefined) await passInSeries(tx, series, body.studentCode)
  const studentCode = body.studentCode ?? (await nextInSeries(tx, series, context.tenant.timeZone))
  const id = newId()
  const customFields = await takenCustomFields(tx, context.tenant, { ...customFieldsOf, before: {} }, body.customFields)
  const values = withDerived({ ...emptyStudent, ...writtenFields(body), customFields, fullName, studentCode })
  const inserted = await tx.query(
    sql`${studentTable.insert(tx.tenantId, id, values)} on conflict do nothing returning 1 as inserted`,
  )
  if (inserted.length === 0) return null
  const created = await readBack(tx, students, id)
  const { record } = created
  const change = { type: 'student.created', list: students, entityId: id, before: null, after: record } as const
  recordChanges(tx, context, [{ ...change, externalId: record.externalId }])
  return created
}

async function changeStudent(
  tx: Transaction,
  context: RequestContext,
  current: Versioned<StudentRecord>,
  body: StudentBody,
): Promise<Versioned<StudentRecord>> {
  const before = current.record
  requireMatch(context, current.entityTag)
  requireReadOnlyUnchanged(context.readOnlyFields, before)
  const faults = body.dateOfBirth === before.dateOfBirth ? [] : dateFaults(context, body)
  if (faults.length > 0) throw validationProblem(faults)
  const stored = withDerived(storedStudent(before))
  const written = { ...storedStudent(before), ...writtenFields(body) }
  const values = withDerived({
    ...written,
    fullName: body.fullName ?? recomposedName(before, written),
    customFields: await takenCustomFields(
      tx,
      context.tenant,
      { ...customFieldsOf, before: before.customFields },
      body.customFields,
    ),
  })
  if (sameJson(values, stored)) return current
  if (values.programId !== stored.programId) await requireProgramReference(tx, values.programId)
  const taken = await findTakenProblem(tx, students, uniqueValues(body), before.id)
  if (taken !== null) throw taken
  if (body.studentCode !== undefined) await passInSeries(tx, series, body.studentCode)
  if (values.studentCode !== before.studentCode) await renameLinks(tx, before.studentCode, values.studentCode)
  await tx.query(studentTable.update(tx.tenantId, before.id, values, stored))
  const changed = await readBack(tx, students, before.id)
  recordChanges(tx, context, [
    {
      type: 'student.updated',
      list: students,
      entityId: before.id,
      externalId: changed.record.externalId,
      before,
      after: changed.record,
    },
  ])
  return changed
}

/** Makes whoever names a student name it by its new code. */
async function renameLinks(tx: Transaction, from: string, to: string): Promise<void> {
  await followRename(tx, { recordType: 'Student', table: 'students', column: 'student_code', from, to })
  followRenameByType(tx, student, from, to)
}

function dateFaults(context: RequestContext, body: StudentBody): Fault[] {
  const { dateOfBirth } = body
  if (dateOfBirth === undefined || dateOfBirth === null || dateOfBirth < todayIn(context.tenant.timeZone)) return []
  return [{ in: 'body', pointer: '#/dateOfBirth', code: 'too_large', detail: 'must be a day before today' }]
}

/** What the body names, in the stored form. */
function writtenFields(body: StudentBody): Partial<StudentFields> {
  return { ...body, ...(body.email === '' && { email: null }) }
}

/** The values of the body that no other student may have. */
function uniqueValues(body: StudentBody): UniqueValue[] {
  return [
    { field: 'externalId', column: 'external_id', value: body.externalId, code: 'external_id_taken' },
    { field: 'studentCode', column: 'student_code', value: body.studentCode, code: 'already_exists' },
  ]
}
