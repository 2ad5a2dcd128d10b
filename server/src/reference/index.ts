export { addDocumentRoutes } from './document-routes.ts'
