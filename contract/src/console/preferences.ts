import { operation } from '../operation.ts'
import { allOptional, body, flag, freeObject, nullable, oneOf, record } from '../schema.ts'

/** The languages that the console speaks. */
export const consoleLanguages = ['en', 'es', 'pt'] as const
const themes = ['system', 'light', 'dark'] as const
const densities = ['comfortable', 'compact'] as const

/** How large the preferences of a person may become, in bytes of JSON. */
export const preferencesBytes = 32_768

const fields = {
  language: nullable(oneOf(consoleLanguages, 'The language of the pages; null for that of the institution.')),
  theme: oneOf(themes, 'Light, dark, or as the system says.'),
  density: oneOf(densities, 'How close rows stand.'),
  singleKeys: flag('Whether single keys are shortcuts (WCAG 2.1.4).'),
  settings: freeObject('Whatever else the pages remember for this person, by names of their own.'),
}

/** How the console is for somebody who wants nothing otherwise. */
export const usualPreferences = {
  language: null,
  theme: 'system',
  density: 'comfortable',
  singleKeys: true,
  settings: {},
} as const

export { fields as preferenceFields }

export const Preferences = record('Preferences', 'How somebody wants the console to be.', fields, {
  language: 'es',
  theme: 'system',
  density: 'comfortable',
  singleKeys: true,
  settings: { recent: ['Student'] },
})

const UpdatePreferencesBody = body(
  'UpdatePreferencesBody',
  'What somebody wants otherwise. An absent field stays as it is.',
  allOptional(fields),
  null,
  { theme: 'dark' },
)

const group = { tag: 'Preferences', modules: [], domain: null } as const

export const preferenceOperations = {
  readPreferences: operation(group, {
    method: 'GET',
    path: '/preferences',
    scope: null,
    idempotency: 'none',
    summary: 'Read one’s own preferences',
    shape: 'record',
    record: Preferences,
    status: 200,
    errors: [],
    events: [],
  }),
  updatePreferences: operation(group, {
    method: 'PATCH',
    path: '/preferences',
    scope: null,
    idempotency: 'natural',
    summary: 'Change one’s own preferences',
    description: `What is left out stays. \`settings\` are merged (RFC 7396): null takes a name away. At most ${preferencesBytes} bytes of JSON altogether.`,
    body: UpdatePreferencesBody,
    shape: 'record',
    record: Preferences,
    status: 200,
    errors: ['rule_violated'],
    events: [],
  }),
}
