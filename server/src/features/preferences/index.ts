export { preferenceRoutes } from './console-preferences.ts'
