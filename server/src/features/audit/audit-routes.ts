import { auditOperations } from '@matricula/contract'
import { implement } from '../../http/index.ts'
import { readAudit } from './audit-entries.ts'

export const auditRoutes = implement(auditOperations, {
  listAuditEntries: (database, { context, query }) => readAudit(database, context.tenant.id, query),
})
