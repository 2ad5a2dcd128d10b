import type { DisclosureEntry, OneRosterEntry, RoleEntry, SessionEntry, Static } from '@matricula/contract'
import type { Transaction } from '../../database/index.ts'
import { readSessionSettings, saveSessionSettings } from '../../identity/users/index.ts'
import type { RoleLimit } from '../../tenancy/index.ts'
import { limitAfter, lockRole, nothingTaken, readLimits, saveLimit } from '../console/index.ts'
import { changeDisclosureSettings, readDisclosureSettings } from '../disclosures/index.ts'
import { changeRosterSettings, readRosterSettings } from '../oneroster/index.ts'
import type { ConfigurationError } from './configuration-file.ts'
import type { PlannedWrite } from './planned-change.ts'
import { differences } from './settings-differences.ts'

/** What a file's roles come to: what is taken from them and given back, and what cannot be taken. */
export async function planRoles(
  tx: Transaction,
  entries: readonly Static<typeof RoleEntry>[],
): Promise<{ readonly writes: PlannedWrite[]; readonly faults: ConfigurationError[] }> {
  const writes: PlannedWrite[] = []
  const validationErrors: ConfigurationError[] = []
  const limits = entries.length === 0 ? {} : await readLimits(tx)
  const seen = new Set<string>()
  for (const [index, { role, ...change }] of entries.entries()) {
    const isAgain = seen.has(role)
    seen.add(role)
    const before = limits[role] ?? nothingTaken
    const after = isAgain ? { fault: `${role} appears twice; combine the entries` } : limitAfter(role, before, change)
    if ('fault' in after) {
      validationErrors.push({ path: ['roles', index, 'role'], detail: after.fault })
      continue
    }
    const changes = differences(told(before), told(after))
    if (changes.length === 0) continue
    const write: PlannedWrite['write'] = async (inside, context) => {
      const id = await lockRole(inside, role)
      if (id !== null) await saveLimit(inside, context, id, role, before, after)
    }
    writes.push({ action: 'change', kind: 'roles', key: role, changes, write })
  }
  return { writes, faults: validationErrors }
}

function told({ scopes, records }: RoleLimit) {
  return { takenScopes: scopes, takenRights: records }
}

/** What a file's settings of sessions come to. */
export async function planSessions(
  tx: Transaction,
  entry: Static<typeof SessionEntry> | undefined,
): Promise<PlannedWrite[]> {
  if (entry === undefined) return []
  const before = await readSessionSettings(tx)
  const changes = differences(before, entry)
  if (changes.length === 0) return []
  const write: PlannedWrite['write'] = (inside, context) => saveSessionSettings(inside, context, before, entry)
  return [{ action: 'change', kind: 'sessions', key: 'of the staff', changes, write }]
}

/** What a file's settings of the record of disclosures come to. */
export async function planDisclosures(
  tx: Transaction,
  entry: Static<typeof DisclosureEntry> | undefined,
): Promise<PlannedWrite[]> {
  if (entry === undefined) return []
  const before = await readDisclosureSettings(tx)
  const changes = differences(before, { ...before, ...entry })
  if (changes.length === 0) return []
  const write: PlannedWrite['write'] = (inside, context) => changeDisclosureSettings(inside, context, entry)
  return [{ action: 'change', kind: 'disclosures', key: 'of the institution', changes, write }]
}

/** What a file says on how the institution appears in OneRoster. */
export async function planOneRoster(
  tx: Transaction,
  entry: Static<typeof OneRosterEntry> | undefined,
): Promise<PlannedWrite[]> {
  if (entry === undefined) return []
  const changes = differences(await readRosterSettings(tx), entry)
  if (changes.length === 0) return []
  const write: PlannedWrite['write'] = (inside, context) => changeRosterSettings(inside, context, entry)
  return [{ action: 'change', kind: 'oneroster', key: 'of the institution', changes, write }]
}
