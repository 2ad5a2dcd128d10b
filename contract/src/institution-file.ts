import { Type } from 'typebox'
import { scopes } from './access.ts'
import { BillingEntry } from './billing-file.ts'
import { pipelineCategories } from './client-api/admissions.ts'
import { documentOwners } from './client-api/documents.ts'
import { largestFileBytes } from './client-api/uploads.ts'
import {
  FormKey,
  FormOption,
  formBounds,
  formEntityTypes,
  formFieldProperties,
  formTemplateStatuses,
} from './form-definition.ts'
import { customFieldName, customFieldTypes } from './record-types/custom-fields.ts'
import { described, flag, listOf, nullable, oneOf, optional, record, type Static, text } from './schema.ts'
import { translatable } from './translatable.ts'

const position = optional(
  Type.Unsafe<number>({
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    description: 'Place in its list; behind the others when absent.',
  }),
)

const isActive = optional(flag('Whether it is in use; true when absent.'))
const description = optional(text('Description.', 4000))
const whole = (minimum: number, maximum: number, words: string) =>
  Type.Unsafe<number>({ type: 'integer', minimum, maximum, description: words })
const words = (description: string, items = text('One of them.', 255, 1)) => optional(listOf(items, description))

/** A document type in a configuration file, found by its key. */
export const DocumentTypeEntry = record('DocumentTypeEntry', 'A type of documents of the vault.', {
  key: FormKey,
  name: optional(translatable('Name shown to people; needed for a new one.', 255, 1)),
  description: optional(translatable('Description.', 4000)),
  category: optional(text('Kind of document, such as identity or academic; other when absent.', 64, 1)),
  appliesTo: optional(listOf(oneOf(documentOwners, ''), 'Whose documents are of this type; both when absent.')),
  allowedMimeTypes: words(
    'Media types of its files; PDF and images when absent.',
    Type.Unsafe<string>({
      ...text('A media type, such as application/pdf.', 127),
      pattern: '^[a-z0-9.+-]+/[a-z0-9.+-]+$',
    }),
  ),
  maxSizeBytes: optional(whole(1, largestFileBytes, 'Largest file in bytes; 20971520 when absent.')),
  requiresReview: optional(flag('Whether somebody has to approve its documents; true when absent.')),
  validityDays: optional(nullable(whole(1, 36_500, 'Days until a document expires; null for never.'))),
  isSensitive: optional(flag('Whether its documents are to be handled with particular care.')),
  retentionDays: optional(nullable(whole(1, 36_500, 'Days after which retention erases a document; null for never.'))),
  isActive,
  position,
})

/** A status of the admission pipeline in a configuration file, found by its key. */
export const PipelineStatusEntry = record('PipelineStatusEntry', 'A status of the admission pipeline.', {
  key: FormKey,
  label: optional(text('Name shown to people; needed for a new one.', 120, 1)),
  description,
  category: optional(oneOf(pipelineCategories, 'What it means, whatever it is called; needed for a new one.')),
  position,
  color: optional(
    Type.Unsafe<string>({ type: 'string', pattern: '^#[0-9a-f]{6}$', description: 'Colour for people, `#rrggbb`.' }),
  ),
  isInitial: optional(flag('Whether new applications start here: exactly one status does.')),
  isTerminal: optional(flag('Whether applications end here.')),
  isActive,
  allowedNext: optional(
    nullable(listOf(FormKey, 'Keys of the statuses that follow; null permits any, an empty list none.')),
  ),
  requiresComplete: optional(flag('Whether every required document must be there first.')),
  retentionDays: optional(
    nullable(
      whole(1, 36_500, 'Days without a change after which retention erases an application here; null for never.'),
    ),
  ),
})

/** A document that a profile of a configuration file asks for. */
export const RequirementEntry = record('RequirementEntry', 'A document that is asked for.', {
  documentType: described(FormKey, 'Key of the document type.'),
  label: optional(translatable('What is asked for; the name of the type when absent.', 255, 1)),
  instructions: optional(translatable('What to mind.', 4000)),
  isRequired: optional(flag('Whether the profile is incomplete without it; true when absent.')),
  minFiles: optional(whole(1, 100, 'How many approved documents satisfy it; 1 when absent.')),
  dueDays: optional(nullable(whole(0, 3650, 'Days from the creation of the record; null for no date.'))),
  waivedFor: words('Codes of the students or applications that are excused; replaces those that were.'),
})

/** A requirement profile in a configuration file, found by its key. */
export const RequirementProfileEntry = record(
  'RequirementProfileEntry',
  'Which documents are required, and from whom.',
  {
    key: FormKey,
    name: optional(text('Name shown to people; needed for a new one.', 255, 1)),
    description,
    appliesTo: optional(oneOf(documentOwners, 'Of whom; needed for a new one.')),
    conditions: optional(
      record('RequirementConditionsEntry', 'Whom it concerns: each list that is there must hold the value.', {
        programs: words('Programs, by name or code.'),
        educationLevels: words('Education levels of the program.'),
        statuses: words('Statuses of the record.'),
        countries: words('Countries of the record.'),
      }),
    ),
    requirements: optional(listOf(RequirementEntry, 'What it asks for, in order; replaces what it asked for.', 200)),
    isActive,
  },
)

/** A choice of a question in a configuration file. */
export const FormOptionEntry = record('FormOptionEntry', 'A choice.', {
  value: FormOption.properties.value,
  label: translatable('What people read.', 255, 1),
})

/** A part of a form in a configuration file. */
export const FormSectionEntry = record('FormSectionEntry', 'A part of the form.', {
  key: FormKey,
  title: translatable('Its heading.', 255, 1),
})

/** A question of a form in a configuration file. */
export const FormFieldEntry = record('FormFieldEntry', 'A question.', {
  key: formFieldProperties.key,
  label: translatable('The question.', 1000, 1),
  type: formFieldProperties.type,
  isRequired: optional(formFieldProperties.isRequired),
  options: optional(
    Type.Unsafe<Static<typeof FormOptionEntry>[]>({
      ...listOf(FormOptionEntry, 'The choices of a select or a multiselect.'),
      maxItems: formBounds.options,
    }),
  ),
  helpText: optional(translatable('Help for who answers.', 2000)),
  validation: optional(formFieldProperties.validation),
  visibleWhen: optional(formFieldProperties.visibleWhen),
  section: optional(described(FormKey, 'Key of its section, when the form has sections.')),
})

/** A form template in a configuration file, found by its key. */
export const FormTemplateEntry = record('FormTemplateEntry', 'A form.', {
  key: FormKey,
  name: optional(translatable('Name shown to people; needed for a new one.', 255, 1)),
  description: optional(translatable('Description.', 4000)),
  category: optional(text('What it is for.', 64)),
  status: optional(
    oneOf(formTemplateStatuses, 'Whether it is being made, in use, or no longer in use; draft when absent.'),
  ),
  isPublic: optional(flag('Whether it has a page of its own, once published.')),
  entityType: optional(oneOf(formEntityTypes, 'What a submission belongs to; none when absent.')),
  sections: optional(
    Type.Unsafe<Static<typeof FormSectionEntry>[]>({
      ...listOf(FormSectionEntry, 'Its parts, in order.'),
      maxItems: formBounds.sections,
    }),
  ),
  fields: optional(
    Type.Unsafe<Static<typeof FormFieldEntry>[]>({
      ...listOf(FormFieldEntry, 'Its questions, in order; needed for a new one.'),
      minItems: 1,
      maxItems: formBounds.fields,
    }),
  ),
  mapping: optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Which field of the application each answer becomes, by the key of the question.',
    }),
  ),
})

/** A field of the institution's own in a configuration file, found by its record type and its name. */
export const CustomFieldEntry = record('CustomFieldEntry', 'A field that the institution adds to a type of records.', {
  recordType: text('The type whose records have it, such as Student, or Payment for payments.', 140, 1),
  name: Type.Unsafe<string>({
    ...text('Its name: small letters, digits and _.', 64, 1),
    pattern: customFieldName.source,
  }),
  label: optional(text('What people call it; its name when absent.', 140, 1)),
  type: optional(oneOf(customFieldTypes, 'What it holds; needed for a new one.')),
  options: optional(listOf(text('One of them.', 140, 1), 'What a Select may be.')),
  linksTo: optional(nullable(text('The record type whose records a Link names.', 140, 1))),
  required: optional(flag('Whether people have to fill it in.')),
  unique: optional(flag('Whether no two records have the same value.')),
  default: optional(nullable(text('The value of a new record that is silent.', 1000, 1))),
  description: optional(text('Help text for people.', 2000)),
  readOnly: optional(flag('Whether it is shown but not typed.')),
  hidden: optional(flag('Whether it is not shown.')),
  inListView: optional(flag('Whether lists on a screen show it.')),
  insertAfter: optional(nullable(text('The field behind which it stands; at the end when absent.', 140, 1))),
  allowOnSubmit: optional(flag('Whether it may change after the record was submitted.')),
  noCopy: optional(flag('Whether a copy of a record leaves it out.')),
  precision: optional(nullable(whole(0, 9, 'Digits behind the point that are shown.'))),
})

/** What the institution takes from a role, in a configuration file. */
export const RoleEntry = record('RoleEntry', 'What is taken from a role: it may be narrowed, never widened.', {
  role: text('Name of a role that comes with the service.', 140, 1),
  takenScopes: optional(
    listOf(oneOf(scopes, ''), 'Scopes that it no longer opens for people; [] gives all of them back.'),
  ),
  takenRights: optional(
    Type.Unsafe<Readonly<Record<string, readonly string[]>>>({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description: 'Rights that it no longer has, by the name of the record type; {} gives all of them back.',
    }),
  ),
})

/** How people stay logged in, in a configuration file. */
export const SessionEntry = record('SessionEntry', 'How long the staff stay logged in.', {
  idleMinutes: whole(5, 10_080, 'Minutes after which somebody of the staff who does nothing is logged out.'),
})

/** Whether an institution records who read what, in a configuration file. */
export const DisclosureEntry = record('DisclosureEntry', 'The record of who read records about people.', {
  enabled: optional(flag('Whether it is recorded who read which records about people.')),
  keepYears: optional(whole(1, 100, 'The retention period, in years.')),
})

/** How an institution appears in OneRoster, in a configuration file. */
export const OneRosterEntry = record('OneRosterEntry', 'How the institution appears in OneRoster.', {
  sourcedIds: oneOf(
    ['id', 'externalId'],
    'What the sourcedIds of students, courses and programs are; one that was given out never changes.',
  ),
})

/** An issuer of OpenID Connect, in a configuration file. */
export const IssuerEntry = record('IssuerEntry', 'An issuer with whose accounts people log in.', {
  key: FormKey,
  name: text('What people call it, such as Google.', 140, 1),
  issuer: text('The address that it calls itself by, with https: what its tokens have as `iss`.', 500, 1),
  clientId: text('The client id that it gave the institution.', 500, 1),
  clientSecret: optional(text('The client secret that it gave with it; the one that is stored when absent.', 1000, 1)),
  domains: optional(
    listOf(text('A domain.', 253, 1), 'Only addresses of these domains log in by it; any when absent.'),
  ),
  trustsAddresses: optional(
    flag('Whether its addresses are the institution’s own, so that it need not say that they are verified.'),
  ),
  createsUsers: optional(flag('Whether somebody of these domains who has no user yet is made one.')),
  newUserRoles: optional(listOf(text('Name of a role.', 140, 1), 'The roles of users who are made.')),
  isActive,
})

/** What an institution requires of a role beside a password, in a configuration file. */
export const RequiredFactorsEntry = record('RequiredFactorsEntry', 'What is required of a role to log in.', {
  role: text('Name of the role.', 140, 1),
  anyOf: listOf(
    oneOf(['code', 'passkey', 'issuer'], 'A one-time code, a passkey, or an account at an issuer.'),
    'One of these is required; nothing where there is none.',
  ),
})

/** What `matricula apply` reads: how an institution works, apart from its records. */
export const InstitutionFile = record('InstitutionFile', 'The configuration of a tenant.', {
  documentTypes: optional(listOf(DocumentTypeEntry, 'Types of documents.', 1000)),
  pipelineStatuses: optional(listOf(PipelineStatusEntry, 'Statuses of the admission pipeline.', 500)),
  requirementProfiles: optional(listOf(RequirementProfileEntry, 'Which documents are required, and from whom.', 1000)),
  formTemplates: optional(listOf(FormTemplateEntry, 'Forms.', 1000)),
  roles: optional(listOf(RoleEntry, 'What is taken from roles.', 500)),
  sessions: optional(SessionEntry),
  disclosures: optional(DisclosureEntry),
  oneroster: optional(OneRosterEntry),
  billing: optional(BillingEntry),
  issuers: optional(listOf(IssuerEntry, 'Issuers with whose accounts people log in.', 100)),
  requiredFactors: optional(listOf(RequiredFactorsEntry, 'What is required of roles to log in.', 500)),
  customFields: optional(listOf(CustomFieldEntry, 'Fields of the institution’s own.', 5000)),
})
