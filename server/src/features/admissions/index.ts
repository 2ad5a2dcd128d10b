export { admissionRecords } from './admission-records.ts'
export { admissionRoutes } from './admission-routes.ts'
export { storeApplicantDetails } from './applicant-details.ts'
export { isLinked, linkContact, unlinkContact, updateLink } from './application-contacts.ts'
export { changePerson } from './application-links.ts'
export { applications } from './application-store.ts'
export { applicationUpserting, type CreateApplicationBody, createApplication } from './applications.ts'
export { boardRoutes } from './console-board.ts'
export { peopleRoutes } from './console-people.ts'
export { admissionMethods, enrollApplicant } from './enroll-applicant.ts'
export { seedPipeline } from './pipeline.ts'
export {
  type PipelineStatusSettings,
  pipelineStatusSettings,
  readPipelineSettings,
  savePipelineStatus,
} from './pipeline-settings.ts'
export { hasUnlikeName, personLinks, splitPerson } from './split-person.ts'
