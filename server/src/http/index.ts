export { comesFromOtherSite, isOwnAddress, isSafe, type TrustedOrigins } from './authenticators/cross-site-requests.ts'
export { isUserActivity, sessionAuthenticator } from './authenticators/session-authenticator.ts'
export { authenticateToken, tokenAuthenticator } from './authenticators/token-authenticator.ts'
export { addHealthRoutes } from './health.ts'
export { type Chunks, sendText, sendWithBackpressure } from './lifecycle/backpressure.ts'
export type { RequestTimeouts } from './lifecycle/request-timeouts.ts'
export { TenantShares } from './lifecycle/tenant-shares.ts'
export { countReport, observeDatabase } from './metrics/database-metrics.ts'
export { observeDisk } from './metrics/disk-metrics.ts'
export { observeJobs } from './metrics/job-metrics.ts'
export { receiveMetrics, serveMetrics } from './metrics/process-metrics.ts'
export { observeProcess } from './metrics/request-metrics.ts'
export { observeServer } from './metrics/server-metrics.ts'
export { clientEnvelope } from './operations/client-envelope.ts'
export { errorFacts, isForOperator } from './operations/error-facts.ts'
export { addContractFormats, isCalendarDate, isEmail, parseStamp } from './operations/formats.ts'
export {
  implement,
  type OperationRequest,
  type PlainHandler,
  type PreparedWrite,
  type Route,
  type Settled,
  type Write,
} from './operations/implement.ts'
export { jsonOfRows } from './operations/json-rows.ts'
export { mayUse, requireUse, setQuotaHeaders } from './operations/operation-checks.ts'
export { asProblem } from './operations/problem-response.ts'
export { disclosing } from './operations/record-disclosure.ts'
export { recordRejection } from './operations/rejected-writes.ts'
export { RequestUse } from './operations/request-use.ts'
export { getUpserts, type UpsertPlatform } from './operations/upserts.ts'
export { getErrors, getValidator } from './operations/validation.ts'
export { createHttpServer } from './server.ts'
