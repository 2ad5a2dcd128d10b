export { BulkRunner, bulkJobsJob } from './bulk-runner.ts'
export { bulkRoutes } from './console-bulk-jobs.ts'
