import { customFieldResources, type Json, type MappingTarget } from '@matricula/contract'
import type { ChangeContext } from '../../../changes/index.ts'
import type { Transaction } from '../../../database/index.ts'
import { loadCustomFieldsOfAnswers } from '../../../record-engine/index.ts'
import { type CustomFields, readCustomFields } from '../../../tenancy/custom-fields/index.ts'
import { type CreateApplicationBody, createApplication, storeApplicantDetails } from '../../admissions/index.ts'
import { findProgramId } from '../../programs/index.ts'
import type { FormDefinition } from '../form-definition.ts'

/**
 * Creates the application of a submission, in the initial status of the pipeline, with the mapped answers. Its contacts
 * are the mapped person, if any, as primary contact, and the applicant. Returns its id.
 *
 * @throws Problem what `createApplication` throws.
 */
export async function createMappedApplication(
  tx: Transaction,
  context: ChangeContext,
  { mapping }: FormDefinition,
  values: ReadonlyMap<string, Json>,
): Promise<string> {
  const mapped = mapAnswers(mapping, values)
  const { program, dateOfBirth, gender, nationality, postalCode, ...fields } = toPlainFields(mapped)
  const tenant = { ...context.tenant, customFields: await readApplicationFields(tx) }
  const programId = program === undefined ? null : await findProgramId(tx, program)
  const body: CreateApplicationBody = {
    ...fields,
    ...(programId !== null ? { programId } : program !== undefined && { program }),
    // Answers that a custom field does not accept stay with the submission only.
    customFields: await loadCustomFieldsOfAnswers(
      tx,
      tenant,
      recordType,
      Object.fromEntries(findByPrefix(mapped, 'customFields.')),
    ),
    contacts: buildContacts(mapped),
  }
  const { record } = await createApplication(tx, { ...context, tenant, readOnlyFields: {} }, body)
  storeApplicantDetails(tx, tenant.timeZone, record.id, { dateOfBirth, gender, nationality, postalCode })
  return record.id
}

type Mapped = ReadonlyMap<MappingTarget, Json>

/** The mapped answers, by their target. */
export function mapAnswers(mapping: FormDefinition['mapping'], values: ReadonlyMap<string, Json>): Mapped {
  const mapped = new Map<MappingTarget, Json>()
  for (const [key, target] of Object.entries(mapping)) {
    const value = values.get(key)
    if (value !== undefined) mapped.set(target, value)
  }
  return mapped
}

function toPlainFields(mapped: Mapped): Record<string, string> {
  const plain = [...mapped].filter(([target]) => !target.includes('.'))
  return Object.fromEntries(plain.map(([target, value]) => [target, String(value)]))
}

function findByPrefix(mapped: Mapped, prefix: string): [string, Json][] {
  return [...mapped]
    .filter(([target]) => target.startsWith(prefix))
    .map(([target, value]) => [target.slice(prefix.length), value])
}

const recordType = customFieldResources.applications

/** The custom fields of applications. */
function readApplicationFields(tx: Transaction): Promise<CustomFields> {
  return readCustomFields((statement) => tx.query(statement), tx.tenantId, recordType)
}

function buildContacts(mapped: Mapped): NonNullable<CreateApplicationBody['contacts']> {
  const person = Object.fromEntries(findByPrefix(mapped, 'contact.').map(([name, value]) => [name, String(value)]))
  const isNamed = ['displayName', 'email', 'phone'].some((name) => name in person)
  const applicant = { role: 'applicant', source: 'form' } as const
  return isNamed ? [{ ...person, isPrimary: true, source: 'form' }, applicant] : [applicant]
}
