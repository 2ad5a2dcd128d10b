import { Type } from 'typebox'
import { contactLinkExample, contactRoles } from '../client-api/contacts.ts'
import { operation } from '../operation.ts'
import {
  body,
  described,
  EmailInput,
  flag,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  Stamp,
  text,
  Uuid,
} from '../schema.ts'

const person = {
  contactId: described(Uuid, 'Id of the person.'),
  guardian: label('Name of the person on the Resource API.'),
  displayName: label('Name of the person.'),
}

/** Somebody who may be the same person as a contact of an application. */
export const PossibleDuplicate = record(
  'PossibleDuplicate',
  'A person with the e-mail address or the telephone number of a contact, who was not taken for the same person.',
  {
    linkId: described(Uuid, 'Id of the link of the contact.'),
    ...person,
    email: nullable(label('E-mail address.')),
    phone: nullable(label('Telephone number.')),
    hasSameEmail: flag('Whether both have the same e-mail address.'),
    hasSamePhone: flag('Whether both have the same telephone number.'),
  },
  {
    linkId: contactLinkExample.id,
    contactId: '01985b2e-5a00-7000-8000-0000000000a9',
    guardian: 'EDU-GRD-2026-00009',
    displayName: 'Luis Dyer',
    email: null,
    phone: contactLinkExample.phone,
    hasSameEmail: false,
    hasSamePhone: true,
  },
)

const Link = Type.Object(
  {
    id: described(Uuid, 'Id of the link.'),
    entityType: oneOf(['application', 'student'] as const, 'To what the person is linked.'),
    entityId: described(Uuid, 'Id of the application or the student.'),
    entityLabel: label('Full name of the applicant or the student.'),
    role: oneOf(contactRoles, 'What the person is to the applicant or student.'),
    createdAt: described(Stamp, 'When the link was made. RFC 3339, UTC, milliseconds.'),
    linkedAs: nullable(
      label('The name that the audit has for the person when the link was made; null where it has none.'),
    ),
    hasOtherName: flag('Whether that name is not like the name of the person now, so that a split moves the link.'),
  },
  { additionalProperties: false, description: 'A link of the person.' },
)

const splitExample = {
  contactId: contactLinkExample.contactId,
  guardian: 'EDU-GRD-2026-00001',
  displayName: contactLinkExample.displayName,
}

/** Everything to which a person is linked. */
export const PersonLinks = record(
  'PersonLinks',
  'To what a person is linked, and under which names according to the audit.',
  { ...person, links: listOf(Link, 'The links, the oldest first.') },
  {
    ...splitExample,
    links: [
      {
        id: contactLinkExample.id,
        entityType: 'application' as const,
        entityId: '01985b2e-5a00-7000-8000-0000000000f1',
        entityLabel: 'Tyrone Dyer',
        role: 'family' as const,
        createdAt: contactLinkExample.createdAt,
        linkedAs: 'Luis Perez',
        hasOtherName: true,
      },
    ],
  },
)

/** What became of a person who was split. */
export const PersonSplit = record(
  'PersonSplit',
  'The people who were made of one, with the links that they have now; none where there was nothing to split.',
  {
    contactId: person.contactId,
    made: listOf(
      Type.Object(
        { ...person, linkIds: listOf(Uuid, 'The links that the person took over.') },
        { additionalProperties: false, description: 'A person who was made.' },
      ),
      'The people who were made.',
    ),
  },
  {
    contactId: splitExample.contactId,
    made: [
      {
        contactId: '01985b2e-5a00-7000-8000-0000000000a9',
        guardian: 'EDU-GRD-2026-00009',
        displayName: 'Luis Perez',
        linkIds: [contactLinkExample.id],
      },
    ],
  },
)

const SplitBody = body(
  'SplitPersonBody',
  'Which links belong to somebody else. Without `linkIds` they are those that the audit has under another name: with `name` under one like it.',
  {
    name: optional(text('Name of the other person; required with `linkIds`.', 255, 1)),
    linkIds: optional(
      Type.Unsafe<string[]>({
        type: 'array',
        items: Uuid,
        minItems: 1,
        maxItems: 500,
        description: 'The links to move.',
      }),
    ),
    email: optional(EmailInput),
    phone: optional(nullable(text('Telephone number of the other person.', 40))),
  },
  null,
  { name: 'Luis Perez', linkIds: [contactLinkExample.id] },
)

const group = { tag: 'People', modules: ['staff_admissions'], domain: null } as const

export const peopleOperations = {
  listPossibleDuplicates: operation(group, {
    method: 'GET',
    path: '/possible-duplicates',
    scope: 'admissions:read',
    idempotency: 'none',
    summary: 'List people who may be contacts of an application already',
    description:
      'For each contact of the application, people with the same e-mail address or telephone number, at most 20 of one contact. Nothing is merged by itself.',
    query: Type.Object({ applicationId: described(Uuid, 'Id of the application.') }, { additionalProperties: false }),
    shape: 'list',
    record: PossibleDuplicate,
    status: 200,
    errors: ['resource_not_found'],
    events: [],
  }),
  readPersonLinks: operation(
    { ...group, domain: null },
    {
      method: 'GET',
      path: '/people/{id}/links',
      scope: 'students:write',
      idempotency: 'none',
      summary: 'Read to what a person is linked, and under which names',
      description: 'What a split would move, before it is done: the names are those of the audit.',
      shape: 'record',
      record: PersonLinks,
      status: 200,
      errors: ['resource_not_found'],
      events: [],
    },
  ),
  splitPerson: operation(
    { ...group, domain: 'students' },
    {
      method: 'POST',
      path: '/people/{id}/split',
      scope: 'students:write',
      idempotency: 'required',
      summary: 'Make two people of one who were merged by mistake',
      description:
        'Makes the other person and moves the links of applications and students. Links that belong to somebody else already stay there, so that the same call repeated does nothing.',
      body: SplitBody,
      shape: 'record',
      record: PersonSplit,
      status: 200,
      errors: ['resource_not_found', 'reference_not_found'],
      events: ['admission_contact.updated', 'student.updated'],
    },
  ),
}
