export { calendarRecords } from './calendar-records.ts'
