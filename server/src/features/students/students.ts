import {
  type Body,
  type clientApi,
  customFieldResources,
  type Fault,
  type studentOperations,
} from '@matricula/contract'
import { student } from '@matricula/contract/record-types'
import { type RequestContext, recordChanges, requireMatch } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import type { Upsert, Upserting } from '../../entities/index.ts'
import {
  findTakenProblem,
  followRename,
  nextInSeries,
  passInSeries,
  passManyInSeries,
  readBack,
  requireLocked,
  type SeriesNames,
  takenProblem,
  type UniqueValue,
  type Versioned,
  versioned,
} from '../../entities/index.ts'
import { otherExternalIdProblem, validationProblem } from '../../errors/index.ts'
import type { Write } from '../../http/index.ts'
import { followRenameByType, takenCustomFields } from '../../record-engine/index.ts'
import { todayIn } from '../../tenancy/index.ts'
import {
  composedName,
  nameErrors,
  newId,
  recomposedName,
  requireReadOnlyUnchanged,
  sameJson,
} from '../../values/index.ts'
import { findPrograms, requireProgramReference } from '../programs/index.ts'
import { insertStudentRows, type StudentRecord, type StudentRow, students, studentTable } from './student-store.ts'
import { emptyStudent, type StudentFields, storedStudent, withDerived } from './student-values.ts'

export type StudentBody = Body<(typeof clientApi)['createStudent']>

const series = 'EDU-STU'

const customFieldsOf = { recordType: customFieldResources.students, isFree: true }

/**
 * Creates a student. Throws `validation_failed` without a name, `reference_not_found`, `external_id_taken` and, for a
 * student code that is taken, `already_exists`.
 */
export async function prepareCreate(
  names: SeriesNames,
  context: RequestContext,
  body: StudentBody,
): Promise<Write<(typeof studentOperations)['createStudent']>> {
  const { id, timeZone } = context.tenant
  const [code] = findSeries(context, body) === null ? [] : await names.take(id, series, timeZone)
  return async (tx) => {
    const created = await insertStudent(tx, context, body, code)
    if (created !== null) return created
    throw await takenProblem(tx, students, uniqueValues(body))
  }
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

/** Students by their externalId. */
export const studentUpserting: Upserting<StudentRow, StudentRecord, StudentBody> = {
  definition: students,
  getContext: (context, externalId, body) => {
    if (body.externalId !== undefined && body.externalId !== externalId) throw otherExternalIdProblem()
    return context
  },
  findSeries,
  insert: (tx, context, externalId, body, code) => insertStudent(tx, context, { ...body, externalId }, code),
  insertMany: insertStudents,
  isPipelined: true,
  change: changeStudent,
  takenError: (tx, _, body) => takenProblem(tx, students, uniqueValues(body)),
}

/** The series of codes for a student that is to be made; null where the body has one. Throws `validation_failed`. */
function findSeries(context: RequestContext, body: StudentBody): string | null {
  requireNamed(context, body)
  return body.studentCode === undefined ? series : null
}

/** The full name of a student that is to be made. Throws `validation_failed` without one, and for a birth that is to come. */
function requireNamed(context: RequestContext, body: StudentBody): string {
  const fullName = body.fullName ?? composedName(body.givenNames, body.familyNames)
  const validationErrors = [...nameErrors(fullName), ...dateErrors(context, body)]
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
  return fullName
}

/** Null when a unique value of the body is taken. */
async function insertStudent(
  tx: Transaction,
  context: RequestContext,
  body: StudentBody,
  freshCode: string | undefined,
): Promise<Versioned<StudentRecord> | null> {
  requireReadOnlyUnchanged(context.readOnlyFields, null)
  const fullName = requireNamed(context, body)
  await requireProgramReference(tx, body.programId ?? null)
  if (body.studentCode !== undefined) await passInSeries(tx, series, body.studentCode)
  const studentCode = body.studentCode ?? freshCode ?? (await nextInSeries(tx, series, context.tenant.timeZone))
  const id = newId()
  const customFields = await takenCustomFields(tx, context.tenant, { ...customFieldsOf, before: {} }, body.customFields)
  const values = withDerived({ ...emptyStudent, ...writtenFields(body), customFields, fullName, studentCode })
  const inserted = await tx.query(
    sql`${studentTable.insert(tx.tenantId, id, values)} on conflict do nothing returning 1 as inserted`,
  )
  if (inserted.length === 0) {
    // Somebody else has chosen the code that the series gave; the series has gone past it then.
    const isLost = studentCode === freshCode && (await isCode(tx, studentCode))
    return isLost ? insertStudent(tx, context, body, undefined) : null
  }
  const created = await readBack(tx, students, id)
  const { record } = created
  const change = { type: 'student.created', list: students, entityId: id, before: null, after: record } as const
  recordChanges(tx, context, [{ ...change, externalId: record.externalId }])
  return created
}

/** Creates many students by one statement, and returns those that it created by their externalIds. */
async function insertStudents(
  tx: Transaction,
  upserts: readonly Upsert<StudentBody>[],
): Promise<Map<string, Versioned<StudentRecord>>> {
  const named = upserts.filter(({ body }) => typeof body.programId === 'string')
  const found = await findPrograms(
    tx,
    named.map(({ body }) => body.programId as string),
  )
  // The others are refused, or looked up, one by one.
  const plain = upserts.filter(
    ({ body, name, context }) =>
      body.customFields === undefined &&
      (body.studentCode ?? name) !== undefined &&
      (typeof body.programId !== 'string' || found.has(body.programId.toLowerCase())) &&
      Object.keys(context.readOnlyFields).length === 0,
  )
  const codes = plain.flatMap(({ body }) => body.studentCode ?? [])
  if (codes.length > 0) await passManyInSeries(tx, series, codes)
  const values = plain.map(({ context, externalId, body, name }) => {
    const fullName = requireNamed(context, body)
    const studentCode = body.studentCode ?? (name as string)
    const written = { ...emptyStudent, ...writtenFields(body), externalId, fullName, studentCode }
    return { id: newId(), ...withDerived(written) }
  })
  const rows = await tx.query<StudentRow>(insertStudentRows(tx.tenantId, values))
  const contexts = new Map(plain.map(({ externalId, context }) => [externalId, context]))
  return new Map(
    rows.map((row) => {
      const created = versioned(students, row)
      const { id: entityId } = created.record
      const externalId = created.record.externalId as string
      const change = { type: 'student.created', list: students, entityId, externalId, before: null } as const
      recordChanges(tx, contexts.get(externalId) as RequestContext, [{ ...change, after: created.record }])
      return [externalId, { ...created, isNew: true }]
    }),
  )
}

async function isCode(tx: Transaction, code: string): Promise<boolean> {
  const [student] = await tx.query(
    sql`select 1 as found from students where tenant_id = ${tx.tenantId} and student_code = ${code}`,
  )
  return student !== undefined
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
  const validationErrors = body.dateOfBirth === before.dateOfBirth ? [] : dateErrors(context, body)
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
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

function dateErrors(context: RequestContext, body: StudentBody): Fault[] {
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
