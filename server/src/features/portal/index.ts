export { type PortalBuild, PortalBuildError, readPortalBuild } from './portal-build.ts'
export { portalMethods } from './portal-methods.ts'
export { addPortalFiles, portalPages } from './portal-pages.ts'
