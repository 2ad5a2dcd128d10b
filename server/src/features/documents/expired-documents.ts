import { sql } from '../../database/index.ts'
import { expiryJob } from '../../jobs/index.ts'
import { storeExpiry } from './document-changes.ts'

/** Stores that approved documents have expired. */
export const expireDocumentsJob = expiryJob({
  name: 'documents-expired',
  actorName: 'expired documents',
  table: 'documents',
  isOver: sql`status = 'approved' and expires_at <= now()`,
  store: storeExpiry,
})
