export { addDocumentRoutes, serveDocument } from './document-routes.ts'
export type { SchemaObject } from './openapi-parts.ts'
export { page } from './page.ts'
export { fieldList, typeOf } from './schema-view.ts'
