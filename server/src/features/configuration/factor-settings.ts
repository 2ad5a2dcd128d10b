import type { Transaction } from '../../database/index.ts'
import { readIssuers } from '../../identity/identity-providers/index.ts'
import { automaticRoles, listRoles, readRequiredFactors, saveRequiredFactors } from '../../identity/users/index.ts'
import { lockRole } from '../console/index.ts'
import type { Configuration, ConfigurationError } from './configuration-file.ts'
import type { PlannedWrite } from './planned-change.ts'
import { differences } from './settings-differences.ts'

/** Roles that nobody who logs in has. */
const nobodys: ReadonlySet<string> = new Set([automaticRoles.everybody, 'Administrator'])

/** What a file requires of roles to log in. Accounts at issuers are required only where there is an issuer. */
export async function planRequiredFactors(
  tx: Transaction,
  { requiredFactors: entries = [], issuers = [] }: Pick<Configuration, 'requiredFactors' | 'issuers'>,
): Promise<{ readonly writes: PlannedWrite[]; readonly faults: ConfigurationError[] }> {
  const writes: PlannedWrite[] = []
  const validationErrors: ConfigurationError[] = []
  if (entries.length === 0) return { writes, faults: validationErrors }
  const known = await readRequiredFactors(tx)
  const roles = new Set((await listRoles(tx)).map(({ name }) => name))
  const inUse = new Map([...(await readIssuers(tx)).values()].map(({ key, isActive }) => [key, isActive]))
  for (const { key, isActive = inUse.get(key) ?? true } of issuers) inUse.set(key, isActive)
  const hasIssuers = [...inUse.values()].includes(true)
  for (const [index, { role, anyOf }] of entries.entries()) {
    const validationError = !roles.has(role)
      ? `${role} is no role: matricula role list shows them`
      : nobodys.has(role)
        ? `nobody logs in as ${role}: name ${automaticRoles.known} for everybody, ${automaticRoles.staff} for all of the staff, or a role that is granted`
        : entries.findIndex((each) => each.role === role) !== index
          ? `${role} appears twice; combine the entries`
          : anyOf.includes('issuer') && !hasIssuers
            ? 'anyOf names issuer, but nobody can log in by one: declare it under issuers first'
            : null
    if (validationError !== null) {
      validationErrors.push({ path: ['requiredFactors', index, 'role'], detail: validationError })
      continue
    }
    const before = known.get(role) ?? { role, anyOf: [] }
    const after = { role, anyOf: [...new Set(anyOf)].sort() }
    const changes = differences(before, after)
    if (changes.length === 0) continue
    const write: PlannedWrite['write'] = async (inside, context) => {
      const id = await lockRole(inside, role)
      if (id !== null) await saveRequiredFactors(inside, context, id, before, after)
    }
    writes.push({ action: 'change', kind: 'requiredFactors', key: role, changes, write })
  }
  return { writes, faults: validationErrors }
}
