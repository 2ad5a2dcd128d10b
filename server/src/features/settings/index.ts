export { educationSettingsOf, siteDefaults } from './education-settings.ts'
