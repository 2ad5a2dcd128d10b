export { importRoutes } from './console-imports.ts'
export { findImportsNaming, forgetImports } from './forget-files.ts'
export { importJobsJob } from './import-jobs-job.ts'
export { ImportRunner } from './import-runner.ts'
