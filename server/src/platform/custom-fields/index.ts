export {
  type AddedFields,
  addedTo,
  type CustomField,
  type CustomFields,
  noCustomFields,
  optionsOf,
  readCustomFields,
} from './custom-fields.ts'
export { KeptCustomFields } from './kept-custom-fields.ts'
export { renameCustomLinks, shownTables } from './rename-custom-links.ts'
