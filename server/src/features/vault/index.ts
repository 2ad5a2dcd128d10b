export { seedDocumentTypes } from './document-types.ts'
export { expireDocumentsJob } from './expiry.ts'
export type { VaultFiles } from './vault-files.ts'
export { vaultRoutes } from './vault-routes.ts'
