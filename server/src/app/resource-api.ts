import { admissionMethods } from '../features/admissions/index.ts'
import { assessmentMethods } from '../features/assessment/index.ts'
import { attendanceMethods } from '../features/attendance/index.ts'
import { billingMethods, type CardGateway } from '../features/billing/index.ts'
import { courseMethods } from '../features/courses/index.ts'
import { enrollmentMethods } from '../features/enrollment/index.ts'
import { feeMethods, invoiceMethods } from '../features/fees/index.ts'
import { fileMethods } from '../features/files/index.ts'
import { emailGroupMethods, groupMethods } from '../features/groups/index.ts'
import { guardianMethods } from '../features/guardians/index.ts'
import { noteMethods } from '../features/notes/index.ts'
import { portalMethods } from '../features/portal/index.ts'
import { printMethods } from '../features/printing/index.ts'
import { quizMethods } from '../features/quizzes/index.ts'
import { marksMethods } from '../features/marks/index.ts'
import { reportCardMethods } from '../features/report-card/index.ts'
import { reportMethods } from '../features/reports/index.ts'
import { timetableMethods } from '../features/timetable/index.ts'
import {
  clientReads,
  clientWrites,
  deskExports,
  deskReads,
  methodsByPath,
  type Records,
  searchMethods,
} from '../resource-api/index.ts'
import { recordRegistry } from './record-definitions.ts'

const methodsOver = (cardGateway: CardGateway) => [
  ...clientReads,
  ...clientWrites,
  ...deskReads,
  ...deskExports,
  ...admissionMethods,
  ...assessmentMethods,
  ...attendanceMethods,
  ...courseMethods,
  ...quizMethods,
  ...enrollmentMethods,
  ...groupMethods,
  ...emailGroupMethods,
  ...guardianMethods,
  ...noteMethods,
  ...portalMethods,
  ...reportCardMethods,
  ...marksMethods,
  ...reportMethods,
  ...timetableMethods,
  ...feeMethods,
  ...fileMethods,
  ...invoiceMethods,
  ...billingMethods(cardGateway),
  ...printMethods,
]

/**
 * Everything that the Resource and Method API reads, writes and calls, with the gateway at which fees are paid by
 * card.
 */
export function recordsOver(cardGateway: CardGateway): Records {
  const methods = methodsOver(cardGateway)
  return { registry: recordRegistry, methods: methodsByPath([...methods, ...searchMethods(methods)]) }
}
