export {
  type ApiKeyRecord,
  createApiKey,
  findActiveKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
  tenantOfApiKey,
} from './api-keys.ts'
export { type Authentication, Authenticator } from './authentication.ts'
export { findOAuthConsumer, isOAuthConsumer, storeConsumerSecret, useNonce } from './oauth-consumers.ts'
export { isSealed, SealError, SecretSeal, sealedLength } from './sealed-secrets.ts'
