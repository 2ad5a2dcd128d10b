export { withDepartment } from './department-ref.ts'
export {
  type ImportOutcome,
  importProgram,
  lockProgramByName,
  programUpserting,
  touchProgram,
} from './program-import.ts'
export { moveCourseRows, programRecords } from './program-records.ts'
export {
  findProgramId,
  findPrograms,
  type ProgramRefRow,
  programRefColumns,
  programReferenceFields,
  requireProgramReference,
} from './program-ref.ts'
export { programRoutes } from './program-routes.ts'
export { programs } from './program-store.ts'
