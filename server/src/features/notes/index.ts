import { assignmentMethods } from './assignment-methods.ts'
import { commentMethods } from './comment-methods.ts'
import { formMethods } from './form-load.ts'
import { likeMethods } from './like-methods.ts'
import { tagMethods } from './tag-methods.ts'

export { noteRecords } from './note-records.ts'

/** The methods of comments, tags, likes and assignments, and of forms, which show them beside a record. */
export const noteMethods = [...commentMethods, ...tagMethods, ...likeMethods, ...assignmentMethods, ...formMethods]
