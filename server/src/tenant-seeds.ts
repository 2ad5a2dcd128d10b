import type { Transaction } from './database/index.ts'
import { seedPipeline } from './features/admissions/index.ts'
import { seedOrganisation } from './features/organisation/index.ts'
import { seedDocumentTypes } from './features/vault/index.ts'
import { seedRoles } from './platform/users/index.ts'

/** Gives a new tenant what it starts with. */
export function seedTenant(tx: Transaction): void {
  seedRoles(tx)
  seedPipeline(tx)
  seedDocumentTypes(tx)
  seedOrganisation(tx)
}
