export {
  type AccountRefusal,
  allowIssuer,
  issuerFault,
  listAccounts,
  listRemovedIssuers,
  logInByAccount,
  unlinkAccount,
  unlinkAccounts,
} from './issuer-accounts.ts'
export { IssuerClient, IssuerFault, type IssuerVisit } from './issuer-client.ts'
export {
  findIssuer,
  type IssuerSettings,
  issuerSealPurpose,
  listIssuers,
  readIssuers,
  type StoredIssuer,
  saveIssuer,
  toldOf,
} from './issuers.ts'
