import {
  body,
  CreatedAt,
  described,
  EmailInput,
  flag,
  freeObject,
  freeObjectInput,
  label,
  nullable,
  oneOf,
  optional,
  record,
  text,
  UpdatedAt,
  Uuid,
} from '../schema.ts'

export const contactRoles = ['applicant', 'primary_contact', 'family', 'emergency', 'billing', 'other'] as const
export const contactSources = ['manual', 'import', 'api', 'whatsapp', 'form', 'system'] as const

const Role = oneOf(contactRoles, 'What the person is to the applicant or student.')
const Source = oneOf(contactSources, 'Where the link came from.')

/** A contact as the examples of other records show it. */
export const contactLinkExample = {
  id: '01985b2e-5a00-7000-8000-0000000000a2',
  contactId: '01985b2e-5a00-7000-8000-0000000000a3',
  role: 'family' as const,
  relationshipLabel: 'Mother',
  isPrimary: true,
  source: 'api' as const,
  displayName: 'Carmen Dyer',
  email: null,
  phone: '(950) 342 7522',
  metadata: { livesWith: true },
  createdAt: '2026-02-01T08:00:00.000Z',
  updatedAt: '2026-02-01T08:00:00.000Z',
}

export const ContactLink = record(
  'ContactLink',
  'A person of the tenant, linked to an application or a student in a role.',
  {
    id: described(Uuid, 'Id of the link.'),
    contactId: described(Uuid, 'Id of the person.'),
    role: Role,
    relationshipLabel: nullable(label('The relation in words, such as Mother.')),
    isPrimary: flag('Whether this is the one to turn to first.'),
    source: Source,
    displayName: label('Name of the person.'),
    email: nullable(label('E-mail address.')),
    phone: nullable(label('Telephone number.')),
    metadata: freeObject('Free values.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  contactLinkExample,
)

const linkFields = {
  contactId: optional(nullable(described(Uuid, 'Id of a person that the tenant already has.'))),
  displayName: optional(nullable(text('Name of the person.', 255))),
  email: optional(EmailInput),
  phone: optional(nullable(text('Telephone number.', 40))),
  role: optional(nullable(Role)),
  relationshipLabel: optional(nullable(text('The relation in words, such as Mother.', 120))),
  isPrimary: optional(nullable(flag('Whether this is the one to turn to first; it takes that place from another.'))),
  source: optional(nullable(Source)),
  metadata: optional(nullable(freeObjectInput('Free values.'))),
}

export const LinkContactBody = body(
  'LinkContactBody',
  'Names a person by `contactId`, or by e-mail, then phone, where nothing known contradicts it: somebody of another name, or with the same phone and another e-mail, is another person. One that is not found is created. Without any of them the applicant is linked.',
  linkFields,
  ContactLink,
  { displayName: 'Carmen Dyer', phone: '(950) 342 7522', role: 'family', relationshipLabel: 'Mother', isPrimary: true },
)

export const UpdateContactLinkBody = body(
  'UpdateContactLinkBody',
  'The context of a linked contact. An absent field stays as it is.',
  {
    role: optional(Role),
    relationshipLabel: optional(nullable(text('The relation in words, such as Mother.', 120))),
    isPrimary: optional(flag('Whether this is the one to turn to first; it takes that place from another.')),
    metadata: optional(freeObjectInput('Free values, merged by RFC 7396.')),
  },
  ContactLink,
  { relationshipLabel: 'Grandmother' },
)
