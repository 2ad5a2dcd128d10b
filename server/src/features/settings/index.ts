export {
  fiscalYearByFirstMonth,
  fiscalYearSettings,
  loadBrand,
  loadEducationSettings,
  siteDefaults,
} from './education-settings.ts'
export { settingsRecords } from './settings-rules.ts'
export { seedSettings } from './settings-seeds.ts'
