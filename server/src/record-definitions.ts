import { calendarRecords } from './features/calendar/index.ts'
import { courseRecords } from './features/courses/index.ts'
import { organisationRecords } from './features/organisation/index.ts'
import { programRecords } from './features/programs/index.ts'
import { settingsRecords, siteDefaults } from './features/settings/index.ts'
import { RecordRegistry } from './records/record-registry.ts'

/** Every record type of the Resource and Method API with its rules. */
export const recordRegistry = new RecordRegistry(
  [...organisationRecords, ...settingsRecords, ...calendarRecords, ...programRecords, ...courseRecords],
  siteDefaults,
)
