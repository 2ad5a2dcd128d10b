export { educationSettingsOf, siteDefaults } from './education-settings.ts'
export { seedSettings } from './settings-seeds.ts'
