export { CachedCustomFields } from './cached-custom-fields.ts'
export {
  type AddedFields,
  addedTo,
  type CustomField,
  type CustomFields,
  getOptions,
  noCustomFields,
  readCustomFields,
} from './custom-fields.ts'
export { renameCustomLinks, shownTables } from './rename-custom-links.ts'
