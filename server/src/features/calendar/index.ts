export { calendarRecords, findDayInYear, findTerm, requireTermOfYear } from './calendar-records.ts'
