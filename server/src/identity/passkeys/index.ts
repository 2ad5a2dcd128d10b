export { askForNewPasskey, askForPasskey, checkNew, type RelyingParty } from './ceremonies.ts'
export {
  addPasskey,
  countHolders,
  forgetPasskeys,
  forgetPasskeysOf,
  listPasskeys,
  logInByPasskey,
  removePasskey,
} from './passkeys.ts'
