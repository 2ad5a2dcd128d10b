export { addOneRoster } from './oneroster-routes.ts'
