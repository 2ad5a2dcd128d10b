import type { RecordList } from '../changes/index.ts'
import { applications } from '../features/admissions/index.ts'
import { courses } from '../features/courses/index.ts'
import { documents } from '../features/documents/index.ts'
import { submissions, templateList } from '../features/forms/index.ts'
import { payments } from '../features/payments/index.ts'
import { programs } from '../features/programs/index.ts'
import { documentRequests } from '../features/requests/index.ts'
import { students } from '../features/students/index.ts'

/** Every list whose totals are kept by status, for what looks at all of them. */
export const countedLists: readonly RecordList[] = [
  students,
  applications,
  payments,
  programs,
  courses,
  documents,
  documentRequests,
  templateList,
  submissions,
]
