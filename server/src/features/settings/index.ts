export { educationSettingsOf, settingsRecords, siteDefaults } from './education-settings.ts'
