import type { Operation } from '../operation.ts'
import { admissionOperations } from './admissions.ts'
import { auditOperations } from './audit.ts'
import { billingOperations } from './billing/index.ts'
import { courseOperations } from './courses.ts'
import { disclosureOperations } from './disclosures.ts'
import { documentOperations } from './document-operations.ts'
import { documentRequestOperations } from './document-request-operations.ts'
import { eventOperations } from './events.ts'
import { formOperations } from './forms.ts'
import { paymentOperations } from './payments.ts'
import { programOperations } from './programs.ts'
import { requirementOperations } from './requirement-operations.ts'
import { studentOperations } from './students.ts'
import { tokenContextOperations } from './token-context.ts'
import { webhookOperations } from './webhook-operations.ts'

/** Every operation of the Client API by its id, which is also its OpenAPI `operationId`. */
export const clientApi = {
  ...tokenContextOperations,
  ...studentOperations,
  ...admissionOperations,
  ...paymentOperations,
  ...billingOperations,
  ...programOperations,
  ...courseOperations,
  ...documentOperations,
  ...requirementOperations,
  ...documentRequestOperations,
  ...formOperations,
  ...eventOperations,
  ...webhookOperations,
  ...auditOperations,
  ...disclosureOperations,
} satisfies Record<string, Operation>

export type OperationId = keyof typeof clientApi
