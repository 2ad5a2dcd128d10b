export { type DisclosureItem, type DisclosureQuery, readDisclosures } from './disclosure-entries.ts'
export { disclosureRoutes } from './disclosure-routes.ts'
export {
  changeDisclosureSettings,
  type DisclosureSettings,
  forgetDisclosuresJob,
  readDisclosureSettings,
} from './disclosure-settings.ts'
export { discloseEverybody } from './everybody.ts'
