import {
  admissionOperations,
  CourseImportBody,
  type ImportKindName,
  type Json,
  type Operation,
  ProgramImportBody,
  paymentOperations,
  studentOperations,
  type TObject,
} from '@matricula/contract'
import { course, program, type RecordType, student, studentApplicant } from '@matricula/contract/record-types'
import { recordChanges } from '../../../changes/index.ts'
import { lockTenantExclusive } from '../../../concurrency/index.ts'
import { identifier, sql } from '../../../database/index.ts'
import { lockKeyed, type Upserting } from '../../../entities/index.ts'
import { CommandError } from '../../../errors/index.ts'
import { applicationUpserting } from '../../admissions/index.ts'
import { paymentFollower } from '../../billing-accounts/index.ts'
import { courseUpserting } from '../../courses/index.ts'
import { paymentUpserting } from '../../payments/index.ts'
import { programUpserting } from '../../programs/index.ts'
import { studentUpserting } from '../../students/index.ts'
import { getBodyFields, type ImportField, textField } from '../import-fields.ts'
import type { ImportKind, ImportSession } from './import-kind.ts'
import { type Reference, toDepartment } from './references.ts'
import { UpsertWriter } from './upsert-writer.ts'

const byProgram: Reference = {
  column: 'programExternalId',
  field: 'programId',
  table: 'programs',
  key: 'external_id',
  value: 'id',
  noun: 'program',
}
const byStudent: Reference = {
  column: 'studentExternalId',
  field: 'studentId',
  table: 'students',
  key: 'external_id',
  value: 'id',
  noun: 'student',
}
const byStudentCode: Reference = { ...byStudent, column: 'studentCode', key: 'student_code' }

/** What the upserts of the catalogue, which the Client API does not write, are validated by. */
function catalogueOperation(path: string, body: TObject): Operation {
  return { ...studentOperations.upsertStudentByExternalId, path: `${path}/external/{externalId}`, body } as never
}

interface ClientKind {
  readonly name: ImportKindName
  readonly upserting: Upserting<never, never, never>
  readonly operation: Operation
  readonly references?: readonly Reference[]
  readonly decidedOnce?: readonly string[]
  readonly domain: ImportKind['domain']
  /** The record type that removes one; null where the kind has none. */
  readonly type: RecordType | null
  /** Where the type names a record. */
  readonly nameColumn: string
  /** Takes back what a run has written of a record elsewhere, before the record is removed. */
  unlink?(session: ImportSession, id: string): Promise<void>
}

const declared: readonly ClientKind[] = [
  {
    name: 'students',
    upserting: studentUpserting as never,
    operation: studentOperations.upsertStudentByExternalId,
    references: [byProgram],
    domain: 'students',
    type: student,
    nameColumn: 'student_code',
  },
  {
    name: 'applications',
    upserting: applicationUpserting as never,
    operation: admissionOperations.upsertApplicationByExternalId,
    references: [byProgram, byStudent],
    decidedOnce: ['status'],
    domain: 'enrollment',
    type: studentApplicant,
    nameColumn: 'application_code',
  },
  {
    name: 'payments',
    upserting: paymentUpserting(paymentFollower) as never,
    operation: paymentOperations.upsertPaymentByExternalId,
    references: [byStudent, byStudentCode],
    domain: 'payments',
    type: null,
    nameColumn: 'id',
  },
  {
    name: 'programs',
    upserting: programUpserting as never,
    operation: catalogueOperation('/programs', ProgramImportBody),
    references: [toDepartment],
    domain: null,
    type: program,
    nameColumn: 'name',
  },
  {
    name: 'courses',
    upserting: courseUpserting as never,
    operation: catalogueOperation('/courses', CourseImportBody),
    references: [toDepartment],
    domain: null,
    type: course,
    nameColumn: 'name',
    unlink: leaveProgramsOfRun,
  },
]

/** The kinds that are brought in by upserts. */
export const clientKinds: readonly ImportKind[] = declared.map(toKind)

function toKind(kind: ClientKind): ImportKind {
  const { name, operation, references = [], decidedOnce = [], domain, type, nameColumn } = kind
  const upserting = kind.upserting as unknown as Upserting<object, { id: string }, object>
  const { table } = upserting.definition
  const open = (session: ImportSession) =>
    new UpsertWriter({ kind: name, upserting, operation, references, decidedOnce }, session)
  return {
    name,
    fields: getFields(operation.body as TObject, references),
    references,
    table,
    domain,
    open,
    remove: async (session, id) => {
      await lockTenantExclusive(session.tx)
      if (type === null) return removePayment(session, id)
      const [row] = await session.tx.query<{ name: string }>(sql`
        select ${identifier(nameColumn)} as name from ${identifier(table)}
         where tenant_id = ${session.tx.tenantId} and id = ${id}`)
      await kind.unlink?.(session, id)
      if (row !== undefined) await session.makeEngine().remove(type, row.name)
    },
    restore: async (session, id, before) => {
      const current = await lockKeyed(session.tx, upserting.definition, { column: 'id', value: id })
      if (current === null) return
      const body = getWritable(operation.body as TObject, before)
      const context = { ...session.context, ifMatch: null, readOnlyFields: {} }
      await upserting.change(session.tx, context, current, body)
    },
  }
}

function getFields(body: TObject, references: readonly Reference[]): ImportField[] {
  const own = getBodyFields(body)
  const known = new Set(own.map(({ name }) => name))
  const keys = ['id', 'externalId'].filter((name) => !known.has(name)).map(textField)
  const further = references.map(({ column }) => column).filter((name) => !known.has(name))
  return [...keys, ...own.map(asKey), ...further.map(textField)]
}

/** The id may be sent, since it names the record. */
function asKey(field: ImportField): ImportField {
  return field.name === 'id' || field.name === 'externalId' ? { ...textField(field.name) } : field
}

/** The fields among these that a body may have. */
function getWritable({ properties }: TObject, values: Readonly<Record<string, Json>>): object {
  return Object.fromEntries(
    Object.entries(values).filter(([field]) => {
      const schema = properties[field] as { readOnly?: boolean } | undefined
      return schema !== undefined && schema.readOnly !== true
    }),
  )
}

/** Takes a course out of the programs to which a run has added it; those to which others did stay. */
async function leaveProgramsOfRun({ tx, context, runId }: ImportSession, id: string): Promise<void> {
  const current = await lockKeyed(tx, courseUpserting.definition, { column: 'id', value: id })
  if (current === null) return
  const stays = await tx.query<{ name: string }>(sql`
    select p.name
      from program_courses l
      join programs p on p.tenant_id = ${tx.tenantId} and p.id = l.program_id
     where l.tenant_id = ${tx.tenantId} and l.course_id = ${id}
       and not exists (
         select from audit_entries a where a.tenant_id = ${tx.tenantId} and a.entity_id = p.id and a.request_id = ${runId})`)
  const writing = { ...context, ifMatch: null, readOnlyFields: {} }
  await courseUpserting.change(tx, writing, current, { programs: stays.map(({ name }) => name) })
}

async function removePayment(session: ImportSession, id: string): Promise<void> {
  const { tx, context } = session
  const { definition } = paymentUpserting(paymentFollower)
  const current = await lockKeyed(tx, definition, { column: 'id', value: id })
  if (current === null) return
  const [row] = await tx.query<{ fee: string | null }>(
    sql`select fee from payments where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  if (typeof row?.fee === 'string')
    throw new CommandError('state_conflict', `The payment is that of the fee ${row.fee}.`)
  const before = current.record
  // The ledger keeps the charge and its reversal; what receipts of others have paid is refused.
  if (before.status !== 'cancelled')
    await paymentFollower.changed(tx, context, before, { ...before, status: 'cancelled' })
  await tx.query(sql`delete from payments where tenant_id = ${tx.tenantId} and id = ${id}`)
  recordChanges(tx, context, [
    { type: 'payment.deleted', list: definition, entityId: id, externalId: before.externalId, before, after: null },
  ])
}
