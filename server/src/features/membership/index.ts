export { isMemberOn, leftOn } from './members-on-day.ts'
export { type Days, sharesDays } from './membership-days.ts'
export { isInProgramOn } from './program-on-day.ts'
