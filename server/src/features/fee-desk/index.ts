export { feeDeskRoutes } from './fee-desk-routes.ts'
