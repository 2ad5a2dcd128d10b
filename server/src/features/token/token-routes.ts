import {
  type CustomFieldInfo,
  type CustomFieldKind,
  customFieldResources,
  type Static,
  tokenContextOperations,
} from '@matricula/contract'
import type { CustomFieldType } from '@matricula/contract/record-types'
import { implement } from '../../http/index.ts'
import { addedTo, type CustomField, type CustomFields } from '../../tenancy/custom-fields/index.ts'

export const tokenRoutes = implement(tokenContextOperations, {
  getTokenContext: async (_database, { context }) => {
    const { tenant, caller } = context
    const record = {
      tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name },
      apiKey: {
        id: caller.actor.id,
        name: caller.actor.name,
        scopes: [...caller.scopes],
        masterDomains: [...caller.masterDomains],
        rateLimit: { requestsPerMinute: caller.requestsPerMinute },
      },
      productAccess: { enabledModules: [...tenant.enabledModules], sorByDomain: { ...tenant.systemOfRecord } },
      ...describedFields(tenant.customFields),
    }
    return { record, entityTag: null }
  },
})

const kinds: Readonly<Record<CustomFieldType, CustomFieldKind>> = {
  Data: 'text',
  'Small Text': 'long_text',
  Text: 'long_text',
  Select: 'option',
  Link: 'link',
  Date: 'date',
  Datetime: 'date_time',
  Time: 'time',
  Check: 'boolean',
  Int: 'integer',
  Float: 'number',
  Currency: 'number',
  Percent: 'number',
  Duration: 'duration',
}

type Resource = keyof typeof customFieldResources

/** The fields that an institution has added to the records of each resource; nothing where it has added none. */
function describedFields(fields: CustomFields) {
  const resources = Object.entries(customFieldResources).map(([resource, type]) => {
    return [resource, addedTo(fields, type).defined.map(describedField)] as const
  })
  if (resources.every(([, described]) => described.length === 0)) return {}
  return { customFields: Object.fromEntries(resources) as Record<Resource, Static<typeof CustomFieldInfo>[]> }
}

function describedField(field: CustomField): Static<typeof CustomFieldInfo> {
  return {
    name: field.name,
    label: field.label,
    type: kinds[field.fieldType],
    required: field.isRequired,
    unique: field.isUnique,
    options: field.options.filter((option) => option !== ''),
    linksTo: field.target?.type ?? null,
    description: field.description,
  }
}
