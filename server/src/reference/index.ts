export { addDocumentRoutes, serveDocument } from './document-routes.ts'
export { page } from './page.ts'
