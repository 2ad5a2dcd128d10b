export { fileMethods } from './file-methods.ts'
export { fileRecords } from './file-records.ts'
export { sweepStoredFilesJob } from './stored-files.ts'
