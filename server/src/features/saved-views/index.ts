export { savedViewRoutes } from './console-saved-views.ts'
