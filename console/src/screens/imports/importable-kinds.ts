import { importRights, importRoles } from '@matricula/contract/import-rights'
import type { Session } from '../../session/session.tsx'

/** The kinds of records of which somebody may import files. */
export function importableKinds({ user, rights, has }: Pick<Session, 'user' | 'rights' | 'has'>): string[] {
  if (!user.roles.some((role) => role === 'System Manager' || importRoles.some((each) => each === role))) return []
  const mayCreateAll = (type: string) =>
    rights.some(
      (each) => each.type === type && !each.ownOnly && ['create', 'write'].every((right) => includes(each, right)),
    )
  return Object.entries(importRights).flatMap(([kind, { type, scope }]) => {
    const isOpen = (type === null || mayCreateAll(type)) && (scope === undefined || has(scope))
    return isOpen ? [kind] : []
  })
}

function includes({ rights }: Session['rights'][number], right: string): boolean {
  return rights.some((each) => each === right)
}
