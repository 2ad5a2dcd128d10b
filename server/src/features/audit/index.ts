export { type AuditItem, type AuditQuery, readAudit } from './audit-entries.ts'
export { auditRoutes } from './audit-routes.ts'
export { timelineRoutes } from './console-timeline.ts'
