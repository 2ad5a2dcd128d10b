export {
  type ApiKeyRecord,
  createApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
  tenantOfApiKey,
} from './api-keys.ts'
export { type Authentication, Authenticator } from './authentication.ts'
export { isSealed, SealError, SecretSeal, sealedLength } from './sealed-secrets.ts'
