export { type AskOne, BulkRunner, bulkJobsJob, callerOfCreator } from './bulk-runner.ts'
export { bulkRoutes, createJob, getSelection, requireBounded, runInJob } from './console-bulk-jobs.ts'
