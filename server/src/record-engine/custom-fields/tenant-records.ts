import type { Field, RecordType } from '@matricula/contract/record-types'
import { addedTo, type CustomField, type CustomFields } from '../../tenancy/custom-fields/index.ts'
import type { RecordDefinition } from '../model/record-definition.ts'
import { RecordRegistry } from '../model/record-registry.ts'

/** Whether an institution may add fields to a type: not to computed ones and those that only the service writes. */
export function takesCustomFields({ type, computed, isWrittenByService, storage }: RecordDefinition): boolean {
  if (storage?.hasCustomFields === false) return false
  return computed === null && !isWrittenByService && type.name !== 'Custom Field'
}

/** Cache of registries by the tenant's custom fields, for the lifetime of these. */
const made = new WeakMap<CustomFields, RecordRegistry>()
const ofTenants = new WeakSet<RecordRegistry>()

/** The record types of a tenant: those that are declared, with the fields that it has added to them. */
export function recordsOfTenant(declared: RecordRegistry, customFields: CustomFields): RecordRegistry {
  if (customFields.size === 0 || ofTenants.has(declared)) return declared
  const known = made.get(customFields)
  if (known !== undefined) return known
  const definitions = declared.declared().map((definition): RecordDefinition => {
    const added = addedTo(customFields, definition.type.name).defined
    return added.length === 0 ? definition : { ...definition, type: withCustomFields(definition.type, added) }
  })
  const types = definitions.map(({ type }) => type)
  const registry = new RecordRegistry(types, definitions, declared.siteDefaults)
  made.set(customFields, registry)
  ofTenants.add(registry)
  return registry
}

/** A type with the fields that a tenant has added, each behind its `insertAfter`, or at the end. */
function withCustomFields(type: RecordType, added: readonly CustomField[]): RecordType {
  const names = Object.keys(type.fields)
  const fields: Record<string, Field> = { ...type.fields }
  for (const field of added) {
    fields[field.name] = declaredField(field)
    const position = field.insertAfter === null ? -1 : names.indexOf(field.insertAfter)
    names.splice(position < 0 ? names.length : position + 1, 0, field.name)
  }
  return { ...type, fields: Object.fromEntries(names.map((name) => [name, fields[name] as Field])) }
}

function declaredField(field: CustomField): Field {
  const common = {
    customId: field.id,
    label: field.label,
    required: field.isRequired,
    unique: field.isUnique,
    readOnly: field.isReadOnly,
    hidden: field.isHidden,
    inListView: field.isInListView,
    allowOnSubmit: field.isAllowedOnSubmit,
    noCopy: field.isNotCopied,
    ...(field.default !== null && { default: field.default }),
    ...(field.description !== null && { description: field.description }),
  }
  if (field.fieldType === 'Select') return { ...common, type: 'Select', options: field.options }
  if (field.fieldType === 'Link') return { ...common, type: 'Link', target: field.target?.type ?? '' }
  return { ...common, type: field.fieldType, ...(field.precision !== null && { precision: field.precision }) }
}
