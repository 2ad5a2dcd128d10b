export {
  type AccountRejection,
  allowIssuer,
  issuerError,
  listAccounts,
  listRemovedIssuers,
  logInByAccount,
  unlinkAccount,
  unlinkAccounts,
} from './issuer-accounts.ts'
export { IssuerClient, IssuerError, type IssuerVisit } from './issuer-client.ts'
export {
  findIssuer,
  type IssuerSettings,
  issuerSealPurpose,
  listIssuers,
  readIssuers,
  type StoredIssuer,
  saveIssuer,
  toReport,
} from './issuers.ts'
