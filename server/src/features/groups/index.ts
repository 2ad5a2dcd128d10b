export { emailGroupMethods, emailGroupRecords } from './email-group.ts'
export { groupsOfStudent, readGroupMembers, requireMember, requireOwnGroup } from './group-members.ts'
export { groupMethods } from './group-methods.ts'
export { groupRecords } from './student-group.ts'
