import { admissionMethods } from '../features/admissions/index.ts'
import { assessmentMethods } from '../features/assessment/index.ts'
import { attendanceMethods } from '../features/attendance/index.ts'
import { billingMethods, type CardGateway } from '../features/billing/index.ts'
import { entryMethods } from '../features/billing-accounts/index.ts'
import type { BulkRunner } from '../features/bulk-jobs/index.ts'
import { courseMethods } from '../features/courses/index.ts'
import { enrollmentMethods } from '../features/enrollment/index.ts'
import { feeMethods, invoiceMethods } from '../features/fees/index.ts'
import { fileMethods } from '../features/files/index.ts'
import { emailGroupMethods, groupMethods, waitingListMethods } from '../features/groups/index.ts'
import { guardianMethods } from '../features/guardians/index.ts'
import { marksMethods } from '../features/marks/index.ts'
import { noteMethods } from '../features/notes/index.ts'
import { lineItemMethods } from '../features/oneroster/index.ts'
import { promotionMethods } from '../features/planning/index.ts'
import { portalMethods } from '../features/portal/index.ts'
import { printMethods } from '../features/printing/index.ts'
import { quizMethods } from '../features/quizzes/index.ts'
import { reportCardMethods } from '../features/report-card/index.ts'
import { reportMethods } from '../features/reports/index.ts'
import { timetableMethods } from '../features/timetable/index.ts'
import {
  bulkMethods,
  clientReads,
  clientWrites,
  deskExports,
  deskReads,
  discoveryMethods,
  formWrites,
  linkedMethods,
  methodsByPath,
  type Records,
  searchMethods,
} from '../resource-api/index.ts'
import { recordRegistry } from './record-definitions.ts'

const methodsOver = (cardGateway: CardGateway, runner: Pick<BulkRunner, 'wakeSoon'>) => [
  ...clientReads,
  ...clientWrites,
  ...deskReads,
  ...formWrites,
  ...linkedMethods,
  ...bulkMethods,
  ...deskExports,
  ...admissionMethods,
  ...assessmentMethods,
  ...attendanceMethods,
  ...courseMethods,
  ...quizMethods,
  ...enrollmentMethods,
  ...groupMethods,
  ...waitingListMethods,
  ...emailGroupMethods,
  ...guardianMethods,
  ...noteMethods,
  ...portalMethods,
  ...reportCardMethods,
  ...marksMethods,
  ...lineItemMethods,
  ...reportMethods,
  ...timetableMethods,
  ...feeMethods,
  ...fileMethods,
  ...invoiceMethods,
  ...entryMethods,
  ...billingMethods(cardGateway),
  ...promotionMethods(runner),
  ...printMethods,
]

/**
 * Everything that the Resource and Method API reads, writes and calls, with the gateway at which fees are paid by
 * card, and what starts the jobs of methods.
 */
export function recordsOver(cardGateway: CardGateway, runner: Pick<BulkRunner, 'wakeSoon'>): Records {
  const called = methodsOver(cardGateway, runner)
  const methods = [...called, ...searchMethods(called)]
  return { registry: recordRegistry, methods: methodsByPath([...methods, ...discoveryMethods(methods)]) }
}
