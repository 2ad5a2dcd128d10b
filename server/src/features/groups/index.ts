export { emailGroupMethods, emailGroupRecords } from './email-group.ts'
export { groupMembers, groupsOfStudent, requireMember } from './group-members.ts'
export { groupMethods } from './group-methods.ts'
export { groupRecords } from './student-group.ts'
