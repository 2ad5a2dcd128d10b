import { call } from './http.ts'

/** A value of a setting, as JSON has it. */
export type Setting = string | number | boolean | null | readonly Setting[] | { readonly [name: string]: Setting }

/** Settings by their sections: entries in lists, or the members of a single setting. */
export type Configuration = Readonly<Record<string, Setting>>

/** A change that applying settings makes. */
export interface SettingChange {
  readonly action: 'create' | 'change' | 'deactivate'
  readonly kind: string
  readonly key: string
  readonly changes: readonly { readonly path: string; readonly before?: Setting; readonly after?: Setting }[]
}

/** What applying settings changes, or why they cannot be applied. */
export interface SettingsPlan {
  readonly plan: readonly SettingChange[]
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[]
}

/** How the institution works, with the version of all settings. Throws `CallError`, as all of these do. */
export async function readSettings(): Promise<{ readonly configuration: Configuration; readonly entityTag: string }> {
  const { body, headers } = await call('GET', '/console/v1/settings')
  return { configuration: body.data.configuration, entityTag: headers.get('etag') ?? '' }
}

/** Compares settings with those of the institution; changes nothing. */
export async function planSettings(configuration: Configuration): Promise<SettingsPlan> {
  return (await call('POST', '/console/v1/settings/plan', { body: { configuration } })).body.data
}

/** Applies settings, all or none, as long as nobody changed any since the entity tag. */
export async function applySettings(entityTag: string, configuration: Configuration): Promise<void> {
  const headers = { 'if-match': entityTag }
  await call('POST', '/console/v1/settings/apply', { body: { configuration }, headers })
}
