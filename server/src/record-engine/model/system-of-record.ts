import type { RecordType } from '@matricula/contract/record-types'
import { isOwnedElsewhere, ownedElsewhere } from '../../tenancy/index.ts'
import type { Caller } from './caller.ts'
import { RecordError } from './record-error.ts'

/** The code of errors because of the system of record, the same as in the Client API. */
export const ownedElsewhereCode = 'system_of_record_elsewhere'

/**
 * Throws `PermissionError` for a logged-in user who changes records of a domain that another system of the institution
 * owns. API keys are limited by their roles alone.
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
