import { Type } from 'typebox'
import { InstitutionFile } from '../institution-file.ts'
import { type OperationGroup, operation } from '../operation.ts'
import { body, described, flag, label, listOf, oneOf, optional, record, type Static } from '../schema.ts'

const group: OperationGroup = { tag: 'Settings', modules: [], domain: null }
const roles = ['System Manager'] as const

const configurationExample = {
  pipelineStatuses: [{ key: 'waiting_list', label: 'Waiting list', category: 'open' as const }],
}

/** How an institution works, as a configuration file has it. */
export const InstitutionSettings = record(
  'InstitutionSettings',
  'How the institution works, apart from its records: what `matricula apply` takes as a file.',
  {
    configuration: Type.Unsafe<Static<typeof InstitutionFile>>({
      type: 'object',
      additionalProperties: true,
      description: 'The settings, as a file of `matricula apply` has them. Secrets are left out.',
    }),
  },
  { configuration: configurationExample },
)

const SettingDifference = Type.Object(
  {
    path: label('Names of members and keys of entries, with dots between them.'),
    before: optional(Type.Unknown({ description: 'What it is; absent for what is added.' })),
    after: optional(Type.Unknown({ description: 'What it becomes; absent for what is removed.' })),
  },
  { additionalProperties: false, description: 'A setting that differs.' },
)

const SettingChange = Type.Object(
  {
    action: oneOf(['create', 'change', 'deactivate'] as const, 'What is done.'),
    kind: label('The section of the settings, such as pipelineStatuses.'),
    key: label('What the entry is known by there.'),
    changes: listOf(SettingDifference, 'What differs; empty for a new entry.'),
  },
  { additionalProperties: false, description: 'A change that applying makes.' },
)

const SettingError = Type.Object(
  {
    pointer: label('JSON Pointer of the setting, in `configuration` (RFC 6901 §6).'),
    detail: label('What is wrong, and what would be right.'),
  },
  { additionalProperties: false, description: 'A setting that cannot be applied.' },
)

/** What applying settings changes, or why they cannot be applied. */
export const SettingsPlan = record(
  'SettingsPlan',
  'What applying the settings changes, or why they cannot be applied.',
  {
    plan: listOf(SettingChange, 'The changes; nothing where everything is so already.'),
    errors: listOf(SettingError, 'What keeps the settings from being applied; none of them is applied then.'),
    applied: flag('Whether the changes were made.'),
  },
  {
    plan: [{ action: 'create' as const, kind: 'pipelineStatuses', key: 'waiting_list', changes: [] }],
    errors: [],
    applied: false,
  },
)

const SettingsBody = body(
  'SettingsBody',
  'Settings to be compared with those of the institution. What is not named stays as it is.',
  { configuration: described(InstitutionFile, 'Any sections of the settings.') },
  null,
  { configuration: configurationExample },
)

export const settingsOperations = {
  readSettings: operation(group, {
    method: 'GET',
    path: '/settings',
    scope: null,
    roles,
    idempotency: 'none',
    summary: 'Read how the institution works',
    description:
      'The response can be stored as a file and applied by `matricula apply`. Its ETag is that of all settings.',
    shape: 'record',
    record: InstitutionSettings,
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
  planSettings: operation(group, {
    method: 'POST',
    path: '/settings/plan',
    scope: null,
    roles,
    idempotency: 'none',
    summary: 'Compare settings with those of the institution',
    description: 'Changes nothing. The ETag is that of the settings that it was compared with.',
    body: SettingsBody,
    shape: 'record',
    record: SettingsPlan,
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
  applySettings: operation(group, {
    method: 'POST',
    path: '/settings/apply',
    scope: null,
    roles,
    idempotency: 'none',
    summary: 'Apply settings',
    description:
      'All of the changes are made, or none. With the ETag of the plan as If-Match it is refused when somebody changed a setting since.',
    body: SettingsBody,
    shape: 'record',
    record: SettingsPlan,
    status: 200,
    hasEntityTag: true,
    errors: [],
    events: [],
  }),
}
