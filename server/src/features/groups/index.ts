export { emailGroupMethods, emailGroupRecords } from './email-group.ts'
export {
  findMemberships,
  groupsOfStudent,
  type Membership,
  readGroupMembers,
  requireMember,
  requireOwnGroup,
} from './group-members.ts'
export { groupMethods } from './group-methods.ts'
export { groupRecords } from './student-group.ts'
