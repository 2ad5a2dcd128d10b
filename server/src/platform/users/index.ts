export { type LogInOutcome, logIn, type NewSession } from './log-in.ts'
export { addressFailures, logInFailures } from './log-in-attempts.ts'
export { changePassword, type PasswordChange, setPasswordByKey } from './password-changes.ts'
export { PasswordHasher } from './password-hasher.ts'
export { passwordMailComposers } from './password-mails.ts'
export {
  askForReset,
  isResetKey,
  makeResetKey,
  putOutWelcome,
  type ResetOutcome,
  resetMinutes,
  resetsPerHour,
  welcomeHours,
} from './password-resets.ts'
export {
  hashOfPassword,
  isPassword,
  newPassword,
  PasswordError,
  passwordCost,
  passwordLength,
  requirePassword,
} from './passwords.ts'
export {
  automaticRoles,
  createRole,
  deleteRole,
  heldRoles,
  listRoles,
  RoleError,
  type RoleRecord,
  seedRoles,
  systemManager,
} from './roles.ts'
export {
  closeSession,
  findSession,
  forgetSessionsJob,
  giveCsrfToken,
  hashOf,
  type LoggedIn,
  sessionSeconds,
} from './sessions.ts'
export {
  createUser,
  findEnabledUser,
  grantRoles,
  listUsers,
  revokeRoles,
  setEnabled,
  setPassword,
  UserError,
  type UserRecord,
} from './users.ts'
