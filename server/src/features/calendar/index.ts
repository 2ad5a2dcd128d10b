export { calendarRecords, findDayInYear, findTerm, requireTermOfYear } from './calendar-records.ts'
export { findDaysOfGroup, requireGroupKeepsDays } from './days-kept.ts'
