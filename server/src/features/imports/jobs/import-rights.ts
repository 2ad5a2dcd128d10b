import type { ImportKindName } from '@matricula/contract'
import {
  assessmentResult,
  course,
  guardian,
  program,
  programEnrollment,
  type RecordType,
  type Right,
  student,
  studentApplicant,
  studentAttendance,
} from '@matricula/contract/record-types'
import type { RequestContext } from '../../../changes/index.ts'
import { Problem } from '../../../errors/index.ts'
import { requireUse } from '../../../http/index.ts'
import { getCaller, mayDo, type RecordRegistry, rolesWith, seesOnlySome } from '../../../record-engine/index.ts'
import { isOwnedElsewhere, ownedElsewhere } from '../../../tenancy/index.ts'
import { getImportKind } from '../kinds/index.ts'

/** The record type whose rights decide who imports a kind; payments have a scope instead. */
const types: Readonly<Record<Exclude<ImportKindName, 'payments'>, RecordType>> = {
  students: student,
  applications: studentApplicant,
  contacts: guardian,
  programs: program,
  courses: course,
  enrollments: programEnrollment,
  attendance: studentAttendance,
  'assessment-results': assessmentResult,
}

const submitted: ReadonlySet<ImportKindName> = new Set(['enrollments', 'attendance', 'assessment-results'])

/**
 * Throws unless somebody may import records of a kind, or undo such an import: `insufficient_role`, `insufficient_scope`,
 * `module_not_enabled`, `system_of_record_elsewhere`. Who may change some records of a type alone imports none.
 */
export function requireMayImport(
  registry: RecordRegistry,
  context: RequestContext,
  kind: ImportKindName,
  isUndo = false,
): void {
  const caller = getCaller(context)
  if (kind === 'payments') requireUse(context.caller, 'payments:write')
  else {
    const type = types[kind]
    const definition = registry.require(type.name)
    const rights: Right[] = ['read', 'create', 'write']
    if (submitted.has(kind)) rights.push(isUndo ? 'cancel' : 'submit')
    if (isUndo) rights.push('delete')
    for (const right of rights) {
      if (mayDo(caller, type, right) && !seesOnlySome(registry, caller, definition)) continue
      const detail = `Imports of ${kind} need the right to ${right} all records of the type ${type.name}. Ask for a role that has it.`
      throw new Problem('insufficient_role', detail, { requiredRoles: rolesWith(type, right) })
    }
  }
  const { domain } = getImportKind(kind)
  const { tenant } = context
  if (domain === null || !isOwnedElsewhere(tenant, domain)) return
  const owner = context.caller.domainOwners?.[domain] ?? null
  const facts = { domain, systemOfRecord: tenant.systemOfRecord[domain], owner }
  throw new Problem('system_of_record_elsewhere', ownedElsewhere(domain, owner), facts)
}
