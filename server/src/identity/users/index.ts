export { addressMailComposers, putOutAddressReplaced } from './address-mails.ts'
export { countAttempt, forgetAllAttempts, pausedSubjects } from './attempt-counts.ts'
export type { NewSession } from './begin-session.ts'
export { logIn } from './log-in.ts'
export {
  type Entry,
  findLackingLogIn,
  finishLackingLogIn,
  finishLogIn,
  goOnWithLogIn,
  hasOwnWay,
  type LogInStep,
  lockOpenUser,
} from './log-in-steps.ts'
export {
  codeAddress,
  findCodes,
  isCodeOf,
  mayChangeCodes,
  newCodeSecret,
  removeCodes,
  setUpCodes,
} from './one-time-codes.ts'
export { endOwnSessions, endSessionsBy, listSessions } from './own-sessions.ts'
export { changePassword, setPasswordByKey } from './password-changes.ts'
export { PasswordHasher } from './password-hasher.ts'
export { passwordMailComposers } from './password-mails.ts'
export {
  askForReset,
  checkResetKey,
  makeResetKey,
  putOutWelcome,
  resetMinutes,
} from './password-resets.ts'
export {
  hashOfPassword,
  newPassword,
  passwordCost,
  passwordLength,
  requirePassword,
} from './passwords.ts'
export {
  doesHelp,
  endLackingSessions,
  type Factor,
  readRequiredFactors,
  saveRequiredFactors,
} from './required-factors.ts'
export {
  automaticRoles,
  createRole,
  deleteRole,
  heldRoles,
  listRoles,
  type RoleRecord,
  seedRoles,
  systemManager,
} from './roles.ts'
export { readSessionSettings, saveSessionSettings } from './session-settings.ts'
export {
  closeSession,
  findSession,
  forgetSessionsJob,
  giveCsrfToken,
  isCsrfToken,
  type LoggedIn,
  type Proof,
  sessionSeconds,
} from './sessions.ts'
export { putOutSignInMail, signInMailComposers } from './sign-in-mails.ts'
export type { Visit } from './try-password.ts'
export { countNobody, takeTicket } from './used-tickets.ts'
export {
  createUser,
  deleteUser,
  endLostAccess,
  endSessions,
  findEnabledUser,
  forgetCodes,
  grantRoles,
  listUsers,
  requireUser,
  revokeRoles,
  setEnabled,
  setPassword,
  type UserRecord,
} from './users.ts'
