export { always, type TemplateSettings } from './form-definition.ts'
export { formRoutes } from './form-routes.ts'
export { insertSubmission, type NewSubmission, recountSubmissions } from './submission-changes.ts'
export { readTemplateSettings, saveTemplate } from './template-changes.ts'
