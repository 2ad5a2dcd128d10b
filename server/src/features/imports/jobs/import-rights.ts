import { type ImportKindName, importRights, type Scope } from '@matricula/contract'
import type { Right } from '@matricula/contract/record-types'
import { Problem } from '../../../errors/index.ts'
import { type Caller, mayDo, type RecordRegistry, rolesWith, seesOnlySome } from '../../../record-engine/index.ts'
import { isOwnedElsewhere, ownedElsewhere } from '../../../tenancy/index.ts'
import { getImportKind } from '../kinds/index.ts'

/**
 * Throws unless somebody may import records of a kind, or undo such an import: `insufficient_role`, `insufficient_scope`,
 * `module_not_enabled`, `system_of_record_elsewhere`. Who may change some records of a type alone imports none. `requireScope` throws for a
 * scope that the caller lacks.
 */
export function requireMayImport(
  registry: RecordRegistry,
  caller: Caller,
  requireScope: (scope: Scope) => void,
  kind: ImportKindName,
  isUndo = false,
): void {
  const { type: typeName, scope, isSubmitted } = importRights[kind]
  if (scope !== undefined) requireScope(scope)
  if (typeName !== null) {
    const definition = registry.require(typeName)
    const { type } = definition
    const rights: Right[] = ['read', 'create', 'write']
    if (isSubmitted) rights.push(isUndo ? 'cancel' : 'submit')
    if (isUndo) rights.push('delete')
    for (const right of rights) {
      if (mayDo(caller, type, right) && !seesOnlySome(registry, caller, definition)) continue
      const detail = `Imports of ${kind} need the right to ${right} all records of the type ${type.name}. Ask for a role that has it.`
      throw new Problem('insufficient_role', detail, { requiredRoles: rolesWith(type, right) })
    }
  }
  const { domain } = getImportKind(kind)
  const { tenant } = caller
  if (domain === null || !isOwnedElsewhere(tenant, domain)) return
  const owner = caller.domainOwners?.[domain] ?? null
  const facts = { domain, systemOfRecord: tenant.systemOfRecord[domain], owner }
  throw new Problem('system_of_record_elsewhere', ownedElsewhere(domain, owner), facts)
}
