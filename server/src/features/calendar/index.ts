export { calendarRecords, requireTermOfYear } from './calendar-records.ts'
