import { type TUnsafe, Type } from 'typebox'
import { domains, modules, scopes, systemsOfRecord } from '../access.ts'
import { operation } from '../operation.ts'
import { count, described, label, listOf, oneOf, record, type Static, Uuid } from '../schema.ts'
import { CustomFieldInfo, customFieldResources } from './custom-fields.ts'

const customFieldNames = Object.keys(customFieldResources) as (keyof typeof customFieldResources)[]

/** The calling token, its tenant and what both are allowed. */
export const TokenContext = record(
  'TokenContext',
  'The calling token, its tenant, and everything that explains a refusal.',
  {
    tenant: Type.Object(
      {
        id: described(Uuid, 'Id of the tenant.'),
        slug: label('Short name of the tenant in addresses.'),
        name: label('Name of the institution.'),
      },
      { additionalProperties: false, description: 'The institution that the token belongs to.' },
    ),
    apiKey: Type.Object(
      {
        id: described(Uuid, 'Id of the API key record.'),
        name: label('Name given to the token.'),
        scopes: listOf(oneOf(scopes, 'A scope.'), 'Scopes granted to the token.'),
        masterDomains: listOf(oneOf(domains, 'A domain.'), 'Domains that the token may write.'),
        rateLimit: Type.Object(
          { requestsPerMinute: count('Requests that the token may send in a minute.') },
          { additionalProperties: false, description: 'The token’s quota.' },
        ),
      },
      { additionalProperties: false, description: 'The API key record of the token.' },
    ),
    productAccess: Type.Object(
      {
        enabledModules: listOf(oneOf(modules, 'A module.'), 'Modules enabled for the tenant.'),
        sorByDomain: Type.Object(
          Object.fromEntries(domains.map((domain) => [domain, oneOf(systemsOfRecord, 'Who owns the domain.')])) as {
            [D in (typeof domains)[number]]: ReturnType<typeof oneOf<(typeof systemsOfRecord)[number]>>
          },
          { additionalProperties: false, description: 'System of record per domain.' },
        ),
      },
      { additionalProperties: false, description: 'What the tenant has switched on.' },
    ),
    customFields: Type.Optional(
      Type.Object(
        Object.fromEntries(
          customFieldNames.map((resource) => [resource, listOf(CustomFieldInfo, `Those of ${resource}.`)]),
        ) as { [Resource in keyof typeof customFieldResources]: TUnsafe<Static<typeof CustomFieldInfo>[]> },
        {
          additionalProperties: false,
          description:
            'The fields that the institution has defined, which records of each resource have below `customFields`; absent where it has defined none.',
        },
      ),
    ),
  },
  {
    tenant: { id: '01985b2e-5a00-7000-8000-00000000000a', slug: 'grand-bend', name: 'Grand Bend ISD' },
    apiKey: {
      id: '01985b2e-5a00-7000-8000-00000000000b',
      name: 'ERP sync',
      scopes: ['students:read', 'students:write'],
      masterDomains: ['students'],
      rateLimit: { requestsPerMinute: 600 },
    },
    productAccess: {
      enabledModules: ['platform_integrations', 'staff_students'],
      sorByDomain: { students: 'integration', enrollment: 'platform', payments: 'shared' },
    },
    customFields: {
      students: [
        {
          name: 'house',
          label: 'House',
          type: 'option',
          required: false,
          unique: false,
          options: ['Red', 'Blue'],
          linksTo: null,
          description: null,
        },
      ],
      applications: [],
      payments: [],
      programs: [],
      courses: [],
    },
  },
)

export const tokenContextOperations = {
  getTokenContext: operation(
    { tag: 'Token', modules: [], domain: null },
    {
      method: 'GET',
      path: '/me',
      scope: null,
      idempotency: 'none',
      summary: 'Inspect the calling token',
      description: 'Needs no scope and no module, and explains every refusal of the other operations.',
      shape: 'record',
      record: TokenContext,
      status: 200,
      errors: [],
      events: [],
    },
  ),
}
