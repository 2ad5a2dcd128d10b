export { emailGroupMethods, emailGroupRecords } from './email-group.ts'
export {
  findMemberships,
  type GroupMember,
  groupsOfStudent,
  type Membership,
  readGroupMembers,
  requireMember,
  requireOwnGroup,
} from './group-members.ts'
export { groupMethods } from './group-methods.ts'
export { groupRecords } from './student-group.ts'
export { offerMailComposers, waitingListJob, waitingListMethods } from './waiting-list/index.ts'
