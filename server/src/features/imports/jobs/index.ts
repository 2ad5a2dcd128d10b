export { importRoutes } from './console-imports.ts'
export { importJobsJob } from './import-jobs-job.ts'
export { ImportRunner } from './import-runner.ts'
