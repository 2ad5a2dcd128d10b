export {
  fiscalYearByFirstMonth,
  fiscalYearSettings,
  loadBrand,
  loadEducationSettings,
  siteDefaults,
} from './education-settings.ts'
export { seedSettings } from './settings-seeds.ts'
