export { profileRoutes } from './console-profile.ts'
