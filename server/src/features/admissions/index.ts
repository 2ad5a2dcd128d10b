export { admissionRoutes } from './admission-routes.ts'
export { seedPipeline } from './pipeline.ts'
