import { type admissionOperations, type Body, type clientApi, customFieldResources } from '@matricula/contract'
import { type ChangeContext, type RequestContext, recordChanges, requireMatch } from '../../changes/index.ts'
import { sql, type Transaction } from '../../database/index.ts'
import type { Upserting } from '../../entities/index.ts'
import {
  findTakenProblem,
  nextInSeries,
  readBack,
  requireLocked,
  type SeriesNames,
  takenProblem,
  type UniqueValue,
  type Versioned,
} from '../../entities/index.ts'
import { otherExternalIdProblem, validationProblem } from '../../errors/index.ts'
import type { Write } from '../../http/index.ts'
import { takenCustomFields } from '../../record-engine/index.ts'
import {
  composedName,
  nameErrors,
  newId,
  readOnlyError,
  recomposedName,
  requireReadOnlyUnchanged,
  sameJson,
} from '../../values/index.ts'
import { requireProgramReference } from '../programs/index.ts'
import { requireCompleteDocuments } from '../requirements/index.ts'
import { requireStudentReference } from '../students/index.ts'
import { isLinked, type LinkContactBody, linkContacts } from './application-contacts.ts'
import { recordMove, requireMovable, requireStudentOfEnrolled } from './application-moves.ts'
import { type ApplicationRecord, type ApplicationRow, applications, applicationTable } from './application-store.ts'
import { type ApplicationFields, emptyApplication, toStoredFields, withDerived } from './application-values.ts'
import { requireStartingStatus } from './pipeline.ts'

type ApplicationBody = Body<(typeof clientApi)['updateApplication']>
export type CreateApplicationBody = Body<(typeof clientApi)['createApplication']>

/** The context of creating an application. */
interface CreationContext extends ChangeContext, Pick<RequestContext, 'readOnlyFields'> {
  readonly tenant: ChangeContext['tenant'] & Pick<RequestContext['tenant'], 'customFields'>
}

const series = 'EDU-APP'

const customFieldOptions = { recordType: customFieldResources.applications, isFree: true }

/**
 * Creates an application with its contacts. `freshCode` is a code already taken from the series.
 *
 * @throws Problem `validation_failed` without a name; `unknown_pipeline_status`; `reference_not_found`;
 * `external_id_taken`; and `requirements_incomplete` for a status that needs documents.
 */
export async function createApplication(
  tx: Transaction,
  context: CreationContext,
  body: CreateApplicationBody,
  freshCode?: string,
): Promise<Versioned<ApplicationRecord>> {
  const created = await insertApplication(tx, context, body, freshCode)
  if (created !== null) return created
  throw await takenProblem(tx, applications, uniqueValues(body))
}

/** Prepares `createApplication` with a code taken from the series before the transaction. */
export async function prepareCreate(
  names: SeriesNames,
  context: RequestContext,
  body: CreateApplicationBody,
): Promise<Write<(typeof admissionOperations)['createApplication']>> {
  requireNamed(body)
  // Codes come from the series only, so this one is free.
  const [code] = await names.take(context.tenant.id, series, context.tenant.timeZone)
  return (tx) => createApplication(tx, context, body, code)
}

/**
 * Updates the members in the body. Throws `resource_not_found`, `precondition_failed`, `transition_not_allowed`, and
 * what `createApplication` throws.
 */
export async function updateApplication(
  tx: Transaction,
  context: RequestContext,
  id: string,
  body: ApplicationBody,
): Promise<Versioned<ApplicationRecord>> {
  return changeApplication(tx, context, await requireLocked(tx, applications, id), body)
}

/**
 * Upsert of applications by externalId. Contacts of the body that are not linked yet are linked, so a repeated call
 * changes nothing.
 */
export const applicationUpserting: Upserting<ApplicationRow, ApplicationRecord, CreateApplicationBody> = {
  definition: applications,
  getContext: (context, externalId, body) => {
    if (body.externalId !== undefined && body.externalId !== externalId) throw otherExternalIdProblem()
    return context
  },
  findSeries: (_, body) => {
    requireNamed(body)
    return series
  },
  insert: (tx, context, externalId, body, code) => insertApplication(tx, context, { ...body, externalId }, code),
  change: mergeApplication,
  takenError: (tx, _, body) => takenProblem(tx, applications, uniqueValues(body)),
}

/** The full name of a new application. Throws `validation_failed` without one. */
function requireNamed(body: Pick<CreateApplicationBody, 'fullName' | 'givenNames' | 'familyNames'>): string {
  const fullName = body.fullName ?? composedName(body.givenNames, body.familyNames)
  const validationErrors = nameErrors(fullName)
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
  return fullName
}

/** Null when the externalId is taken. */
async function insertApplication(
  tx: Transaction,
  context: CreationContext,
  body: CreateApplicationBody,
  freshCode: string | undefined,
): Promise<Versioned<ApplicationRecord> | null> {
  const { contacts = [], ...fields } = body
  requireReadOnlyUnchanged(context.readOnlyFields, null)
  requireNoKnownLinks(contacts)
  const fullName = requireNamed(fields)
  const { key: status, requiresComplete } = await requireStartingStatus(tx, fields.status)
  await requireProgramReference(tx, fields.programId ?? null)
  await requireStudentReference(tx, fields.studentId ?? null)
  const applicationCode = freshCode ?? (await nextInSeries(tx, series, context.tenant.timeZone))
  const id = newId()
  const customFields = await takenCustomFields(
    tx,
    context.tenant,
    { ...customFieldOptions, before: {} },
    fields.customFields,
  )
  const written = { ...emptyApplication, ...writtenFields(fields), customFields }
  const values = withDerived({ ...written, fullName, status, applicationCode })
  const inserted = await tx.query(
    sql`${applicationTable.insert(tx.tenantId, id, values)} on conflict do nothing returning 1 as inserted`,
  )
  if (inserted.length === 0) return null
  if (requiresComplete) await requireCompleteDocuments(tx, id)
  recordMove(tx, context, id, null, status)
  const created = await readBack(tx, applications, id)
  recordApplicationChange(tx, context, null, created.record)
  return contacts.length === 0 ? created : linkContacts(tx, context, created.record, contacts)
}

async function changeApplication(
  tx: Transaction,
  context: RequestContext,
  current: Versioned<ApplicationRecord>,
  body: ApplicationBody,
): Promise<Versioned<ApplicationRecord>> {
  const before = current.record
  requireMatch(context, current.entityTag)
  requireReadOnlyUnchanged(context.readOnlyFields, before)
  const stored = withDerived(toStoredFields(before))
  const written = { ...toStoredFields(before), ...writtenFields(body) }
  const values = withDerived({
    ...written,
    fullName: body.fullName ?? recomposedName(before, written),
    customFields: await takenCustomFields(
      tx,
      context.tenant,
      { ...customFieldOptions, before: before.customFields },
      body.customFields,
    ),
  })
  if (sameJson(values, stored)) return current
  if (written.status !== before.status) {
    await requireMovable(tx, before, written.status)
    await requireStudentOfEnrolled(tx, context, written, before.status)
  }
  if (written.programId !== before.programId) await requireProgramReference(tx, written.programId)
  if (written.studentId !== before.studentId) await requireStudentReference(tx, written.studentId)
  const takenError = await findTakenProblem(tx, applications, uniqueValues(body), before.id)
  if (takenError !== null) throw takenError
  await tx.query(applicationTable.update(tx.tenantId, before.id, values, stored))
  if (written.status !== before.status) recordMove(tx, context, before.id, before.status, written.status)
  const changed = await readBack(tx, applications, before.id)
  recordApplicationChange(tx, context, before, changed.record)
  return changed
}

async function mergeApplication(
  tx: Transaction,
  context: RequestContext,
  current: Versioned<ApplicationRecord>,
  body: CreateApplicationBody,
): Promise<Versioned<ApplicationRecord>> {
  const { contacts = [], ...fields } = body
  const changed = await changeApplication(tx, context, current, fields)
  const missing = contacts.filter((contact) => !isLinked(current.record, contact))
  requireNoKnownLinks(missing)
  return missing.length === 0 ? changed : linkContacts(tx, context, changed.record, missing)
}

/** A link with an id or timestamps was read from a record, and belongs to another application. */
function requireNoKnownLinks(contacts: readonly LinkContactBody[]): void {
  const validationErrors = contacts.flatMap((contact, index) =>
    ['id', 'createdAt', 'updatedAt']
      .filter((field) => field in contact)
      .map((field) => readOnlyError(`#/contacts/${index}/${field}`)),
  )
  if (validationErrors.length > 0) throw validationProblem(validationErrors)
}

/** The members in the body, in their stored form. */
function writtenFields(body: ApplicationBody): Partial<ApplicationFields> {
  return { ...body, ...(body.email === '' && { email: null }) }
}

function uniqueValues(body: ApplicationBody): UniqueValue[] {
  return [{ field: 'externalId', column: 'external_id', value: body.externalId, code: 'external_id_taken' }]
}

function recordApplicationChange(
  tx: Transaction,
  context: ChangeContext,
  before: ApplicationRecord | null,
  after: ApplicationRecord,
): void {
  const type =
    before === null
      ? 'admission_application.created'
      : before.status === after.status
        ? 'admission_application.updated'
        : 'admission_application.status_changed'
  const { id: entityId, externalId } = after
  recordChanges(tx, context, [{ type, list: applications, entityId, externalId, before, after }])
}
