import { sql } from '../../database/index.ts'
import { expiryJob } from '../../jobs/index.ts'
import { storeExpiry } from './document-changes.ts'

/** The job that stores the expiry of approved documents. */
export const expireDocumentsJob = expiryJob({
  name: 'documents-expired',
  actorName: 'expired documents',
  table: 'documents',
  isOver: sql`status = 'approved' and expires_at <= now()`,
  store: storeExpiry,
})
