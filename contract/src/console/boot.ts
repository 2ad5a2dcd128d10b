import { Type } from 'typebox'
import { domains, modules, scopes, systemsOfRecord } from '../access.ts'
import { operation } from '../operation.ts'
import { count, described, flag, label, listOf, nullable, oneOf, record, Uuid } from '../schema.ts'
import { preferenceFields } from './preferences.ts'

const rights = ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend'] as const

const DomainOwner = (domain: (typeof domains)[number]) =>
  Type.Object(
    {
      value: oneOf(systemsOfRecord, 'Who owns the domain. People write it unless it is `integration`.'),
      owner: nullable(label('The names of the tokens that may write it, where it is `integration`.')),
    },
    { additionalProperties: false, description: `Who owns ${domain}.` },
  )

/** What a page needs to know before it shows anything: who is there, and what such a one may do. */
export const Boot = record(
  'Boot',
  'Who is logged in, what that person may do, and how the institution is set.',
  {
    user: Type.Object(
      {
        id: described(Uuid, 'Id of the user.'),
        name: label('The user’s e-mail address, by which records name their owner.'),
        fullName: label('What people call the user.'),
        image: nullable(label('Address of a picture.')),
        roles: listOf(label('A role.'), 'The roles that the user was given.'),
        language: label(
          'Language that the user chose for the console, else that of the user, else of the institution (BCP 47).',
        ),
        timeZone: label('Time zone of the user, else of the institution (IANA).'),
      },
      { additionalProperties: false, description: 'The person.' },
    ),
    tenant: Type.Object(
      {
        id: described(Uuid, 'Id of the institution.'),
        slug: label('Its short name in addresses.'),
        name: label('Its name.'),
        currency: label('Its currency (ISO 4217).'),
        timeZone: label('Its time zone (IANA).'),
        language: label('Its own language.'),
        languages: listOf(label('A language.'), 'The languages in which its pages can be read.'),
        enabledModules: listOf(oneOf(modules, 'A module.'), 'What it has switched on.'),
      },
      { additionalProperties: false, description: 'The institution.' },
    ),
    rights: listOf(
      Type.Object(
        {
          type: label('Name of the record type.'),
          rights: listOf(oneOf(rights, 'A right.'), 'What the user may do with records of it.'),
          ownOnly: flag(
            'Whether it is so for some records of the type alone, such as those of a teacher’s own groups.',
          ),
        },
        { additionalProperties: false, description: 'What the user may do with a record type.' },
      ),
      'What the user may do on the Resource API, as it judges. Types that the user may not even read are absent.',
    ),
    customFieldTypes: listOf(
      label('Name of the record type.'),
      'The types that the user may read and to which the institution has added fields; `DocType` describes them.',
    ),
    scopes: listOf(oneOf(scopes, 'A scope.'), 'What the user may do with the operations below `console/v1`.'),
    systemOfRecord: Type.Object(
      Object.fromEntries(domains.map((domain) => [domain, DomainOwner(domain)])) as {
        [Domain in (typeof domains)[number]]: ReturnType<typeof DomainOwner>
      },
      { additionalProperties: false, description: 'Who may write the domains.' },
    ),
    academicYear: nullable(label('The current academic year, by its name.')),
    academicTerm: nullable(label('The current academic term, by its name.')),
    badges: Type.Object(
      {
        documentsToReview: nullable(count('Documents that wait for somebody to review them.')),
        openApplications: nullable(count('Applications in a status of the category `open`.')),
        openRequests: nullable(count('Requests to families that are not answered whole.')),
      },
      { additionalProperties: false, description: 'What waits; null where the user may not see it.' },
    ),
    preferences: Type.Object(preferenceFields, {
      additionalProperties: false,
      description: 'How the user wants the console to be.',
    }),
    session: Type.Object(
      {
        idleMinutes: count(
          'Minutes after which the session ends unless the person does something. What follows a feed, or is sent with `X-By-Itself: 1`, is nobody’s doing.',
        ),
        warningSeconds: count('How many seconds before that the page should warn (WCAG 2.2.1).'),
      },
      { additionalProperties: false, description: 'How long the session lasts.' },
    ),
  },
  {
    user: {
      id: '01985b2e-5a00-7000-8000-00000000000c',
      name: 'registrar@grand-bend.example',
      fullName: 'Rosa Delgado',
      image: null,
      roles: ['Academics User'],
      language: 'es',
      timeZone: 'America/Chicago',
    },
    tenant: {
      id: '01985b2e-5a00-7000-8000-00000000000a',
      slug: 'grand-bend',
      name: 'Grand Bend ISD',
      currency: 'USD',
      timeZone: 'America/Chicago',
      language: 'en',
      languages: ['en', 'es', 'pt'],
      enabledModules: ['platform_integrations', 'staff_students'],
    },
    rights: [{ type: 'Student', rights: ['read', 'write', 'create', 'delete'], ownOnly: false }],
    customFieldTypes: ['Student'],
    scopes: ['students:read', 'students:write'],
    systemOfRecord: {
      students: { value: 'integration', owner: 'District SIS' },
      enrollment: { value: 'shared', owner: null },
      payments: { value: 'platform', owner: null },
    },
    academicYear: '2026-27',
    academicTerm: '2026-27 (Autumn)',
    badges: { documentsToReview: 12, openApplications: 340, openRequests: 25 },
    preferences: { language: 'es', theme: 'system', density: 'comfortable', singleKeys: true, settings: {} },
    session: { idleMinutes: 720, warningSeconds: 120 },
  },
)

export const bootOperations = {
  getBoot: operation(
    { tag: 'Session', modules: [], domain: null },
    {
      method: 'GET',
      path: '/boot',
      scope: null,
      idempotency: 'none',
      summary: 'Read who is logged in and what that person may do',
      description:
        'Everything that decides what a page shows: roles, rights and scopes as the service itself judges them, who owns which domain, the current year and term, and what waits. Asked once when a page is loaded, and again when it was away for long.',
      shape: 'record',
      record: Boot,
      status: 200,
      errors: [],
      events: [],
    },
  ),
}
