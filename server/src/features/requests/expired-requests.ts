import { sql } from '../../database/index.ts'
import { expiryJob } from '../../jobs/index.ts'
import { lockRequest } from './request-changes.ts'

/** The job that stores the expiry of document requests. */
export const expireRequestsJob = expiryJob({
  name: 'document-requests-expired',
  actorName: 'expired document requests',
  table: 'document_requests',
  isOver: sql`status in ('open', 'partially_completed') and expires_at <= now()`,
  store: lockRequest,
})
