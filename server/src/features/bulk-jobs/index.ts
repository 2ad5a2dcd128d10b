export { type AskOne, BulkRunner, bulkJobsJob } from './bulk-runner.ts'
export { bulkRoutes, createJob, requireBounded, selectionOf } from './console-bulk-jobs.ts'
