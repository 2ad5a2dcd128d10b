export { fileMethods } from './file-methods.ts'
export { fileRecords } from './file-records.ts'
export { filesWithAddresses } from './named-files.ts'
export { cleanUpStoredFilesJob } from './stored-files.ts'
