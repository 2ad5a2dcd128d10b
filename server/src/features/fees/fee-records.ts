import { feeCategory, feeSchedule, feeStructure, fees } from '@matricula/contract/record-types'
import { defineRecord, type RecordDefinition } from '../../record-engine/index.ts'
import { requireTermOfYear } from '../calendar/index.ts'
import { announceFees, createFees, readFeeProgress, recordFeesFailure } from './create-fees.ts'
import { setFeeComponents } from './fee-components.ts'
import {
  markAsPending,
  setCancelled,
  setComponents,
  setDraftStatus,
  setScheduleTotals,
  warnOfDifferences,
} from './fee-schedules.ts'
import { requireOneDefaultPerCompany, setStructureTotal } from './fee-structures.ts'
import {
  clearOutstanding,
  postDebt,
  requireMayCharge,
  requireNoNegativeTotal,
  requireOpenPostingDate,
  requireOwnEnrollment,
  requirePayableTotal,
  requireUsableAccounts,
  reverseDebt,
  setAccounts,
  setContactEmail,
  setTotals,
} from './fees.ts'

/** The record types of fees: categories, structures, schedules, and fees with their ledger. */
export const feeRecords: readonly RecordDefinition[] = [
  defineRecord(feeCategory, {
    rules: { validate: [requireOneDefaultPerCompany] },
    fromName: async (name) => ({ category_name: name }),
  }),
  defineRecord(feeStructure, { rules: { validate: [requireTermOfYear, setStructureTotal] } }),
  defineRecord(feeSchedule, {
    rules: {
      validate: [requireTermOfYear, setDraftStatus, setComponents, setScheduleTotals, warnOfDifferences],
      beforeSubmit: [markAsPending],
      afterCancel: [setCancelled],
    },
    methods: {
      create_fees: {
        announce: (schedule, work) => {
          requireMayCharge(work)
          return announceFees(schedule, work)
        },
        run: createFees,
        failed: recordFeesFailure,
      },
      get_progress: (schedule, work) => readFeeProgress(work, schedule),
    },
  }),
  defineRecord(fees, {
    noun: 'fee',
    indexes: [['due_date'], ['student', 'due_date']],
    rules: {
      validate: [
        requireTermOfYear,
        setAccounts,
        setFeeComponents,
        setTotals,
        requireOwnEnrollment,
        requireNoNegativeTotal,
        setContactEmail,
      ],
      beforeSubmit: [requirePayableTotal, requireOpenPostingDate, requireUsableAccounts],
      afterSubmit: [postDebt],
      beforeCancel: [clearOutstanding],
      afterCancel: [reverseDebt],
    },
    ignoredOnCancel: ['GL Entry'],
  }),
]
