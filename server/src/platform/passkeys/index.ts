export { askForNewPasskey, askForPasskey, checkNew, type RelyingParty } from './ceremonies.ts'
export {
  addPasskey,
  forgetPasskeys,
  listPasskeys,
  logInByPasskey,
  removePasskey,
} from './passkeys.ts'
