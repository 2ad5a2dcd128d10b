import type { Transaction } from './database/index.ts'
import { seedPipeline } from './features/admissions/index.ts'
import { seedDocumentTypes } from './features/vault/index.ts'

/** Gives a new tenant what it starts with. */
export function seedTenant(tx: Transaction): void {
  seedPipeline(tx)
  seedDocumentTypes(tx)
}
