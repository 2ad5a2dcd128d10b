import { formOperations } from '@matricula/contract'
import { implement, type Route } from '../../http/index.ts'
import { readPage } from '../../listing/index.ts'
import { submissions } from './submissions/submission-store.ts'
import { templatesAt } from './templates/template-store.ts'

/** The operations of forms. `publicUrl` is the base address of the public pages. */
export function formRoutes(publicUrl: string): Route[] {
  const templates = templatesAt(publicUrl)
  return implement(formOperations, {
    listFormTemplates: (database, { context, query }) => readPage(database, context.tenant.id, templates, query),
    listFormSubmissions: (database, { context, query }) => readPage(database, context.tenant.id, submissions, query),
  })
}
