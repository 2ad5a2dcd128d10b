import {
  type JsonObject,
  type Preferences,
  preferenceOperations,
  preferencesBytes,
  type Static,
  usualPreferences,
} from '@matricula/contract'
import type { RequestContext } from '../../changes/index.ts'
import { sql } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { implement, type Route } from '../../http/index.ts'
import { mergePatch } from '../../values/index.ts'

type PreferencesRecord = Static<typeof Preferences>

/**
 * How people want the console to be. Only their own requests read and change it; it says nothing of anybody's records, so the audit
 * does not tell of it.
 */
export const preferenceRoutes: Route[] = implement(preferenceOperations, {
  readPreferences: async (database, { context }) => {
    const [row] = await database.read<PreferencesRow>(context.tenant.id, selectPreferences(context))
    return { record: { ...usualPreferences, ...row?.preferences }, entityTag: null }
  },
  updatePreferences: async (tx, { context, body }) => {
    // There is a row to wait for, also the first time.
    tx.send(sql`
      insert into user_preferences (tenant_id, user_id, preferences) values (${tx.tenantId}, ${getUser(context)}, '{}')
      on conflict (tenant_id, user_id) do nothing`)
    const [row] = await tx.query<PreferencesRow>(sql`${selectPreferences(context)} for update`)
    const before = { ...usualPreferences, ...row?.preferences }
    const settings = mergePatch(before.settings, body.settings ?? {})
    const record: PreferencesRecord = { ...before, ...body, settings }
    if (Buffer.byteLength(JSON.stringify(record)) > preferencesBytes) {
      const detail = `Preferences have at most ${preferencesBytes} bytes. Take something out of settings first.`
      throw new Problem('rule_violated', detail, { rule: 'preferences_size' })
    }
    tx.send(sql`
      update user_preferences set preferences = ${record as unknown as JsonObject}, updated_at = current_stamp()
       where tenant_id = ${tx.tenantId} and user_id = ${getUser(context)}`)
    return { record, entityTag: null }
  },
})

interface PreferencesRow {
  readonly preferences: Partial<PreferencesRecord>
}

function selectPreferences(context: RequestContext) {
  return sql`select preferences from user_preferences
              where tenant_id = ${context.tenant.id} and user_id = ${getUser(context)}`
}

function getUser({ caller }: RequestContext): string {
  return caller.actor.id
}
