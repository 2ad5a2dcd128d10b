export { countAttempt, isKnownUser, type LogInOutcome, logIn, logInFailures, type NewSession } from './log-in.ts'
export { hashOfPassword, newPassword, PasswordError, requirePassword } from './passwords.ts'
export {
  automaticRoles,
  createRole,
  deleteRole,
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
  grantRoles,
  listUsers,
  revokeRoles,
  setEnabled,
  setPassword,
  UserError,
  type UserRecord,
} from './users.ts'
