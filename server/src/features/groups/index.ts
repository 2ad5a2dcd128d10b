export { type GroupMember, groupMembers, groupsOfStudent, requireMember } from './group-members.ts'
export { groupRecords } from './student-group.ts'
