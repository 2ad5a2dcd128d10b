export { brandOf, educationSettingsOf, fiscalYearOn, siteDefaults } from './education-settings.ts'
export { seedSettings } from './settings-seeds.ts'
