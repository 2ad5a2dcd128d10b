import { feeCategory, feeSchedule, feeStructure, fees } from '@matricula/contract/record-types'
import { defineRecord, type RecordDefinition } from '../../record-engine/index.ts'
import { requireTermOfYear } from '../calendar/index.ts'
import { announceFees, createFees, feeProgress, feesFailed } from './create-fees.ts'
import {
  awaitFees,
  setCancelled,
  setComponents,
  setDraftStatus,
  setScheduleTotals,
  warnOfDifferences,
} from './fee-schedules.ts'
import { requireOneDefaultPerCompany, setStructureTotal } from './fee-structures.ts'
import {
  clearOutstanding,
  raiseDebt,
  requireMayCharge,
  requireNoNegativeTotal,
  requireOwnEnrollment,
  requirePayableTotal,
  requireUsableAccounts,
  setAccounts,
  setContactEmail,
  setTotals,
  withdrawDebt,
} from './fees.ts'

/** What is asked of students: categories, structures, schedules, and fees with their ledger. */
export const feeRecords: readonly RecordDefinition[] = [
  defineRecord(feeCategory, {
    rules: { validate: [requireOneDefaultPerCompany] },
    fromName: async (name) => ({ category_name: name }),
  }),
  defineRecord(feeStructure, { rules: { validate: [requireTermOfYear, setStructureTotal] } }),
  defineRecord(feeSchedule, {
    rules: {
      validate: [requireTermOfYear, setDraftStatus, setComponents, setScheduleTotals, warnOfDifferences],
      beforeSubmit: [awaitFees],
      afterCancel: [setCancelled],
    },
    methods: {
      create_fees: {
        announce: (schedule, work) => {
          requireMayCharge(work)
          return announceFees(schedule, work)
        },
        run: createFees,
        failed: feesFailed,
      },
      get_progress: (schedule, work) => feeProgress(work, schedule),
    },
  }),
  defineRecord(fees, {
    noun: 'fee',
    indexes: [['due_date'], ['student', 'due_date']],
    rules: {
      validate: [
        requireTermOfYear,
        setAccounts,
        setTotals,
        requireOwnEnrollment,
        requireNoNegativeTotal,
        setContactEmail,
      ],
      beforeSubmit: [requirePayableTotal, requireUsableAccounts],
      afterSubmit: [raiseDebt],
      beforeCancel: [clearOutstanding],
      afterCancel: [withdrawDebt],
    },
    ignoredOnCancel: ['GL Entry'],
  }),
]
