import { customFieldResources, type Json, type MappingTarget } from '@matricula/contract'
import type { ChangeContext } from '../../../changes/index.ts'
import type { Transaction } from '../../../database/index.ts'
import { loadCustomFieldsOfAnswers } from '../../../record-engine/index.ts'
import { type CustomFields, readCustomFields } from '../../../tenancy/custom-fields/index.ts'
import { type CreateApplicationBody, createApplication } from '../../admissions/index.ts'
import { findProgramId } from '../../programs/index.ts'
import type { FormDefinition } from '../form-definition.ts'

/**
 * Makes the application that a submission stands for, in the pipeline's initial status, with the mapped answers. Its
 * contacts are the mapped person, if any, as the primary one, and the applicant. Throws what a create of an application
 * throws.
 */
export async function createMappedApplication(
  tx: Transaction,
  context: ChangeContext,
  { mapping }: FormDefinition,
  values: ReadonlyMap<string, Json>,
): Promise<string> {
  const mapped = mappedValues(mapping, values)
  const { program, ...fields } = getFields(mapped)
  const tenant = { ...context.tenant, customFields: await applicationFields(tx) }
  const programId = program === undefined ? null : await findProgramId(tx, program)
  const body: CreateApplicationBody = {
    ...fields,
    ...(programId !== null ? { programId } : program !== undefined && { program }),
    // What a field of the institution could not have stays with the submission alone.
    customFields: await loadCustomFieldsOfAnswers(
      tx,
      tenant,
      recordType,
      Object.fromEntries(below(mapped, 'customFields.')),
    ),
    contacts: findContacts(mapped),
  }
  const { record } = await createApplication(tx, { ...context, tenant, readOnlyFields: {} }, body)
  return record.id
}

type Mapped = ReadonlyMap<MappingTarget, Json>

/** The answers that become something, by what they become. */
export function mappedValues(mapping: FormDefinition['mapping'], values: ReadonlyMap<string, Json>): Mapped {
  const mapped = new Map<MappingTarget, Json>()
  for (const [key, target] of Object.entries(mapping)) {
    const value = values.get(key)
    if (value !== undefined) mapped.set(target, value)
  }
  return mapped
}

function getFields(mapped: Mapped): Record<string, string> {
  const plain = [...mapped].filter(([target]) => !target.includes('.'))
  return Object.fromEntries(plain.map(([target, value]) => [target, String(value)]))
}

function below(mapped: Mapped, prefix: string): [string, Json][] {
  return [...mapped]
    .filter(([target]) => target.startsWith(prefix))
    .map(([target, value]) => [target.slice(prefix.length), value])
}

const recordType = customFieldResources.applications

/** The fields that the institution has added to applications. */
function applicationFields(tx: Transaction): Promise<CustomFields> {
  return readCustomFields((statement) => tx.query(statement), tx.tenantId, recordType)
}

function findContacts(mapped: Mapped): NonNullable<CreateApplicationBody['contacts']> {
  const person = Object.fromEntries(below(mapped, 'contact.').map(([name, value]) => [name, String(value)]))
  const isNamed = ['displayName', 'email', 'phone'].some((name) => name in person)
  const applicant = { role: 'applicant', source: 'form' } as const
  return isNamed ? [{ ...person, isPrimary: true, source: 'form' }, applicant] : [applicant]
}
