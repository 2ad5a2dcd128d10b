import type { RecordType } from '@matricula/contract/record-types'
import { isOwnedElsewhere, ownedElsewhere } from '../../tenancy/index.ts'
import type { Caller } from './caller.ts'
import { RecordError } from './record-error.ts'

/** What refusals because of the system of record are known by; it is the code of the Client API's. */
export const ownedElsewhereCode = 'system_of_record_elsewhere'

/**
 * Refuses with `PermissionError` somebody who is logged in and would change records of a domain that another system of the
 * institution owns. Keys of programs are bound by their roles alone.
 */
export function requireOwnedHere(caller: Caller, { domain }: RecordType): void {
  if (domain === undefined || caller.kind !== 'user' || !isOwnedElsewhere(caller.tenant, domain)) return
  const owner = caller.domainOwners?.[domain] ?? null
  throw new RecordError('PermissionError', ownedElsewhere(domain, owner), {
    title: 'Owned by another system',
    indicator: 'orange',
    facts: { code: ownedElsewhereCode, domain, owner },
  })
}
